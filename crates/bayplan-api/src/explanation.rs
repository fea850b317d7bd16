//! `bayplan explain pod/NAME`: why a pod is pending, or why it is where it is.

use serde::Serialize;

use crate::{Body, PodPlacement};

/// Why pods are pending or where they are.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Explanation {
    /// One entry for each pod.
    pub pods: Vec<PodExplanation>,
}

impl Body for Explanation {
    const KIND: &'static str = "Explanation";
}

/// Why one pod is pending or where it is.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PodExplanation {
    /// `namespace/name`.
    pub pod: String,
    /// `namespace/Kind/name` of the workload it belongs to.
    pub workload: String,
    /// What the pod is doing now.
    pub state: PodState,
    /// The node it runs on now.
    pub node: Option<String>,
    /// Rank of that node among the feasible ones if the pod were scheduled now, from 1; ties share the better rank.
    pub rank: Option<usize>,
    /// The scheduling condition's message that the cluster recorded, if any.
    pub recorded_message: Option<String>,
    /// What the scheduler would do with the pod now; a running pod is taken away first.
    pub now: PodPlacement,
}

/// What a pod is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum PodState {
    /// Has no node.
    Pending,
    /// Has no node and is held back by scheduling gates.
    Gated,
    /// Has a node.
    Bound,
    /// Has a node and is being deleted.
    Terminating,
}
