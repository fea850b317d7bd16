//! The wording of what strict decoding finds.

use crate::diagnostic::{Diagnostic, code};
use crate::schema::FieldType;
use crate::tree::{NodeId, Span, Tree, Value};

/// Collects the faults of one object.
pub(super) struct Faults<'tree> {
    tree: &'tree Tree,
    object: Option<String>,
    /// How the API server begins: `Deployment in version "v1" cannot be handled as a Deployment: `.
    preamble: String,
    diagnostics: Vec<Diagnostic>,
}

impl<'tree> Faults<'tree> {
    pub(super) fn new(tree: &'tree Tree, root: NodeId, api_version: &str, kind: &str) -> Self {
        let version = api_version.rsplit('/').next().unwrap_or(api_version);
        Self {
            tree,
            object: tree.object_name(root),
            preamble: format!("{kind} in version \"{version}\" cannot be handled as a {kind}: "),
            diagnostics: Vec::new(),
        }
    }

    pub(super) fn count(&self) -> usize {
        self.diagnostics.len()
    }

    pub(super) fn add(&mut self, diagnostic: Diagnostic, span: Span) {
        let location = self.tree.locate(span);
        self.diagnostics
            .push(diagnostic.at(location).object(self.object.clone()));
    }

    /// The diagnostics in the order of the text.
    pub(super) fn finish(mut self, unlisted: usize) -> Vec<Diagnostic> {
        self.diagnostics
            .sort_by_key(|found| found.location.as_ref().map(|place| (place.line, place.column)));
        if let Some(last) = self.diagnostics.last_mut().filter(|_| unlisted > 0) {
            last.notes
                .push(format!("{unlisted} more faults in this document are not listed"));
        }
        self.diagnostics
    }

    pub(super) fn unknown_field(
        &self,
        path: &str,
        key: &str,
        owner: &str,
        hint: Option<String>,
    ) -> Diagnostic {
        let diagnostic = Diagnostic::error(code::UNKNOWN_FIELD, format!("unknown field \"{path}\""))
            .caret(format!("{owner} has no field \"{key}\""))
            .note(format!(
                "the API server reports: strict decoding error: unknown field \"{path}\""
            ));
        match hint {
            Some(hint) => diagnostic.hint(hint),
            None => diagnostic,
        }
    }

    pub(super) fn wrong_type(
        &self,
        path: &str,
        text: &str,
        value: &Value,
        wanted: &FieldType,
        go_field: &str,
    ) -> Diagnostic {
        let found = value.json_name();
        let (go_value, go_type) = match (wanted, value) {
            (FieldType::IntOrString, Value::Float(_) | Value::Int(_) | Value::Uint(_)) => {
                (format!("number {text}"), "int32".to_owned())
            }
            (FieldType::IntOrString, _) => (found.to_owned(), "int32".to_owned()),
            (FieldType::Time, _) => (found.to_owned(), "string".to_owned()),
            (FieldType::Int32 | FieldType::Int64, Value::Int(_) | Value::Uint(_) | Value::Float(_)) => {
                (format!("number {text}"), wanted.go_name())
            }
            _ => (found.to_owned(), wanted.go_name()),
        };
        // The decoders of times and int-or-string know nothing of the field they decode.
        let place = match wanted {
            FieldType::IntOrString | FieldType::Time => "Go value".to_owned(),
            _ => format!("Go struct field {go_field}"),
        };
        let diagnostic = Diagnostic::error(
            code::WRONG_TYPE,
            format!(
                "{path}: {} is wanted, this is {}",
                wanted_name(wanted),
                found_name(value, wanted)
            ),
        )
        .caret(format!("{found}, not {}", short_name(wanted)))
        .note(format!(
            "the API server reports: {}json: cannot unmarshal {go_value} into {place} of type {go_type}",
            self.preamble
        ));
        match hint(text, value, wanted) {
            Some(hint) => diagnostic.hint(hint),
            None => diagnostic,
        }
    }

    pub(super) fn bad_quantity(&self, path: &str, text: &str, problem: &str) -> Diagnostic {
        self.bad_value(format!("{path}: {} is no quantity", quoted(text)), problem)
            .hint(
                "quantities are a number and perhaps one suffix, for example 500m, 2, 4Gi (1024-based) or 4G",
            )
    }

