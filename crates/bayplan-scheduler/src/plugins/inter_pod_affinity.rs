//! InterPodAffinity (`pkg/scheduler/framework/plugins/interpodaffinity`, v1.37.2).

use std::sync::Arc;

use smallvec::SmallVec;

use crate::catalog::{Catalog, PodTerm, Spec};
use crate::config::{InterPodAffinityArguments, Plugin};
use crate::ids::{DomainId, LabelSetId, MatcherId, NONE, NodeId, TableId};
use crate::nodes::Nodes;
use crate::state::{Carried, Counts, DomainColumn, Leaves, State};
use crate::status::Rejection;

const NOT_AFFINE: &str = "node(s) didn't match pod affinity rules";
const OWN_ANTI_AFFINITY: &str = "node(s) didn't match pod anti-affinity rules";
const OTHERS_ANTI_AFFINITY: &str = "node(s) didn't satisfy existing pods anti-affinity rules";

/// What a class of pods needs to know.
#[derive(Debug, Clone, Default)]
pub struct AffinityPlan {
    /// Pods that match all required affinity terms, by the key of each term.
    affinity: Vec<TableId>,
    /// The pod matches all its own required affinity terms.
    matches_itself: bool,
    /// Pods that match a required anti-affinity term.
    anti_affinity: Vec<TableId>,
    /// Pods whose required anti-affinity keeps this pod away.
    repelled_by: Vec<TableId>,
    /// Weighted counts that make up the score, with their domains.
    scored: Vec<(DomainId, i64, TableId)>,
    own_scored: usize,
    carriers_seen: usize,
    /// The plugin does not score this pod at all.
    ignores_others: bool,
}

impl AffinityPlan {
    /// Finds or makes the tables of a pod's terms.
    pub fn new(
        catalog: &Catalog,
        nodes: &Nodes,
        state: &mut State,
        arguments: &InterPodAffinityArguments,
        spec: &Spec,
        labels: LabelSetId,
    ) -> AffinityPlan {
        let terms = &spec.terms;
        let all: SmallVec<[MatcherId; 1]> = terms.required_affinity.iter().map(|term| term.matcher).collect();
        let mut plan = AffinityPlan {
            matches_itself: !all.is_empty() && all.iter().all(|matcher| catalog.selects(*matcher, labels)),
            ignores_others: arguments.ignore_preferred_terms_of_existing_pods && !terms.has_preferred,
            ..AffinityPlan::default()
        };
        for term in &terms.required_affinity {
            plan.affinity
                .push(table(catalog, nodes, state, all.clone(), *term).1);
        }
        for term in &terms.required_anti_affinity {
            plan.anti_affinity.push(
                table(
                    catalog,
                    nodes,
                    state,
                    SmallVec::from_slice(&[term.matcher]),
                    *term,
                )
                .1,
            );
        }
        for weighted in &terms.preferred {
            let (domain, id) = table(
                catalog,
                nodes,
                state,
                SmallVec::from_slice(&[weighted.term.matcher]),
                weighted.term,
            );
            plan.scored.push((domain, weighted.weight, id));
        }
        plan.own_scored = plan.scored.len();
        plan.refresh(catalog, nodes, state, arguments, labels);
        plan
    }

    /// Takes in terms that running pods have brought since the last look.
    pub fn refresh(
        &mut self,
        catalog: &Catalog,
        nodes: &Nodes,
        state: &mut State,
        arguments: &InterPodAffinityArguments,
        labels: LabelSetId,
    ) {
        let known = state.counts.carrier_count();
        if self.carriers_seen == known && known > 0 {
            return;
        }
        self.carriers_seen = known;
        self.repelled_by.clear();
        self.scored.truncate(self.own_scored);
        let carriers: Vec<_> = state.counts.carriers_of(catalog, labels).to_vec();
        for carrier in carriers {
            let weight = match carrier.role {
                Carried::RequiredAntiAffinity => {
                    self.repelled_by.push(carrier.table);
                    continue;
                }
                Carried::RequiredAffinity => i64::from(arguments.hard_pod_affinity_weight),
                Carried::Preferred(weight) => weight,
            };
            if weight != 0 {
                self.scored.push((
                    state.counts.domain(nodes, Some(carrier.key)),
                    weight,
                    carrier.table,
                ));
            }
        }
        // Tables of one key are added up together.
        self.scored[self.own_scored..].sort_unstable_by_key(|(domain, _, _)| *domain);
    }

