//! From a file to bytes and text.

use std::fs::File;
use std::io::{self, BufReader, Cursor, Read};
use std::ops::Range;
use std::sync::Arc;

use flate2::bufread::MultiGzDecoder;

use super::{Content, Input};
use crate::diagnostic::{Diagnostic, LineIndex, Location, code};

/// The first bytes of every gzip file (RFC 1952).
const GZIP_MAGIC: [u8; 2] = [0x1f, 0x8b];

/// Size of the blocks read from files; large enough that system calls do not count.
const BLOCK_BYTES: usize = 256 * 1024;

/// Texts with places must stay below 4 GiB, since places are kept as 32-bit offsets.
const LARGEST_TEXT_BYTES: u64 = u32::MAX as u64;

/// A whole text in memory, with the places of its lines.
#[derive(Debug)]
pub struct SourceText {
    /// The file's path as the user wrote it, or `-`.
    pub name: Arc<str>,
    /// The text; bytes that were no UTF-8 are U+FFFD.
    pub text: String,
    /// Its line starts.
    pub lines: LineIndex,
    /// Offsets in `text` at which bytes were no UTF-8; documents around them must not be used.
    pub damaged: Vec<usize>,
    /// Number of the first line, from 1: more than 1 for a part of a larger text.
    pub first_line: u32,
}

impl SourceText {
    /// A text given as such.
    #[must_use]
    pub fn new(name: Arc<str>, text: String) -> Self {
        let lines = LineIndex::new(&text);
        Self {
            name,
            text,
            lines,
            damaged: Vec::new(),
            first_line: 1,
        }
    }

    /// A part of a larger text; `line` is the number of its first line, from 1.
    #[must_use]
    pub fn part(name: Arc<str>, text: String, line: u32) -> Self {
        Self {
            first_line: line,
            ..Self::new(name, text)
        }
    }

    /// The location of a byte range.
    #[must_use]
    pub fn locate(&self, range: Range<usize>) -> Location {
        let skipped = self.first_line.saturating_sub(1);
        let mut location = self.lines.locate(&self.name, &self.text, range);
        location.line = location.line.saturating_add(skipped);
        location.end_line = location.end_line.saturating_add(skipped);
        location
    }
}

/// Opens an input as a stream of bytes, unpacked if it is gzip.
///
/// # Errors
/// A diagnostic when the file cannot be opened or its first bytes cannot be read.
pub fn open(input: Input) -> Result<Box<dyn Read + Send>, Box<Diagnostic>> {
    let name = Arc::clone(&input.name);
    let raw: Box<dyn Read + Send> = match input.content {
        Content::Path { path, .. } => Box::new(File::open(path).map_err(|error| unreadable(&name, &error))?),
        Content::Bytes(bytes) => Box::new(Cursor::new(bytes)),
        Content::Reader(reader) => reader,
    };
    unpack(raw).map_err(|error| unreadable(&name, &error))
}

/// Puts a decoder before a stream that starts like gzip.
fn unpack(mut raw: Box<dyn Read + Send>) -> io::Result<Box<dyn Read + Send>> {
    let mut head = Vec::with_capacity(GZIP_MAGIC.len());
    raw.by_ref()
        .take(GZIP_MAGIC.len() as u64)
        .read_to_end(&mut head)?;
    let packed = head == GZIP_MAGIC;
    let whole = Cursor::new(head).chain(raw);
    Ok(if packed {
        Box::new(MultiGzDecoder::new(BufReader::with_capacity(BLOCK_BYTES, whole)))
    } else {
        Box::new(whole)
    })
}

