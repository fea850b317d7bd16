//! Places in a source text.

use std::ops::Range;
use std::sync::Arc;

/// Lines longer than this are not quoted: no terminal shows them and a minified dump would be copied whole.
const LONGEST_QUOTED_LINE_BYTES: usize = 2_000;

/// Spans over more lines than this are quoted by their first line only.
const MOST_QUOTED_LINES: usize = 6;

/// A place in a file, with a copy of the lines it covers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Location {
    /// The file's path as the user wrote it, or `-` for standard input.
    pub file: Arc<str>,
    /// First line, from 1.
    pub line: u32,
    /// First column, from 1, in characters.
    pub column: u32,
    /// Line of the end, from 1.
    pub end_line: u32,
    /// Column just behind the last character, from 1.
    pub end_column: u32,
    /// The quoted lines, starting with `line`; `None` when they are not worth quoting.
    pub excerpt: Option<Arc<str>>,
    /// The marked bytes within the excerpt.
    pub marked: Range<usize>,
}

impl Location {
    /// The start of a line of a file whose text is not at hand.
    #[must_use]
    pub fn line_of(file: Arc<str>, line: u32) -> Self {
        Self::point(file, line, 1)
    }

    /// A single place of a file whose text is not at hand.
    #[must_use]
    pub fn point(file: Arc<str>, line: u32, column: u32) -> Self {
        Self {
            file,
            line,
            column,
            end_line: line,
            end_column: column,
            excerpt: None,
            marked: 0..0,
        }
    }

    /// `file:line:column`.
    #[must_use]
    pub fn display_short(&self) -> String {
        format!("{}:{}:{}", self.file, self.line, self.column)
    }
}

/// The line starts of a text, to turn byte offsets into lines and columns.
#[derive(Debug, Clone)]
pub struct LineIndex {
    starts: Vec<u32>,
}

impl LineIndex {
    /// Indexes a text of less than 4 GiB.
    #[must_use]
    pub fn new(text: &str) -> Self {
        let mut starts = vec![0];
        starts.extend(memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| to_u32(at + 1)));
        Self { starts }
    }

    /// Line (from 1) and the byte offset of its start, for a byte offset into the text.
    #[must_use]
    pub fn line_of(&self, offset: usize) -> (u32, usize) {
        let offset = to_u32(offset);
        let line = self.starts.partition_point(|&start| start <= offset).max(1);
        let start = self.starts.get(line - 1).copied().unwrap_or(0);
        (to_u32(line), start as usize)
    }

    /// The location of a byte range of the indexed text.
    ///
    /// Offsets beyond the text, or inside a character, are moved to the nearest possible place before them.
    #[must_use]
    pub fn locate(&self, file: &Arc<str>, text: &str, range: Range<usize>) -> Location {
        let start = floor_char_boundary(text, range.start);
        let end = floor_char_boundary(text, range.end.max(range.start));
        let (line, line_start) = self.line_of(start);
        let (end_line, end_line_start) = self.line_of(end);
        let column = column_of(text, line_start, start);
        let end_column = column_of(text, end_line_start, end);

        let first_line_end = line_end(text, start);
        let lines = (end_line - line + 1) as usize;
        let (quoted_end, marked_end) = if lines <= MOST_QUOTED_LINES && end > first_line_end {
            (line_end(text, end), end)
        } else {
            (first_line_end, end.min(first_line_end))
        };
        let excerpt = text
            .get(line_start..quoted_end)
            .filter(|quoted| quoted.len() <= LONGEST_QUOTED_LINE_BYTES)
            .map(Arc::from);
        Location {
            file: Arc::clone(file),
            line,
            column,
            end_line,
            end_column,
            excerpt,
            marked: start - line_start..marked_end - line_start,
        }
    }
}

fn column_of(text: &str, line_start: usize, offset: usize) -> u32 {
    to_u32(
        text.get(line_start..offset)
            .map_or(0, |part| part.chars().count())
            + 1,
    )
}

fn line_end(text: &str, offset: usize) -> usize {
    let rest = text.as_bytes().get(offset..).unwrap_or_default();
    let end = memchr::memchr(b'\n', rest).map_or(text.len(), |at| offset + at);
    if end > offset && text.as_bytes().get(end - 1) == Some(&b'\r') {
        end - 1
    } else {
        end
    }
}

fn floor_char_boundary(text: &str, offset: usize) -> usize {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

fn to_u32(value: usize) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn locate(text: &str, range: Range<usize>) -> Location {
        LineIndex::new(text).locate(&Arc::from("a.yaml"), text, range)
    }

    #[test]
    fn counts_lines_and_columns_from_one() {
        let location = locate("a: 1\nbé: 2\n", 10..11);
        assert_eq!((location.line, location.column, location.end_column), (2, 5, 6));
        assert_eq!(location.excerpt.as_deref(), Some("bé: 2"));
        assert_eq!(location.marked, 5..6);
    }

    #[test]
    fn end_of_text_and_beyond_is_the_last_place() {
        assert_eq!(locate("a\n", 2..2).line, 2);
        assert_eq!(locate("a\n", 99..120).line, 2);
        assert_eq!(locate("", 0..0).display_short(), "a.yaml:1:1");
    }

    #[test]
    fn long_spans_are_quoted_by_their_first_line() {
        let text = "a:\n".repeat(20);
        let location = locate(&text, 3..40);
        assert_eq!(location.excerpt.as_deref(), Some("a:"));
        assert_eq!(location.marked, 0..2);
        assert_eq!(location.end_line, 14);
    }

    #[test]
    fn carriage_returns_are_not_quoted() {
        assert_eq!(locate("a: 1\r\nb: 2\r\n", 0..1).excerpt.as_deref(), Some("a: 1"));
    }
}
