//! One value a node, for all nodes or only for the few that a pod is restricted to.

use crate::ids::NodeId;
use crate::nodes::Nodes;

/// Values by node.
#[derive(Debug, Clone)]
pub enum Column<T> {
    /// For every node.
    All(Vec<T>),
    /// For some nodes, sorted.
    Some(Vec<(NodeId, T)>),
}

impl<T: Copy> Column<T> {
    /// Computes the values for the candidates, or for all nodes.
    pub fn new(nodes: &Nodes, candidates: Option<&[NodeId]>, value: impl Fn(NodeId) -> T) -> Column<T> {
        match candidates {
            None => Column::All(nodes.ids().map(value).collect()),
            Some(list) => Column::Some(list.iter().map(|node| (*node, value(*node))).collect()),
        }
    }

    /// The value of a node; `None` for one that was left out.
    pub fn at(&self, node: NodeId) -> Option<T> {
        match self {
            Column::All(values) => values.get(node.index()).copied(),
            Column::Some(values) => values
                .binary_search_by_key(&node, |entry| entry.0)
                .ok()
                .map(|index| values[index].1),
        }
    }
}
