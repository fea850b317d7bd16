//! Which node is freed (`preemption/preemption.go:pickOneNodeForPreemption`).

use crate::ids::{NodeId, PodId};
use crate::world::World;

/// A node that could be freed.
#[derive(Debug, Clone)]
pub struct Candidate {
    /// The node.
    pub node: NodeId,
    /// Pods to be evicted, the most important first.
    pub victims: Vec<PodId>,
    /// How many of them break a disruption budget.
    pub violations: usize,
}

/// The best candidates, by name: fewest budget violations, lowest highest priority, lowest sum of priorities, fewest
/// victims, latest start of the most important victims.
pub fn best(world: &World, mut candidates: Vec<Candidate>) -> Vec<Candidate> {
    let priority = |pod: &PodId| i64::from(world.catalog.spec(world.state.pods[pod.index()].spec).priority);
    let highest = |candidate: &Candidate| candidate.victims.first().map_or(0, &priority);
    let sum = |candidate: &Candidate| {
        candidate
            .victims
            .iter()
            .map(|pod| priority(pod) + (1_i64 << 31))
            .sum::<i64>()
    };
    let earliest_start = |candidate: &Candidate| {
        let top = candidate.victims.iter().map(&priority).max();
        candidate
            .victims
            .iter()
            .filter(|pod| Some(priority(pod)) == top)
            .map(|pod| world.state.pods[pod.index()].start_time_seconds)
            .min()
            .unwrap_or(i64::MIN)
    };
    let rules: [&dyn Fn(&Candidate) -> i64; 5] = [
        &|candidate| -(candidate.violations as i64),
        &|candidate| -highest(candidate),
        &|candidate| -sum(candidate),
        &|candidate| -(candidate.victims.len() as i64),
        &earliest_start,
    ];
    for rule in rules {
        let best = candidates.iter().map(rule).max();
        candidates.retain(|candidate| Some(rule(candidate)) == best);
    }
    candidates.sort_by_key(|candidate| world.nodes.name_rank[candidate.node.index()]);
    candidates
}
