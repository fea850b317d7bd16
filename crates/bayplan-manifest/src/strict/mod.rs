//! Does a document have only fields that its kind has, each with a value of the right type?
//!
//! The rules are those of the API server's strict decoding (`sigs.k8s.io/json` and the custom decoders of quantities,
//! times and int-or-string): names are case-sensitive, `null` fits everything, a number is no string and the other way
//! round. The Go decoder stops at its first type error; here every fault of a document is reported, because a user
//! wants to mend them all at once. The note quotes what the server would say for that fault alone.

mod faults;
mod suggest;

use std::fmt::Write as _;

use bayplan_model::Quantity;
use rustc_hash::FxHashSet;

use crate::diagnostic::Diagnostic;
use crate::schema::{FieldType, Fields, Schema};
use crate::tree::{Entry, NodeId, Span, Tree, Value, whole_number};
use faults::Faults;

/// More faults in one document than this are counted, not listed.
const MOST_FAULTS: usize = 100;

/// Checks the object at `root` of a tree as a `kind` (a struct's name in the schema).
///
/// `api_version` and `kind` are only quoted in messages; `object` names it in the diagnostics.
#[must_use]
pub fn check(schema: &Schema, tree: &Tree, root: NodeId, api_version: &str, kind: &str) -> Vec<Diagnostic> {
    let Some(fields) = schema.fields(kind) else {
        return Vec::new();
    };
    let mut walk = Walk {
        schema,
        tree,
        faults: Faults::new(tree, root, api_version, kind),
        path: String::new(),
        go_path: Vec::new(),
        structs: Vec::new(),
        seen: FxHashSet::default(),
        unlisted: 0,
    };
    walk.object(root, kind, fields);
    let Walk { faults, unlisted, .. } = walk;
    faults.finish(unlisted)
}

/// A struct on the way from the root to the current value.
struct Level<'schema> {
    name: &'schema str,
    fields: &'schema Fields,
    path_length: usize,
}

struct Walk<'schema, 'tree> {
    schema: &'schema Schema,
    tree: &'tree Tree,
    faults: Faults<'tree>,
    /// Field path with indices, as the API server's validation writes it.
    path: String,
    /// Field names alone, as the decoder writes them.
    go_path: Vec<&'schema str>,
    structs: Vec<Level<'schema>>,
    /// Places already reported: values behind aliases are visited once for each use.
    seen: FxHashSet<Span>,
    unlisted: usize,
}

