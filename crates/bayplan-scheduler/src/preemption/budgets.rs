//! Which victims would break a disruption budget (`preemption/util.go:FilterVictimsWithPDBViolation`).

use crate::ids::PodId;
use crate::world::World;

/// Splits victims, given in order of importance, into those that break a budget and the others.
///
/// Every matching budget is charged in turn until one is exceeded; budgets are taken by namespace
/// and name, where the real scheduler has no order.
pub fn split(world: &World, victims: &[PodId]) -> (Vec<PodId>, Vec<PodId>) {
    let mut allowed: Vec<i32> = world
        .budgets
        .iter()
        .map(|budget| budget.disruptions_allowed)
        .collect();
    let mut breaks = |pod: PodId| {
        let record = &world.state.pods[pod.index()];
        let set = world.catalog.label_set(record.labels);
        if set.labels.is_empty() {
            return false;
        }
        for (budget, allowed) in world.budgets.iter().zip(&mut allowed) {
            if budget.namespace != set.namespace
                || budget.selector.is_empty()
                || !budget.selector.matches(&set.labels)
                || budget.disrupted.contains(&record.name)
            {
                continue;
            }
            *allowed = allowed.wrapping_sub(1);
            if *allowed < 0 {
                return true;
            }
        }
        false
    };
    victims.iter().partition(|pod| breaks(**pod))
}
