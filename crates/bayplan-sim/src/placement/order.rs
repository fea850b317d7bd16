//! The order in which pods come to the scheduler.

use crate::placement::Candidate;

/// Sorts candidates as the scheduling queue does: by priority, the highest first, then as they come.
pub fn by_priority(candidates: &[Candidate], order: &[usize]) -> Vec<usize> {
    let mut sorted = order.to_vec();
    sorted.sort_by_key(|index| std::cmp::Reverse(candidates[*index].pod.spec.priority.unwrap_or(0)));
    sorted
}

/// A random order of arrival: groups are shuffled into one another, while the pods of one group keep their order, as
/// one controller creates them one after the other.
pub fn arrival(candidates: &[Candidate], seed: u64) -> Vec<usize> {
    let mut groups: Vec<usize> = candidates.iter().map(|candidate| candidate.group).collect();
    let count = groups.iter().max().map_or(0, |largest| largest + 1);
    let mut members: Vec<std::collections::VecDeque<usize>> = vec![Default::default(); count];
    for (index, group) in groups.iter().enumerate() {
        members[*group].push_back(index);
    }
    fastrand::Rng::with_seed(seed).shuffle(&mut groups);
    groups
        .iter()
        .filter_map(|group| members[*group].pop_front())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidates(groups: &[(usize, i32)]) -> Vec<Candidate> {
        let candidate = |(group, priority): &(usize, i32)| {
            let mut pod = bayplan_model::object::Pod::default();
            pod.spec.priority = Some(*priority);
            Candidate {
                pod,
                group: *group,
                existing: None,
                leader: None,
            }
        };
        groups.iter().map(candidate).collect()
    }

    #[test]
    fn priority_goes_first_and_equals_keep_their_order() {
        let pods = candidates(&[(0, 0), (0, 5), (1, 0), (1, 5)]);
        assert_eq!(by_priority(&pods, &[2, 3, 0, 1]), [3, 1, 2, 0]);
    }

    #[test]
    fn every_interleaving_comes_up_and_groups_stay_in_order() {
        let pods = candidates(&[(0, 0), (0, 0), (1, 0), (1, 0)]);
        let orders: std::collections::BTreeSet<Vec<usize>> =
            (0..200).map(|seed| arrival(&pods, seed)).collect();
        assert_eq!(orders.len(), 6);
        let place = |order: &[usize], pod| order.iter().position(|other| *other == pod);
        assert!(
            orders
                .iter()
                .all(|order| place(order, 0) < place(order, 1) && place(order, 2) < place(order, 3))
        );
    }
}
