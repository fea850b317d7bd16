//! Wire types: what the commands print as JSON and YAML.
//!
//! Every output is a [`Document`]: a kind, the versions it was made with, a body, what is uncertain about it and what
//! was found wrong in the input. Fields are added freely within `bayplan.dev/v1` and never renamed or removed.
//! Ratios are 0-1, durations are in seconds, amounts of resources are strings in Kubernetes' quantity notation.

mod capacity;
mod demo;
mod document;
mod explanation;
mod placement;
mod release;

pub use capacity::{Capacity, DomainUse, ModelUse, NodeUse, PendingUse, ResourceUse};
pub use demo::{Demo, Measure};
pub use document::{Body, Document, Issue, Severity, Uncertainty};
pub use explanation::{Explanation, PodExplanation, PodState};
pub use placement::{
    NodeReport, Placement, PlacementSummary, PluginScore, PodPlacement, RunnerUp, ShareOfTrials, TrialReport,
    WorkloadPlacement, WorkloadTrials, WorstShare,
};
pub use release::Release;

/// Group and version of every document.
pub const API_VERSION: &str = "bayplan.dev/v1";

/// The kube-scheduler release whose decisions are reproduced (k8s.io/kubernetes v1.37.2).
pub const SCHEDULER_VERSION: &str = "1.37.2";

/// Version of the tool.
pub const TOOL_VERSION: &str = env!("CARGO_PKG_VERSION");
