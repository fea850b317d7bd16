//! Nominated pods: nodes reserved after a preemption (`framework/runtime/framework.go:RunFilterPluginsWithNominatedPods`).

use crate::catalog::Spec;
use crate::class::Class;
use crate::cycle::Facts;
use crate::ids::{NONE, NodeId, PodId};
use crate::scheduler::Scheduler;
use crate::status::Rejection;

/// What the filters say of a pod's nominated node.
pub(super) enum Nominated {
    /// The pod has none.
    None,
    /// The pod fits.
    Fits(NodeId),
    /// The pod does not fit.
    Rejected(NodeId, Rejection),
}

impl Scheduler {
    /// Reserves a node for a pod; pods of lower priority will be kept away from what it needs.
    pub fn nominate(&mut self, pod: PodId, node: NodeId) {
        self.clear_nomination(pod);
        self.world.state.pods[pod.index()].nominated = node.0;
        self.nominated.entry(node).or_default().push(pod);
    }

    /// Ends a reservation.
    pub fn clear_nomination(&mut self, pod: PodId) {
        let record = &mut self.world.state.pods[pod.index()];
        if record.nominated == NONE {
            return;
        }
        let node = NodeId(record.nominated);
        record.nominated = NONE;
        if let Some(list) = self.nominated.get_mut(&node) {
            list.retain(|other| *other != pod);
            if list.is_empty() {
                self.nominated.remove(&node);
            }
        }
    }

    /// The node reserved for a pod.
    pub fn nominated_node(&self, pod: PodId) -> Option<NodeId> {
        let node = self.world.state.pods[pod.index()].nominated;
        (node != NONE).then_some(NodeId(node))
    }

    /// Other pods nominated to a node whose priority is not below that of `pod`.
    fn rivals(&self, pod: PodId, node: NodeId) -> Vec<PodId> {
        let priority = |pod: PodId| {
            self.world
                .catalog
                .spec(self.world.state.pods[pod.index()].spec)
                .priority
        };
        let own = priority(pod);
        self.nominated
            .get(&node)
            .map(|list| {
                list.iter()
                    .copied()
                    .filter(|other| *other != pod && priority(*other) >= own)
                    .collect()
            })
            .unwrap_or_default()
    }

    /// Filters a node twice where pods are nominated to it: with them and without them.
    pub(crate) fn filter_with_nominated(
        &mut self,
        class: &Class,
        spec: &Spec,
        facts: &Facts,
        node: NodeId,
    ) -> Option<Rejection> {
        let rivals = if self.nominated.is_empty() {
            Vec::new()
        } else {
            self.rivals(facts.pod, node)
        };
        if !rivals.is_empty() {
            let mut with_rivals = facts.clone();
            let checkpoint = self.world.state.checkpoint(node);
            for rival in &rivals {
                self.world.pretend(*rival, node, 1);
                with_rivals.pod_added(&self.world, class, *rival);
            }
            let rejection = with_rivals.filter(&self.world, &self.profiles[class.profile], class, spec, node);
            for rival in rivals.iter().rev() {
                self.world.pretend(*rival, node, -1);
            }
            self.world.state.restore(node, checkpoint);
            if rejection.is_some() {
                return rejection;
            }
        }
        facts.filter(&self.world, &self.profiles[class.profile], class, spec, node)
    }

    /// Clears `self.feasible` on nodes where nominated pods leave no room.
    pub(super) fn reject_for_nominated(&mut self, class: &Class, spec: &Spec, facts: &Facts) {
        let nodes: Vec<NodeId> = self.nominated.keys().copied().collect();
        for node in nodes {
            if self.feasible[node.index()] && self.filter_with_nominated(class, spec, facts, node).is_some() {
                self.feasible[node.index()] = false;
            }
        }
    }

    /// Filters the pod's own nominated node, if it has one: where the pod fits there, it is taken without scoring;
    /// a rejection counts among the nodes' statuses.
    pub(super) fn try_nominated(&mut self, class: &Class, spec: &Spec, facts: &Facts) -> Nominated {
        let nominated = self.world.state.pods[facts.pod.index()].nominated;
        if nominated == NONE {
            return Nominated::None;
        }
        let node = NodeId(nominated);
        match self.filter_with_nominated(class, spec, facts, node) {
            None => Nominated::Fits(node),
            Some(rejection) => Nominated::Rejected(node, rejection),
        }
    }
}

impl Facts {
    /// Takes in a pod that was put on a node for a dry run.
    pub(crate) fn pod_added(&mut self, world: &crate::world::World, class: &Class, pod: PodId) {
        if let Some(cycle) = &mut self.volumes {
            cycle.pod_added(&world.volumes, pod.0);
        }
        self.recount(world, class);
    }

    /// Takes in a pod that was taken off a node for a dry run.
    pub(crate) fn pod_removed(&mut self, world: &crate::world::World, class: &Class, pod: PodId) {
        if let Some(cycle) = &mut self.volumes {
            cycle.pod_removed(&world.volumes, pod.0);
        }
        self.recount(world, class);
    }

    fn recount(&mut self, world: &crate::world::World, class: &Class) {
        if self.spread_filters
            && let Ok(plan) = &class.spread
        {
            self.smallest = plan.smallest(&world.state.counts);
        }
    }
}
