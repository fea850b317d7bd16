//! Distributions over many placements that differ in arrival order and ties.

use std::collections::BTreeMap;

use crate::domains::{Domains, Level};
use crate::spread::Spread;

/// One workload in one trial.
#[derive(Debug, Clone)]
pub struct Trial<'a> {
    /// Nodes of its replicas, also of those that ran before.
    pub nodes: Vec<&'a str>,
    /// Replicas without a node.
    pub pending: usize,
    /// How many of `nodes` are those of replicas that ran before; they come first.
    pub running: usize,
}

/// What came out for one workload over all trials.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Distribution {
    trials: usize,
    any_pending: usize,
    all_in_one: BTreeMap<Level, usize>,
    /// Numbers of trials by worst share, which is a fraction of replicas in the worst domain and replicas with a node.
    worst: BTreeMap<Level, BTreeMap<(usize, usize), usize>>,
    pending: BTreeMap<usize, usize>,
    nodes: BTreeMap<String, usize>,
}

/// A value and the share of trials in which it came out, 0-1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Probability {
    /// The value.
    pub value: f64,
    /// Share of the trials.
    pub probability: f64,
}

impl Distribution {
    /// Adds a trial.
    pub fn add(&mut self, domains: &Domains, trial: &Trial<'_>) {
        self.trials += 1;
        self.any_pending += usize::from(trial.pending > 0);
        *self.pending.entry(trial.pending).or_default() += 1;
        let mut placed_on: Vec<&str> = trial.nodes.iter().skip(trial.running).copied().collect();
        placed_on.sort_unstable();
        placed_on.dedup();
        for node in placed_on {
            match self.nodes.get_mut(node) {
                Some(count) => *count += 1,
                None => {
                    self.nodes.insert(node.to_owned(), 1);
                }
            }
        }
        let placed = trial.nodes.len();
        for (level, worst) in Spread::of(domains, trial.nodes.iter().copied()).worst {
            let together = trial.pending == 0 && placed > 1 && worst.replicas == placed;
            *self.all_in_one.entry(level).or_default() += usize::from(together);
            *self
                .worst
                .entry(level)
                .or_default()
                .entry((worst.replicas, placed))
                .or_default() += 1;
        }
    }

    /// Share of trials in which at least one replica stays pending.
    pub fn any_pending(&self) -> f64 {
        self.share(self.any_pending)
    }

    /// Share of trials in which all replicas, two at least and none pending, share one domain.
    pub fn all_in_one(&self) -> BTreeMap<Level, f64> {
        self.all_in_one
            .iter()
            .map(|(level, count)| (*level, self.share(*count)))
            .collect()
    }

    /// Distribution of the worst domain's share, the smallest first.
    pub fn worst_share(&self) -> BTreeMap<Level, Vec<Probability>> {
        let list = |counts: &BTreeMap<(usize, usize), usize>| {
            let values = counts
                .iter()
                .map(|((most, all), count)| (*most as f64 / *all as f64, *count));
            self.probabilities(values)
        };
        self.worst
            .iter()
            .map(|(level, counts)| (*level, list(counts)))
            .collect()
    }

    /// Distribution of the number of pending replicas, the smallest first.
    pub fn pending(&self) -> Vec<Probability> {
        self.probabilities(self.pending.iter().map(|(value, count)| (*value as f64, *count)))
    }

    /// Share of trials in which a node gets at least one of the replicas that are placed.
    pub fn nodes(&self) -> BTreeMap<String, f64> {
        self.nodes
            .iter()
            .map(|(node, count)| (node.clone(), self.share(*count)))
            .collect()
    }

    fn share(&self, count: usize) -> f64 {
        count as f64 / self.trials.max(1) as f64
    }

    fn probabilities(&self, values: impl Iterator<Item = (f64, usize)>) -> Vec<Probability> {
        let mut sorted: Vec<(f64, usize)> = values.collect();
        sorted.sort_by(|one, other| one.0.total_cmp(&other.0));
        sorted.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            kept.1 += if same { next.1 } else { 0 };
            same
        });
        let probability = |(value, count)| Probability {
            value,
            probability: self.share(count),
        };
        sorted.into_iter().map(probability).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bayplan_model::object::Node;

    #[test]
    fn counts_trials_and_not_pods() {
        let nodes = ["a", "b"].map(|name| {
            let mut node = Node::default();
            node.metadata.name = name.to_owned();
            node
        });
        let domains = Domains::of(&nodes, &[]);
        let mut distribution = Distribution::default();
        for (nodes, pending) in [
            (vec!["a", "a"], 0),
            (vec!["a", "b"], 0),
            (vec!["a"], 1),
            (vec!["a", "a", "b", "b"], 0),
        ] {
            distribution.add(
                &domains,
                &Trial {
                    nodes,
                    pending,
                    running: 1,
                },
            );
        }
        assert_eq!(distribution.any_pending(), 0.25);
        assert_eq!(distribution.all_in_one()[&Level::NODE], 0.25);
        let shares: Vec<(f64, f64)> = distribution.worst_share()[&Level::NODE]
            .iter()
            .map(|it| (it.value, it.probability))
            .collect();
        assert_eq!(shares, [(0.5, 0.5), (1.0, 0.5)]);
        assert_eq!(distribution.pending().len(), 2);
        let nodes: Vec<(String, f64)> = distribution.nodes().into_iter().collect();
        assert_eq!(nodes, [("a".to_owned(), 0.5), ("b".to_owned(), 0.5)]);
    }
}
