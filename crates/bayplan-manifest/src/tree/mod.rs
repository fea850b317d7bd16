//! A document as a tree of values that know their place in the text.
//!
//! The tree is the meeting point of all later steps: the strict check walks it, typed objects are decoded from it, and
//! findings given as field paths (`spec.template.spec.containers[0].image`) are turned into lines and columns by it.
//!
//! Values are resolved by the rules of the YAML library that kubectl uses (`go.yaml.in/yaml/v2`, reached through
//! `sigs.k8s.io/yaml`), not by those of YAML 1.2: `yes`, `on` and `y` are booleans, `0644` is octal. What a manifest
//! means here is what the API server would be sent.
//!
//! Aliases share their target's node, so a tree never needs more memory than its text warrants; how much a walk over
//! it can expand is limited when it is built.

mod build;
mod deserialize;
mod documents;
mod json;
mod path;
mod resolve;
mod syntax_error;
mod yaml;

use std::sync::Arc;

pub(crate) use deserialize::whole as whole_number;
pub use deserialize::{DecodeError, NodeDeserializer};
pub use documents::parse_documents;
pub use path::Found;
pub(crate) use resolve::{Scalar, float_key, resolve_plain};

use crate::diagnostic::Location;
use crate::source::SourceText;

/// Nesting beyond this is refused, aliases included. Kubernetes objects stay far below it.
pub const DEEPEST_NESTING: usize = 255;

/// A byte range of the source text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// Byte after the last one.
    pub end: u32,
}

impl Span {
    /// The span of `start..end`.
    #[must_use]
    pub fn new(start: usize, end: usize) -> Self {
        let clamp = |offset| u32::try_from(offset).unwrap_or(u32::MAX);
        Self {
            start: clamp(start),
            end: clamp(end),
        }
    }

    /// As a range of offsets.
    #[must_use]
    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// Names a node within its tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct NodeId(u32);

/// A value and where it is written. Behind an alias it is the place of the anchor's value.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// The value.
    pub value: Value,
    /// Where it stands. For block collections: from the first key or dash to the end of the last entry.
    pub span: Span,
}

/// A value as JSON knows it, collections by reference to their nodes.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// `null`, `~` or nothing.
    Null,
    /// A boolean.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A whole number above the range of `i64`.
    Uint(u64),
    /// Any other number; may be infinite or no number in YAML.
    Float(f64),
    /// A string.
    String(Box<str>),
    /// A list.
    Sequence(Vec<NodeId>),
    /// A mapping in the order of the text, each key once.
    Mapping(Vec<Entry>),
}

impl Value {
    /// What Go's JSON decoder calls it: `null`, `bool`, `number`, `string`, `array` or `object`.
    #[must_use]
    pub const fn json_name(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "bool",
            Self::Int(_) | Self::Uint(_) | Self::Float(_) => "number",
            Self::String(_) => "string",
            Self::Sequence(_) => "array",
            Self::Mapping(_) => "object",
        }
    }
}

/// One key of a mapping.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// The key as JSON would hold it: `yes: 1` has the key `true`.
    pub key: Box<str>,
    /// Where the key stands.
    pub key_span: Span,
    /// The value.
    pub value: NodeId,
    /// Whether it came from a merge key (`<<`).
    pub merged: bool,
}

/// How a value is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// A scalar without quotes, or nothing at all.
    Plain,
    /// `'...'`
    SingleQuoted,
    /// `"..."`
    DoubleQuoted,
    /// `|` or `>`
    BlockScalar,
    /// A collection by indentation.
    Block,
    /// `[...]` or `{...}`
    Flow,
}

/// One document of a source text.
#[derive(Debug, Clone)]
pub struct Tree {
    source: Arc<SourceText>,
    nodes: Vec<Node>,
    root: NodeId,
    has_duplicate_keys: bool,
}

impl Tree {
    /// The text this was read from.
    #[must_use]
    pub fn source(&self) -> &Arc<SourceText> {
        &self.source
    }

    /// The outermost value.
    #[must_use]
    pub fn root(&self) -> NodeId {
        self.root
    }

    /// The node of an id that this tree gave out.
    #[must_use]
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    /// Whether some mapping of the document has a key twice; only the later value is kept.
    #[must_use]
    pub fn has_duplicate_keys(&self) -> bool {
        self.has_duplicate_keys
    }

    /// The value of a node.
    #[must_use]
    pub fn value(&self, id: NodeId) -> &Value {
        &self.node(id).value
    }

    /// The entry of a mapping with this key; `None` for other values too.
    #[must_use]
    pub fn entry(&self, id: NodeId, key: &str) -> Option<&Entry> {
        match self.value(id) {
            Value::Mapping(entries) => entries.iter().find(|entry| &*entry.key == key),
            _ => None,
        }
    }

    /// The value of a mapping's key.
    #[must_use]
    pub fn get(&self, id: NodeId, key: &str) -> Option<NodeId> {
        self.entry(id, key).map(|entry| entry.value)
    }

    /// The string at a mapping's key.
    #[must_use]
    pub fn get_str(&self, id: NodeId, key: &str) -> Option<&str> {
        match self.value(self.get(id, key)?) {
            Value::String(text) => Some(text),
            _ => None,
        }
    }

    /// How a node is written.
    #[must_use]
    pub fn style(&self, id: NodeId) -> Style {
        let node = self.node(id);
        let first = self.source.text.as_bytes().get(node.span.start as usize);
        match (&node.value, first) {
            (Value::Sequence(_) | Value::Mapping(_), Some(b'[' | b'{')) => Style::Flow,
            (Value::Sequence(_) | Value::Mapping(_), _) => Style::Block,
            (Value::String(_), Some(b'\'')) => Style::SingleQuoted,
            (Value::String(_), Some(b'"')) => Style::DoubleQuoted,
            (Value::String(_), Some(b'|' | b'>')) => Style::BlockScalar,
            _ => Style::Plain,
        }
    }

    /// The location of a span of this document.
    #[must_use]
    pub fn locate(&self, span: Span) -> Location {
        self.source.locate(span.range())
    }

    /// `namespace/Kind/name` of the object in this document, as far as it says so.
    #[must_use]
    pub fn object_name(&self, id: NodeId) -> Option<String> {
        let kind = self.get_str(id, "kind")?;
        let metadata = self.get(id, "metadata");
        let part = |key| metadata.and_then(|metadata| self.get_str(metadata, key));
        let name = part("name").or_else(|| part("generateName")).unwrap_or("?");
        Some(match part("namespace") {
            Some(namespace) => format!("{namespace}/{kind}/{name}"),
            None => format!("{kind}/{name}"),
        })
    }
}
