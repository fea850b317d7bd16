//! Says what is wrong with text that is no YAML, in terms of what people type.

use std::ops::Range;

use granit_parser::{ErrorKind, ScanError};

use super::build::Duplicate;
use super::{DEEPEST_NESTING, Span};
use crate::diagnostic::{Diagnostic, code};
use crate::source::SourceText;

/// Turns the parser's error in `piece` of the text into a diagnostic with a hint.
pub(super) fn explain(source: &SourceText, piece: &Range<usize>, error: &ScanError) -> Box<Diagnostic> {
    let at = piece.start + error.marker().byte_offset().unwrap_or(0).min(piece.len());
    let place = visible(source, piece, at);
    let location = source.locate(place.clone());
    if *error.kind() == ErrorKind::RecursionLimitExceeded {
        return Box::new(
            Diagnostic::error(
                code::TOO_DEEP,
                format!("nested deeper than {DEEPEST_NESTING} levels"),
            )
            .at(location)
            .hint("no Kubernetes object nests this deep; check for brackets that are never closed"),
        );
    }
    let code = if ends_early(source, piece, at, error.kind()) {
        code::TRUNCATED
    } else {
        code::SYNTAX
    };
    let mut diagnostic = Diagnostic::error(code, message(error.kind())).at(location);
    if let Some(hint) = hint(source, piece, place.start, error.kind()) {
        diagnostic = diagnostic.hint(hint);
    }
    Box::new(diagnostic)
}

/// Diagnostics for keys that are written twice.
pub(super) fn duplicates<'a>(
    source: &'a SourceText,
    duplicates: &'a [Duplicate],
) -> impl Iterator<Item = Diagnostic> + 'a {
    duplicates.iter().map(|duplicate| {
        let locate = |span: Span| source.locate(span.range());
        Diagnostic::error(
            code::DUPLICATE_KEY,
            format!("the key \"{}\" is written twice", duplicate.key),
        )
        .at(locate(duplicate.second))
        .caret("second here")
        .label(locate(duplicate.first), "first here")
        .hint("remove one of the two")
        .note("kubectl silently keeps the last one; a server that is sent the YAML refuses it")
    })
}

/// The place to mark: the error's own, or the last text before it when it is in the void.
fn visible(source: &SourceText, piece: &Range<usize>, at: usize) -> Range<usize> {
    let text = &source.text;
    let mut start = at.min(text.len());
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    if text[start..piece.end.max(start)]
        .trim_start_matches(' ')
        .starts_with(['\n', '\r'])
        || start >= piece.end
    {
        let content = text[piece.start..start].trim_end();
        if let Some(last) = content.chars().next_back() {
            let end = piece.start + content.len();
            return end - last.len_utf8()..end;
        }
    }
    let rest = &text[start..];
    let end = rest.find(['\n', '\r']).unwrap_or(rest.len());
    let word = rest[..end]
        .find(|character: char| character.is_whitespace())
        .unwrap_or(end);
    start
        ..start
            + word
                .max(rest.chars().next().map_or(0, char::len_utf8))
                .min(end.max(1))
}

/// Whether the text looks cut off: the fault is at its very end, or something in its last document is never closed.
fn ends_early(source: &SourceText, piece: &Range<usize>, at: usize, kind: &ErrorKind) -> bool {
    let is_last = source.text[piece.end..].trim().is_empty();
    let at_end = source.text[at.min(source.text.len())..].trim().is_empty();
    match kind {
        ErrorKind::UnclosedQuotedScalar | ErrorKind::UnclosedFlowCollection { .. } => is_last,
        ErrorKind::UnexpectedEof
        | ErrorKind::UnexpectedEofFlowSequence
        | ErrorKind::UnexpectedEofFlowMapping
        | ErrorKind::UnexpectedEofImplicitFlowMapping
        | ErrorKind::UnexpectedEofBlockSequence
        | ErrorKind::UnexpectedEofBlockMapping
        | ErrorKind::SimpleKeyExpected => at_end,
        _ => false,
    }
}

