//! Node selector terms on interned strings.

use bayplan_model::object::{NodeAffinity, NodeSelector};
use bayplan_model::selector::{NodeTerm, Operator, is_empty_term, parse_integer, parse_node_selector};
use smallvec::SmallVec;

use crate::symbol::{Interner, Symbol, lookup};

/// One requirement on a node label.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct NodeRequirement {
    key: Symbol,
    operator: Operator,
    values: SmallVec<[Symbol; 4]>,
    limit: i64,
}

/// One requirement on the node's name.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct NameRequirement {
    /// False for a field that nodes do not have; its value is the empty string.
    is_name: bool,
    negated: bool,
    value: Symbol,
}

/// A node selector term, ready to match.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct NodeTermMatch {
    labels: Vec<NodeRequirement>,
    names: Vec<NameRequirement>,
}

impl NodeTermMatch {
    fn intern(interner: &mut Interner, term: &NodeTerm) -> NodeTermMatch {
        NodeTermMatch {
            labels: term
                .labels
                .iter()
                .map(|requirement| NodeRequirement {
                    key: interner.intern(&requirement.key),
                    operator: requirement.operator,
                    values: requirement
                        .values
                        .iter()
                        .map(|value| interner.intern(value))
                        .collect(),
                    limit: requirement
                        .values
                        .first()
                        .and_then(|value| parse_integer(value))
                        .unwrap_or_default(),
                })
                .collect(),
            names: term
                .fields
                .iter()
                .map(|requirement| NameRequirement {
                    is_name: requirement.key == "metadata.name",
                    negated: requirement.operator == Operator::NotIn,
                    value: interner.intern(requirement.values.first().map_or("", String::as_str)),
                })
                .collect(),
        }
    }

    /// True when a node with this name and these labels matches.
    pub fn matches(&self, interner: &Interner, name: Symbol, labels: &[(Symbol, Symbol)]) -> bool {
        self.labels.iter().all(|requirement| {
            let value = lookup(labels, requirement.key);
            let number = |value: Symbol| parse_integer(interner.text(value));
            match requirement.operator {
                Operator::In => value.is_some_and(|value| requirement.values.contains(&value)),
                Operator::NotIn => !value.is_some_and(|value| requirement.values.contains(&value)),
                Operator::Exists => value.is_some(),
                Operator::DoesNotExist => value.is_none(),
                Operator::Gt => value
                    .and_then(number)
                    .is_some_and(|value| value > requirement.limit),
                Operator::Lt => value
                    .and_then(number)
                    .is_some_and(|value| value < requirement.limit),
            }
        }) && self.names.iter().all(|requirement| {
            let equal = if requirement.is_name {
                requirement.value == name
            } else {
                interner.text(requirement.value).is_empty()
            };
            equal != requirement.negated
        })
    }
}

/// Node labels and affinity that a pod requires.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct RequiredNodes {
    /// Exact labels of `nodeSelector`; `None` when the field is absent.
    pub selector: Option<Vec<(Symbol, Symbol)>>,
    /// Alternatives of the required affinity; unparsable terms are left out because they never match.
    pub terms: Option<Vec<NodeTermMatch>>,
}

impl RequiredNodes {
    /// True when a node with this name and these labels is allowed.
    pub fn matches(&self, interner: &Interner, name: Symbol, labels: &[(Symbol, Symbol)]) -> bool {
        self.selector.as_ref().is_none_or(|pairs| {
            pairs
                .iter()
                .all(|(key, value)| lookup(labels, *key) == Some(*value))
        }) && self
            .terms
            .as_ref()
            .is_none_or(|terms| terms.iter().any(|term| term.matches(interner, name, labels)))
    }

    /// True when nothing is asked for, so that every node is allowed.
    pub fn is_unrestricted(&self) -> bool {
        self.selector.as_ref().is_none_or(Vec::is_empty) && self.terms.is_none()
    }
}

/// Interns the alternatives of a node selector.
pub fn intern_node_selector(interner: &mut Interner, selector: &NodeSelector) -> Vec<NodeTermMatch> {
    parse_node_selector(selector)
        .iter()
        .filter_map(|term| term.as_ref().ok())
        .map(|term| NodeTermMatch::intern(interner, term))
        .collect()
}

/// Weighted preferred terms, or the text of the error that ends a scoring cycle.
pub type PreferredNodes = Result<Vec<(i64, NodeTermMatch)>, String>;

/// Interns the preferred terms; those with weight 0 or without content are dropped.
pub fn intern_preferred(interner: &mut Interner, affinity: &NodeAffinity) -> PreferredNodes {
    let mut terms = Vec::new();
    let mut errors = Vec::new();
    for (index, weighted) in affinity
        .preferred_during_scheduling_ignored_during_execution
        .iter()
        .enumerate()
    {
        if weighted.weight == 0 || is_empty_term(&weighted.preference) {
            continue;
        }
        match NodeTerm::new(&weighted.preference) {
            Ok(term) => terms.push((i64::from(weighted.weight), NodeTermMatch::intern(interner, &term))),
            Err(error) => errors.push(format!("[{index}].{error}")),
        }
    }
    match errors.as_slice() {
        [] => Ok(terms),
        [one] => Err(one.clone()),
        several => Err(format!("[{}]", several.join(", "))),
    }
}

/// Node names that `matchFields` restricts a pod to, as `NodeAffinity.PreFilter` finds them.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub enum NameRestriction {
    /// No restriction by name.
    #[default]
    None,
    /// The terms contradict each other.
    Conflict,
    /// Only these names, sorted.
    Names(Vec<Symbol>),
}

/// Finds the restriction by name: every term must have `metadata.name In`, values of a term are intersected.
pub fn name_restriction(interner: &mut Interner, selector: &NodeSelector) -> NameRestriction {
    if selector.node_selector_terms.is_empty() {
        return NameRestriction::None;
    }
    let mut names: Vec<&str> = Vec::new();
    for term in &selector.node_selector_terms {
        let mut of_term: Option<Vec<&str>> = None;
        for requirement in &term.match_fields {
            if requirement.key == "metadata.name" && requirement.operator == "In" {
                let values: Vec<&str> = requirement.values.iter().map(String::as_str).collect();
                of_term = Some(match of_term {
                    None => values,
                    Some(before) => before.into_iter().filter(|name| values.contains(name)).collect(),
                });
            }
        }
        match of_term {
            None => return NameRestriction::None,
            Some(values) => names.extend(values),
        }
    }
    names.sort_unstable();
    names.dedup();
    if names.is_empty() {
        NameRestriction::Conflict
    } else {
        NameRestriction::Names(names.into_iter().map(|name| interner.intern(name)).collect())
    }
}
