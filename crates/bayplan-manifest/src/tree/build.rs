//! Puts nodes together, from YAML events or JSON tokens, and guards what both must hold: each key once, bounded
//! nesting, bounded expansion.

use rustc_hash::FxHashMap;

use super::{DEEPEST_NESTING, Entry, Node, NodeId, Span, Value};

/// Nodes that aliases and merge keys may add to a document of any size.
///
/// kubectl's library has the same allowance: between 396,000 and 400,000 decode steps driven by aliases
/// (`allowedAliasRatio` in `decode.go` of `go.yaml.in/yaml/v2`), and a tenth of the whole for larger documents.
const ALIAS_ALLOWANCE: u64 = 400_000;

/// Mappings with more keys than this find duplicates by hashing.
const KEYS_SEARCHED_LINEARLY: usize = 16;

/// Why a document cannot become a tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Refusal {
    /// Aliases expand to too much; the span is that of the alias or merge that went too far.
    ExcessiveAliasing(Span),
    /// Nested too deep; the span is that of the innermost value.
    TooDeep(Span),
}

/// Two uses of one key in one mapping.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Duplicate {
    pub(super) key: Box<str>,
    pub(super) first: Span,
    pub(super) second: Span,
}

/// What a walk over a node costs, aliases expanded.
#[derive(Debug, Clone, Copy)]
struct Extent {
    nodes: u64,
    depth: u16,
}

/// A tree under construction.
#[derive(Debug, Default)]
pub(super) struct Builder {
    pub(super) nodes: Vec<Node>,
    extents: Vec<Extent>,
    added_by_aliases: u64,
    pub(super) duplicates: Vec<Duplicate>,
}

impl Builder {
    /// Adds a value whose children were added before.
    pub(super) fn add(&mut self, value: Value, span: Span) -> Result<NodeId, Refusal> {
        let mut extent = Extent { nodes: 1, depth: 0 };
        let mut include = |child: NodeId| {
            let child = self.extents[child.0 as usize];
            extent.nodes = extent.nodes.saturating_add(child.nodes);
            extent.depth = extent.depth.max(child.depth + 1);
        };
        match &value {
            Value::Sequence(items) => items.iter().copied().for_each(&mut include),
            Value::Mapping(entries) => entries.iter().for_each(|entry| include(entry.value)),
            _ => {}
        }
        if usize::from(extent.depth) > DEEPEST_NESTING {
            return Err(Refusal::TooDeep(span));
        }
        // Spans are 32-bit, and no text holds more nodes than bytes and collections.
        let id = NodeId(u32::try_from(self.nodes.len()).map_err(|_| Refusal::ExcessiveAliasing(span))?);
        self.nodes.push(Node { value, span });
        self.extents.push(extent);
        Ok(id)
    }

    /// Counts the use of a node through an alias at `span`.
    pub(super) fn use_alias(&mut self, target: NodeId, span: Span) -> Result<(), Refusal> {
        self.charge(self.extents[target.0 as usize].nodes, span)
    }

    fn charge(&mut self, nodes: u64, span: Span) -> Result<(), Refusal> {
        self.added_by_aliases = self.added_by_aliases.saturating_add(nodes);
        if self.added_by_aliases > ALIAS_ALLOWANCE.max(self.nodes.len() as u64 / 9) {
            return Err(Refusal::ExcessiveAliasing(span));
        }
        Ok(())
    }

    /// Enters a key; a key that is written twice keeps its later value, as kubectl's reader does.
    pub(super) fn insert(&mut self, keys: &mut Keys, entry: Entry) {
        if let Some(at) = keys.find(&entry.key) {
            let existing = &mut keys.entries[at];
            if !existing.merged && !entry.merged {
                self.duplicates.push(Duplicate {
                    key: entry.key.clone(),
                    first: existing.key_span,
                    second: entry.key_span,
                });
            }
            *existing = entry;
        } else {
            keys.push(entry);
        }
    }

    /// Copies the entries of a mapping into `keys` for a merge key at `span`; false when the node is no mapping.
    pub(super) fn merge(&mut self, keys: &mut Keys, from: NodeId, span: Span) -> Result<bool, Refusal> {
        let Value::Mapping(entries) = &self.nodes[from.0 as usize].value else {
            return Ok(false);
        };
        let entries = entries.clone();
        self.use_alias(from, span)?;
        for entry in entries {
            self.insert(
                keys,
                Entry {
                    merged: true,
                    ..entry
                },
            );
        }
        Ok(true)
    }
}

/// The keys of a mapping under construction.
#[derive(Debug, Default)]
pub(super) struct Keys {
    pub(super) entries: Vec<Entry>,
    by_key: FxHashMap<Box<str>, usize>,
}

impl Keys {
    fn find(&self, key: &str) -> Option<usize> {
        if self.by_key.is_empty() {
            self.entries.iter().position(|entry| &*entry.key == key)
        } else {
            self.by_key.get(key).copied()
        }
    }

    fn push(&mut self, entry: Entry) {
        let at = self.entries.len();
        if !self.by_key.is_empty() {
            self.by_key.insert(entry.key.clone(), at);
        }
        self.entries.push(entry);
        if self.by_key.is_empty() && self.entries.len() > KEYS_SEARCHED_LINEARLY {
            let keys = self.entries.iter().enumerate();
            self.by_key = keys.map(|(at, entry)| (entry.key.clone(), at)).collect();
        }
    }
}
