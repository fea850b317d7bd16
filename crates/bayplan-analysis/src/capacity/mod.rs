//! Used and free resources by node, domain and model.
//!
//! What counts is what the scheduler counts: the requests of pods that have a node and have not ended, against what
//! the nodes offer as allocatable.

mod amounts;

use std::collections::BTreeMap;

use bayplan_model::object::{Node, Pod};
use bayplan_scheduler::requests::PodAmounts;

use crate::domains::{Domains, Level, LevelKey};
use crate::gpu;
pub use amounts::{Amount, Amounts};

/// Collects nodes and pods, in any order, one at a time.
#[derive(Debug, Default)]
pub struct CapacityBuilder {
    model_label: String,
    nodes: Vec<Node>,
    used: BTreeMap<String, NodeLoad>,
    pending: Pending,
}

#[derive(Debug, Default, Clone)]
struct NodeLoad {
    pods: usize,
    requests: Amounts,
    models: BTreeMap<String, ModelLoad>,
}

#[derive(Debug, Default, Clone)]
struct ModelLoad {
    pods: usize,
    requests: Amounts,
}

/// Pods that have no node.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Pending {
    /// How many.
    pub pods: usize,
    /// What they ask for.
    pub requests: Amounts,
}

/// Everything that was counted.
#[derive(Debug, Clone)]
pub struct Capacity {
    /// Failure domains of the nodes.
    pub domains: Domains,
    /// One entry for each node, in order of arrival.
    pub nodes: Vec<NodeCapacity>,
    /// Models in order of their names.
    pub models: Vec<ModelCapacity>,
    /// Pods that have no node.
    pub pending: Pending,
    /// Nodes that pods run on but that are not known, with the number of those pods.
    pub unknown_nodes: BTreeMap<String, usize>,
}

/// One node.
#[derive(Debug, Clone)]
pub struct NodeCapacity {
    /// The node.
    pub node: Node,
    /// What it offers.
    pub allocatable: Amounts,
    /// What its pods request; the amount of `pods` is their number.
    pub used: Amounts,
    /// Pods by model.
    pub models: BTreeMap<String, usize>,
}

/// One model.
#[derive(Debug, Clone)]
pub struct ModelCapacity {
    /// Value of the model label.
    pub model: String,
    /// Pods by node.
    pub pods_by_node: BTreeMap<String, usize>,
    /// What its pods request.
    pub requests: Amounts,
}

impl CapacityBuilder {
    /// An empty cluster; `model_label` is the pod label that names the model.
    pub fn new(model_label: &str) -> CapacityBuilder {
        CapacityBuilder {
            model_label: model_label.to_owned(),
            ..CapacityBuilder::default()
        }
    }

    /// Adds a node.
    pub fn add_node(&mut self, node: Node) {
        self.nodes.push(node);
    }

    /// Adds a pod; one that has ended holds nothing and is left out.
    pub fn add_pod(&mut self, pod: &Pod) {
        if pod.is_terminal() {
            return;
        }
        let requests = Amounts::from(&PodAmounts::of(pod).requests);
        if pod.spec.node_name.is_empty() {
            self.pending.pods += 1;
            self.pending.requests.add(&requests);
            return;
        }
        let load = self.used.entry(pod.spec.node_name.clone()).or_default();
        if let Some(model) = pod
            .metadata
            .labels
            .get(&self.model_label)
            .filter(|model| !model.is_empty())
        {
            let entry = load.models.entry(model.clone()).or_default();
            entry.pods += 1;
            entry.requests.add(&requests);
        }
        load.pods += 1;
        load.requests.add(&requests);
    }

    /// Sums up. `keep` selects the nodes to report, `levels` are the levels the user gave (see [`Domains::of`]).
    pub fn finish(mut self, levels: &[LevelKey], keep: impl Fn(&Node) -> bool) -> Capacity {
        let mut models: BTreeMap<String, ModelCapacity> = BTreeMap::new();
        let mut nodes = Vec::new();
        let domains = Domains::of(&self.nodes, levels);
        for node in self.nodes {
            let load = self.used.remove(&node.metadata.name).unwrap_or_default();
            if !keep(&node) {
                continue;
            }
            for (model, part) in &load.models {
                let entry = models.entry(model.clone()).or_insert_with(|| ModelCapacity {
                    model: model.clone(),
                    pods_by_node: BTreeMap::new(),
                    requests: Amounts::default(),
                });
                entry.pods_by_node.insert(node.metadata.name.clone(), part.pods);
                entry.requests.add(&part.requests);
            }
            let mut used = load.requests;
            used.set("pods", i64::try_from(load.pods).unwrap_or(i64::MAX));
            nodes.push(NodeCapacity {
                allocatable: Amounts::from(&node.status.allocatable),
                used,
                models: load
                    .models
                    .into_iter()
                    .map(|(model, part)| (model, part.pods))
                    .collect(),
                node,
            });
        }
        Capacity {
            domains,
            nodes,
            models: models.into_values().collect(),
            pending: self.pending,
            unknown_nodes: self
                .used
                .into_iter()
                .map(|(node, load)| (node, load.pods))
                .collect(),
        }
    }
}

impl Capacity {
    /// Names of all GPU resources that nodes offer or pods hold, sorted.
    pub fn gpu_resources(&self) -> Vec<String> {
        let mut names: Vec<String> = self
            .nodes
            .iter()
            .flat_map(|node| node.allocatable.names().chain(node.used.names()))
            .filter(|name| gpu::is_gpu(name))
            .map(str::to_owned)
            .collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// Sums nodes by what `key` says of them; nodes for which it says nothing are left out.
    pub fn group_by(&self, key: impl Fn(&NodeCapacity) -> Option<String>) -> BTreeMap<String, Group> {
        let mut groups: BTreeMap<String, Group> = BTreeMap::new();
        for node in &self.nodes {
            if let Some(name) = key(node) {
                let group = groups.entry(name).or_default();
                group.nodes += 1;
                group.allocatable.add(&node.allocatable);
                group.used.add(&node.used);
            }
        }
        groups
    }

    /// Pods of a model by domain of a level.
    pub fn model_domains(&self, model: &ModelCapacity, level: Level) -> BTreeMap<String, usize> {
        let mut counts = BTreeMap::new();
        for (node, pods) in &model.pods_by_node {
            if let Some(domain) = self.domains.get(node, level) {
                *counts.entry(domain.to_owned()).or_default() += pods;
            }
        }
        counts
    }
}

/// Nodes summed up.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Group {
    /// How many nodes.
    pub nodes: usize,
    /// What they offer.
    pub allocatable: Amounts,
    /// What their pods request.
    pub used: Amounts,
}
