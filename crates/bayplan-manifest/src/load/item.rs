//! Decodes the items of a chunk.

use std::ops::Range;
use std::sync::Arc;

use bayplan_model::object::{Object, UnknownKind};

use super::block_yaml::{Block, NotCanonical};
use super::chunk::{Chunk, Format, Identity};
use super::whole;
use super::{json_layout, json_scan};
use crate::diagnostic::{Diagnostic, Location, code};

/// An object and where its text starts.
#[derive(Debug, Clone, PartialEq)]
pub struct Located<T> {
    /// The object.
    pub object: T,
    /// The file's path as the user wrote it, or `-`.
    pub file: Arc<str>,
    /// Line of its first byte, from 1.
    pub line: u32,
}

/// What a piece of input turned out to hold.
#[derive(Debug, Default)]
pub(super) struct Decoded {
    pub(super) objects: Vec<Located<Object>>,
    pub(super) unknown: Vec<UnknownKind>,
    pub(super) diagnostics: Vec<Diagnostic>,
}

/// Decodes every item of a chunk; a faulty item becomes a diagnostic.
pub(super) fn decode_chunk(chunk: &Chunk, decoded: &mut Decoded) {
    let mut line = chunk.line;
    let mut counted = 0;
    for item in &chunk.items {
        let before = chunk.bytes.get(counted..item.start).unwrap_or_default();
        line = line.saturating_add(to_u32(memchr::memchr_iter(b'\n', before).count()));
        counted = item.start;
        let item = Item {
            chunk,
            range: item.clone(),
            line,
        };
        match item.decode() {
            Ok(Ok(object)) => decoded.objects.push(item.located(object)),
            Ok(Err(unknown)) => decoded.unknown.push(unknown),
            Err(Fault::General) => whole::decode_item(chunk, item.range.clone(), line, decoded),
            Err(Fault::Found(diagnostic)) => decoded.diagnostics.push(*diagnostic),
            Err(Fault::Syntax(diagnostic)) => item.recover(*diagnostic, decoded),
        }
    }
}

enum Fault {
    /// The general parser must have a look.
    General,
    Found(Box<Diagnostic>),
    /// Text that is no JSON: its braces may have hidden where it ends.
    Syntax(Box<Diagnostic>),
}

impl From<NotCanonical> for Fault {
    fn from(_: NotCanonical) -> Self {
        Self::General
    }
}

struct Item<'chunk> {
    chunk: &'chunk Chunk,
    range: Range<usize>,
    line: u32,
}

