//! Scalars of block YAML: plain, quoted, literal.

use std::borrow::Cow;

use super::cursor::{Cursor, starts_plain};
use super::{NotCanonical, Read};

/// A scalar's text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Text<'de> {
    pub(super) text: Cow<'de, str>,
    /// Written without quotes, so that it may be something else than a string.
    pub(super) plain: bool,
}

impl<'de> Cursor<'de> {
    /// Reads the scalar at the position and goes on to the next content. Further lines belong to it while they are
    /// indented deeper than `parent`.
    pub(super) fn scalar(&mut self, parent: i32) -> Read<Text<'de>> {
        match self.bytes.get(self.at) {
            Some(&quote @ (b'"' | b'\'')) => {
                let text = match self.quoted_on_line(quote)? {
                    Some((text, end)) => {
                        self.at = end;
                        text
                    }
                    None => Cow::Owned(self.quoted()?),
                };
                self.finish_line()?;
                Ok(Text { text, plain: false })
            }
            Some(b'|') => Ok(Text {
                text: Cow::Owned(self.literal(parent)?),
                plain: false,
            }),
            Some(_) => self.plain(parent),
            None => Err(NotCanonical),
        }
    }

    fn plain(&mut self, parent: i32) -> Read<Text<'de>> {
        let first = self.bytes.get(self.at).copied().ok_or(NotCanonical)?;
        if !starts_plain(first, self.bytes.get(self.at + 1).copied()) {
            return Err(NotCanonical);
        }
        let mut text = Cow::Borrowed(self.plain_line()?);
        loop {
            let line_end = self.at;
            self.next_line()?;
            if self.column <= parent {
                return Ok(Text { text, plain: true });
            }
            // Blank lines and comments within plain text have rules of their own.
            let follows = usize::try_from(self.column).is_ok_and(|column| line_end + 1 + column == self.at);
            if !follows || self.is_dash() {
                return Err(NotCanonical);
            }
            let more = self.plain_line()?;
            let whole = text.to_mut();
            whole.push(' ');
            whole.push_str(more);
        }
    }

    /// Plain text up to the end of the line, where the position is left.
    fn plain_line(&mut self) -> Read<&'de str> {
        let start = self.at;
        let end = self.line_end(start);
        let line = &self.bytes[start..end];
        for index in memchr::memchr3_iter(b':', b'#', b'\t', line) {
            let stops = match line[index] {
                b':' => matches!(line.get(index + 1), None | Some(b' ')),
                b'#' => index > 0 && line[index - 1] == b' ',
                _ => true,
            };
            if stops {
                return Err(NotCanonical);
            }
        }
        self.at = end;
        Ok(self
            .text
            .get(start..end)
            .ok_or(NotCanonical)?
            .trim_end_matches(' '))
    }

    /// A quoted scalar that ends on this line, and the place behind its closing quote; `None` when it does not.
    pub(super) fn quoted_on_line(&self, quote: u8) -> Read<Option<(Cow<'de, str>, usize)>> {
        let start = self.at + 1;
        let line = &self.bytes[start..self.line_end(start)];
        if quote == b'"' {
            return match memchr::memchr2(b'"', b'\\', line) {
                Some(stop) if line[stop] == b'"' => {
                    let text = self.text.get(start..start + stop).ok_or(NotCanonical)?;
                    Ok(Some((Cow::Borrowed(text), start + stop + 1)))
                }
                Some(_) => self.escaped_on_line(),
                None => Ok(None),
            };
        }
        let Some(stop) = memchr::memchr(b'\'', line) else {
            return Ok(None);
        };
        if line.get(stop + 1) == Some(&b'\'') {
            return self.escaped_on_line();
        }
        let text = self.text.get(start..start + stop).ok_or(NotCanonical)?;
        Ok(Some((Cow::Borrowed(text), start + stop + 1)))
    }

    /// The same for text with escapes; `None` when it goes on on the next line.
    fn escaped_on_line(&self) -> Read<Option<(Cow<'de, str>, usize)>> {
        let mut reader = Quoted::new(self.text, self.at)?;
        let text = reader.read()?;
        Ok((!reader.folded).then_some((Cow::Owned(text), reader.at)))
    }

    fn quoted(&mut self) -> Read<String> {
        let mut reader = Quoted::new(self.text, self.at)?;
        let text = reader.read()?;
        self.at = reader.at;
        Ok(text)
    }

    /// A literal block (`|`, `|-`, `|+`) and on to the next content.
    fn literal(&mut self, parent: i32) -> Read<String> {
        let mut at = self.at + 1;
        let chomping = match self.bytes.get(at) {
            Some(&sign @ (b'-' | b'+')) => {
                at += 1;
                Some(sign)
            }
            _ => None,
        };
        // An indentation indicator is left to the general parser.
        if self.bytes.get(at) != Some(&b'\n') {
            return Err(NotCanonical);
        }
        let indentation = self.literal_indentation(at + 1)?;
        if i32::try_from(indentation).unwrap_or(i32::MAX) <= parent {
            return Err(NotCanonical);
        }
        let mut text = String::new();
        let mut line_end = at;
        while line_end < self.bytes.len() {
            let start = line_end + 1;
            let spaces = self.spaces(start);
            let content = self.bytes.get(start + spaces).copied();
            match content {
                None if spaces == 0 => break,
                None | Some(b'\n') => {}
                Some(_) if spaces >= indentation => {}
                Some(b'\t') => return Err(NotCanonical),
                Some(_) if i32::try_from(spaces).unwrap_or(i32::MAX) > parent => return Err(NotCanonical),
                Some(_) => break,
            }
            line_end = self.line_end(start + spaces);
            if let Some(line) = self.text.get(start + indentation..line_end) {
                text.push_str(line);
            }
            text.push('\n');
        }
        let kept = text.trim_end_matches('\n').len();
        match chomping {
            Some(b'-') => text.truncate(kept),
            Some(_) => {}
            None => text.truncate(kept + 1),
        }
        self.at = line_end.min(self.bytes.len());
        self.next_line()?;
        Ok(text)
    }

    /// The indentation of the first line of a literal that has content.
    fn literal_indentation(&self, mut at: usize) -> Read<usize> {
        let mut longest_blank = 0;
        loop {
            let spaces = self.spaces(at);
            match self.bytes.get(at + spaces) {
                Some(b'\n') => {
                    longest_blank = longest_blank.max(spaces);
                    at += spaces + 1;
                }
                Some(b'\t') | None => return Err(NotCanonical),
                Some(_) if longest_blank > spaces => return Err(NotCanonical),
                Some(_) => return Ok(spaces),
            }
        }
    }
}

