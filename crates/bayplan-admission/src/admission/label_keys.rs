//! Merging of `matchLabelKeys` and `mismatchLabelKeys` into selectors when a pod is created
//! (`pkg/registry/core/pod/strategy.go:mutatePodAffinity`, `mutateTopologySpreadConstraints`, v1.37.2).

use bayplan_model::object::{
    LabelSelector, LabelSelectorRequirement, Labels, Pod, PodAffinity, PodAffinityTerm,
};

/// Writes the pod's own values of the keys into its affinity terms and spread constraints.
///
/// Keys that the pod does not carry, and terms without a selector, are left alone.
pub(super) fn merge(pod: &mut Pod) {
    let labels = &pod.metadata.labels;
    if let Some(affinity) = &mut pod.spec.affinity {
        for terms in [&mut affinity.pod_affinity, &mut affinity.pod_anti_affinity]
            .into_iter()
            .flatten()
        {
            merge_terms(terms, labels);
        }
    }
    for constraint in &mut pod.spec.topology_spread_constraints {
        if let Some(selector) = &mut constraint.label_selector {
            append(selector, &constraint.match_label_keys, "In", labels);
        }
    }
}

fn merge_terms(affinity: &mut PodAffinity, labels: &Labels) {
    let merge_term = |term: &mut PodAffinityTerm| {
        if let Some(selector) = &mut term.label_selector {
            append(selector, &term.match_label_keys, "In", labels);
            append(selector, &term.mismatch_label_keys, "NotIn", labels);
        }
    };
    affinity
        .preferred_during_scheduling_ignored_during_execution
        .iter_mut()
        .map(|weighted| &mut weighted.pod_affinity_term)
        .chain(&mut affinity.required_during_scheduling_ignored_during_execution)
        .for_each(merge_term);
}

fn append(selector: &mut LabelSelector, keys: &[String], operator: &str, labels: &Labels) {
    for key in keys {
        if let Some(value) = labels.get(key) {
            selector.match_expressions.push(LabelSelectorRequirement {
                key: key.clone(),
                operator: operator.to_owned(),
                values: vec![value.clone()],
            });
        }
    }
}
