//! Looking up nodes by the paths that others use: JSON pointers and Kubernetes field paths.

use super::{Entry, NodeId, Span, Tree, Value};
use crate::diagnostic::Location;

/// The result of a lookup that always ends somewhere: the deepest part of the path that exists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Found {
    /// The node reached.
    pub node: NodeId,
    /// The key under which it stands, if it stands in a mapping.
    pub key: Option<Span>,
    /// Whether the whole path exists; otherwise the node is the nearest one above the missing part.
    pub complete: bool,
}

impl Tree {
    /// The node at a JSON pointer (RFC 6901): `/spec/containers/0/image`.
    #[must_use]
    pub fn pointer(&self, pointer: &str) -> Option<NodeId> {
        if pointer.is_empty() {
            return Some(self.root());
        }
        let mut node = self.root();
        for part in pointer.strip_prefix('/')?.split('/') {
            let part = part.replace("~1", "/").replace("~0", "~");
            node = self.step(node, &part)?.0;
        }
        Some(node)
    }

    /// Follows a Kubernetes field path (`spec.containers[0].resources.limits[nvidia.com/gpu]`) from the root as far
    /// as it exists.
    #[must_use]
    pub fn field(&self, path: &str) -> Found {
        self.field_from(self.root(), path)
    }

    /// Follows a field path from a node, such as an item of a list.
    ///
    /// Where a path written by others leaves out the brackets around a key with dots, the longest key that the
    /// mapping has is taken.
    #[must_use]
    pub fn field_from(&self, start: NodeId, path: &str) -> Found {
        let mut found = Found {
            node: start,
            key: None,
            complete: true,
        };
        let mut rest = path;
        while !rest.is_empty() {
            let Some((next, key, remaining)) = self.field_step(found.node, rest) else {
                found.complete = false;
                break;
            };
            found = Found {
                node: next,
                key,
                complete: true,
            };
            rest = remaining;
        }
        found
    }

    /// One step of a field path: the node, its key, and what is left of the path.
    fn field_step<'path>(
        &self,
        node: NodeId,
        path: &'path str,
    ) -> Option<(NodeId, Option<Span>, &'path str)> {
        if let Some(bracketed) = path.strip_prefix('[') {
            // Map keys may hold brackets themselves only in theory; label keys and resource names do not.
            let (part, rest) = bracketed.split_once(']')?;
            let (next, key) = self.step(node, part)?;
            return Some((next, key, rest));
        }
        let path = path.strip_prefix('.').unwrap_or(path);
        let end = path.find(['.', '[']).unwrap_or(path.len());
        let (name, rest) = path.split_at(end);
        if let Some((next, key)) = self.step(node, name) {
            return Some((next, key, rest));
        }
        let Value::Mapping(entries) = self.value(node) else {
            return None;
        };
        let fits = |entry: &&Entry| path.strip_prefix(&*entry.key).is_some_and(starts_new_part);
        let entry = entries.iter().filter(fits).max_by_key(|entry| entry.key.len())?;
        Some((entry.value, Some(entry.key_span), path.get(entry.key.len()..)?))
    }

    fn step(&self, node: NodeId, part: &str) -> Option<(NodeId, Option<Span>)> {
        match self.value(node) {
            Value::Mapping(_) => self
                .entry(node, part)
                .map(|entry| (entry.value, Some(entry.key_span))),
            Value::Sequence(items) => Some((*items.get(part.parse::<usize>().ok()?)?, None)),
            _ => None,
        }
    }

    /// The bytes to mark for a lookup: the value when it is a scalar that is written out, else the key above it, else
    /// the first key of the value.
    #[must_use]
    pub fn mark(&self, found: Found) -> Span {
        let node = self.node(found.node);
        let written = node.span.end > node.span.start;
        match (&node.value, found.key) {
            (Value::Mapping(_) | Value::Sequence(_), Some(key)) => key,
            (Value::Mapping(entries), None) => entries.first().map_or(node.span, |entry| entry.key_span),
            (_, Some(key)) if !found.complete || !written => key,
            _ => node.span,
        }
    }

    /// The location of a field path, or of the nearest part of it that exists.
    #[must_use]
    pub fn locate_field(&self, path: &str) -> Location {
        self.locate(self.mark(self.field(path)))
    }
}

fn starts_new_part(rest: &str) -> bool {
    rest.is_empty() || rest.starts_with(['.', '['])
}
