//! What changes while pods are placed and removed.

mod counts;
mod touched;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

pub use counts::{Carried, CountedPod, Counts, DomainColumn, Leaves};
pub use touched::TouchedNodes;

use crate::catalog::{Catalog, HostPort, Spec};
use crate::ids::{LabelSetId, MatcherId, NONE, NodeId, PodId, ResourceId, SpecId};
use crate::matcher::LabelMatch;
use crate::nodes::Nodes;
use crate::symbol::Symbol;
use bayplan_model::selector::Operator;

/// A pod known to the engine, placed or not.
#[derive(Debug, Clone)]
pub struct PodRecord {
    /// Name; the namespace is in the label set.
    pub name: Symbol,
    /// Namespace and labels.
    pub labels: LabelSetId,
    /// Specification.
    pub spec: SpecId,
    /// Node it is on, or [`NONE`].
    pub node: u32,
    /// Node reserved for it after a preemption, or [`NONE`].
    pub nominated: u32,
    /// Seconds since the epoch at which it started; pods without a start time count as started just now.
    pub start_time_seconds: i64,
    /// Being deleted.
    pub terminating: bool,
    /// Being deleted to make room for another pod (`DisruptionTarget`, `PreemptionByScheduler`).
    pub preempted: bool,
    /// Controller whose selector takes part in default spreading.
    pub controller: Option<(crate::catalog::ControllerKind, Symbol)>,
}

impl PodRecord {
    fn counted(&self) -> CountedPod {
        CountedPod {
            labels: self.labels,
            spec: self.spec,
            terminating: self.terminating,
        }
    }

    /// The node it is on.
    pub fn node(&self) -> Option<NodeId> {
        (self.node != NONE).then_some(NodeId(self.node))
    }
}

/// Placed pods, as tables are filled from them.
pub struct Placed<'a> {
    pods: &'a [PodRecord],
    by_label_set: &'a [Vec<PodId>],
    postings: &'a FxHashMap<(Symbol, Symbol), Vec<LabelSetId>>,
}

impl Placed<'_> {
    /// Pods with these labels that are on a node.
    pub fn pods_of_label_set(&self, set: LabelSetId) -> impl Iterator<Item = (CountedPod, NodeId)> {
        self.by_label_set
            .get(set.index())
            .into_iter()
            .flatten()
            .filter_map(|id| {
                let pod = &self.pods[id.index()];
                pod.node().map(|node| (pod.counted(), node))
            })
    }

    /// Label sets that may match: those with the rarest required value, or all.
    pub fn label_sets(&self, catalog: &Catalog, matchers: &[MatcherId]) -> Vec<LabelSetId> {
        let mut best: Option<Vec<LabelSetId>> = None;
        for matcher in matchers {
            let LabelMatch::All(requirements) = &catalog.matcher(*matcher).labels else {
                return Vec::new();
            };
            for requirement in requirements
                .iter()
                .filter(|requirement| requirement.operator == Operator::In)
            {
                let lists: SmallVec<[&Vec<LabelSetId>; 2]> = requirement
                    .values
                    .iter()
                    .filter_map(|value| self.postings.get(&(requirement.key, *value)))
                    .collect();
                let size: usize = lists.iter().map(|list| list.len()).sum();
                if best.as_ref().is_none_or(|best| size < best.len()) {
                    let mut sets: Vec<LabelSetId> = lists.into_iter().flatten().copied().collect();
                    sets.sort_unstable();
                    best = Some(sets);
                }
            }
        }
        best.unwrap_or_else(|| (0..catalog.label_sets.len() as u32).map(LabelSetId).collect())
    }
}

/// Part of a node's state before a dry run.
#[derive(Debug, Clone)]
pub struct Checkpoint {
    pods: Vec<PodId>,
    ports: Option<Vec<HostPort>>,
}

/// The mutable part of a simulated cluster.
#[derive(Debug, Clone)]
pub struct State {
    /// All pods.
    pub pods: Vec<PodRecord>,
    /// Pods on each node, in order of arrival; removal puts the last one in the hole, as `NodeInfo.RemovePod` does.
    pub pods_on: Vec<Vec<PodId>>,
    /// Requested cpu in millicores.
    pub milli_cpu: Vec<i64>,
    /// Requested memory in bytes.
    pub memory: Vec<i64>,
    /// Requested ephemeral storage in bytes.
    pub ephemeral_storage: Vec<i64>,
    /// Requested cpu with defaults for containers that name none.
    pub non_zero_milli_cpu: Vec<i64>,
    /// Requested memory with defaults for containers that name none.
    pub non_zero_memory: Vec<i64>,
    /// Requested amounts of other resources, by resource and node.
    pub scalars: Vec<Vec<i64>>,
    /// Ports in use.
    pub ports: FxHashMap<NodeId, Vec<HostPort>>,
    /// Counts by domain.
    pub counts: Counts,
    /// Nodes that changed.
    pub touched: TouchedNodes,
    by_label_set: Vec<Vec<PodId>>,
    postings: FxHashMap<(Symbol, Symbol), Vec<LabelSetId>>,
    posted: usize,
}

