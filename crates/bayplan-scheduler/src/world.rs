//! Everything the scheduler knows: descriptions, nodes, pods and volumes.

use std::sync::Arc;

use crate::catalog::Catalog;
use crate::ids::{NodeId, PodId};
use crate::nodes::Nodes;
use crate::plugins::node_texts::NodeTexts;
use crate::plugins::volumes::VolumeState;
use crate::state::State;

/// A disruption budget as preemption reads it.
#[derive(Debug, Clone)]
pub struct Budget {
    /// Name, for messages.
    pub name: String,
    /// Namespace.
    pub namespace: crate::symbol::Symbol,
    /// Pods under the budget; a selector without requirements covers none.
    pub selector: crate::matcher::LabelMatch,
    /// Evictions allowed now.
    pub disruptions_allowed: i32,
    /// Pods whose disruption is already under way.
    pub disrupted: Vec<crate::symbol::Symbol>,
}

/// The cluster as one value. Cloning shares descriptions, nodes and storage objects and copies the columns.
#[derive(Debug, Clone)]
pub struct World {
    /// Descriptions.
    pub(crate) catalog: Arc<Catalog>,
    /// Nodes.
    pub(crate) nodes: Arc<Nodes>,
    /// Disruption budgets.
    pub(crate) budgets: Arc<Vec<Budget>>,
    /// Pods.
    pub(crate) state: State,
    /// Volumes.
    pub(crate) volumes: VolumeState,
}

impl World {
    /// Names and labels of nodes as text.
    pub(crate) fn node_texts(&self) -> NodeTexts<'_> {
        NodeTexts {
            catalog: &self.catalog,
            nodes: &self.nodes,
        }
    }

    /// Name of a node.
    pub fn node_name(&self, node: NodeId) -> &str {
        self.catalog.interner.text(self.nodes.names[node.index()])
    }

    /// `namespace/name` of a pod.
    pub fn pod_name(&self, pod: PodId) -> String {
        let record = &self.state.pods[pod.index()];
        let namespace = self.catalog.label_set(record.labels).namespace;
        format!(
            "{}/{}",
            self.catalog.interner.text(namespace),
            self.catalog.interner.text(record.name)
        )
    }

    /// How many nodes there are.
    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// Node of a name.
    pub fn node_by_name(&self, name: &str) -> Option<NodeId> {
        self.nodes
            .by_name
            .get(&self.catalog.interner.find(name)?)
            .copied()
    }

    /// Node that a pod is on.
    pub fn node_of(&self, pod: PodId) -> Option<NodeId> {
        self.state.pods[pod.index()].node()
    }

    /// True for a pod that is being deleted.
    pub fn is_terminating(&self, pod: PodId) -> bool {
        self.state.pods[pod.index()].terminating
    }

    /// Pods on a node, in no particular order.
    pub fn pods_on(&self, node: NodeId) -> &[PodId] {
        &self.state.pods_on[node.index()]
    }

    /// Puts a pod on a node.
    pub(crate) fn place(&mut self, pod: PodId, node: NodeId) {
        self.state.place(&self.catalog, pod, node);
        self.volumes.place(pod.0, node.0);
    }

    /// Takes a pod off its node.
    pub(crate) fn remove(&mut self, pod: PodId) {
        self.state.remove(&self.catalog, pod);
        self.volumes.remove(pod.0);
    }

    /// Adds or takes away what a pod holds on a node for a dry run that is undone afterwards.
    pub(crate) fn pretend(&mut self, pod: PodId, node: NodeId, sign: i32) {
        self.state.pretend(&self.catalog, pod, node, sign);
        if sign > 0 {
            self.volumes.place(pod.0, node.0);
        } else {
            self.volumes.remove(pod.0);
        }
    }
}
