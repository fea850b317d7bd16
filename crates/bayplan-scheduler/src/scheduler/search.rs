//! The search for feasible nodes (`pkg/scheduler/schedule_one.go:findNodesThatFitPod`, v1.37.2).

use crate::catalog::Spec;
use crate::class::Class;
use crate::config::Plugin;
use crate::cycle::Facts;
use crate::fit_error::Diagnosis;
use crate::ids::NodeId;
use crate::scheduler::Scheduler;
use crate::scheduler::outcome::{Decision, Outcome, Statuses, Unschedulable};
use crate::status::{Code, Rejection};

/// Clusters smaller than this are always searched in full (`minFeasibleNodesToFind`).
const ALWAYS_ALL: usize = 100;

/// How many feasible nodes end the search (`numFeasibleNodesToFind`); `percentage` 0 means adaptive.
pub fn feasible_nodes_to_find(percentage: i32, nodes: usize) -> usize {
    if nodes < ALWAYS_ALL {
        return nodes;
    }
    let mut percentage = i64::from(percentage);
    if percentage == 0 {
        percentage = (50 - nodes as i64 / 125).max(5);
    }
    ((nodes as i64 * percentage / 100) as usize).max(ALWAYS_ALL)
}

impl Scheduler {
    fn wanted(&self, class: &Class, candidates: usize) -> usize {
        let profile = &self.profiles[class.profile].profile;
        if profile.score.is_empty() {
            return 1;
        }
        let percentage = self
            .options
            .percentage_of_nodes_to_score
            .unwrap_or_else(|| self.configuration.percentage_for(profile));
        feasible_nodes_to_find(percentage, candidates)
    }

    /// Fills `self.list` with feasible nodes in search order.
    ///
    /// # Errors
    /// The decision, when there is none.
    pub(super) fn search(
        &mut self,
        class: &mut Class,
        spec: &Spec,
        facts: &Facts,
        nominated: Option<(NodeId, Rejection)>,
    ) -> Result<(), Decision> {
        if !class.remembers() {
            self.limit_memory();
            self.remembering += 1;
        }
        let profile = &self.profiles[class.profile];
        let (local, _) = class.local(&self.world, profile, spec);
        self.feasible.clear();
        self.feasible.extend_from_slice(local);
        if facts.spread_filters
            && let Ok(plan) = &class.spread
            && profile.profile.filter.contains(&Plugin::PodTopologySpread)
        {
            plan.filter_all(&self.world.state.counts, &facts.smallest, &mut self.feasible);
        }
        if facts.affinity_filters && profile.profile.filter.contains(&Plugin::InterPodAffinity) {
            class
                .affinity
                .filter_all(&self.world.state.counts, &mut self.feasible);
        }
        self.reject_for_nominated(class, spec, facts);
        let count = self.world.nodes.len();
        let wanted = self.wanted(class, count);
        let start = self.next_start;
        self.list.clear();
        let mut processed = count;
        for (offset, flags) in [(start, &self.feasible[start..]), (0, &self.feasible[..start])] {
            for (index, _) in flags.iter().enumerate().filter(|(_, feasible)| **feasible) {
                // One feasible node too many only ends the search; it is not counted.
                if self.list.len() == wanted {
                    processed = processed.min((offset + index + count - start) % count);
                    break;
                }
                self.list.push(NodeId((offset + index) as u32));
            }
        }
        // The status of a nominated node counts even where the search did not come by.
        let unseen = |node: NodeId| (node.index() + count - start) % count >= processed;
        let extra = nominated.as_ref().is_some_and(|(node, _)| unseen(*node));
        self.next_start = (start + processed + usize::from(extra)) % count;
        if self.list.is_empty() {
            Err(self.fail(class, spec, facts, None, None))
        } else {
            Ok(())
        }
    }

