//! How the replicas of a workload are spread over failure domains.

use std::collections::BTreeMap;

use crate::domains::{Domains, Level};

/// Replicas by domain, at every level that the cluster has.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Spread {
    /// Number of replicas by level and domain.
    pub counts: BTreeMap<Level, BTreeMap<String, usize>>,
    /// The fullest domain of each level.
    pub worst: BTreeMap<Level, Worst>,
}

/// The domain that holds most replicas.
#[derive(Debug, Clone, PartialEq)]
pub struct Worst {
    /// Its name; the first one by name among equals.
    pub domain: String,
    /// Replicas in it.
    pub replicas: usize,
    /// Its share of all replicas that have a node, 0-1.
    pub share: f64,
}

impl Spread {
    /// Counts replicas, given by the nodes they are on. A replica outside of all domains of a level is in none of the
    /// counts of that level, but part of the whole that shares are taken of.
    pub fn of<'a>(domains: &Domains, nodes: impl IntoIterator<Item = &'a str> + Clone) -> Spread {
        let total = nodes.clone().into_iter().count();
        let mut spread = Spread::default();
        for level in domains.levels().iter().copied() {
            let counts = domains.count(level, nodes.clone());
            if let Some(worst) = worst(&counts, total) {
                spread.worst.insert(level, worst);
            }
            spread.counts.insert(level, counts);
        }
        spread
    }
}

fn worst(counts: &BTreeMap<String, usize>, total: usize) -> Option<Worst> {
    let (domain, replicas) = counts.iter().rev().max_by_key(|(_, replicas)| **replicas)?;
    Some(Worst {
        domain: domain.clone(),
        replicas: *replicas,
        share: *replicas as f64 / total as f64,
    })
}

/// Share of the pairs of one pod of each side that are on the same node, 0-1; `None` without pairs.
pub fn same_node_share(one: &[&str], other: &[&str]) -> Option<f64> {
    let pairs = one.len() * other.len();
    let same: usize = one
        .iter()
        .map(|node| other.iter().filter(|at| *at == node).count())
        .sum();
    (pairs > 0).then(|| same as f64 / pairs as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use bayplan_model::object::Node;

    #[test]
    fn shares_are_of_all_replicas_that_have_a_node() {
        let node = |name: &str, zone: Option<&str>| {
            let mut node = Node::default();
            node.metadata.name = name.to_owned();
            let label = zone.map(|zone| ("topology.kubernetes.io/zone".to_owned(), zone.to_owned()));
            node.metadata.labels.extend(label);
            node
        };
        let domains = Domains::of(
            &[node("a", Some("z")), node("b", Some("z")), node("c", None)],
            &[],
        );
        let spread = Spread::of(&domains, ["a", "b", "b", "c"]);
        let of = |level| {
            spread
                .worst
                .get(&level)
                .map(|worst| (worst.domain.as_str(), worst.replicas, worst.share))
        };
        assert_eq!(of(Level::NODE), Some(("b", 2, 0.5)));
        assert_eq!(of(Level::ZONE), Some(("z", 3, 0.75)));
        assert_eq!(of(Level::RACK), None);
    }

    #[test]
    fn pairs_are_counted_node_by_node() {
        assert_eq!(same_node_share(&["a", "b"], &["a", "a", "c"]), Some(2.0 / 6.0));
        assert_eq!(same_node_share(&[], &["a"]), None);
    }
}