/// Reads an input as text.
///
/// What was read before a failure (a truncated archive, a file that is cut) is returned with the diagnostics. `None`
/// when there is no text at all: unreadable, binary, or in UTF-16.
#[must_use]
pub fn read_text(input: Input) -> (Option<SourceText>, Vec<Diagnostic>) {
    let name = Arc::clone(&input.name);
    let mut diagnostics = Vec::new();
    let stream = match open(input) {
        Ok(stream) => stream,
        Err(diagnostic) => return (None, vec![*diagnostic]),
    };
    let mut bytes = Vec::new();
    if let Err(error) = stream.take(LARGEST_TEXT_BYTES + 1).read_to_end(&mut bytes) {
        diagnostics.push(broken_off(&name, &error));
    }
    if bytes.len() as u64 > LARGEST_TEXT_BYTES {
        diagnostics.push(
            Diagnostic::error(code::UNREADABLE, "manifests of 4 GiB or more are not read")
                .at(Location::line_of(name, 1))
                .hint("pass a cluster's state with --cluster instead"),
        );
        return (None, diagnostics);
    }
    if let Some(diagnostic) = not_text(&name, &bytes) {
        diagnostics.push(diagnostic);
        return (None, diagnostics);
    }
    let (text, damaged) = decode_utf8(bytes);
    let mut source = SourceText::new(name, text);
    for &offset in &damaged {
        diagnostics.push(
            Diagnostic::error(
                code::NOT_TEXT,
                "bytes that are not UTF-8; the document around them is not used",
            )
            .at(source.locate(offset..offset + 3))
            .hint("save the file as UTF-8"),
        );
    }
    source.damaged = damaged;
    (Some(source), diagnostics)
}

/// The diagnostic for a beginning that is no text: UTF-16 or binary.
pub(crate) fn not_text(name: &Arc<str>, head: &[u8]) -> Option<Diagnostic> {
    let place = Location::line_of(Arc::clone(name), 1);
    if head.starts_with(&[0xff, 0xfe]) || head.starts_with(&[0xfe, 0xff]) {
        return Some(
            Diagnostic::error(code::NOT_TEXT, "the text is in UTF-16")
                .at(place)
                .hint("save it as UTF-8; in PowerShell: `... | Out-File -Encoding utf8 FILE`"),
        );
    }
    let sample = head.get(..8_000).unwrap_or(head);
    memchr::memchr(0, sample).map(|at| {
        Diagnostic::error(code::NOT_TEXT, format!("this is no text: byte {at} is zero"))
            .at(place)
            .hint("pass YAML or JSON, plain or as .gz")
    })
}

/// Text of the bytes, and the offsets of what was no UTF-8.
fn decode_utf8(bytes: Vec<u8>) -> (String, Vec<usize>) {
    let bytes = match String::from_utf8(bytes) {
        Ok(text) => return (text, Vec::new()),
        Err(error) => error.into_bytes(),
    };
    let mut text = String::with_capacity(bytes.len());
    let mut damaged = Vec::new();
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        if !chunk.invalid().is_empty() {
            damaged.push(text.len());
            text.push(char::REPLACEMENT_CHARACTER);
        }
    }
    (text, damaged)
}

fn unreadable(name: &Arc<str>, error: &io::Error) -> Box<Diagnostic> {
    let hint = match error.kind() {
        io::ErrorKind::NotFound => "check the path",
        io::ErrorKind::PermissionDenied => "check the permissions",
        _ => "check that the file is whole",
    };
    Box::new(
        Diagnostic::error(code::UNREADABLE, format!("cannot read {name}: {error}"))
            .at(Location::line_of(Arc::clone(name), 1))
            .hint(hint),
    )
}

/// The diagnostic for a stream that fails after its start.
pub(crate) fn broken_off(name: &Arc<str>, error: &io::Error) -> Diagnostic {
    let damaged_archive = matches!(
        error.kind(),
        io::ErrorKind::UnexpectedEof | io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData
    );
    let (code, message) = if error.kind() == io::ErrorKind::UnexpectedEof {
        (code::TRUNCATED, "the gzip archive ends early".to_owned())
    } else if damaged_archive {
        (code::UNREADABLE, format!("the gzip archive is damaged: {error}"))
    } else {
        (code::UNREADABLE, format!("reading {name} failed: {error}"))
    };
    Diagnostic::error(code, message)
        .at(Location::line_of(Arc::clone(name), 1))
        .hint("copy or capture the file again; what came before is used")
}
