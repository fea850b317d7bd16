//! Cuts YAML into list items and documents by its lines alone.
//!
//! Documents end at lines that start with `---`, where kubectl cuts too. In a document with a line `items:` at the left
//! edge, items start at lines with a dash at the indentation of the first one; nothing inside an item can stand that
//! far left. A document without items is one object.

use std::ops::Range;
use std::sync::Arc;

use super::chunk::{Collector, Format, Identity, LARGEST_ITEM_BYTES, Receiver, place};
use super::window::Window;
use crate::diagnostic::{Diagnostic, code};

/// Cuts everything in the window. What cannot be read becomes a diagnostic.
pub(super) fn cut(file: &Arc<str>, window: &mut Window<'_>, chunk_bytes: usize, receiver: &mut dyn Receiver) {
    if window.bytes().starts_with("\u{feff}".as_bytes()) {
        window.consume(3);
    }
    let mut cutter = Cutter {
        file,
        window,
        chunk_bytes,
        receiver,
    };
    while cutter.next_document() {}
}

struct Cutter<'a, 'reader> {
    file: &'a Arc<str>,
    window: &'a mut Window<'reader>,
    chunk_bytes: usize,
    receiver: &'a mut dyn Receiver,
}

/// What the lines at the left edge of a document say about it.
#[derive(Default)]
struct Header {
    api_version: Option<String>,
    kind: Option<String>,
    /// Whether there is a line that is neither blank nor a comment.
    has_content: bool,
}

impl Header {
    fn read(&mut self, line: &[u8]) {
        let text = String::from_utf8_lossy(line);
        let value = |key: &str| {
            let value = text.strip_prefix(key)?.trim();
            let value = value.split(" #").next().unwrap_or(value).trim_end();
            Some(value.trim_matches(['"', '\'']).to_owned())
        };
        if let Some(value) = value("apiVersion:") {
            self.api_version = Some(value);
        } else if let Some(value) = value("kind:") {
            self.kind = Some(value);
        }
    }

    /// What the items of the list are, when the list says so.
    fn item_identity(&self) -> Option<Arc<Identity>> {
        let kind = self
            .kind
            .as_deref()?
            .strip_suffix("List")
            .filter(|kind| !kind.is_empty())?;
        Some(Arc::new(Identity {
            api_version: self.api_version.clone()?,
            kind: kind.to_owned(),
        }))
    }
}

impl Cutter<'_, '_> {
    /// Reads the document at the start of the window and consumes it with its separator; false when there is none.
    fn next_document(&mut self) -> bool {
        let mut header = Header::default();
        let mut at = 0;
        loop {
            let Some(line) = self.line(at) else {
                self.whole_document(at, &header);
                self.window.consume(at);
                return false;
            };
            let bytes = &self.window.bytes()[line.clone()];
            if bytes.starts_with(b"---") {
                self.whole_document(at, &header);
                self.window.consume(line.end);
                return true;
            }
            if is_items_key(bytes) {
                self.window.consume(line.end);
                return self.list(header);
            }
            if !is_blank(bytes) {
                header.has_content = true;
                header.read(bytes);
            }
            at = line.end;
            if at > LARGEST_ITEM_BYTES {
                self.too_large();
                return self.skip_document();
            }
        }
    }

    /// A document without items, as one object from the start of the window to `end`.
    fn whole_document(&mut self, end: usize, header: &Header) {
        if header.has_content {
            let mut collector = Collector::new(self.file, Format::Yaml { dash: None }, self.chunk_bytes);
            collector.push(0..end);
            collector.hand_over(self.window, self.receiver);
        }
    }

    /// The items of a list, and the rest of its document; true when another document follows.
    fn list(&mut self, mut header: Header) -> bool {
        let dash = self.dash_of_first_item();
        let format = Format::Yaml { dash };
        let mut collector = Collector::new(self.file, format, self.chunk_bytes);
        collector.inherited = header.item_identity();
        let mut after = AfterItems::MoreItems;
        while let (Some(dash), AfterItems::MoreItems) = (dash, after) {
            if !self.items(dash, &mut collector) {
                return self.skip_document();
            }
            after = self.rest_of_document(&mut header, dash);
        }
        if dash.is_none() {
            after = self.rest_of_document(&mut header, usize::MAX);
        }
        collector.inherited = header.item_identity();
        collector.release(self.receiver);
        after == AfterItems::Document
    }

    /// Cuts items from the start of the window to the end of the list, and consumes them; false when one is too large.
    fn items(&mut self, dash: usize, collector: &mut Collector) -> bool {
        let mut item: Option<usize> = None;
        let mut at = 0;
        loop {
            let line = self.line(at);
            let role = line
                .clone()
                .map_or(Role::End, |line| role(&self.window.bytes()[line], dash));
            if role == Role::Inside {
                at = line.map_or(at, |line| line.end);
                if item.is_some_and(|start| at - start > LARGEST_ITEM_BYTES) {
                    self.too_large();
                    return false;
                }
                continue;
            }
            if let Some(start) = item.take() {
                if collector.inherited.is_none() && !self.names_kind(start..at, dash) {
                    collector.hold();
                }
                collector.push(start..at);
                if collector.is_full() || role == Role::End {
                    let done = collector.hand_over(self.window, self.receiver);
                    self.window.consume(done);
                    at -= done;
                }
            }
            match (role, self.line(at)) {
                (Role::Start, Some(line)) => {
                    item = Some(at);
                    at = line.end;
                }
                _ => break,
            }
        }
        self.window.consume(at);
        true
    }