    pub(super) fn bad_time(&self, path: &str, text: &str) -> Diagnostic {
        let problem = format!("parsing time {text:?} as \"2006-01-02T15:04:05Z07:00\": cannot parse it");
        self.bad_value(format!("{path}: {} is no time", quoted(text)), &problem)
            .hint("times look like 2026-01-31T12:00:00Z")
    }

    pub(super) fn bad_base64(&self, path: &str) -> Diagnostic {
        self.bad_value(format!("{path}: this is no base64"), "illegal base64 data")
            .hint("encode it, or use the field for plain text where there is one")
    }

    pub(super) fn not_in_json(&self, path: &str, text: &str) -> Diagnostic {
        Diagnostic::error(
            code::WRONG_TYPE,
            format!("{path}: {} cannot be sent to a server", quoted(text)),
        )
        .hint(format!("quote it if the text {text} is meant"))
        .note("kubectl reports: error converting YAML to JSON: json: unsupported value")
    }

    fn bad_value(&self, message: String, problem: &str) -> Diagnostic {
        Diagnostic::error(code::INVALID_VALUE, message)
            .note(format!("the API server reports: {}{problem}", self.preamble))
    }
}

fn wanted_name(wanted: &FieldType) -> &'static str {
    match wanted {
        FieldType::String => "a string",
        FieldType::Bool => "true or false",
        FieldType::Int32 => "a whole number of 32 bits",
        FieldType::Int64 => "a whole number",
        FieldType::Float => "a number",
        FieldType::Quantity => "a quantity",
        FieldType::IntOrString => "a whole number or a string",
        FieldType::Time => "a time",
        FieldType::Bytes => "base64 text",
        FieldType::Any => "a value",
        FieldType::List(_) => "a list",
        FieldType::Map(_) | FieldType::Struct(_) => "a mapping",
    }
}

fn short_name(wanted: &FieldType) -> &'static str {
    let name = wanted_name(wanted);
    name.strip_prefix("a ").unwrap_or(name)
}

fn found_name(value: &Value, wanted: &FieldType) -> &'static str {
    match value {
        Value::Null => "nothing",
        Value::Bool(_) => "a boolean",
        Value::Float(_)
            if matches!(
                wanted,
                FieldType::Int32 | FieldType::Int64 | FieldType::IntOrString
            ) =>
        {
            "a fraction"
        }
        Value::Int(_) | Value::Uint(_)
            if matches!(
                wanted,
                FieldType::Int32 | FieldType::Int64 | FieldType::IntOrString
            ) =>
        {
            "too large"
        }
        Value::Int(_) | Value::Uint(_) | Value::Float(_) => "a number",
        Value::String(_) => "a string",
        Value::Sequence(_) => "a list",
        Value::Mapping(_) => "a mapping",
    }
}

fn hint(text: &str, value: &Value, wanted: &FieldType) -> Option<String> {
    let scalar = !text.contains('\n') && text.len() <= 60;
    match (wanted, value) {
        (FieldType::String | FieldType::Time, Value::Bool(_))
            if scalar && !matches!(text, "true" | "false") =>
        {
            Some(format!("YAML reads {text} as a boolean; quote it: \"{text}\""))
        }
        (
            FieldType::String | FieldType::Time,
            Value::Bool(_) | Value::Int(_) | Value::Uint(_) | Value::Float(_),
        ) if scalar => Some(format!("quote it: \"{text}\"")),
        (FieldType::Int32 | FieldType::Int64 | FieldType::Bool | FieldType::Float, Value::String(inner))
            if matches!(text.as_bytes().first(), Some(b'"' | b'\'')) =>
        {
            Some(format!("write it without quotes: {inner}"))
        }
        (FieldType::List(_), Value::Mapping(_)) => Some("put `- ` before its first key".to_owned()),
        (FieldType::List(_), Value::String(_)) => {
            Some("write it as a list: one `- ` for each value".to_owned())
        }
        (FieldType::Map(_) | FieldType::Struct(_), Value::Sequence(_)) => {
            Some("remove the `- `: this is one mapping, not a list".to_owned())
        }
        (FieldType::Map(_), Value::String(_)) => {
            Some("write it as `key: value`, with a space after the colon".to_owned())
        }
        _ => None,
    }
}

fn quoted(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    let mut short: String = line.chars().take(60).collect();
    if short.len() < text.len() {
        short.push_str("...");
    }
    if short.starts_with(['"', '\'']) {
        short
    } else {
        format!("`{short}`")
    }
}