    /// The cycle of pods whose nodes must be looked at one by one: restricted by name, or with volumes.
    pub(super) fn cycle_node_by_node(
        &mut self,
        class: &mut Class,
        spec: &Spec,
        facts: &Facts,
        nominated: Option<(NodeId, Rejection)>,
    ) -> Decision {
        let all: Vec<NodeId> = self.world.nodes.ids().collect();
        let candidates: Vec<NodeId> = class.candidates.clone().unwrap_or(all);
        let total = self.world.nodes.len();
        let wanted = self.wanted(class, candidates.len());
        let mut list = Vec::new();
        let mut rejected = Vec::new();
        let mut error = None;
        for step in 0..candidates.len() {
            let node = candidates[(self.next_start + step) % candidates.len()];
            match self.filter_with_nominated(class, spec, facts, node) {
                None if list.len() == wanted => break,
                None => list.push(node),
                Some(rejection) if rejection.code == Code::Error => {
                    error = Some(rejection.message());
                    break;
                }
                Some(rejection) => rejected.push((node, rejection)),
            }
        }
        // The status of a nominated node counts even where it is no candidate or the search did not come by.
        let nominated_by = nominated.as_ref().and_then(|(_, rejection)| rejection.plugin);
        if let Some(nominated) = nominated
            && !rejected.iter().any(|(node, _)| *node == nominated.0)
        {
            rejected.push(nominated);
        }
        self.next_start = (self.next_start + list.len() + rejected.len()) % total;
        if let Some(text) = error {
            return Decision::of(Outcome::Error(text));
        }
        if list.is_empty() {
            return self.fail(class, spec, facts, Some(rejected), nominated_by);
        }
        self.list = list;
        self.pick(class, spec, facts)
    }

    /// The decision when no node is feasible: every reason, counted.
    fn fail(
        &mut self,
        class: &Class,
        spec: &Spec,
        facts: &Facts,
        rejected: Option<Vec<(NodeId, Rejection)>>,
        nominated_by: Option<Plugin>,
    ) -> Decision {
        let count = self.world.nodes.len();
        let rejected = rejected.unwrap_or_else(|| {
            let nodes: Vec<NodeId> = self.world.nodes.ids().collect();
            nodes
                .into_iter()
                .filter_map(|node| {
                    self.filter_with_nominated(class, spec, facts, node)
                        .map(|rejection| (node, rejection))
                })
                .collect()
        });
        let mut diagnosis = Diagnosis {
            node_count: count,
            ..Diagnosis::default()
        };
        let mut statuses = Statuses::default();
        for (node, rejection) in &rejected {
            diagnosis.add(rejection, 1);
            statuses.explicit.push((*node, rejection.code));
        }
        if class.candidates.is_some() {
            let absent = restricted(facts, nominated_by);
            diagnosis.add(&absent, count - rejected.len());
            statuses.absent = Some(absent.code);
        }
        Decision::of(Outcome::Unschedulable(Box::new(Unschedulable {
            diagnosis,
            statuses,
            pre_filter: None,
            post_filter_fails: false,
        })))
    }
}

/// What is said of nodes outside a restriction by name. The plugin that rejected the pod's nominated node is among the
/// names, because the framework keeps both in one set.
pub(super) fn restricted(facts: &Facts, nominated_by: Option<Plugin>) -> Rejection {
    let mut names: Vec<&str> = facts
        .restricted_by
        .iter()
        .copied()
        .chain(nominated_by)
        .map(|plugin| plugin.name())
        .collect();
    names.sort_unstable();
    names.dedup();
    Rejection {
        plugin: None,
        code: Code::UnschedulableAndUnresolvable,
        reasons: vec![format!("node(s) didn't satisfy plugin(s) [{}]", names.join(" "))],
    }
}

#[cfg(test)]
mod tests {
    use super::feasible_nodes_to_find;

    #[test]
    fn adaptive_and_fixed_shares() {
        for (nodes, wanted) in [
            (99, 99),
            (100, 100),
            (200, 100),
            (250, 120),
            (500, 230),
            (1000, 420),
            (5000, 500),
            (6000, 300),
            (10_000, 500),
        ] {
            assert_eq!(feasible_nodes_to_find(0, nodes), wanted, "{nodes}");
        }
        assert_eq!(feasible_nodes_to_find(100, 5000), 5000);
        assert_eq!(feasible_nodes_to_find(1, 5000), 100);
    }
}
