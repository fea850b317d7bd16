//! Where a fault is and what it says, in the API server's words (`k8s.io/apimachinery/pkg/util/validation/field`, v0.37.2).

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt;

use bayplan_model::object::LabelSelector;
use serde::Serialize;

/// One step of a [`FieldPath`].
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Segment {
    /// A named field.
    Field(Cow<'static, str>),
    /// An element of a list.
    Index(usize),
    /// An entry of a map.
    Key(String),
}

/// The way from the root of an object to a field, shown as the API server shows it:
/// `spec.containers[0].resources.limits[cpu]`.
///
/// A few of the API server's paths name no real field; they are kept as they are, so the longest prefix that exists
/// is where to point.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FieldPath(Vec<Segment>);

impl FieldPath {
    /// The object itself.
    pub const fn root() -> FieldPath {
        FieldPath(Vec::new())
    }

    /// A field of this.
    #[must_use]
    pub fn child(&self, name: impl Into<Cow<'static, str>>) -> FieldPath {
        self.with(Segment::Field(name.into()))
    }

    /// An element of this list.
    #[must_use]
    pub fn index(&self, index: usize) -> FieldPath {
        self.with(Segment::Index(index))
    }

    /// An entry of this map.
    #[must_use]
    pub fn key(&self, key: &str) -> FieldPath {
        self.with(Segment::Key(key.to_owned()))
    }

    /// The steps.
    pub fn segments(&self) -> &[Segment] {
        &self.0
    }

    /// What comes after `prefix`, if this starts with it.
    pub fn strip_prefix(&self, prefix: &FieldPath) -> Option<FieldPath> {
        self.0
            .strip_prefix(prefix.0.as_slice())
            .map(|rest| FieldPath(rest.to_vec()))
    }

    /// This path followed by another.
    #[must_use]
    pub fn join(&self, rest: &FieldPath) -> FieldPath {
        FieldPath(self.0.iter().chain(&rest.0).cloned().collect())
    }

    fn with(&self, segment: Segment) -> FieldPath {
        let mut segments = Vec::with_capacity(self.0.len() + 1);
        segments.extend_from_slice(&self.0);
        segments.push(segment);
        FieldPath(segments)
    }
}

impl fmt::Display for FieldPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, segment) in self.0.iter().enumerate() {
            match segment {
                Segment::Field(name) if position == 0 => f.write_str(name)?,
                Segment::Field(name) => write!(f, ".{name}")?,
                Segment::Index(index) => write!(f, "[{index}]")?,
                Segment::Key(key) => write!(f, "[{key}]")?,
            }
        }
        Ok(())
    }
}

/// What kind of fault it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ErrorKind {
    /// Missing.
    Required,
    /// Malformed, out of range or at odds with another field.
    Invalid,
    /// Not one of the known values.
    NotSupported,
    /// Well-formed, but not allowed here.
    Forbidden,
    /// Must be unique and is not.
    Duplicate,
    /// Refers to something that is not there.
    NotFound,
    /// Too long.
    TooLong,
    /// Too many elements.
    TooMany,
    /// An admission plugin refuses the pod; the detail is the whole text.
    Rejected,
}

impl ErrorKind {
    /// The words before the value.
    pub const fn title(self) -> &'static str {
        match self {
            ErrorKind::Required => "Required value",
            ErrorKind::Invalid => "Invalid value",
            ErrorKind::NotSupported => "Unsupported value",
            ErrorKind::Forbidden => "Forbidden",
            ErrorKind::Duplicate => "Duplicate value",
            ErrorKind::NotFound => "Not found",
            ErrorKind::TooLong => "Too long",
            ErrorKind::TooMany => "Too many",
            ErrorKind::Rejected => "",
        }
    }
}

/// A fault of one field.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct FieldError {
    /// The field.
    pub path: FieldPath,
    /// The kind of fault.
    pub kind: ErrorKind,
    /// The value as the API server shows it, where it shows it.
    pub bad_value: Option<String>,
    /// What is wrong, may be empty.
    pub detail: String,
}

impl fmt::Display for FieldError {
    /// The API server's text: path, kind, value, detail.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.kind == ErrorKind::Rejected {
            return f.write_str(&self.detail);
        }
        write!(f, "{}: {}", self.path, self.kind.title())?;
        if let Some(value) = &self.bad_value {
            write!(f, ": {value}")?;
        }
        if !self.detail.is_empty() {
            write!(f, ": {}", self.detail)?;
        }
        Ok(())
    }
}

/// A value in the notation of a fault: Go's `%q` for plain strings, JSON for everything else.
#[derive(Debug, Clone)]
pub(crate) struct Value(String);

impl Value {
    /// A string of a named Go type, or anything else that Go prints as JSON.
    pub(crate) fn json(value: &(impl Serialize + ?Sized)) -> Value {
        Value(go_json(value))
    }

    /// A label selector; the keys and operators of expressions are there even when they are empty.
    pub(crate) fn selector(selector: Option<&LabelSelector>) -> Value {
        Value(selector_json(selector))
    }

    /// A text that is already in its final notation.
    pub(crate) fn raw(text: impl Into<String>) -> Value {
        Value(text.into())
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Value {
        Value(go_quoted(text))
    }
}

impl From<&String> for Value {
    fn from(text: &String) -> Value {
        Value(go_quoted(text))
    }
}

impl From<i64> for Value {
    fn from(number: i64) -> Value {
        Value(number.to_string())
    }
}

impl From<i32> for Value {
    fn from(number: i32) -> Value {
        Value(number.to_string())
    }
}

/// A value as Go's `json.Marshal` writes it: like any JSON, but safe inside HTML.
pub(crate) fn go_json(value: &(impl Serialize + ?Sized)) -> String {
    let text = serde_json::to_string(value).unwrap_or_default();
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '<' => escaped.push_str("\\u003c"),
            '>' => escaped.push_str("\\u003e"),
            '&' => escaped.push_str("\\u0026"),
            other => escaped.push(other),
        }
    }
    escaped
}