impl<'schema> Walk<'schema, '_> {
    fn value(&mut self, node: NodeId, wanted: &'schema FieldType) {
        let value = self.tree.value(node);
        match (wanted, value) {
            (FieldType::Any, _) | (_, Value::Null) => {}
            (_, Value::Float(number)) if !number.is_finite() => self.report(node, |walk| {
                let text = walk.text(node);
                walk.faults.not_in_json(&walk.path, text)
            }),
            (FieldType::String, Value::String(_))
            | (FieldType::Bool, Value::Bool(_))
            | (FieldType::Float, Value::Int(_) | Value::Uint(_) | Value::Float(_))
            | (FieldType::IntOrString, Value::String(_)) => {}
            (FieldType::Int64, Value::Int(_)) => {}
            (FieldType::Int32 | FieldType::IntOrString, Value::Int(number))
                if i32::try_from(*number).is_ok() => {}
            (FieldType::Int32 | FieldType::Int64 | FieldType::IntOrString, Value::Float(number))
                if whole_number(*number)
                    .is_some_and(|number| *wanted == FieldType::Int64 || i32::try_from(number).is_ok()) => {}
            (FieldType::Quantity, _) => self.quantity(node, value),
            (FieldType::Time, Value::String(text)) => {
                if !is_rfc3339(text) {
                    self.report(node, |walk| walk.faults.bad_time(&walk.path, text));
                }
            }
            (FieldType::Bytes, Value::String(text)) => {
                if !is_base64(text) {
                    self.report(node, |walk| walk.faults.bad_base64(&walk.path));
                }
            }
            (FieldType::List(item), Value::Sequence(items)) => {
                for (index, &child) in items.iter().enumerate() {
                    let length = self.path.len();
                    let _ = write!(self.path, "[{index}]");
                    self.value(child, item);
                    self.path.truncate(length);
                }
            }
            (FieldType::Map(item), Value::Mapping(entries)) => {
                for entry in entries {
                    let length = self.path.len();
                    let _ = write!(self.path, "[{}]", entry.key);
                    self.value(entry.value, item);
                    self.path.truncate(length);
                }
            }
            (FieldType::Struct(name), Value::Mapping(_)) => {
                if let Some(fields) = self.schema.fields(name) {
                    self.object(node, name, fields);
                }
            }
            _ => self.wrong_type(node, wanted),
        }
    }

    fn object(&mut self, node: NodeId, name: &'schema str, fields: &'schema Fields) {
        let Value::Mapping(entries) = self.tree.value(node) else {
            return;
        };
        self.structs.push(Level {
            name,
            fields,
            path_length: self.path.len(),
        });
        for entry in entries {
            let length = self.path.len();
            if length > 0 {
                self.path.push('.');
            }
            self.path.push_str(&entry.key);
            if let Some((field, wanted)) = fields.get_key_value(&entry.key) {
                self.go_path.push(field);
                self.value(entry.value, wanted);
                self.go_path.pop();
            } else {
                self.unknown_field(entry);
            }
            self.path.truncate(length);
        }
        self.structs.pop();
    }

    fn quantity(&mut self, node: NodeId, value: &Value) {
        // The decoder parses the JSON text itself, so whatever is no quantity fails with the same words.
        let problem = match value {
            Value::String(text) => text.trim().parse::<Quantity>().err(),
            Value::Int(number) => number.to_string().parse::<Quantity>().err(),
            Value::Uint(number) => number.to_string().parse::<Quantity>().err(),
            Value::Float(number) => format!("{number:e}").parse::<Quantity>().err(),
            _ => "true".parse::<Quantity>().err(),
        };
        if let Some(problem) = problem {
            self.report(node, |walk| {
                let text = walk.text(node);
                walk.faults.bad_quantity(&walk.path, text, &problem.to_string())
            });
        }
    }

    fn wrong_type(&mut self, node: NodeId, wanted: &FieldType) {
        self.report(node, |walk| {
            let owner = walk.structs.last().map_or("", |level| level.name);
            let go_field = format!("{owner}.{}", walk.go_path.join("."));
            let text = walk.text(node);
            let value = walk.tree.value(node);
            walk.faults.wrong_type(&walk.path, text, value, wanted, &go_field)
        });
    }

    fn unknown_field(&mut self, entry: &Entry) {
        let key = &*entry.key;
        let Some(level) = self.structs.last() else {
            return;
        };
        let hint = suggest::near_miss(key, level.fields).or_else(|| {
            let above = self.structs.iter().rev().skip(1);
            let above = above.map(|level| {
                (
                    self.path.get(..level.path_length).unwrap_or_default(),
                    level.fields,
                )
            });
            let here = self.path.get(..level.path_length).unwrap_or_default();
            suggest::other_level(self.schema, key, here, level.fields, above)
        });
        let owner = level.name;
        self.report_at(entry.key_span, |walk| {
            walk.faults.unknown_field(&walk.path, key, owner, hint)
        });
    }

    fn report(&mut self, node: NodeId, fault: impl FnOnce(&Self) -> Diagnostic) {
        let span = self.tree.node(node).span;
        self.report_at(span, fault);
    }

    fn report_at(&mut self, span: Span, fault: impl FnOnce(&Self) -> Diagnostic) {
        if !self.seen.insert(span) {
            return;
        }
        if self.faults.count() >= MOST_FAULTS {
            self.unlisted += 1;
            return;
        }
        let diagnostic = fault(self);
        self.faults.add(diagnostic, span);
    }

    /// A scalar as written.
    fn text(&self, node: NodeId) -> &str {
        let span = self.tree.node(node).span;
        self.tree.source().text.get(span.range()).unwrap_or_default()
    }
}

/// Go's `time.RFC3339`, with fractions of a second as its parser takes them.
fn is_rfc3339(text: &str) -> bool {
    let shape: Vec<u8> = text
        .bytes()
        .map(|byte| if byte.is_ascii_digit() { b'0' } else { byte })
        .collect();
    let Some(rest) = shape.strip_prefix(b"0000-00-00T00:00:00") else {
        return false;
    };
    let rest = match rest {
        [b'.', after @ ..] => after.trim_ascii_start_digits(),
        _ => rest,
    };
    matches!(rest, b"Z" | b"+00:00" | b"-00:00") && text.parse::<jiff::Timestamp>().is_ok()
}

/// Drops digits from the front of a shape.
trait TrimDigits {
    fn trim_ascii_start_digits(&self) -> &[u8];
}

impl TrimDigits for [u8] {
    fn trim_ascii_start_digits(&self) -> &[u8] {
        let digits = self.iter().take_while(|&&byte| byte == b'0').count();
        &self[digits..]
    }
}

/// Standard base64 with padding; line breaks are passed over, as Go does.
fn is_base64(text: &str) -> bool {
    let bytes: Vec<u8> = text
        .bytes()
        .filter(|byte| !matches!(byte, b'\n' | b'\r'))
        .collect();
    let padding = bytes.iter().rev().take_while(|&&byte| byte == b'=').count();
    let body = &bytes[..bytes.len() - padding];
    padding <= 2
        && bytes.len().is_multiple_of(4)
        && body
            .iter()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/'))
}
