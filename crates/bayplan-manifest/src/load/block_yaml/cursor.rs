//! A position in block YAML: lines, columns, keys and dashes, and passing over values.

use std::borrow::Cow;

use super::scalar::Text;
use super::{NotCanonical, Read};

/// What stands before the position on its line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    LineStart,
    AfterKey,
    AfterDash,
}

/// A position in the text.
pub(super) struct Cursor<'de> {
    pub(super) text: &'de str,
    pub(super) bytes: &'de [u8],
    pub(super) at: usize,
    /// Column of the position at line starts and behind dashes, from 0; -1 at the end of the text.
    pub(super) column: i32,
    pub(super) place: Place,
    /// The key found at a position by `has_key`, for the `key` that follows.
    found: Option<(usize, Text<'de>, usize)>,
}

impl<'de> Cursor<'de> {
    pub(super) fn new(text: &'de str, dash: Option<usize>) -> Read<Self> {
        let bytes = text.as_bytes();
        // Windows line ends are rare enough to leave them to the general parser.
        if memchr::memchr(b'\r', bytes).is_some() {
            return Err(NotCanonical);
        }
        let mut cursor = Self {
            text,
            bytes,
            at: 0,
            column: 0,
            place: Place::LineStart,
            found: None,
        };
        match dash {
            Some(column) => {
                cursor.at = column;
                cursor.column = to_column(column);
                if !cursor.is_dash() {
                    return Err(NotCanonical);
                }
                cursor.dash()?;
                if cursor.is_line_end() {
                    return Err(NotCanonical);
                }
                cursor.place = Place::LineStart;
            }
            None => cursor.first_content_from(0)?,
        }
        Ok(cursor)
    }

    fn byte(&self, at: usize) -> Option<u8> {
        self.bytes.get(at).copied()
    }

    /// Whether nothing more stands on the line.
    pub(super) fn is_line_end(&self) -> bool {
        matches!(self.byte(self.at), None | Some(b'\n'))
    }

    /// From the end of a line to the next content.
    pub(super) fn next_line(&mut self) -> Read<()> {
        match self.byte(self.at) {
            None => {
                self.end();
                Ok(())
            }
            Some(b'\n') => self.first_content_from(self.at + 1),
            Some(_) => Err(NotCanonical),
        }
    }

    /// To the first line from the line start `at` on that is neither blank nor a comment.
    fn first_content_from(&mut self, mut at: usize) -> Read<()> {
        self.place = Place::LineStart;
        loop {
            let column = self.spaces(at);
            at += column;
            match self.byte(at) {
                None => {
                    self.end();
                    return Ok(());
                }
                Some(b'\n') => at += 1,
                Some(b'#') => match memchr::memchr(b'\n', &self.bytes[at..]) {
                    Some(newline) => at += newline + 1,
                    None => at = self.bytes.len(),
                },
                Some(b'\t') => return Err(NotCanonical),
                Some(_) => {
                    let rest = &self.bytes[at..];
                    if column == 0 && (rest.starts_with(b"---") || rest.starts_with(b"...")) {
                        return Err(NotCanonical);
                    }
                    self.at = at;
                    self.column = to_column(column);
                    return Ok(());
                }
            }
        }
    }

    fn end(&mut self) {
        self.at = self.bytes.len();
        self.column = -1;
        self.place = Place::LineStart;
    }

    pub(super) fn spaces(&self, at: usize) -> usize {
        let rest = self.bytes.get(at..).unwrap_or_default();
        rest.iter().take_while(|&&byte| byte == b' ').count()
    }

    /// Whether a list dash stands here.
    pub(super) fn is_dash(&self) -> bool {
        self.byte(self.at) == Some(b'-') && matches!(self.byte(self.at + 1), None | Some(b' ' | b'\n'))
    }

    /// Passes a dash and the spaces behind it.
    pub(super) fn dash(&mut self) -> Read<()> {
        let spaces = self.spaces(self.at + 1);
        self.at += 1 + spaces;
        self.column += 1 + to_column(spaces);
        self.place = Place::AfterDash;
        if self.byte(self.at) == Some(b'\t') {
            Err(NotCanonical)
        } else {
            Ok(())
        }
    }

    /// Whether a key stands here.
    pub(super) fn has_key(&mut self) -> Read<bool> {
        self.found = self.find_key()?.map(|(key, behind)| (self.at, key, behind));
        Ok(self.found.is_some())
    }