impl State {
    /// A cluster without pods.
    pub fn new(nodes: &Nodes) -> State {
        let column = || vec![0; nodes.len()];
        State {
            pods: Vec::new(),
            pods_on: vec![Vec::new(); nodes.len()],
            milli_cpu: column(),
            memory: column(),
            ephemeral_storage: column(),
            non_zero_milli_cpu: column(),
            non_zero_memory: column(),
            scalars: Vec::new(),
            ports: FxHashMap::default(),
            counts: Counts::default(),
            touched: TouchedNodes::default(),
            by_label_set: Vec::new(),
            postings: FxHashMap::default(),
            posted: 0,
        }
    }

    /// Adds a pod that is on no node yet.
    pub fn add_pod(&mut self, catalog: &Catalog, nodes: &Nodes, record: PodRecord) -> PodId {
        let id = PodId(self.pods.len() as u32);
        self.counts.register_spec(catalog, nodes, record.spec);
        self.counts.register_label_set(catalog, record.labels);
        while self.posted < catalog.label_sets.len() {
            let set = LabelSetId(self.posted as u32);
            for pair in catalog.label_set(set).labels.iter() {
                self.postings.entry(*pair).or_default().push(set);
            }
            self.posted += 1;
        }
        self.by_label_set.resize(catalog.label_sets.len(), Vec::new());
        self.by_label_set[record.labels.index()].push(id);
        self.pods.push(record);
        id
    }

    /// Gives the parts that are needed to look up or make a table.
    pub fn split(&mut self) -> (&mut Counts, Placed<'_>) {
        (
            &mut self.counts,
            Placed {
                pods: &self.pods,
                by_label_set: &self.by_label_set,
                postings: &self.postings,
            },
        )
    }

    /// Puts a pod on a node.
    pub fn place(&mut self, catalog: &Catalog, pod: PodId, node: NodeId) {
        self.pods[pod.index()].node = node.0;
        self.pods_on[node.index()].push(pod);
        self.account(catalog, pod, node, 1, false);
        self.touched.push(node);
    }

    /// Takes a pod off its node; does nothing when it is on none.
    pub fn remove(&mut self, catalog: &Catalog, pod: PodId) {
        let Some(node) = self.pods[pod.index()].node() else {
            return;
        };
        let list = &mut self.pods_on[node.index()];
        if let Some(at) = list.iter().position(|id| *id == pod) {
            list.swap_remove(at);
        }
        self.pods[pod.index()].node = NONE;
        self.account(catalog, pod, node, -1, false);
        self.touched.push(node);
    }

    /// What a dry run cannot undo by itself: the order of a node's pods and its set of used ports.
    pub fn checkpoint(&self, node: NodeId) -> Checkpoint {
        Checkpoint {
            pods: self.pods_on[node.index()].clone(),
            ports: self.ports.get(&node).cloned(),
        }
    }

    /// Goes back to a checkpoint after all pods of a dry run were put back.
    pub fn restore(&mut self, node: NodeId, checkpoint: Checkpoint) {
        self.pods_on[node.index()] = checkpoint.pods;
        match checkpoint.ports {
            Some(ports) => self.ports.insert(node, ports),
            None => self.ports.remove(&node),
        };
    }

    /// Adds or takes away what a pod holds on a node without moving it, for a dry run between a checkpoint and its
    /// restoration.
    pub fn pretend(&mut self, catalog: &Catalog, pod: PodId, node: NodeId, sign: i32) {
        let list = &mut self.pods_on[node.index()];
        if sign > 0 {
            list.push(pod);
        } else if let Some(at) = list.iter().position(|id| *id == pod) {
            list.swap_remove(at);
        }
        self.account(catalog, pod, node, sign, true);
    }

    fn account(&mut self, catalog: &Catalog, pod: PodId, node: NodeId, sign: i32, dry_run: bool) {
        let record = &self.pods[pod.index()];
        self.counts.apply(record.counted(), node, sign, dry_run);
        let spec = catalog.spec(record.spec);
        self.hold(spec, node, i64::from(sign));
    }

    fn hold(&mut self, spec: &Spec, node: NodeId, sign: i64) {
        let at = node.index();
        // Go's integers wrap around; what was added in excess comes off again when the pod goes.
        let hold = |held: &mut i64, amount: i64| *held = held.wrapping_add(sign.wrapping_mul(amount));
        hold(&mut self.milli_cpu[at], spec.held.milli_cpu);
        hold(&mut self.memory[at], spec.held.memory);
        hold(&mut self.ephemeral_storage[at], spec.held.ephemeral_storage);
        hold(&mut self.non_zero_milli_cpu[at], spec.non_zero.0);
        hold(&mut self.non_zero_memory[at], spec.non_zero.1);
        for (resource, amount) in &spec.held.scalars {
            if self.scalars.len() <= resource.index() {
                self.scalars.resize(resource.index() + 1, Vec::new());
            }
            let column = &mut self.scalars[resource.index()];
            if column.is_empty() {
                column.resize(self.milli_cpu.len(), 0);
            }
            hold(&mut column[at], *amount);
        }
        if !spec.ports.is_empty() {
            let used = self.ports.entry(node).or_default();
            for port in &spec.ports {
                // Used ports are a set: of two pods with the same port, the first to go frees it
                // (`framework/types.go:HostPortInfo`).
                used.retain(|other| other != port);
                if sign > 0 {
                    used.push(port.clone());
                }
            }
        }
    }

    /// Requested amount of a scalar resource on a node.
    pub fn scalar(&self, node: NodeId, resource: ResourceId) -> i64 {
        self.scalars
            .get(resource.index())
            .and_then(|column| column.get(node.index()))
            .copied()
            .unwrap_or(0)
    }
}
