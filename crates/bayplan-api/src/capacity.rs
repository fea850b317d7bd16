//! `bayplan nodes`: what is used and what is free.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::Body;

/// Free and used resources by node, domain and model.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Capacity {
    /// Label keys that were read as failure domains, by level (`rack`, `zone`, `region`); a level without nodes is absent.
    pub domain_keys: BTreeMap<String, Vec<String>>,
    /// Label of pods that names the model.
    pub model_label: String,
    /// All nodes together.
    pub total: DomainUse,
    /// One entry for each node.
    pub nodes: Vec<NodeUse>,
    /// Sums by level (`rack`, `zone`, `region`, `gpu`) and domain.
    pub domains: BTreeMap<String, Vec<DomainUse>>,
    /// Sums by model.
    pub models: Vec<ModelUse>,
    /// Pods that have no node.
    pub pending: PendingUse,
}

impl Body for Capacity {
    const KIND: &'static str = "Capacity";
}

/// One node.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct NodeUse {
    /// Name.
    pub node: String,
    /// Domains it lies in, by level.
    pub domains: BTreeMap<String, String>,
    /// GPU type, when a label tells it.
    pub gpu: Option<String>,
    /// `Ready`, `NotReady` or `Unknown`, then `SchedulingDisabled` when cordoned, joined by commas.
    pub status: String,
    /// Taints that keep pods away, `key=value:effect`.
    pub taints: Vec<String>,
    /// Pods by model; pods without the label are not listed.
    pub models: BTreeMap<String, usize>,
    /// Amounts by resource.
    pub resources: BTreeMap<String, ResourceUse>,
}

/// Nodes that share a domain.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DomainUse {
    /// Name of the domain; `*` for all nodes.
    pub domain: String,
    /// Number of nodes.
    pub nodes: usize,
    /// Amounts by resource.
    pub resources: BTreeMap<String, ResourceUse>,
}

/// Pods of one model.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ModelUse {
    /// Value of the model label.
    pub model: String,
    /// Pods that have a node and have not ended.
    pub pods: usize,
    /// Pods by level (`node`, `rack`, `zone`, `region`) and domain.
    pub domains: BTreeMap<String, BTreeMap<String, usize>>,
    /// Requests by resource, in Kubernetes' notation.
    pub requests: BTreeMap<String, String>,
}

/// Pods that have no node.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PendingUse {
    /// How many.
    pub pods: usize,
    /// What they request, by resource, in Kubernetes' notation.
    pub requests: BTreeMap<String, String>,
}

/// Amounts of one resource, in Kubernetes' quantity notation.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ResourceUse {
    /// What the nodes offer.
    pub allocatable: String,
    /// What pods on them request.
    pub used: String,
    /// The rest; negative when pods request more than there is.
    pub free: String,
}
