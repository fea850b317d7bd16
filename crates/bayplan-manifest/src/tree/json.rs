//! JSON documents, one after the other, to trees.

use std::sync::Arc;

use super::build::{Builder, Keys, Refusal};
use super::{DEEPEST_NESTING, Entry, NodeId, Span, Tree, Value, syntax_error, yaml};
use crate::diagnostic::{Diagnostic, code};
use crate::source::SourceText;

/// Reads the values of a JSON stream from byte `start` on; ends at the first fault.
pub(super) fn parse_stream(source: &Arc<SourceText>, start: usize) -> (Vec<Tree>, Vec<Diagnostic>) {
    let mut trees = Vec::new();
    let mut diagnostics = Vec::new();
    let mut at = start;
    loop {
        let mut parser = Parser {
            source,
            bytes: source.text.as_bytes(),
            at,
            builder: Builder::default(),
        };
        parser.skip_space();
        if parser.at >= parser.bytes.len() {
            break;
        }
        let begin = parser.at;
        match parser.value(0) {
            Ok(root) => {
                at = parser.at;
                let damaged = source.damaged.iter().any(|offset| (begin..at).contains(offset));
                if damaged {
                    continue;
                }
                diagnostics.extend(syntax_error::duplicates(source, &parser.builder.duplicates));
                trees.push(Tree {
                    source: Arc::clone(source),
                    has_duplicate_keys: !parser.builder.duplicates.is_empty(),
                    nodes: parser.builder.nodes,
                    root,
                });
            }
            Err(fault) => {
                diagnostics.push(*fault);
                break;
            }
        }
    }
    (trees, diagnostics)
}

struct Parser<'source> {
    source: &'source Arc<SourceText>,
    bytes: &'source [u8],
    at: usize,
    builder: Builder,
}

type Failure = Box<Diagnostic>;

