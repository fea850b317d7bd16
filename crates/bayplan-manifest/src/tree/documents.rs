//! From a text to its documents, cut where kubectl cuts.

use std::ops::Range;
use std::sync::Arc;

use super::{Tree, json, yaml};
use crate::diagnostic::{Diagnostic, code};
use crate::source::SourceText;

/// Reads every document of a text.
///
/// The text is JSON (one value after the other) when it starts with `{`, and YAML otherwise or when JSON does not
/// work out, as `YAMLOrJSONDecoder` of `k8s.io/apimachinery/pkg/util/yaml` decides. Empty documents are left out. A
/// document that cannot be read becomes a diagnostic, and the others are still returned.
#[must_use]
pub fn parse_documents(source: &Arc<SourceText>) -> (Vec<Tree>, Vec<Diagnostic>) {
    let text = &source.text;
    let start = if text.starts_with('\u{feff}') { 3 } else { 0 };
    let Some(first) = text[start..].find(|character: char| !character.is_whitespace()) else {
        return (Vec::new(), Vec::new());
    };
    if text[start + first..].starts_with('{') {
        let (trees, mut diagnostics) = json::parse_stream(source, start + first);
        let failed = diagnostics.iter().any(Diagnostic::is_error);
        // One value may still be a YAML document in flow style; from the second on it is JSON for certain.
        if !failed || trees.len() > 1 {
            return (trees, diagnostics);
        }
        let (yaml_trees, yaml_diagnostics) = parse_yaml_stream(source, start);
        if !yaml_diagnostics.iter().any(Diagnostic::is_error) {
            return (yaml_trees, yaml_diagnostics);
        }
        // YAML separators prove that JSON was not meant.
        if text.contains("\n---") {
            diagnostics = yaml_diagnostics;
            return (yaml_trees, diagnostics);
        }
        return (trees, diagnostics);
    }
    parse_yaml_stream(source, start)
}

fn parse_yaml_stream(source: &Arc<SourceText>, start: usize) -> (Vec<Tree>, Vec<Diagnostic>) {
    let mut trees = Vec::new();
    let mut diagnostics = Vec::new();
    for piece in split_yaml(source, start, &mut diagnostics) {
        let damaged = source.damaged.iter().any(|offset| piece.contains(offset));
        if damaged || is_blank(&source.text[piece.clone()]) {
            continue;
        }
        let (tree, found) = yaml::parse_document(source, piece);
        trees.extend(tree);
        diagnostics.extend(found);
    }
    (trees, diagnostics)
}

/// Cuts at lines that start with `---`, whatever they stand in, as `YAMLReader.Read` does.
fn split_yaml(source: &SourceText, start: usize, diagnostics: &mut Vec<Diagnostic>) -> Vec<Range<usize>> {
    let text = &source.text;
    let mut pieces = Vec::new();
    let mut piece_start = start;
    let mut line_start = start;
    while line_start < text.len() {
        let line_end = memchr::memchr(b'\n', &text.as_bytes()[line_start..])
            .map_or(text.len(), |at| line_start + at + 1);
        if let Some(after) = text[line_start..line_end].strip_prefix("---") {
            let content = after.trim();
            if !content.is_empty() && !content.starts_with('#') {
                let at = line_end - after.len() + (after.len() - after.trim_start().len());
                diagnostics.push(
                    Diagnostic::error(code::SYNTAX, "content behind a document separator")
                        .at(source.locate(at..at + content.len()))
                        .hint("start the document on the line after `---`")
                        .note(format!(
                            "kubectl says: invalid Yaml document separator: {content}"
                        )),
                );
            }
            pieces.push(piece_start..line_start);
            piece_start = line_end;
        }
        line_start = line_end;
    }
    pieces.push(piece_start..text.len());
    pieces
}

/// Whether a piece holds only spaces and comments.
fn is_blank(piece: &str) -> bool {
    piece
        .lines()
        .all(|line| line.trim_start().is_empty() || line.trim_start().starts_with('#'))
}