impl Item<'_> {
    fn decode(&self) -> Result<Result<Object, UnknownKind>, Fault> {
        match self.chunk.format {
            Format::Json => self.decode_json(),
            Format::Yaml { dash } => self.decode_yaml(dash),
        }
    }

    /// Reports the fault, and decodes the items behind it that unbalanced braces have drawn in.
    fn recover(&self, diagnostic: Diagnostic, decoded: &mut Decoded) {
        let items = json_layout::items(&self.chunk.bytes, self.range.clone());
        let Some((first, others)) = items.split_first().filter(|(_, others)| !others.is_empty()) else {
            decoded.diagnostics.push(diagnostic);
            return;
        };
        for range in std::iter::once(first).chain(others) {
            let before = self
                .chunk
                .bytes
                .get(self.range.start..range.start)
                .unwrap_or_default();
            let item = Item {
                chunk: self.chunk,
                range: range.clone(),
                line: self
                    .line
                    .saturating_add(to_u32(memchr::memchr_iter(b'\n', before).count())),
            };
            match item.decode() {
                Ok(Ok(object)) => decoded.objects.push(item.located(object)),
                Ok(Err(unknown)) => decoded.unknown.push(unknown),
                Err(Fault::Found(found) | Fault::Syntax(found)) => decoded.diagnostics.push(*found),
                Err(Fault::General) => whole::decode_item(item.chunk, item.range, item.line, decoded),
            }
        }
    }

    fn located(&self, object: Object) -> Located<Object> {
        Located {
            object,
            file: Arc::clone(&self.chunk.file),
            line: self.line,
        }
    }

    fn bytes(&self) -> &[u8] {
        self.chunk.bytes.get(self.range.clone()).unwrap_or_default()
    }

    fn decode_json(&self) -> Result<Result<Object, UnknownKind>, Fault> {
        let bytes = self.bytes();
        let own;
        let Identity { api_version, kind } = match &self.chunk.inherited {
            Some(identity) => &**identity,
            None => {
                own = self.identity(bytes)?;
                &own
            }
        };
        let mut deserializer = serde_json::Deserializer::from_slice(bytes);
        let object = Object::decode(api_version, kind, &mut deserializer)
            .map_err(|error| self.explain(&error, kind))?;
        match &object {
            Ok(_) => deserializer.end().map_err(|error| self.explain(&error, kind))?,
            // A list in a list, or one that could not be cut.
            Err(unknown) if unknown.kind.ends_with("List") => return Err(Fault::General),
            Err(_) => {
                serde_json::from_slice::<serde::de::IgnoredAny>(bytes)
                    .map_err(|error| self.explain(&error, kind))?;
            }
        }
        Ok(object)
    }

    fn identity(&self, bytes: &[u8]) -> Result<Identity, Fault> {
        let (api_version, kind) = json_scan::identity(bytes);
        match (api_version, kind) {
            (Some(api_version), Some(kind)) => Ok(Identity { api_version, kind }),
            (api_version, _) => {
                // Text that is no JSON is a better reason than a missing field.
                if let Err(error) = serde_json::from_slice::<serde::de::IgnoredAny>(bytes) {
                    return Err(self.explain(&error, "object"));
                }
                let missing = if api_version.is_none() {
                    "apiVersion"
                } else {
                    "kind"
                };
                Err(Fault::Found(Box::new(
                    Diagnostic::error(code::NOT_AN_OBJECT, format!("{missing} is not set"))
                        .at(self.place(1, 0))
                        .object(json_scan::name(bytes))
                        .hint("every object, or the list it is in, names its apiVersion and kind"),
                )))
            }
        }
    }

    fn decode_yaml(&self, dash: Option<usize>) -> Result<Result<Object, UnknownKind>, Fault> {
        let text = std::str::from_utf8(self.bytes()).map_err(|error| {
            let before = self.bytes().get(..error.valid_up_to()).unwrap_or_default();
            let line = self
                .line
                .saturating_add(to_u32(memchr::memchr_iter(b'\n', before).count()));
            let start = memchr::memrchr(b'\n', before).map_or(0, |newline| newline + 1);
            let column = to_u32(before.len() - start + 1);
            Fault::Found(Box::new(
                Diagnostic::error(
                    code::NOT_TEXT,
                    "bytes that are not UTF-8; the object around them is not used",
                )
                .at(Location::point(Arc::clone(&self.chunk.file), line, column))
                .hint("save the file as UTF-8"),
            ))
        })?;
        let (api_version, kind) = match &self.chunk.inherited {
            Some(identity) => (
                identity.api_version.as_str().into(),
                identity.kind.as_str().into(),
            ),
            None => match Block::new(text, dash)?.identity()? {
                (Some(api_version), Some(kind)) => (api_version, kind),
                _ => return Err(Fault::General),
            },
        };
        let mut block = Block::new(text, dash)?;
        let object = Object::decode(&api_version, &kind, block.object())?;
        if object.is_ok() && !block.is_at_end() {
            return Err(Fault::General);
        }
        // A list in a document of its own is cut by the general reader.
        match object {
            Err(unknown) if unknown.kind.ends_with("List") => Err(Fault::General),
            object => Ok(object),
        }
    }

    fn explain(&self, error: &serde_json::Error, kind: &str) -> Fault {
        let text = error.to_string();
        let message = text
            .rsplit_once(" at line ")
            .map_or(&*text, |(message, _)| message);
        let object = json_scan::name(self.bytes()).map(|name| match name.split_once('/') {
            Some((namespace, name)) => format!("{namespace}/{kind}/{name}"),
            None => format!("{kind}/{name}"),
        });
        let (code, message, hint) = if error.is_eof() {
            (
                code::TRUNCATED,
                "the object ends early".to_owned(),
                "capture it again; the other objects are used",
            )
        } else if error.is_data() {
            (
                code::INVALID_VALUE,
                format!("this {kind} cannot be read: {message}"),
                "the other objects are used",
            )
        } else {
            (
                code::SYNTAX,
                format!("this is no JSON: {message}"),
                "the other objects are used",
            )
        };
        let diagnostic = Diagnostic::error(code, message)
            .at(self.place(error.line(), error.column()))
            .object(object)
            .hint(hint);
        if error.is_data() {
            Fault::Found(Box::new(diagnostic))
        } else {
            Fault::Syntax(Box::new(diagnostic))
        }
    }

    /// A place within the item, given line and column from 1 as the JSON decoder counts them.
    fn place(&self, line: usize, column: usize) -> Location {
        let within_first = line <= 1;
        let offset = if within_first { self.column_of_start() } else { 1 };
        Location::point(
            Arc::clone(&self.chunk.file),
            self.line.saturating_add(to_u32(line.saturating_sub(1))),
            to_u32(column.max(1) - 1).saturating_add(offset),
        )
    }

    fn column_of_start(&self) -> u32 {
        let before = self.chunk.bytes.get(..self.range.start).unwrap_or_default();
        match memchr::memrchr(b'\n', before) {
            Some(newline) => to_u32(before.len() - newline),
            None => self.chunk.column.saturating_add(to_u32(before.len())),
        }
    }
}

fn to_u32(value: usize) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}
