//! Inter-pod affinity terms on interned strings.

use bayplan_model::object::{Pod, PodAffinity, PodAffinityTerm};
use bayplan_model::selector::SelectorError;

use crate::catalog::Catalog;
use crate::ids::MatcherId;
use crate::matcher::Matcher;
use crate::symbol::Symbol;

/// Which pods, in which domain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PodTerm {
    /// The pods.
    pub matcher: MatcherId,
    /// Node label whose value is the domain.
    pub topology_key: Symbol,
}

/// A term that adds to the score.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct WeightedPodTerm {
    /// 1-100; negative for anti-affinity.
    pub weight: i64,
    /// The term.
    pub term: PodTerm,
}

/// All inter-pod terms of a pod. A list with a malformed selector is empty, as in `framework/types.go:PodInfo.Update`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct PodTerms {
    /// Required affinity.
    pub required_affinity: Vec<PodTerm>,
    /// Required anti-affinity.
    pub required_anti_affinity: Vec<PodTerm>,
    /// Preferred affinity (positive weights) followed by preferred anti-affinity (negative weights).
    pub preferred: Vec<WeightedPodTerm>,
    /// The pod has preferred terms in its specification, even if they do not parse.
    pub has_preferred: bool,
    /// What `NewPodInfo` says of malformed selectors.
    pub error: Option<String>,
}

impl PodTerms {
    /// Reads the terms of a pod.
    pub fn of(catalog: &mut Catalog, namespace: Symbol, pod: &Pod) -> PodTerms {
        let mut terms = PodTerms::default();
        let Some(affinity) = &pod.spec.affinity else {
            return terms;
        };
        let mut errors = Vec::new();
        let mut keep = |list: Result<Vec<PodTerm>, SelectorError>| {
            list.unwrap_or_else(|SelectorError(text)| {
                errors.push(text);
                Vec::new()
            })
        };
        let empty = PodAffinity::default();
        let attract = affinity.pod_affinity.as_ref().unwrap_or(&empty);
        let repel = affinity.pod_anti_affinity.as_ref().unwrap_or(&empty);
        let weighted = |affinity: &PodAffinity| -> Vec<PodAffinityTerm> {
            affinity
                .preferred_during_scheduling_ignored_during_execution
                .iter()
                .map(|weighted| weighted.pod_affinity_term.clone())
                .collect()
        };
        terms.required_affinity = keep(parse(
            catalog,
            namespace,
            &attract.required_during_scheduling_ignored_during_execution,
        ));
        let preferred = keep(parse(catalog, namespace, &weighted(attract)));
        terms.preferred.extend(with_weights(attract, preferred, 1));
        terms.required_anti_affinity = keep(parse(
            catalog,
            namespace,
            &repel.required_during_scheduling_ignored_during_execution,
        ));
        let preferred = keep(parse(catalog, namespace, &weighted(repel)));
        terms.preferred.extend(with_weights(repel, preferred, -1));
        terms.has_preferred = !attract
            .preferred_during_scheduling_ignored_during_execution
            .is_empty()
            || !repel
                .preferred_during_scheduling_ignored_during_execution
                .is_empty();
        terms.error = match errors.as_slice() {
            [] => None,
            [one] => Some(one.clone()),
            several => Some(format!("[{}]", several.join(", "))),
        };
        terms
    }
}

fn parse(
    catalog: &mut Catalog,
    namespace: Symbol,
    terms: &[PodAffinityTerm],
) -> Result<Vec<PodTerm>, SelectorError> {
    terms
        .iter()
        .map(|term| {
            let matcher = Matcher::from_term(&mut catalog.interner, namespace, term)?;
            Ok(PodTerm {
                matcher: catalog.matcher_id(matcher),
                topology_key: catalog.interner.intern(&term.topology_key),
            })
        })
        .collect()
}

fn with_weights(
    affinity: &PodAffinity,
    terms: Vec<PodTerm>,
    sign: i64,
) -> impl Iterator<Item = WeightedPodTerm> {
    let weights: Vec<i64> = affinity
        .preferred_during_scheduling_ignored_during_execution
        .iter()
        .map(|weighted| sign * i64::from(weighted.weight))
        .collect();
    terms
        .into_iter()
        .zip(weights)
        .map(|(term, weight)| WeightedPodTerm { weight, term })
}
