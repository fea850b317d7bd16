//! Which pods a term selects: namespaces and labels, on interned strings.

use bayplan_model::object::{LabelSelector, PodAffinityTerm};
use bayplan_model::selector::{Operator, Selector, SelectorError};
use smallvec::SmallVec;

use crate::symbol::{Interner, Symbol, lookup};

/// A label requirement on interned strings.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct LabelRequirement {
    /// Key.
    pub key: Symbol,
    /// Comparison; never `Gt` or `Lt` on pods.
    pub operator: Operator,
    /// Values, sorted.
    pub values: SmallVec<[Symbol; 2]>,
}

/// A label selector on interned strings.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum LabelMatch {
    /// Matches nothing.
    Nothing,
    /// All requirements must hold.
    All(Vec<LabelRequirement>),
}

impl LabelMatch {
    /// Interns a selector.
    pub fn intern(interner: &mut Interner, selector: &Selector) -> LabelMatch {
        match selector {
            Selector::Nothing => LabelMatch::Nothing,
            Selector::All(requirements) => {
                let mut all: Vec<LabelRequirement> = requirements
                    .iter()
                    .map(|requirement| {
                        let mut values: SmallVec<[Symbol; 2]> = requirement
                            .values
                            .iter()
                            .map(|value| interner.intern(value))
                            .collect();
                        values.sort_unstable();
                        values.dedup();
                        LabelRequirement {
                            key: interner.intern(&requirement.key),
                            operator: requirement.operator,
                            values,
                        }
                    })
                    .collect();
                all.sort_by(|a, b| (a.key, a.operator, &a.values).cmp(&(b.key, b.operator, &b.values)));
                all.dedup();
                LabelMatch::All(all)
            }
        }
    }

    /// Parses and interns an API selector.
    ///
    /// # Errors
    /// The selector is not valid.
    pub fn parse(
        interner: &mut Interner,
        selector: Option<&LabelSelector>,
    ) -> Result<LabelMatch, SelectorError> {
        Ok(LabelMatch::intern(
            interner,
            &Selector::from_label_selector(selector)?,
        ))
    }

    /// True for the selector without requirements, which matches everything.
    pub fn is_empty(&self) -> bool {
        matches!(self, LabelMatch::All(requirements) if requirements.is_empty())
    }

    /// True when the labels match.
    pub fn matches(&self, labels: &[(Symbol, Symbol)]) -> bool {
        match self {
            LabelMatch::Nothing => false,
            LabelMatch::All(requirements) => requirements.iter().all(|requirement| {
                let value = lookup(labels, requirement.key);
                match requirement.operator {
                    Operator::In => value.is_some_and(|value| requirement.values.contains(&value)),
                    Operator::NotIn => !value.is_some_and(|value| requirement.values.contains(&value)),
                    Operator::Exists => value.is_some(),
                    Operator::DoesNotExist => value.is_none(),
                    Operator::Gt | Operator::Lt => false,
                }
            }),
        }
    }
}

/// Pods of some namespaces with some labels: what an affinity term or a spread constraint selects.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Matcher {
    /// Namespaces by name, sorted.
    pub namespaces: SmallVec<[Symbol; 1]>,
    /// Namespaces by label.
    pub namespace_labels: LabelMatch,
    /// Pods by label.
    pub labels: LabelMatch,
}

impl Matcher {
    /// Pods of one namespace.
    pub fn in_namespace(namespace: Symbol, labels: LabelMatch) -> Matcher {
        Matcher {
            namespaces: SmallVec::from_slice(&[namespace]),
            namespace_labels: LabelMatch::Nothing,
            labels,
        }
    }

    /// What an affinity term of a pod in `namespace` selects (`k8s.io/kube-scheduler/framework/types.go:newAffinityTerm`):
    /// with neither names nor a selector of namespaces, the pod's own namespace.
    ///
    /// # Errors
    /// A selector of the term is not valid.
    pub fn from_term(
        interner: &mut Interner,
        namespace: Symbol,
        term: &PodAffinityTerm,
    ) -> Result<Matcher, SelectorError> {
        let labels = LabelMatch::parse(interner, term.label_selector.as_ref())?;
        let mut namespaces: SmallVec<[Symbol; 1]> =
            term.namespaces.iter().map(|name| interner.intern(name)).collect();
        if namespaces.is_empty() && term.namespace_selector.is_none() {
            namespaces.push(namespace);
        }
        namespaces.sort_unstable();
        namespaces.dedup();
        let namespace_labels = LabelMatch::parse(interner, term.namespace_selector.as_ref())?;
        Ok(Matcher {
            namespaces,
            namespace_labels,
            labels,
        })
    }

    /// True when a running pod matches this term of the incoming pod. A non-empty namespace selector finds only
    /// namespaces whose object exists; an empty one is not looked up and so finds all
    /// (`interpodaffinity/plugin.go:mergeAffinityTermNamespacesIfNotEmpty`).
    pub fn selects(&self, pod: &LabelSet, namespace: Option<&[(Symbol, Symbol)]>) -> bool {
        let namespace_matches = self.namespaces.contains(&pod.namespace)
            || self.namespace_labels.is_empty()
            || namespace.is_some_and(|labels| self.namespace_labels.matches(labels));
        namespace_matches && self.labels.matches(&pod.labels)
    }

    /// True when the incoming pod matches this term of a running pod; a missing namespace object counts as one
    /// without labels (`interpodaffinity/plugin.go:GetNamespaceLabelsSnapshot`).
    pub fn selects_incoming(&self, pod: &LabelSet, namespace: Option<&[(Symbol, Symbol)]>) -> bool {
        let namespace_matches = self.namespaces.contains(&pod.namespace)
            || self.namespace_labels.matches(namespace.unwrap_or_default());
        namespace_matches && self.labels.matches(&pod.labels)
    }
}

/// Namespace and labels of pods; the unit on which matching is done once.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct LabelSet {
    /// Namespace.
    pub namespace: Symbol,
    /// Labels, sorted by key.
    pub labels: crate::symbol::SymbolLabels,
}
