//! One attempt to place a pod, and what it does to the cluster.

use std::collections::BTreeMap;

use bayplan_admission::follow_leader;
use bayplan_model::object::Pod;
use bayplan_scheduler::{NodeId, Outcome as Decided, PodId, Scheduler, Unschedulable};

use crate::placement::{Candidate, Detail, NodeLabels, Outcome, Ranking};

/// The candidates while they are being placed.
pub(super) struct Attempt<'a> {
    scheduler: &'a mut Scheduler,
    candidates: &'a [Candidate],
    nodes: &'a NodeLabels,
    detail: Detail,
    /// The pods as they are created, once they are.
    pods: Vec<Option<(PodId, Pod)>>,
    /// Candidates by the number under which they hold their node.
    placed: BTreeMap<PodId, usize>,
    outcomes: Vec<Outcome>,
}

/// What an attempt changed.
#[derive(Debug, Default)]
pub(super) struct Step {
    /// The pod has a node now.
    pub(super) placed: bool,
    /// Something is different for the pods that stayed behind.
    pub(super) changed: bool,
    /// Candidates that lost their node to this one.
    pub(super) evicted: Vec<usize>,
}

impl<'a> Attempt<'a> {
    pub(super) fn new(
        scheduler: &'a mut Scheduler,
        candidates: &'a [Candidate],
        nodes: &'a NodeLabels,
        detail: Detail,
    ) -> Attempt<'a> {
        Attempt {
            scheduler,
            candidates,
            nodes,
            detail,
            pods: vec![None; candidates.len()],
            placed: BTreeMap::new(),
            outcomes: vec![Outcome::default(); candidates.len()],
        }
    }

    /// Whether a pod exists by now: its leader, if it has one, has a node.
    pub(super) fn is_ready(&self, candidate: usize) -> bool {
        let leader = self.candidates[candidate].leader.as_ref();
        leader.is_none_or(|leader| self.outcomes[leader.candidate].node.is_some())
    }

    pub(super) fn finish(mut self) -> Vec<Outcome> {
        for candidate in 0..self.candidates.len() {
            self.outcomes[candidate].waits_for_leader = !self.is_ready(candidate);
        }
        self.outcomes
    }

    /// Runs a scheduling cycle for a candidate and does what it decides.
    pub(super) fn try_pod(&mut self, candidate: usize) -> Step {
        if !self.is_ready(candidate) {
            return Step::default();
        }
        let pod = self.create(candidate);
        // A pod with a node in its specification never meets the scheduler.
        let bound = &self.candidates[candidate].pod.spec.node_name;
        if !bound.is_empty() {
            return match self.scheduler.world().node_by_name(bound) {
                Some(node) => self.bind(candidate, pod, node),
                None => {
                    self.outcomes[candidate].error =
                        Some(format!("node {bound:?} of spec.nodeName does not exist"));
                    Step::default()
                }
            };
        }
        let evaluation = (self.detail > Detail::Nothing).then(|| self.scheduler.evaluate(pod));
        let decided = self.scheduler.schedule(pod).outcome;
        if let Some(evaluation) = evaluation {
            let chosen = if let Decided::Placed(node) = decided {
                Some(node)
            } else {
                None
            };
            let outcome = &mut self.outcomes[candidate];
            outcome.ranking = Some(Ranking::of(&evaluation, chosen));
            outcome.evaluation = (self.detail == Detail::Everything).then_some(evaluation);
        }
        self.outcomes[candidate].error = None;
        match decided {
            Decided::Placed(node) => self.bind(candidate, pod, node),
            Decided::Unschedulable(failed) => self.preempt(candidate, pod, &failed),
            Decided::Gated(message) => {
                self.outcomes[candidate].message.get_or_insert(message);
                Step::default()
            }
            Decided::OtherScheduler(name) => {
                self.outcomes[candidate].other_scheduler = Some(name);
                Step::default()
            }
            Decided::Error(text) => {
                self.outcomes[candidate].error = Some(text);
                Step::default()
            }
        }
    }

    /// The pod's number in the scheduler; it is created if need be.
    fn create(&mut self, candidate: usize) -> PodId {
        if let Some((id, _)) = &self.pods[candidate] {
            return *id;
        }
        let planned = &self.candidates[candidate];
        let mut pod = planned.pod.clone();
        let mut changed = false;
        if let Some(leader) = &planned.leader
            && let Some(key) = &leader.topology_key
            && let Some(node) = self.outcomes[leader.candidate].node
            && let Some(value) = self.nodes.get(node, key)
        {
            follow_leader(&mut pod, key, value);
            changed = true;
        }
        let id = match planned.existing {
            Some(id) if !changed => id,
            _ => self.scheduler.add_pending(&pod),
        };
        self.pods[candidate] = Some((id, pod));
        id
    }

    /// Binds a pod to a node, with the labels that binding adds.
    fn bind(&mut self, candidate: usize, pod: PodId, node: NodeId) -> Step {
        let mut bound = pod;
        if let Some((_, object)) = &self.pods[candidate]
            && let Some(added) = self.nodes.copied_at_bind(node)
            && added
                .iter()
                .any(|(key, value)| object.metadata.labels.get(key) != Some(value))
        {
            self.scheduler.clear_nomination(pod);
            bound = self.scheduler.add_relabelled(pod, added);
        }
        self.scheduler.reserve_volumes(bound, node);
        self.scheduler.assume(bound, node);
        self.placed.insert(bound, candidate);
        self.outcomes[candidate].node = Some(node);
        Step {
            placed: true,
            changed: true,
            evicted: Vec::new(),
        }
    }

    fn preempt(&mut self, candidate: usize, pod: PodId, failed: &Unschedulable) -> Step {
        let preemption = self.scheduler.preempt(pod, failed);
        let text = failed.diagnosis.message(Some(&preemption.message));
        self.outcomes[candidate].message.get_or_insert(text);
        if preemption.clears_nomination {
            self.scheduler.clear_nomination(pod);
        }
        let Some(node) = preemption.nominated else {
            return Step::default();
        };
        let mut evicted = Vec::new();
        for victim in &preemption.victims {
            let name = self.scheduler.world().pod_name(*victim);
            self.scheduler.remove(*victim);
            self.outcomes[candidate].victims.push(name);
            if let Some(other) = self.placed.remove(victim) {
                self.outcomes[other].node = None;
                evicted.push(other);
            }
        }
        self.scheduler.nominate(pod, node);
        self.outcomes[candidate].nominated = Some(node);
        self.outcomes[candidate].equally_good = preemption.equally_good;
        let again = self.scheduler.schedule(pod).outcome;
        let mut step = match again {
            Decided::Placed(node) => self.bind(candidate, pod, node),
            _ => Step {
                placed: false,
                changed: true,
                evicted: Vec::new(),
            },
        };
        step.evicted = evicted;
        step
    }
}

/// Judges every node for a pod and runs one cycle for it, without placing it and without evicting anybody.
pub(super) fn judge(scheduler: &mut Scheduler, pod: PodId) -> Outcome {
    let evaluation = scheduler.evaluate(pod);
    let mut outcome = Outcome::default();
    match scheduler.schedule(pod).outcome {
        Decided::Placed(node) => outcome.node = Some(node),
        Decided::Unschedulable(failed) => {
            let preemption = scheduler.preempt(pod, &failed);
            outcome.message = Some(failed.diagnosis.message(Some(&preemption.message)));
            outcome.nominated = preemption.nominated;
            outcome.equally_good = preemption.equally_good;
            outcome.victims = preemption
                .victims
                .iter()
                .map(|victim| scheduler.world().pod_name(*victim))
                .collect();
        }
        Decided::Gated(message) => outcome.message = Some(message),
        Decided::OtherScheduler(name) => outcome.other_scheduler = Some(name),
        Decided::Error(text) => outcome.error = Some(text),
    }
    outcome.ranking = Some(Ranking::of(&evaluation, outcome.node));
    outcome.evaluation = Some(evaluation);
    outcome
}
