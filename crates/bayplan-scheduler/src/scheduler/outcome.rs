//! What a scheduling cycle decides.

use crate::fit_error::Diagnosis;
use crate::ids::NodeId;
use crate::status::{Code, Rejection};

/// Outcome of a cycle.
#[derive(Debug, Clone)]
pub enum Outcome {
    /// The pod goes to this node.
    Placed(NodeId),
    /// No node can take the pod.
    Unschedulable(Box<Unschedulable>),
    /// The pod is not queued while it has scheduling gates.
    Gated(String),
    /// No profile has the pod's scheduler name.
    OtherScheduler(String),
    /// The cycle failed.
    Error(String),
}

/// Why no node can take a pod.
#[derive(Debug, Clone)]
pub struct Unschedulable {
    /// Reasons, ready to be printed.
    pub diagnosis: Diagnosis,
    /// Statuses of the nodes, as preemption reads them.
    pub statuses: Statuses,
    /// PreFilter's rejection, if that is what ended the cycle.
    pub pre_filter: Option<Rejection>,
    /// PostFilter will fail with `not found`, because DynamicResources never got to write its state.
    pub post_filter_fails: bool,
}

/// Status codes by node.
#[derive(Debug, Clone, Default)]
pub struct Statuses {
    /// Nodes that were filtered, in the order of the search.
    pub explicit: Vec<(NodeId, Code)>,
    /// Code of all other nodes; `None` when there are no others.
    pub absent: Option<Code>,
}

impl Statuses {
    /// Code of a node.
    pub fn of(&self, node: NodeId) -> Option<Code> {
        self.explicit
            .iter()
            .find(|(other, _)| *other == node)
            .map(|(_, code)| *code)
            .or(self.absent)
    }
}

/// A decision.
#[derive(Debug, Clone)]
pub struct Decision {
    /// What was decided.
    pub outcome: Outcome,
    /// How many feasible nodes were found (and scored, if more than one).
    pub feasible: usize,
}

impl Decision {
    pub(crate) fn of(outcome: Outcome) -> Decision {
        Decision { outcome, feasible: 0 }
    }

    /// The node, if the pod was placed.
    pub fn node(&self) -> Option<NodeId> {
        match self.outcome {
            Outcome::Placed(node) => Some(node),
            _ => None,
        }
    }
}
