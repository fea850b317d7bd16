//! Cases and results, as `conformance/README.md` describes them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// One situation.
#[derive(Debug, Deserialize)]
pub struct Case {
    /// Name.
    pub name: String,
    /// A KubeSchedulerConfiguration, JSON or YAML; empty for the default one.
    #[serde(default)]
    pub config: String,
    /// Run PostFilter when no node fits.
    #[serde(default)]
    pub preempt: bool,
    /// Objects of the cluster, in the order in which they enter the caches.
    pub objects: Vec<serde_json::Value>,
    /// Pods to schedule, as `namespace/name`, in this order.
    pub pending: Vec<String>,
}

/// Answer to a case.
#[derive(Debug, Default, Serialize)]
pub struct Answer {
    /// Name of the case.
    pub name: String,
    /// The case could not be run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// Pods in the order of scheduling.
    pub pods: Vec<PodAnswer>,
}

/// Answer for one pod.
#[derive(Debug, Default, Serialize)]
pub struct PodAnswer {
    /// `namespace/name`.
    pub pod: String,
    /// PreFilter rejected the pod.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prefilter: Option<RejectionAnswer>,
    /// First rejection by node.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub rejected: BTreeMap<String, RejectionAnswer>,
    /// Feasible nodes, sorted.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub feasible: Vec<String>,
    /// Scores by node.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub scores: BTreeMap<String, ScoreAnswer>,
    /// Best nodes, sorted.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub best: Vec<String>,
    /// The node that is taken: the first of the best by name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chosen: Option<String>,
    /// The scheduler's message for a pod that fits nowhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// Node nominated by preemption.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nominated: Option<String>,
    /// Pods to be evicted, sorted.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub victims: Vec<String>,
}

/// A rejection.
#[derive(Debug, Serialize)]
pub struct RejectionAnswer {
    /// Plugin.
    pub plugin: String,
    /// Code.
    pub code: &'static str,
    /// Reasons.
    pub reasons: Vec<String>,
}

/// Scores of a node.
#[derive(Debug, Default, Serialize)]
pub struct ScoreAnswer {
    /// By plugin, before normalisation.
    pub raw: BTreeMap<&'static str, i64>,
    /// By plugin, normalised and weighted.
    pub weighted: BTreeMap<&'static str, i64>,
    /// Sum.
    pub total: i64,
}
