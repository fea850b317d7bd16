//! The codes of diagnostics about input: family 9. Each has a short name that reads as what would be allowed.
//!
//! A code is stable: once released it keeps its meaning, and a retired one is not given to something else.

use std::fmt;

/// A stable diagnostic code with its rule name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Code {
    id: &'static str,
    name: &'static str,
}

impl Code {
    /// A code; `id` like `BP901`, `name` in kebab-case.
    #[must_use]
    pub const fn new(id: &'static str, name: &'static str) -> Self {
        Self { id, name }
    }

    /// The identifier, for example `BP901`.
    #[must_use]
    pub const fn id(self) -> &'static str {
        self.id
    }

    /// The rule's name, for example `unknown-field`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.name
    }
}

impl fmt::Display for Code {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.id)
    }
}

/// A field that the kind does not have.
pub const UNKNOWN_FIELD: Code = Code::new("BP901", "unknown-field");
/// The same key twice in one mapping.
pub const DUPLICATE_KEY: Code = Code::new("BP902", "duplicate-key");
/// A value of the wrong type, such as a number where a string is wanted.
pub const WRONG_TYPE: Code = Code::new("BP905", "wrong-type");
/// A value of the right type that does not parse: a quantity, a time.
pub const INVALID_VALUE: Code = Code::new("BP906", "invalid-value");
/// Text that is not YAML or JSON.
pub const SYNTAX: Code = Code::new("BP907", "syntax");
/// Input that ends in the middle.
pub const TRUNCATED: Code = Code::new("BP908", "truncated");
/// Input that is no text, or not in UTF-8.
pub const NOT_TEXT: Code = Code::new("BP909", "not-text");
/// A file or directory that cannot be read, or a damaged archive.
pub const UNREADABLE: Code = Code::new("BP910", "unreadable");
/// Aliases that expand to far more than the text holds.
pub const EXCESSIVE_ALIASING: Code = Code::new("BP911", "excessive-aliasing");
/// Nesting deeper than any Kubernetes object.
pub const TOO_DEEP: Code = Code::new("BP912", "too-deep");
/// A kind that Bayplan does not read.
pub const UNKNOWN_KIND: Code = Code::new("BP913", "unknown-kind");
/// A document that does not say what it is, or is no object at all.
pub const NOT_AN_OBJECT: Code = Code::new("BP914", "not-an-object");
/// Nothing to read where something was named.
pub const NO_OBJECTS: Code = Code::new("BP915", "no-objects");
