//! Topology spread constraints on interned strings.

use bayplan_model::object::{Labels, TopologySpreadConstraint};
use bayplan_model::selector::{Selector, SelectorError};

use crate::catalog::Catalog;
use crate::ids::MatcherId;
use crate::matcher::{LabelMatch, Matcher};
use crate::symbol::Symbol;

/// A spread constraint, ready to count (`podtopologyspread/common.go:topologySpreadConstraint`).
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SpreadConstraint {
    /// Largest allowed difference to the emptiest domain.
    pub max_skew: i32,
    /// Node label whose value is the domain.
    pub topology_key: Symbol,
    /// Pods that are counted, in the pod's own namespace.
    pub matcher: MatcherId,
    /// The selector is empty: it counts no pods, yet the pod itself matches.
    pub selects_everything: bool,
    /// Fewer domains than this make the smallest count 0.
    pub min_domains: i32,
    /// Only nodes that the pod's node affinity allows are domains.
    pub honor_node_affinity: bool,
    /// Only nodes whose taints the pod tolerates are domains.
    pub honor_node_taints: bool,
    /// `DoNotSchedule`.
    pub hard: bool,
}

impl SpreadConstraint {
    /// Reads one constraint of a pod, `matchLabelKeys` merged (`common.go:filterTopologySpreadConstraints`).
    ///
    /// # Errors
    /// The selector is not valid.
    pub fn of(
        catalog: &mut Catalog,
        namespace: Symbol,
        labels: &Labels,
        constraint: &TopologySpreadConstraint,
    ) -> Result<SpreadConstraint, SelectorError> {
        let mut selector = Selector::from_label_selector(constraint.label_selector.as_ref())?;
        for key in &constraint.match_label_keys {
            if let Some(value) = labels.get(key) {
                selector = selector.and_exact(key, value);
            }
        }
        let selector = LabelMatch::intern(&mut catalog.interner, &selector);
        Ok(SpreadConstraint {
            max_skew: constraint.max_skew,
            topology_key: catalog.interner.intern(&constraint.topology_key),
            selects_everything: selector.is_empty(),
            matcher: catalog.matcher_id(Matcher::in_namespace(namespace, selector)),
            min_domains: constraint.min_domains.unwrap_or(1),
            honor_node_affinity: constraint
                .node_affinity_policy
                .as_deref()
                .is_none_or(|policy| policy == "Honor"),
            honor_node_taints: constraint.node_taints_policy.as_deref() == Some("Honor"),
            hard: constraint.when_unsatisfiable == "DoNotSchedule",
        })
    }
}
