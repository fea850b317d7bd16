//! The envelope around every output.

use serde::Serialize;

use crate::{API_VERSION, SCHEDULER_VERSION, TOOL_VERSION};

/// A body that can be the content of a [`Document`].
pub trait Body: Serialize {
    /// The document's `kind`.
    const KIND: &'static str;
}

/// One output: the body's fields between the envelope's.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Document<B> {
    /// Always [`API_VERSION`].
    pub api_version: &'static str,
    /// What the body is.
    pub kind: &'static str,
    /// Version of the tool that wrote the document.
    pub tool_version: &'static str,
    /// Release of the scheduler that is reproduced.
    pub scheduler: &'static str,
    /// Hash over the bytes of all inputs: equal inputs, equal hash. `null` when nothing was read.
    pub input_hash: Option<String>,
    /// Seed of the random numbers; `null` when nothing is random.
    pub seed: Option<u64>,
    /// What the command found out.
    #[serde(flatten)]
    pub body: B,
    /// What could make the answer wrong, and for which objects.
    pub uncertain: Vec<Uncertainty>,
    /// What is wrong or suspicious in the input.
    pub issues: Vec<Issue>,
}

impl<B: Body> Document<B> {
    /// A document around `body`, with nothing random, nothing uncertain and no issues.
    pub fn new(body: B) -> Self {
        Document {
            api_version: API_VERSION,
            kind: B::KIND,
            tool_version: TOOL_VERSION,
            scheduler: SCHEDULER_VERSION,
            input_hash: None,
            seed: None,
            body,
            uncertain: Vec::new(),
            issues: Vec::new(),
        }
    }
}

/// Something that was not known or is not modelled and could change the answer.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Uncertainty {
    /// What is missing and in which way the answer may differ.
    pub reason: String,
    /// The objects it concerns, `namespace/Kind/name`; empty when it concerns the whole answer.
    pub objects: Vec<String>,
}

/// How serious an [`Issue`] is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The API server would refuse it, or it cannot be read.
    Error,
    /// Accepted, but it hardly means what its author thinks.
    Warning,
    /// Worth knowing.
    Info,
}

/// One finding about the input.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Issue {
    /// Stable code.
    pub code: String,
    /// How serious it is.
    pub severity: Severity,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
    /// File as the user named it; `-` is standard input.
    pub file: Option<String>,
    /// Line, from 1.
    pub line: Option<u32>,
    /// Column, from 1, in characters.
    pub column: Option<u32>,
    /// The object it is about, `namespace/Kind/name`.
    pub object: Option<String>,
}
