//! PodTopologySpread (`pkg/scheduler/framework/plugins/podtopologyspread`, v1.37.2).

use std::sync::Arc;

use smallvec::SmallVec;

use crate::catalog::{Catalog, Spec, SpreadConstraint};
use crate::config::Plugin;
use crate::ids::{LabelSetId, NONE, NodeId, TableId};
use crate::math::{ln, round_half_away};
use crate::nodes::Nodes;
use crate::plugins::node_static::is_tainted;
use crate::plugins::normalize::IGNORED;
use crate::state::{Counts, DomainColumn, Leaves, State};
use crate::status::Rejection;
use crate::symbol::Symbol;

const MISSING_LABEL: &str = "node(s) didn't match pod topology spread constraints (missing required label)";
const SKEWED: &str = "node(s) didn't match pod topology spread constraints";

/// A `DoNotSchedule` constraint and its counts.
#[derive(Debug, Clone)]
struct Hard {
    table: TableId,
    max_skew: i64,
    min_domains: i64,
    /// 1 when the pod itself counts.
    own: i64,
}

/// A `ScheduleAnyway` constraint and its counts.
#[derive(Debug, Clone)]
struct Soft {
    table: TableId,
    domains: Arc<DomainColumn>,
    max_skew: i32,
    /// The key is `kubernetes.io/hostname`: pods are counted on the node itself, whatever its label says.
    per_node: bool,
}

/// What a class of pods needs to know.
#[derive(Debug, Clone, Default)]
pub struct SpreadPlan {
    hard: Vec<Hard>,
    soft: Vec<Soft>,
    /// A node must have all keys to be scored.
    require_all: bool,
}

/// The constraints of a pod: its own, or the defaults of the profile.
pub struct Constraints<'a> {
    /// In the order of the specification.
    pub list: &'a [SpreadConstraint],
    /// False for the built-in defaults, which score nodes that lack a key too.
    pub require_all: bool,
}

impl SpreadPlan {
    /// Finds or makes the tables of a pod's constraints.
    pub fn new(
        catalog: &Catalog,
        nodes: &Nodes,
        state: &mut State,
        hostname: Symbol,
        spec: &Spec,
        labels: LabelSetId,
        constraints: &Constraints<'_>,
    ) -> SpreadPlan {
        let of_kind = |hard: bool| {
            constraints
                .list
                .iter()
                .filter(move |constraint| constraint.hard == hard)
                .collect::<Vec<_>>()
        };
        let (hard, soft) = (of_kind(true), of_kind(false));
        let mut plan = SpreadPlan {
            require_all: constraints.require_all,
            ..SpreadPlan::default()
        };
        for constraint in &hard {
            let table = domain_table(catalog, nodes, state, spec, constraint, &hard, true);
            plan.hard.push(Hard {
                table,
                max_skew: i64::from(constraint.max_skew),
                min_domains: i64::from(constraint.min_domains),
                own: i64::from(catalog.selects(constraint.matcher, labels)),
            });
        }
        for constraint in &soft {
            let per_node = constraint.topology_key == hostname;
            let table = if per_node {
                node_table(catalog, nodes, state, constraint)
            } else {
                domain_table(
                    catalog,
                    nodes,
                    state,
                    spec,
                    constraint,
                    &soft,
                    constraints.require_all,
                )
            };
            let domain = state.counts.domain(nodes, Some(constraint.topology_key));
            plan.soft.push(Soft {
                table,
                domains: Arc::clone(state.counts.domain_column(domain)),
                max_skew: constraint.max_skew,
                per_node,
            });
        }
        plan
    }

    /// True when there is a hard constraint; otherwise the filter is skipped.
    pub fn filters(&self) -> bool {
        !self.hard.is_empty()
    }

    /// True when there is a soft constraint; otherwise the score is skipped.
    pub fn scores(&self) -> bool {
        !self.soft.is_empty()
    }

    /// The smallest count of each hard constraint, with `minDomains` taken into account.
    pub fn smallest(&self, counts: &Counts) -> SmallVec<[i64; 2]> {
        self.hard
            .iter()
            .map(|hard| {
                let table = counts.table(hard.table);
                if (table.domain_count as i64) < hard.min_domains {
                    0
                } else {
                    // Without any domain the framework keeps MaxInt32; no node then has the key.
                    table.smallest().map_or(i64::from(i32::MAX), i64::from)
                }
            })
            .collect()
    }

    /// Rejects a node that lacks a key or would become too full.
    pub fn filter(&self, counts: &Counts, smallest: &[i64], node: NodeId) -> Option<Rejection> {
        for (hard, least) in self.hard.iter().zip(smallest) {
            let Some(count) = counts.table(hard.table).at(node) else {
                return Some(Rejection::unresolvable(Plugin::PodTopologySpread, MISSING_LABEL));
            };
            if i64::from(count) + hard.own - least > hard.max_skew {
                return Some(Rejection::resolvable(Plugin::PodTopologySpread, SKEWED));
            }
        }
        None
    }

