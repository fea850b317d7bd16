//! Where pods land that are created now.
//!
//! The scheduling queue hands pods out by priority, then by order of creation. A pod that fits nowhere stays behind and
//! is tried again when something has changed: another pod has landed, or pods were evicted. The result is the state in
//! which nothing moves any more.
//!
//! Victims of a preemption are gone at once and their preemptor is tried again right away. In a cluster their grace
//! period passes first, while the nomination keeps the room free for the preemptor; what changes is the time it takes.

mod attempt;
mod order;
mod ranking;

use bayplan_model::object::{Labels, Node, Pod};
use bayplan_scheduler::{Evaluation, NodeId, PodId, Scheduler};

use attempt::Attempt;
pub use order::{arrival, by_priority};
pub use ranking::{Detail, Ranking};

/// A pod to be placed.
#[derive(Debug, Clone)]
pub struct Candidate {
    /// The pod as admission stored it.
    pub pod: Pod,
    /// Number of the group it belongs to, for example of its workload.
    pub group: usize,
    /// Its number in the scheduler, when the cluster has it already as a pending pod.
    pub existing: Option<PodId>,
    /// The pod that must be placed before this one is created.
    pub leader: Option<Leader>,
}

/// A leader that another pod waits for.
#[derive(Debug, Clone)]
pub struct Leader {
    /// Its position among the candidates.
    pub candidate: usize,
    /// Node label whose value on the leader's node goes into the node selector of the pod that waits.
    pub topology_key: Option<String>,
}

/// What became of a pod.
#[derive(Debug, Clone, Default)]
pub struct Outcome {
    /// Its node; `None` while it stays pending.
    pub node: Option<NodeId>,
    /// The scheduler's text of the first attempt that found no node.
    pub message: Option<String>,
    /// Text of the last attempt, when that ended in an error.
    pub error: Option<String>,
    /// The profile that would have to schedule it does not exist.
    pub other_scheduler: Option<String>,
    /// It was not created, because its leader has no node.
    pub waits_for_leader: bool,
    /// Node that preemption reserved for it.
    pub nominated: Option<NodeId>,
    /// Nodes where preemption would have been as good; a live scheduler takes any of them.
    pub equally_good: Vec<NodeId>,
    /// Pods evicted for it, `namespace/name`.
    pub victims: Vec<String>,
    /// The feasible nodes of its last attempt; only with [`Detail::Ranking`].
    pub ranking: Option<Ranking>,
    /// Verdict and scores of all nodes at its last attempt; only with [`Detail::Everything`].
    pub evaluation: Option<Evaluation>,
}

/// What became of all pods.
#[derive(Debug, Clone, Default)]
pub struct Run {
    /// One outcome for each candidate.
    pub outcomes: Vec<Outcome>,
    /// Candidates in the order of their first attempt; those that were never tried come last.
    pub order: Vec<usize>,
}

/// Labels of the nodes, by number.
#[derive(Debug, Clone, Default)]
pub struct NodeLabels {
    all: Vec<Labels>,
    copied_at_bind: Vec<Labels>,
}

impl NodeLabels {
    /// Reads the labels of `nodes`, which are those of the scheduler's cluster.
    pub fn of<'a>(scheduler: &Scheduler, nodes: impl IntoIterator<Item = &'a Node>) -> NodeLabels {
        let world = scheduler.world();
        let mut all = vec![Labels::new(); world.node_count()];
        for node in nodes {
            let id = world.node_by_name(&node.metadata.name);
            if let Some(entry) = id.and_then(|id| all.get_mut(id.index())) {
                entry.clone_from(&node.metadata.labels);
            }
        }
        NodeLabels {
            copied_at_bind: all.iter().map(bayplan_admission::labels_copied_at_bind).collect(),
            all,
        }
    }

    fn get(&self, node: NodeId, key: &str) -> Option<&String> {
        self.all.get(node.index())?.get(key)
    }

    fn copied_at_bind(&self, node: NodeId) -> Option<&Labels> {
        self.copied_at_bind.get(node.index())
    }
}

/// Places `candidates` in `order` (positions, by arrival; priorities are put first) and leaves the scheduler's cluster
/// in the state that results. `detail` says how much is kept about the other nodes.
pub fn place(
    scheduler: &mut Scheduler,
    candidates: &[Candidate],
    order: &[usize],
    nodes: &NodeLabels,
    detail: Detail,
) -> Run {
    let mut attempt = Attempt::new(scheduler, candidates, nodes, detail);
    let mut tried = vec![false; candidates.len()];
    let mut run = Run {
        outcomes: Vec::new(),
        order: Vec::with_capacity(candidates.len()),
    };
    let mut queue = by_priority(candidates, order);
    while !queue.is_empty() {
        let mut progress = false;
        let mut behind = Vec::new();
        for candidate in queue {
            if attempt.is_ready(candidate) && !tried[candidate] {
                tried[candidate] = true;
                run.order.push(candidate);
            }
            let step = attempt.try_pod(candidate);
            progress |= step.changed;
            behind.extend(step.evicted);
            if !step.placed {
                behind.push(candidate);
            }
        }
        if !progress {
            break;
        }
        queue = by_priority(candidates, &behind);
    }
    run.order
        .extend((0..candidates.len()).filter(|candidate| !tried[*candidate]));
    run.outcomes = attempt.finish();
    run
}

/// What the scheduler would do with a pod that has no node; nothing is changed.
pub fn judge(scheduler: &mut Scheduler, pod: PodId) -> Outcome {
    attempt::judge(scheduler, pod)
}