    /// Reads a key with its colon and the spaces behind it.
    pub(super) fn key(&mut self) -> Read<Text<'de>> {
        let (key, behind) = match self.found.take() {
            Some((at, key, behind)) if at == self.at => (key, behind),
            _ => self.find_key()?.ok_or(NotCanonical)?,
        };
        self.at = behind + self.spaces(behind);
        self.place = Place::AfterKey;
        if self.byte(self.at) == Some(b'\t') {
            Err(NotCanonical)
        } else {
            Ok(key)
        }
    }

    /// The key at the position and the place behind its colon.
    fn find_key(&self) -> Read<Option<(Text<'de>, usize)>> {
        let first = self.byte(self.at).ok_or(NotCanonical)?;
        if matches!(first, b'"' | b'\'') {
            let Some((text, end)) = self.quoted_on_line(first)? else {
                return Ok(None);
            };
            let colon = end + self.spaces(end);
            return Ok(self
                .is_colon(colon)
                .then_some((Text { text, plain: false }, colon + 1)));
        }
        let mut at = self.at;
        loop {
            match self.byte(at) {
                None | Some(b'\n') => return Ok(None),
                Some(b':') if self.is_colon(at) => break,
                Some(b' ') if self.byte(at + 1) == Some(b'#') => return Err(NotCanonical),
                Some(_) => at += 1,
            }
        }
        if !starts_plain(first, self.byte(self.at + 1)) {
            return Err(NotCanonical);
        }
        let text = self
            .text
            .get(self.at..at)
            .ok_or(NotCanonical)?
            .trim_end_matches(' ');
        let key = Text {
            text: Cow::Borrowed(text),
            plain: true,
        };
        Ok(Some((key, at + 1)))
    }

    fn is_colon(&self, at: usize) -> bool {
        self.byte(at) == Some(b':') && matches!(self.byte(at + 1), None | Some(b' ' | b'\n' | b'\t'))
    }

    /// Passes `{}` or `[]` and its line; other flow collections are not canonical.
    pub(super) fn empty_collection(&mut self) -> Read<Option<u8>> {
        let (Some(open @ (b'{' | b'[')), close) = (self.byte(self.at), self.byte(self.at + 1)) else {
            return Ok(None);
        };
        let matching = if open == b'{' { b'}' } else { b']' };
        if close != Some(matching) {
            return Err(NotCanonical);
        }
        self.at += 2;
        self.finish_line()?;
        Ok(Some(open))
    }

    /// Passes spaces to the end of the line, and on to the next content.
    pub(super) fn finish_line(&mut self) -> Read<()> {
        self.at += self.spaces(self.at);
        self.next_line()
    }

    /// Passes over the value at the position, in a collection indented by `parent`.
    pub(super) fn skip_value(&mut self, parent: i32) -> Read<()> {
        let may_be_dashes = self.place == Place::AfterKey && self.is_line_end();
        match self.byte(self.at) {
            // The continuation lines of a quoted scalar may stand anywhere.
            Some(quote @ (b'"' | b'\''))
                if self.place == Place::AfterKey && self.quoted_on_line(quote)?.is_none() =>
            {
                self.scalar(parent)?;
                return Ok(());
            }
            Some(b'&' | b'*' | b'!' | b'%' | b'@' | b'`' | b'>' | b'\t') => return Err(NotCanonical),
            Some(b'{' | b'[') => {
                self.empty_collection()?;
                return Ok(());
            }
            _ => {}
        }
        let mut line_end = self.line_end(self.at);
        loop {
            let start = line_end + 1;
            let spaces = self.spaces(start);
            let column = to_column(spaces);
            match self.byte(start + spaces) {
                None => break,
                Some(b'\n') => {
                    line_end = start + spaces;
                    continue;
                }
                Some(b'-') if may_be_dashes && column == parent => {
                    if !matches!(self.byte(start + spaces + 1), None | Some(b' ' | b'\n')) {
                        break;
                    }
                }
                Some(_) if column > parent => {}
                Some(_) => break,
            }
            line_end = self.line_end(start + spaces);
        }
        self.at = line_end;
        self.next_line()
    }

    pub(super) fn line_end(&self, at: usize) -> usize {
        let rest = self.bytes.get(at..).unwrap_or_default();
        memchr::memchr(b'\n', rest).map_or(self.bytes.len(), |newline| at + newline)
    }
}

/// Whether a plain scalar may start with `first`.
pub(super) fn starts_plain(first: u8, second: Option<u8>) -> bool {
    match first {
        b'&' | b'*' | b'!' | b'|' | b'>' | b'%' | b'@' | b'`' | b'{' | b'}' | b'[' | b']' | b',' | b'#'
        | b'"' | b'\'' | b'\t' => false,
        b'-' | b'?' | b':' => !matches!(second, None | Some(b' ' | b'\n' | b'\t')),
        _ => true,
    }
}

fn to_column(count: usize) -> i32 {
    i32::try_from(count).unwrap_or(i32::MAX)
}