    /// Clears `feasible` where the filter would reject; the same rule as [`SpreadPlan::filter`] over all nodes at once.
    pub fn filter_all(&self, counts: &Counts, smallest: &[i64], feasible: &mut [bool]) {
        for (hard, least) in self.hard.iter().zip(smallest) {
            let table = counts.table(hard.table);
            let limit = hard.max_skew + least - hard.own;
            let fits: Vec<bool> = table
                .counts
                .iter()
                .map(|count| i64::from(*count) <= limit)
                .collect();
            for (feasible, domain) in feasible.iter_mut().zip(&table.domains.of_node) {
                *feasible = *feasible && *domain != NONE && fits[*domain as usize];
            }
        }
    }

    /// Raw scores of the feasible nodes; [`IGNORED`] where a node lacks a needed key.
    pub fn score(&self, counts: &Counts, feasible: &[NodeId], scores: &mut Vec<i64>) {
        let ignored = |node: NodeId| {
            self.require_all
                && self
                    .soft
                    .iter()
                    .any(|soft| soft.domains.of_node[node.index()] == NONE)
        };
        let ignored_count = if self.require_all && self.soft.iter().any(|soft| soft.domains.has_gaps()) {
            feasible.iter().filter(|node| ignored(**node)).count()
        } else {
            0
        };
        let columns: SmallVec<[(&Soft, Vec<f64>); 2]> = self
            .soft
            .iter()
            .map(|soft| {
                let size = if soft.per_node {
                    feasible.len() - ignored_count
                } else if ignored_count == 0 {
                    distinct_domains(&soft.domains, feasible.iter().copied())
                } else {
                    distinct_domains(
                        &soft.domains,
                        feasible.iter().copied().filter(|node| !ignored(*node)),
                    )
                };
                let weight = ln((size + 2) as f64);
                let base = f64::from(soft.max_skew.wrapping_sub(1));
                let points = counts
                    .table(soft.table)
                    .counts
                    .iter()
                    .map(|count| f64::from(*count) * weight + base);
                (soft, points.collect())
            })
            .collect();
        scores.clear();
        match columns.as_slice() {
            // One key that every node has: the score depends on the domain alone.
            [(soft, points)] if !soft.per_node && !soft.domains.has_gaps() => {
                let rounded: Vec<i64> = points.iter().map(|points| round_half_away(*points)).collect();
                scores.extend(
                    feasible
                        .iter()
                        .map(|node| rounded[soft.domains.of_node[node.index()] as usize]),
                );
            }
            columns => scores.extend(feasible.iter().map(|node| {
                if ignored_count > 0 && ignored(*node) {
                    return IGNORED;
                }
                let mut sum = 0.0;
                for (soft, points) in columns {
                    let domain = soft.domains.of_node[node.index()];
                    if domain != NONE {
                        sum += points[if soft.per_node {
                            node.index()
                        } else {
                            domain as usize
                        }];
                    }
                }
                round_half_away(sum)
            })),
        }
    }
}

/// Distinct values among the nodes; a missing label counts as one value of its own.
fn distinct_domains(domains: &DomainColumn, nodes: impl Iterator<Item = NodeId>) -> usize {
    let mut seen = vec![false; domains.count + 1];
    let most = domains.count + usize::from(domains.has_gaps());
    let mut size = 0;
    for node in nodes {
        let domain = domains.of_node[node.index()];
        let slot = if domain == NONE {
            domains.count
        } else {
            domain as usize
        };
        if !seen[slot] {
            seen[slot] = true;
            size += 1;
            if size == most {
                break;
            }
        }
    }
    size
}

fn leaves(constraint: &SpreadConstraint) -> Leaves {
    if constraint.selects_everything {
        Leaves::Everything
    } else {
        Leaves::Terminating
    }
}

/// Counts by the values of the constraint's key, over the nodes that its policies and the other keys allow.
fn domain_table(
    catalog: &Catalog,
    nodes: &Nodes,
    state: &mut State,
    spec: &Spec,
    constraint: &SpreadConstraint,
    of_kind: &[&SpreadConstraint],
    require_all: bool,
) -> TableId {
    let all_keys = |node: NodeId| {
        of_kind
            .iter()
            .all(|other| nodes.label(node, other.topology_key).is_some())
    };
    let affine = |node: NodeId| {
        let at = node.index();
        spec.required_nodes
            .matches(&catalog.interner, nodes.names[at], &nodes.labels[at])
    };
    let checks_affinity = constraint.honor_node_affinity && !spec.required_nodes.is_unrestricted();
    let checks_keys = require_all && of_kind.len() > 1;
    let mask = (checks_keys || checks_affinity || constraint.honor_node_taints).then(|| {
        nodes
            .ids()
            .map(|node| {
                (!checks_keys || all_keys(node))
                    && (!checks_affinity || affine(node))
                    && !(constraint.honor_node_taints && is_tainted(spec, &nodes.taints[node.index()]))
            })
            .collect()
    });
    let domain = state.counts.domain(nodes, Some(constraint.topology_key));
    let (counts, placed) = state.split();
    counts.selected(
        catalog,
        SmallVec::from_slice(&[constraint.matcher]),
        leaves(constraint),
        domain,
        mask,
        &placed,
    )
}

/// Counts on each node itself.
fn node_table(catalog: &Catalog, nodes: &Nodes, state: &mut State, constraint: &SpreadConstraint) -> TableId {
    let domain = state.counts.domain(nodes, None);
    let (counts, placed) = state.split();
    counts.selected(
        catalog,
        SmallVec::from_slice(&[constraint.matcher]),
        leaves(constraint),
        domain,
        None,
        &placed,
    )
}