/// A label selector as Go writes it.
pub(crate) fn selector_json(selector: Option<&LabelSelector>) -> String {
    let Some(selector) = selector else {
        return "null".to_owned();
    };
    let mut parts = Vec::new();
    if !selector.match_labels.is_empty() {
        parts.push(format!("\"matchLabels\":{}", go_json(&selector.match_labels)));
    }
    if !selector.match_expressions.is_empty() {
        let expressions: Vec<String> = selector
            .match_expressions
            .iter()
            .map(|expression| {
                let (key, operator) = (go_json(&expression.key), go_json(&expression.operator));
                if expression.values.is_empty() {
                    format!("{{\"key\":{key},\"operator\":{operator}}}")
                } else {
                    let values = go_json(&expression.values);
                    format!("{{\"key\":{key},\"operator\":{operator},\"values\":{values}}}")
                }
            })
            .collect();
        parts.push(format!("\"matchExpressions\":[{}]", expressions.join(",")));
    }
    format!("{{{}}}", parts.join(","))
}

/// A text as Go's `strconv.Quote` shows it.
pub(crate) fn go_quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for character in text.chars() {
        match character {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            '\u{7}' => quoted.push_str("\\a"),
            '\u{8}' => quoted.push_str("\\b"),
            '\u{b}' => quoted.push_str("\\v"),
            '\u{c}' => quoted.push_str("\\f"),
            control if (control as u32) < 0x20 || control as u32 == 0x7f => {
                quoted.push_str(&format!("\\x{:02x}", control as u32));
            }
            other => quoted.push(other),
        }
    }
    quoted.push('"');
    quoted
}

/// Faults in the order they were found.
#[derive(Debug, Default)]
pub(crate) struct Faults(Vec<FieldError>);

impl Faults {
    /// Each fault once, where it was first found.
    pub(crate) fn into_errors(self) -> Vec<FieldError> {
        let mut seen = HashSet::new();
        let mut errors = self.0;
        errors.retain(|error| seen.insert(error.clone()));
        errors
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    fn push(
        &mut self,
        path: FieldPath,
        kind: ErrorKind,
        bad_value: Option<Value>,
        detail: impl Into<String>,
    ) {
        self.0.push(FieldError {
            path,
            kind,
            bad_value: bad_value.map(|value| value.0),
            detail: detail.into(),
        });
    }

    pub(crate) fn required(&mut self, path: FieldPath, detail: impl Into<String>) {
        self.push(path, ErrorKind::Required, None, detail);
    }

    pub(crate) fn forbidden(&mut self, path: FieldPath, detail: impl Into<String>) {
        self.push(path, ErrorKind::Forbidden, None, detail);
    }

    pub(crate) fn invalid(&mut self, path: FieldPath, value: impl Into<Value>, detail: impl Into<String>) {
        self.push(path, ErrorKind::Invalid, Some(value.into()), detail);
    }

    /// One fault for each text.
    pub(crate) fn invalid_each(&mut self, path: &FieldPath, value: &str, details: Vec<String>) {
        for detail in details {
            self.invalid(path.clone(), value, detail);
        }
    }

    /// One fault for each text, the value being of a named Go string type.
    pub(crate) fn invalid_typed_each(&mut self, path: &FieldPath, value: &str, details: Vec<String>) {
        for detail in details {
            self.invalid(path.clone(), Value::json(value), detail);
        }
    }

    pub(crate) fn duplicate(&mut self, path: FieldPath, value: impl Into<Value>) {
        self.push(path, ErrorKind::Duplicate, Some(value.into()), "");
    }

    pub(crate) fn not_found(&mut self, path: FieldPath, value: impl Into<Value>, detail: impl Into<String>) {
        self.push(path, ErrorKind::NotFound, Some(value.into()), detail);
    }

    pub(crate) fn too_long(&mut self, path: FieldPath, limit_bytes: usize) {
        self.push(
            path,
            ErrorKind::TooLong,
            None,
            format!("may not be more than {limit_bytes} bytes"),
        );
    }

    pub(crate) fn too_many(&mut self, path: FieldPath, actual: usize, limit: usize) {
        let value = Value::raw(actual.to_string());
        self.push(
            path,
            ErrorKind::TooMany,
            Some(value),
            format!("must have at most {limit} items"),
        );
    }

    pub(crate) fn not_supported(&mut self, path: FieldPath, value: impl Into<Value>, supported: &[&str]) {
        let supported: Vec<String> = supported.iter().map(|value| go_quoted(value)).collect();
        let detail = if supported.is_empty() {
            String::new()
        } else {
            format!("supported values: {}", supported.join(", "))
        };
        self.push(path, ErrorKind::NotSupported, Some(value.into()), detail);
    }

    pub(crate) fn nonnegative(&mut self, path: FieldPath, value: i64) {
        if value < 0 {
            self.invalid(path, value, "must be greater than or equal to 0");
        }
    }

    pub(crate) fn positive(&mut self, path: FieldPath, value: i64) {
        if value <= 0 {
            self.invalid(path, value, "must be greater than zero");
        }
    }
}
