//! Reads text with the general parser: whatever the fast ways refuse, and faults that deserve a quoted line.

use std::ops::Range;
use std::sync::Arc;

use bayplan_model::object::Object;

use super::chunk::{Chunk, Format};
use super::item::{Decoded, Located};
use crate::diagnostic::{Diagnostic, Severity, code};
use crate::source::{Input, SourceText, read_text};
use crate::tree::{NodeDeserializer, NodeId, Tree, Value, parse_documents};

/// Lists inside lists are followed this far.
const DEEPEST_LIST: usize = 8;

/// Reads an item that the fast reader refused.
pub(super) fn decode_item(chunk: &Chunk, range: Range<usize>, line: u32, decoded: &mut Decoded) {
    let text = String::from_utf8_lossy(chunk.bytes.get(range).unwrap_or_default()).into_owned();
    let source = Arc::new(SourceText::part(Arc::clone(&chunk.file), text, line));
    let inherited = chunk
        .inherited
        .as_deref()
        .map(|of| (of.api_version.as_str(), of.kind.as_str()));
    let (trees, diagnostics) = parse_documents(&source);
    decoded.diagnostics.extend(diagnostics.into_iter().map(soften));
    for tree in trees {
        match (chunk.format, tree.value(tree.root())) {
            // With its dash, an item is a list of one.
            (Format::Yaml { dash: Some(_) }, Value::Sequence(items)) => {
                for &item in items {
                    decode_node(&tree, item, inherited, 0, decoded);
                }
            }
            _ => decode_node(&tree, tree.root(), inherited, 0, decoded),
        }
    }
}

/// Reads a whole text.
pub(super) fn decode_text(file: &Arc<str>, bytes: &Arc<[u8]>, decoded: &mut Decoded) {
    let (source, diagnostics) = read_text(Input::bytes(file, Arc::clone(bytes)));
    decoded.diagnostics.extend(diagnostics);
    let Some(source) = source.map(Arc::new) else {
        return;
    };
    let (trees, diagnostics) = parse_documents(&source);
    decoded.diagnostics.extend(diagnostics.into_iter().map(soften));
    for tree in trees {
        decode_node(&tree, tree.root(), None, 0, decoded);
    }
}

/// In a cluster's state a duplicate key is odd, but the later value is what any reader would have taken.
fn soften(diagnostic: Diagnostic) -> Diagnostic {
    if diagnostic.code == code::DUPLICATE_KEY {
        Diagnostic {
            severity: Severity::Warning,
            hint: Some("the second value is used".to_owned()),
            notes: Vec::new(),
            ..diagnostic
        }
    } else {
        diagnostic
    }
}

fn decode_node(
    tree: &Tree,
    node: NodeId,
    inherited: Option<(&str, &str)>,
    depth: usize,
    decoded: &mut Decoded,
) {
    if let Value::Sequence(items) = tree.value(node)
        && depth < DEEPEST_LIST
    {
        for &item in items {
            decode_node(tree, item, None, depth + 1, decoded);
        }
        return;
    }
    if !matches!(tree.value(node), Value::Mapping(_)) {
        let found = tree.value(node).json_name();
        decoded.diagnostics.push(
            Diagnostic::error(
                code::NOT_AN_OBJECT,
                format!("a Kubernetes object is wanted, this is of type {found}"),
            )
            .at(tree.locate(tree.node(node).span))
            .hint("pass what `kubectl get ... -o yaml` or `-o json` prints"),
        );
        return;
    }
    let api_version = tree
        .get_str(node, "apiVersion")
        .or(inherited.map(|(version, _)| version));
    let kind = tree.get_str(node, "kind").or(inherited.map(|(_, kind)| kind));
    let items = tree.get(node, "items").map(|items| tree.value(items));
    if let Some(Value::Sequence(items)) = items
        && kind.is_none_or(|kind| kind.ends_with("List"))
        && depth < DEEPEST_LIST
    {
        let item_kind = kind
            .and_then(|kind| kind.strip_suffix("List"))
            .filter(|kind| !kind.is_empty());
        for &item in items {
            decode_node(tree, item, api_version.zip(item_kind), depth + 1, decoded);
        }
        return;
    }
    let (Some(api_version), Some(kind)) = (api_version, kind) else {
        let missing = if api_version.is_none() {
            "apiVersion"
        } else {
            "kind"
        };
        decoded.diagnostics.push(
            Diagnostic::error(code::NOT_AN_OBJECT, format!("{missing} is not set"))
                .at(tree.locate(tree.mark(tree.field_from(node, ""))))
                .object(tree.object_name(node))
                .hint("every object, or the list it is in, names its apiVersion and kind"),
        );
        return;
    };
    match Object::decode(api_version, kind, NodeDeserializer::new(tree, node)) {
        Ok(Ok(object)) => decoded.objects.push(Located {
            object,
            file: Arc::clone(&tree.source().name),
            line: tree.locate(tree.node(node).span).line,
        }),
        Ok(Err(unknown)) if unknown.kind.ends_with("List") => decoded.diagnostics.push(
            Diagnostic::warning(code::NOT_AN_OBJECT, format!("this {kind} has no items"))
                .at(tree.locate(tree.mark(tree.field_from(node, "kind"))))
                .hint("check whether `items` is spelled and indented rightly"),
        ),
        Ok(Err(unknown)) => decoded.unknown.push(unknown),
        Err(error) => decoded.diagnostics.push(
            Diagnostic::error(
                code::INVALID_VALUE,
                format!("this {kind} cannot be read: {}", error.message),
            )
            .at(tree.locate(tree.node(error.node.unwrap_or(node)).span))
            .object(tree.object_name(node))
            .hint("the other objects are used"),
        ),
    }
}
