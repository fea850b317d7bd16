//! Names and labels of nodes as text, for the volume plugins.

use crate::catalog::Catalog;
use crate::nodes::Nodes;
use crate::plugins::volumes::VolumeNodes;
use crate::symbol::lookup;

/// Nodes with the strings behind their numbers.
#[derive(Clone, Copy)]
pub struct NodeTexts<'a> {
    /// Descriptions.
    pub catalog: &'a Catalog,
    /// Nodes.
    pub nodes: &'a Nodes,
}

impl VolumeNodes for NodeTexts<'_> {
    fn name(&self, node: u32) -> &str {
        self.catalog.interner.text(self.nodes.names[node as usize])
    }

    fn label(&self, node: u32, key: &str) -> Option<&str> {
        let key = self.catalog.interner.find(key)?;
        lookup(&self.nodes.labels[node as usize], key).map(|value| self.catalog.interner.text(value))
    }
}