    /// The lines of a list's document behind its items, which are consumed.
    fn rest_of_document(&mut self, header: &mut Header, dash: usize) -> AfterItems {
        let mut complained = false;
        let mut below_metadata = false;
        while let Some(line) = self.line(0) {
            let bytes = &self.window.bytes()[line.clone()];
            if bytes.starts_with(b"---") {
                self.window.consume(line.end);
                return AfterItems::Document;
            }
            // A line that is none of a list's fields, nor below one, has lost its indentation.
            let is_own = if bytes.starts_with(b" ") {
                below_metadata
            } else {
                below_metadata = bytes.starts_with(b"metadata:");
                below_metadata || bytes.starts_with(b"apiVersion:") || bytes.starts_with(b"kind:")
            };
            if !is_own && !is_blank(bytes) && !std::mem::replace(&mut complained, true) {
                let at = place(self.file, self.window.place_of(0));
                self.receiver.diagnostic(
                    Diagnostic::error(
                        code::SYNTAX,
                        "this line belongs neither to an item nor to the list",
                    )
                    .at(at)
                    .hint("check its indentation; items are looked for behind it"),
                );
            }
            let bytes = &self.window.bytes()[line.clone()];
            if role(bytes, dash) == Role::Start {
                return AfterItems::MoreItems;
            }
            header.read(bytes);
            self.window.consume(line.end);
        }
        AfterItems::Nothing
    }

    /// The column of the dash of the first item; `None` when there is no item.
    fn dash_of_first_item(&mut self) -> Option<usize> {
        let mut at = 0;
        loop {
            let line = self.line(at)?;
            let bytes = &self.window.bytes()[line.clone()];
            if !is_blank(bytes) {
                let indentation = indentation(bytes);
                let is_item = is_dash(&bytes[indentation..]) && !bytes.starts_with(b"---");
                return is_item.then_some(indentation);
            }
            at = line.end;
        }
    }

    /// Whether an item has a line `kind:` of its own.
    fn names_kind(&self, item: Range<usize>, dash: usize) -> bool {
        let item = &self.window.bytes()[item];
        let mut lines = item.split(|&byte| byte == b'\n');
        let first = lines.next().unwrap_or_default();
        let after_dash = first.get(dash + 1..).unwrap_or_default();
        let spaces = indentation(after_dash);
        if after_dash[spaces..].starts_with(b"kind:") {
            return true;
        }
        let column = dash + 1 + spaces;
        lines.any(|line| indentation(line) == column && line[column..].starts_with(b"kind:"))
    }

    /// Passes over the rest of a document that cannot be cut.
    fn skip_document(&mut self) -> bool {
        while let Some(line) = self.line(0) {
            let separator = self.window.bytes().starts_with(b"---");
            self.window.consume(line.end);
            if separator {
                return true;
            }
        }
        false
    }

    /// The line that starts at `at`, with its line end; `None` at the end of the stream.
    fn line(&mut self, at: usize) -> Option<Range<usize>> {
        let mut searched = at;
        loop {
            let rest = self.window.bytes().get(searched..).unwrap_or_default();
            if let Some(newline) = memchr::memchr(b'\n', rest) {
                return Some(at..searched + newline + 1);
            }
            searched = self.window.bytes().len();
            if !self.window.fetch() {
                return (searched > at).then_some(at..searched);
            }
        }
    }

    fn too_large(&mut self) {
        let at = place(self.file, self.window.place_of(0));
        self.receiver.diagnostic(
            Diagnostic::error(code::SYNTAX, "this object is larger than 64 MiB")
                .at(at)
                .hint("no API object is that large; check the indentation of the lines that follow"),
        );
    }
}

/// What stands behind the items of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum AfterItems {
    MoreItems,
    Document,
    Nothing,
}

/// What a line in a list is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    /// The first line of an item.
    Start,
    /// Part of the current item, or nothing.
    Inside,
    /// No longer part of the list.
    End,
}

fn role(line: &[u8], dash: usize) -> Role {
    let head = line.get(..dash).unwrap_or(line);
    if !head.iter().all(|&byte| byte == b' ') {
        return if is_blank(line) { Role::Inside } else { Role::End };
    }
    match line.get(dash) {
        Some(b' ' | b'\n' | b'\r' | b'#') | None => Role::Inside,
        Some(b'-') if dash == 0 && line.starts_with(b"---") => Role::End,
        Some(b'-') if is_dash(&line[dash..]) => Role::Start,
        _ => Role::End,
    }
}

fn is_dash(text: &[u8]) -> bool {
    matches!(text, [b'-'] | [b'-', b' ' | b'\n' | b'\r', ..])
}

fn is_items_key(line: &[u8]) -> bool {
    line.strip_prefix(b"items:").is_some_and(is_blank)
}

fn indentation(line: &[u8]) -> usize {
    line.iter().take_while(|&&byte| byte == b' ').count()
}

/// Only spaces, or a comment.
fn is_blank(line: &[u8]) -> bool {
    match line
        .iter()
        .find(|byte| !matches!(byte, b' ' | b'\t' | b'\r' | b'\n'))
    {
        None => true,
        Some(first) => *first == b'#',
    }
}