impl Parser<'_> {
    fn value(&mut self, depth: usize) -> Result<NodeId, Failure> {
        if depth > DEEPEST_NESTING {
            return Err(yaml::refuse(
                self.source,
                Refusal::TooDeep(Span::new(self.at, self.at + 1)),
            ));
        }
        let start = self.at;
        let value = match self.bytes.get(start) {
            Some(b'{') => return self.object(depth),
            Some(b'[') => return self.array(depth),
            Some(b'"') => Value::String(self.string()?.into_boxed_str()),
            Some(b'-' | b'0'..=b'9') => self.number()?,
            Some(b't') => self.word("true", Value::Bool(true))?,
            Some(b'f') => self.word("false", Value::Bool(false))?,
            Some(b'n') => self.word("null", Value::Null)?,
            _ => return Err(self.unexpected("a value")),
        };
        self.add(value, start)
    }

    fn object(&mut self, depth: usize) -> Result<NodeId, Failure> {
        let start = self.at;
        self.at += 1;
        let mut keys = Keys::default();
        self.skip_space();
        if self.bytes.get(self.at) == Some(&b'}') {
            self.at += 1;
            return self.add(Value::Mapping(Vec::new()), start);
        }
        loop {
            self.skip_space();
            let key_start = self.at;
            if self.bytes.get(key_start) != Some(&b'"') {
                return Err(self.unexpected("a key in double quotes"));
            }
            let key = self.string()?.into_boxed_str();
            let key_span = Span::new(key_start, self.at);
            self.skip_space();
            if self.bytes.get(self.at) != Some(&b':') {
                return Err(self.unexpected("`:` behind the key"));
            }
            self.at += 1;
            self.skip_space();
            let value = self.value(depth + 1)?;
            let entry = Entry {
                key,
                key_span,
                value,
                merged: false,
            };
            self.builder.insert(&mut keys, entry);
            self.skip_space();
            match self.bytes.get(self.at) {
                Some(b',') => self.at += 1,
                Some(b'}') => {
                    self.at += 1;
                    return self.add(Value::Mapping(keys.entries), start);
                }
                _ => return Err(self.unexpected("`,` or `}`")),
            }
        }
    }

    fn array(&mut self, depth: usize) -> Result<NodeId, Failure> {
        let start = self.at;
        self.at += 1;
        let mut items = Vec::new();
        self.skip_space();
        if self.bytes.get(self.at) == Some(&b']') {
            self.at += 1;
            return self.add(Value::Sequence(items), start);
        }
        loop {
            self.skip_space();
            items.push(self.value(depth + 1)?);
            self.skip_space();
            match self.bytes.get(self.at) {
                Some(b',') => self.at += 1,
                Some(b']') => {
                    self.at += 1;
                    return self.add(Value::Sequence(items), start);
                }
                _ => return Err(self.unexpected("`,` or `]`")),
            }
        }
    }

    fn string(&mut self) -> Result<String, Failure> {
        let start = self.at;
        self.at += 1;
        loop {
            let rest = self.bytes.get(self.at..).unwrap_or_default();
            let Some(stop) = memchr::memchr3(b'"', b'\\', b'\n', rest) else {
                self.at = start;
                return Err(self.truncated("this string is never closed"));
            };
            self.at += stop;
            match self.bytes[self.at] {
                b'"' => {
                    self.at += 1;
                    break;
                }
                b'\\' => self.at += 2,
                _ => {
                    self.at = start;
                    return Err(self.fault(start..start + 1, "this string is not closed on its line"));
                }
            }
        }
        // The decoder behind serde_json knows all about escapes, surrogates and control characters.
        let raw = self.source.text.get(start..self.at).unwrap_or_default();
        serde_json::from_str(raw).map_err(|error| {
            let message = format!("invalid string: {}", without_place(&error));
            self.fault(start..self.at, &message)
        })
    }

    fn number(&mut self) -> Result<Value, Failure> {
        let start = self.at;
        let is_part = |byte: &u8| matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E');
        self.at += self.bytes[start..]
            .iter()
            .take_while(|byte| is_part(byte))
            .count();
        let raw = self.source.text.get(start..self.at).unwrap_or_default();
        let number: serde_json::Number =
            serde_json::from_str(raw).map_err(|_| self.fault(start..self.at, "this is no JSON number"))?;
        Ok(match (number.as_i64(), number.as_u64()) {
            (Some(value), _) => Value::Int(value),
            (None, Some(value)) => Value::Uint(value),
            (None, None) => Value::Float(number.as_f64().unwrap_or(f64::NAN)),
        })
    }

    fn word(&mut self, word: &str, value: Value) -> Result<Value, Failure> {
        if self.bytes[self.at..].starts_with(word.as_bytes()) {
            self.at += word.len();
            return Ok(value);
        }
        Err(self.unexpected("a value"))
    }

    fn add(&mut self, value: Value, start: usize) -> Result<NodeId, Failure> {
        let span = Span::new(start, self.at);
        self.builder
            .add(value, span)
            .map_err(|refusal| yaml::refuse(self.source, refusal))
    }

    fn skip_space(&mut self) {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.bytes.get(self.at) {
            self.at += 1;
        }
    }

    fn unexpected(&self, wanted: &str) -> Failure {
        let Some(&byte) = self.bytes.get(self.at) else {
            return self.truncated(&format!("the text ends where {wanted} should be"));
        };
        let diagnostic = self.fault(self.at..self.at + 1, &format!("expected {wanted}"));
        match byte {
            b'}' | b']' => Box::new(diagnostic.hint("remove the comma before it")),
            b'\'' => Box::new(diagnostic.hint("JSON wants double quotes")),
            b'/' | b'#' => Box::new(diagnostic.hint("JSON has no comments")),
            _ => diagnostic,
        }
    }

    fn truncated(&self, message: &str) -> Failure {
        let end = self.bytes.len();
        let last = self.source.text.trim_end().len();
        let at = if self.at >= end {
            last.saturating_sub(1)
        } else {
            self.at
        };
        Box::new(
            Diagnostic::error(code::TRUNCATED, message)
                .at(self.source.locate(at..at + 1))
                .hint("check whether the file is cut off"),
        )
    }

    fn fault(&self, range: std::ops::Range<usize>, message: &str) -> Failure {
        Box::new(Diagnostic::error(code::SYNTAX, message).at(self.source.locate(range)))
    }
}

fn without_place(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.rsplit_once(" at line ")
        .map_or(text.clone(), |(message, _)| message.to_owned())
}