/// Reads a quoted scalar with escapes and folded lines.
struct Quoted<'de> {
    text: &'de str,
    at: usize,
    quote: u8,
    out: String,
    /// Up to here the output must not be trimmed: it came from escapes.
    fixed: usize,
    folded: bool,
}

impl<'de> Quoted<'de> {
    fn new(text: &'de str, at: usize) -> Read<Self> {
        Ok(Self {
            text,
            at: at + 1,
            quote: text.as_bytes().get(at).copied().ok_or(NotCanonical)?,
            out: String::new(),
            fixed: 0,
            folded: false,
        })
    }

    fn read(&mut self) -> Read<String> {
        let bytes = self.text.as_bytes();
        loop {
            let rest = bytes.get(self.at..).ok_or(NotCanonical)?;
            let escape = if self.quote == b'"' { b'\\' } else { self.quote };
            let stop = memchr::memchr3(self.quote, escape, b'\n', rest).ok_or(NotCanonical)?;
            self.out
                .push_str(self.text.get(self.at..self.at + stop).ok_or(NotCanonical)?);
            self.at += stop + 1;
            match bytes[self.at - 1] {
                b'\n' => self.fold(1),
                b'\'' if self.quote == b'\'' && bytes.get(self.at) == Some(&b'\'') => {
                    self.out.push('\'');
                    self.at += 1;
                }
                b'\\' => self.escape()?,
                _ => return Ok(std::mem::take(&mut self.out)),
            }
        }
    }

    /// Folds the line break just passed: one break is a space, more are one less.
    fn fold(&mut self, mut breaks: usize) {
        self.folded = true;
        let trimmed = self.out.trim_end_matches([' ', '\t']).len().max(self.fixed);
        self.out.truncate(trimmed);
        let bytes = self.text.as_bytes();
        loop {
            while matches!(bytes.get(self.at), Some(b' ' | b'\t')) {
                self.at += 1;
            }
            if bytes.get(self.at) != Some(&b'\n') {
                break;
            }
            self.at += 1;
            breaks += 1;
        }
        if breaks == 1 {
            self.out.push(' ');
        } else {
            self.out
                .extend(std::iter::repeat_n('\n', breaks.saturating_sub(1)));
        }
        self.fixed = self.out.len();
    }

    fn escape(&mut self) -> Read<()> {
        let code = self.text.as_bytes().get(self.at).copied().ok_or(NotCanonical)?;
        self.at += 1;
        let character = match code {
            b'\n' => {
                // An escaped line break vanishes; blank lines behind it still count.
                self.fixed = self.out.len();
                self.fold_escaped();
                return Ok(());
            }
            b'0' => '\0',
            b'a' => '\u{7}',
            b'b' => '\u{8}',
            b't' | b'\t' => '\t',
            b'n' => '\n',
            b'v' => '\u{b}',
            b'f' => '\u{c}',
            b'r' => '\r',
            b'e' => '\u{1b}',
            b' ' => ' ',
            b'"' => '"',
            b'/' => '/',
            b'\\' => '\\',
            b'N' => '\u{85}',
            b'_' => '\u{a0}',
            b'L' => '\u{2028}',
            b'P' => '\u{2029}',
            b'x' => self.hexadecimal(2)?,
            b'u' => self.hexadecimal(4)?,
            b'U' => self.hexadecimal(8)?,
            _ => return Err(NotCanonical),
        };
        self.out.push(character);
        self.fixed = self.out.len();
        Ok(())
    }

    fn fold_escaped(&mut self) {
        let before = self.out.len();
        self.fold(1);
        // `fold` writes a space for the single break, which is escaped here, and one break too few otherwise.
        let blank_lines = self.out.len() - before;
        if self.out.ends_with(' ') && blank_lines == 1 {
            self.out.pop();
        }
        self.fixed = self.out.len();
    }

    /// A character by its number; surrogates in two parts are left to the general parser.
    fn hexadecimal(&mut self, digits: usize) -> Read<char> {
        let code = self.text.get(self.at..self.at + digits).ok_or(NotCanonical)?;
        if !code.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(NotCanonical);
        }
        self.at += digits;
        let number = u32::from_str_radix(code, 16).map_err(|_| NotCanonical)?;
        char::from_u32(number).ok_or(NotCanonical)
    }
}
