//! `bayplan place`: where every replica lands, and why.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::Body;

/// Where pods land.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Placement {
    /// The pods in the order in which they were scheduled.
    pub pods: Vec<PodPlacement>,
    /// One entry for each workload, in the order of the manifests.
    pub workloads: Vec<WorkloadPlacement>,
    /// Totals.
    pub summary: PlacementSummary,
    /// Distributions over random arrival orders and ties; only with `--trials`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trials: Option<TrialReport>,
}

impl Body for Placement {
    const KIND: &'static str = "Placement";
}

/// The outcome for one pod.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PodPlacement {
    /// `namespace/name`.
    pub pod: String,
    /// `namespace/Kind/name` of the workload it belongs to.
    pub workload: String,
    /// The node it lands on; `null` while it stays pending.
    pub node: Option<String>,
    /// The scheduler's text of the first attempt; `null` when the pod fitted at once.
    pub message: Option<String>,
    /// Text of a scheduling cycle that ended in an error.
    pub error: Option<String>,
    /// The node that preemption reserved for it.
    pub nominated_node: Option<String>,
    /// Pods evicted to make room, `namespace/name`.
    pub victims: Vec<String>,
    /// The pod that must have a node before this one is created.
    pub waits_for: Option<String>,
    /// Nodes that passed all filters, in the scheduler's order; `null` when they were not asked for, or in a document
    /// that would list more than a million of them.
    pub feasible: Option<Vec<String>>,
    /// How many nodes passed all filters; `null` when that was not asked for.
    pub feasible_count: Option<usize>,
    /// Feasible nodes that share the highest total score.
    pub best: Vec<String>,
    /// Total score of the chosen node; `null` when nothing was scored.
    pub score: Option<i64>,
    /// The best node other than the chosen one.
    pub runner_up: Option<RunnerUp>,
    /// Weighted points by node and plugin; only with `--explain`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scores: Option<BTreeMap<String, BTreeMap<String, i64>>>,
    /// Verdict and points of every node; only with `--explain`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<Vec<NodeReport>>,
}

/// The best node that was not chosen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RunnerUp {
    /// Its name.
    pub node: String,
    /// Its total score.
    pub score: i64,
    /// Points between the chosen node and this one; 0 is a tie.
    pub margin: i64,
}

/// What the scheduler thinks of one node for one pod.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct NodeReport {
    /// The node.
    pub node: String,
    /// Whether it passed all filters.
    pub feasible: bool,
    /// The first filter that refused it.
    pub plugin: Option<String>,
    /// That filter's reasons.
    pub reasons: Vec<String>,
    /// Whether evicting pods could make it feasible.
    pub preemption_may_help: Option<bool>,
    /// Sum of the weighted points; `null` when it was not scored.
    pub total: Option<i64>,
    /// Points by plugin in the profile's order.
    pub scores: Vec<PluginScore>,
}

/// Points of one plugin for one node.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PluginScore {
    /// Plugin name.
    pub plugin: String,
    /// Before normalisation, in the plugin's own scale.
    pub raw: i64,
    /// After normalisation, 0-100.
    pub normalized: i64,
    /// Weight of the plugin in the profile.
    pub weight: i64,
    /// `normalized` times `weight`.
    pub weighted: i64,
}

/// What becomes of one workload.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct WorkloadPlacement {
    /// `namespace/Kind/name`.
    pub workload: String,
    /// Replicas wanted.
    pub replicas: usize,
    /// Replicas that ran before and were left where they are.
    pub running: usize,
    /// Replicas placed now.
    pub placed: usize,
    /// Replicas that stay pending.
    pub pending: usize,
    /// Replicas (running and placed) by level (`node`, `rack`, `zone`, `region`) and domain.
    pub domains: BTreeMap<String, BTreeMap<String, usize>>,
    /// The fullest domain of each level.
    pub worst: BTreeMap<String, WorstShare>,
}

/// The domain that holds most replicas of a workload.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct WorstShare {
    /// Its name.
    pub domain: String,
    /// Its share of the replicas that have a node, 0-1.
    pub share: f64,
}

/// Totals of a placement.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PlacementSummary {
    /// Pods that landed.
    pub placed: usize,
    /// Pods that stay pending.
    pub pending: usize,
    /// Pods that landed, by node.
    pub by_node: BTreeMap<String, usize>,
}

/// Distributions over trials.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TrialReport {
    /// Number of trials; each has its own arrival order and breaks ties at random.
    pub trials: u32,
    /// Share of trials in which at least one pod stays pending, 0-1.
    pub any_pending: f64,
    /// One entry for each workload.
    pub workloads: Vec<WorkloadTrials>,
}

/// Distributions for one workload.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct WorkloadTrials {
    /// `namespace/Kind/name`.
    pub workload: String,
    /// Share of trials in which at least one replica stays pending, 0-1.
    pub any_pending: f64,
    /// Share of trials in which all replicas (at least two, none pending) share one domain, by level.
    pub all_in_one: BTreeMap<String, f64>,
    /// Distribution of the worst domain's share of the replicas that have a node, by level, smallest share first.
    pub worst_share: BTreeMap<String, Vec<ShareOfTrials>>,
    /// Distribution of the number of pending replicas, smallest number first.
    pub pending: Vec<ShareOfTrials>,
    /// Share of trials in which a node gets at least one of the replicas that are placed, 0-1; nodes that never do are
    /// left out.
    pub nodes: BTreeMap<String, f64>,
}

/// A value and how often it came out.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ShareOfTrials {
    /// The value: a share (0-1) or a number of pods.
    pub value: f64,
    /// Share of the trials, 0-1.
    pub probability: f64,
}
