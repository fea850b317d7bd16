//! What can be wrong with an input, where, and what to do about it.
//!
//! A [`Diagnostic`] carries its own copy of the few source lines it points at, so that it outlives the text (a dump of
//! a gigabyte is not kept for the sake of one message). How it looks is decided by the renderers beside this file:
//! [`render_full`] like a compiler, [`render_concise`] one line each.

pub mod code;
mod concise;
mod full;
mod location;

pub use code::Code;
pub use concise::render_concise;
pub use full::{RenderStyle, render_full};
pub use location::{LineIndex, Location};

/// How serious a diagnostic is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The API server would refuse this, or it cannot be read at all.
    Error,
    /// Accepted, but it hardly means what its author thinks.
    Warning,
    /// Worth knowing; nothing is wrong.
    Info,
}

impl Severity {
    /// The word used in every output form: `error`, `warning` or `info`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Info => "info",
        }
    }
}

/// A second place that belongs to the same fault, such as the first of two duplicate keys.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    /// Where it is.
    pub location: Location,
    /// What is there.
    pub message: String,
}

/// One finding about the input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// Stable code, for example `BP901`; see [`code`].
    pub code: Code,
    /// How serious it is.
    pub severity: Severity,
    /// What is wrong, in one sentence, lower-case, without a full stop.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
    /// Where it is; `None` when it concerns the input as a whole.
    pub location: Option<Location>,
    /// What the caret says; the full renderer prints it beside the marked text.
    pub caret: Option<String>,
    /// The object it concerns, `namespace/Kind/name` (an empty namespace part for cluster-scoped objects).
    pub object: Option<String>,
    /// Further places that belong to it.
    pub labels: Vec<Label>,
    /// Further facts, for example the API server's own words.
    pub notes: Vec<String>,
}

impl Diagnostic {
    /// A diagnostic without a place yet.
    #[must_use]
    pub fn new(code: Code, severity: Severity, message: impl Into<String>) -> Self {
        Self {
            code,
            severity,
            message: message.into(),
            hint: None,
            location: None,
            caret: None,
            object: None,
            labels: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// An error: the API server would refuse this, or it cannot be read.
    #[must_use]
    pub fn error(code: Code, message: impl Into<String>) -> Self {
        Self::new(code, Severity::Error, message)
    }

    /// A warning: accepted, but suspicious.
    #[must_use]
    pub fn warning(code: Code, message: impl Into<String>) -> Self {
        Self::new(code, Severity::Warning, message)
    }

    /// A remark.
    #[must_use]
    pub fn info(code: Code, message: impl Into<String>) -> Self {
        Self::new(code, Severity::Info, message)
    }

    /// Sets the place.
    #[must_use]
    pub fn at(mut self, location: Location) -> Self {
        self.location = Some(location);
        self
    }

    /// Sets the advice.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Sets the words beside the caret.
    #[must_use]
    pub fn caret(mut self, caret: impl Into<String>) -> Self {
        self.caret = Some(caret.into());
        self
    }

    /// Names the object it concerns; `None` leaves it unnamed.
    #[must_use]
    pub fn object(mut self, object: Option<String>) -> Self {
        self.object = object;
        self
    }

    /// Adds a second place.
    #[must_use]
    pub fn label(mut self, location: Location, message: impl Into<String>) -> Self {
        self.labels.push(Label {
            location,
            message: message.into(),
        });
        self
    }

    /// Adds a fact.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// Whether this is an error.
    #[must_use]
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}