    /// True unless the filter is skipped: nobody repels the pod and it requires nothing.
    pub fn filters(&self, counts: &Counts) -> bool {
        !self.affinity.is_empty()
            || !self.anti_affinity.is_empty()
            || self
                .repelled_by
                .iter()
                .any(|table| counts.table(*table).total > 0)
    }

    /// Rejects a node without the wanted pods or with unwanted ones.
    pub fn filter(&self, counts: &Counts, node: NodeId) -> Option<Rejection> {
        let count = |table: &TableId| counts.table(*table).at(node);
        if !self.affinity.is_empty() {
            let every_key = self.affinity.iter().all(|table| count(table).is_some());
            let every_pod = self
                .affinity
                .iter()
                .all(|table| count(table).is_some_and(|count| count > 0));
            if !every_key || !(every_pod || self.is_first(counts)) {
                return Some(Rejection::unresolvable(Plugin::InterPodAffinity, NOT_AFFINE));
            }
        }
        let occupied = |tables: &[TableId]| {
            tables
                .iter()
                .any(|table| count(table).is_some_and(|count| count > 0))
        };
        if occupied(&self.anti_affinity) {
            return Some(Rejection::resolvable(Plugin::InterPodAffinity, OWN_ANTI_AFFINITY));
        }
        occupied(&self.repelled_by)
            .then(|| Rejection::resolvable(Plugin::InterPodAffinity, OTHERS_ANTI_AFFINITY))
    }

    /// The first pod of a group may go anywhere: no pod matches yet and the pod matches its own terms.
    fn is_first(&self, counts: &Counts) -> bool {
        self.matches_itself && self.affinity.iter().all(|table| counts.table(*table).total == 0)
    }

    /// Clears `feasible` where the filter would reject; the same rule as [`AffinityPlan::filter`] over all nodes at once.
    pub fn filter_all(&self, counts: &Counts, feasible: &mut [bool]) {
        let first = self.is_first(counts);
        for id in &self.affinity {
            let table = counts.table(*id);
            for (feasible, domain) in feasible.iter_mut().zip(&table.domains.of_node) {
                *feasible = *feasible && *domain != NONE && (first || table.counts[*domain as usize] > 0);
            }
        }
        for id in self.anti_affinity.iter().chain(&self.repelled_by) {
            let table = counts.table(*id);
            if table.total == 0 {
                continue;
            }
            for (feasible, domain) in feasible.iter_mut().zip(&table.domains.of_node) {
                *feasible = *feasible && (*domain == NONE || table.counts[*domain as usize] <= 0);
            }
        }
    }

    /// True when the plugin scores: some pod contributes something, even if it sums to nothing.
    pub fn scores(&self, counts: &Counts) -> bool {
        !self.ignores_others
            && self
                .scored
                .iter()
                .any(|(_, _, table)| counts.table(*table).total > 0)
    }

    /// Raw scores of the feasible nodes.
    pub fn score(&self, counts: &Counts, feasible: &[NodeId], scores: &mut Vec<i64>) {
        let mut sums: SmallVec<[KeySums; 2]> = SmallVec::new();
        for (domain, weight, id) in &self.scored {
            let table = counts.table(*id);
            if table.total == 0 {
                continue;
            }
            let place = sums
                .iter()
                .position(|(other, _, _)| other == domain)
                .unwrap_or_else(|| {
                    sums.push((*domain, Arc::clone(&table.domains), vec![0; table.counts.len()]));
                    sums.len() - 1
                });
            for (sum, count) in sums[place].2.iter_mut().zip(&table.counts) {
                *sum += weight * i64::from(*count);
            }
        }
        scores.clear();
        scores.resize(feasible.len(), 0);
        for (_, domains, sums) in &sums {
            for (score, node) in scores.iter_mut().zip(feasible) {
                let domain = domains.of_node[node.index()];
                if domain != NONE {
                    *score += sums[domain as usize];
                }
            }
        }
    }
}

/// Sums by domain of one topology key.
type KeySums = (DomainId, Arc<DomainColumn>, Vec<i64>);

fn table(
    catalog: &Catalog,
    nodes: &Nodes,
    state: &mut State,
    matchers: SmallVec<[MatcherId; 1]>,
    term: PodTerm,
) -> (DomainId, TableId) {
    let domain = state.counts.domain(nodes, Some(term.topology_key));
    let (counts, placed) = state.split();
    (
        domain,
        counts.selected(catalog, matchers, Leaves::Nothing, domain, None, &placed),
    )
}
