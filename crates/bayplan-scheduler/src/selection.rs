//! Which of the best nodes is taken.

use crate::ids::NodeId;
use crate::nodes::Nodes;

/// How ties between equally good nodes are broken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Ties {
    /// As the real scheduler with `parallelism: 1`: the root of a heap built over the feasible nodes in order.
    #[default]
    Exact,
    /// The first name.
    First,
    /// At random, by the seed of the scheduler.
    Random,
}

/// Place of an index in the pre-order walk of the implicit binary tree over a heap's array, as a sortable key.
///
/// The root of Go's `heap.Init` is the first maximum in that order: sifting down prefers the left child among equals
/// and never moves an equal element up. Ancestors share the leading bits of `index + 1`, so left-aligning these bits
/// orders the walk, and depth puts an ancestor before its leftmost descendants.
fn pre_order(index: usize) -> (u32, u32) {
    let number = index as u32 + 1;
    let zeros = number.leading_zeros();
    (number << zeros, 31 - zeros)
}

/// Index in `totals` of the node that is taken.
///
/// `random` gives a number below its argument. Returns `None` for no nodes.
pub fn select(
    ties: Ties,
    nodes: &Nodes,
    feasible: &[NodeId],
    totals: &[i64],
    random: &mut impl FnMut(usize) -> usize,
) -> Option<usize> {
    let best = totals.iter().max()?;
    let tied = || {
        totals
            .iter()
            .enumerate()
            .filter(|(_, total)| *total == best)
            .map(|(index, _)| index)
    };
    match ties {
        Ties::Exact => tied().min_by_key(|index| pre_order(*index)),
        Ties::First => tied().min_by_key(|index| nodes.name_rank[feasible[*index].index()]),
        Ties::Random => {
            let count = tied().count();
            tied().nth(random(count))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::pre_order;
    use proptest::prelude::*;

    /// Go's container/heap, as the scheduler's `sortedScoredNodes` uses it: the root after heap.Init.
    fn heap_root(scores: &[i64]) -> usize {
        let mut heap: Vec<usize> = (0..scores.len()).collect();
        let before = |heap: &[usize], a: usize, b: usize| scores[heap[a]] > scores[heap[b]];
        for start in (0..heap.len() / 2).rev() {
            let mut at = start;
            loop {
                let left = 2 * at + 1;
                if left >= heap.len() {
                    break;
                }
                let right = left + 1;
                let child = if right < heap.len() && before(&heap, right, left) {
                    right
                } else {
                    left
                };
                if !before(&heap, child, at) {
                    break;
                }
                heap.swap(at, child);
                at = child;
            }
        }
        heap[0]
    }

    proptest! {
        #[test]
        fn first_maximum_in_pre_order_is_the_heap_root(scores in proptest::collection::vec(0_i64..4, 1..200)) {
            let best = *scores.iter().max().unwrap();
            let picked = (0..scores.len()).filter(|index| scores[*index] == best).min_by_key(|index| pre_order(*index)).unwrap();
            prop_assert_eq!(picked, heap_root(&scores));
        }
    }
}