fn message(kind: &ErrorKind) -> String {
    match kind {
        ErrorKind::SimpleKeyExpected | ErrorKind::InvalidSimpleKey => {
            "this line is neither `key: value` nor `- item`".to_owned()
        }
        ErrorKind::ExpectedBlockMappingKey => "expected a key here".to_owned(),
        ErrorKind::MappingValueNotAllowed => "a mapping is not allowed here".to_owned(),
        ErrorKind::UnclosedQuotedScalar => "this quote is never closed".to_owned(),
        ErrorKind::UnknownAnchor => "no anchor of this name above".to_owned(),
        other => other.to_string(),
    }
}

fn hint(source: &SourceText, piece: &Range<usize>, at: usize, kind: &ErrorKind) -> Option<String> {
    let line = LineAround::new(&source.text[piece.clone()], at.saturating_sub(piece.start));
    if line.indentation_has_tab() {
        return Some("indent with spaces: YAML does not allow tabs".to_owned());
    }
    match kind {
        ErrorKind::TabNotAllowed
        | ErrorKind::TabInBlockIndentation
        | ErrorKind::TabInIndentation
        | ErrorKind::TabInPlainScalar
        | ErrorKind::TabAtBlockScalarStart => Some("indent with spaces: YAML does not allow tabs".to_owned()),
        ErrorKind::UnclosedQuotedScalar | ErrorKind::UnclosedFlowCollection { .. } => {
            Some("close it, or check whether the file is cut off".to_owned())
        }
        ErrorKind::UnknownAnchor => Some("a value that starts with `*` must be quoted".to_owned()),
        ErrorKind::UnexpectedCharacter { character } => Some(format!(
            "a value that starts with `{}` must be quoted",
            character.escape_default()
        )),
        ErrorKind::UnknownQuotedScalarEscape => {
            Some("use single quotes when the text holds backslashes".to_owned())
        }
        ErrorKind::MappingValueNotAllowed => line
            .indentation_hint()
            .or_else(|| Some("quote a value that contains `: `, or check the indentation".to_owned())),
        ErrorKind::SimpleKeyExpected
        | ErrorKind::InvalidSimpleKey
        | ErrorKind::ExpectedBlockMappingKey
        | ErrorKind::InvalidIndentation
        | ErrorKind::ExpectedBlockSequenceEntry
        | ErrorKind::BlockSequenceEntryNotAllowed
        | ErrorKind::MappingKeyNotAllowed
        | ErrorKind::InvalidColonPlacement => line.indentation_hint(),
        _ => None,
    }
}

/// A line and those above it, to judge its indentation.
struct LineAround<'text> {
    line: &'text str,
    before: &'text str,
}

impl<'text> LineAround<'text> {
    fn new(text: &'text str, at: usize) -> Self {
        let mut at = at.min(text.len());
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        let start = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
        let end = text[at..].find('\n').map_or(text.len(), |newline| at + newline);
        Self {
            line: &text[start..end],
            before: &text[..start],
        }
    }

    fn indentation_has_tab(&self) -> bool {
        let indentation = self.line.len() - self.line.trim_start().len();
        self.line[..indentation].contains('\t')
    }

    /// Names the indentations that would continue an enclosing level, when this line's is none of them.
    fn indentation_hint(&self) -> Option<String> {
        let own = indentation(self.line);
        let mut open: Vec<usize> = Vec::new();
        let mut limit = usize::MAX;
        for line in self.before.lines().rev() {
            let content = line.trim();
            if content.is_empty() || content.starts_with('#') {
                continue;
            }
            let mut level = indentation(line);
            if level < limit {
                // The keys of `- name: x` stand two columns further than its dash.
                if let Some(item) = line.trim_start().strip_prefix("- ") {
                    let inner = level + 2 + indentation(item);
                    if inner < limit && content.contains(':') {
                        open.push(inner);
                    }
                }
                open.push(level);
                limit = level;
            } else {
                level = limit;
            }
            if level == 0 {
                break;
            }
        }
        if open.is_empty() || open.contains(&own) {
            return None;
        }
        open.sort_unstable();
        let below = open.iter().rev().find(|&&level| level < own);
        let above = open.iter().find(|&&level| level > own);
        let wanted = match (below, above) {
            (Some(below), Some(above)) => format!("{below} or {above}"),
            (Some(level), None) | (None, Some(level)) => level.to_string(),
            (None, None) => return None,
        };
        Some(format!(
            "this line is indented by {own} spaces, the lines above it by {wanted}"
        ))
    }
}

fn indentation(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}
