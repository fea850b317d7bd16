//! Affinity to nodes and pods (`pkg/apis/core/validation/validation.go:validateAffinity`, v1.37.2).

use std::collections::BTreeSet;

use bayplan_model::names::{dns_label_errors, dns_subdomain_errors, label_value_errors};
use bayplan_model::object::{
    Affinity, LabelSelector, NodeAffinity, NodeSelector, NodeSelectorRequirement, NodeSelectorTerm,
    PodAffinity, PodAffinityTerm,
};

use crate::field::{Faults, FieldPath, Value};
use crate::validation::meta::{label_key, label_selector};

const REQUIRED: &str = "requiredDuringSchedulingIgnoredDuringExecution";
const PREFERRED: &str = "preferredDuringSchedulingIgnoredDuringExecution";

/// Affinity of a pod.
pub(crate) fn affinity(faults: &mut Faults, affinity: &Affinity, path: &FieldPath) {
    if let Some(node_affinity) = &affinity.node_affinity {
        to_nodes(faults, node_affinity, &path.child("nodeAffinity"));
    }
    if let Some(pod_affinity) = &affinity.pod_affinity {
        to_pods(faults, pod_affinity, &path.child("podAffinity"));
    }
    if let Some(pod_anti_affinity) = &affinity.pod_anti_affinity {
        to_pods(faults, pod_anti_affinity, &path.child("podAntiAffinity"));
    }
}

fn weight(faults: &mut Faults, weight: i32, path: FieldPath) {
    if !(1..=100).contains(&weight) {
        faults.invalid(path, weight, "must be in the range 1-100");
    }
}

fn to_nodes(faults: &mut Faults, affinity: &NodeAffinity, path: &FieldPath) {
    if let Some(selector) = &affinity.required_during_scheduling_ignored_during_execution {
        node_selector(faults, selector, &path.child(REQUIRED));
    }
    for (index, term) in affinity
        .preferred_during_scheduling_ignored_during_execution
        .iter()
        .enumerate()
    {
        let path = path.child(PREFERRED).index(index);
        weight(faults, term.weight, path.child("weight"));
        // Values are not checked here: a bad one only fails a pod when several nodes are feasible.
        node_term(faults, &term.preference, false, &path.child("preference"));
    }
}

/// A node selector with at least one term.
pub(crate) fn node_selector(faults: &mut Faults, selector: &NodeSelector, path: &FieldPath) {
    let path = path.child("nodeSelectorTerms");
    if selector.node_selector_terms.is_empty() {
        faults.required(path, "must have at least one node selector term");
        return;
    }
    for (index, term) in selector.node_selector_terms.iter().enumerate() {
        node_term(faults, term, true, &path.index(index));
    }
}

fn node_term(faults: &mut Faults, term: &NodeSelectorTerm, check_values: bool, path: &FieldPath) {
    for (index, requirement) in term.match_expressions.iter().enumerate() {
        let path = path.child("matchExpressions").index(index);
        node_label(faults, requirement, check_values, &path);
    }
    for (index, requirement) in term.match_fields.iter().enumerate() {
        node_field(faults, requirement, &path.child("matchFields").index(index));
    }
}

fn node_label(
    faults: &mut Faults,
    requirement: &NodeSelectorRequirement,
    check_values: bool,
    path: &FieldPath,
) {
    match requirement.operator.as_str() {
        "In" | "NotIn" => {
            if requirement.values.is_empty() {
                faults.required(
                    path.child("values"),
                    "must be specified when `operator` is 'In' or 'NotIn'",
                );
            }
        }
        "Exists" | "DoesNotExist" => {
            if !requirement.values.is_empty() {
                faults.forbidden(
                    path.child("values"),
                    "may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
                );
            }
        }
        "Gt" | "Lt" => {
            if requirement.values.len() != 1 {
                faults.required(
                    path.child("values"),
                    "must be specified single value when `operator` is 'Lt' or 'Gt'",
                );
            }
        }
        other => faults.invalid(
            path.child("operator"),
            Value::json(other),
            "not a valid selector operator",
        ),
    }
    label_key(faults, &requirement.key, &path.child("key"));
    if check_values {
        for (index, value) in requirement.values.iter().enumerate() {
            faults.invalid_each(
                &path.child("values").index(index),
                value,
                label_value_errors(value),
            );
        }
    }
}

fn node_field(faults: &mut Faults, requirement: &NodeSelectorRequirement, path: &FieldPath) {
    match requirement.operator.as_str() {
        "In" | "NotIn" => {
            if requirement.values.len() != 1 {
                faults.required(
                    path.child("values"),
                    "must be only one value when `operator` is 'In' or 'NotIn' for node field selector",
                );
            }
        }
        other => faults.invalid(
            path.child("operator"),
            Value::json(other),
            "not a valid selector operator",
        ),
    }
    if requirement.key == "metadata.name" {
        for (index, value) in requirement.values.iter().enumerate() {
            faults.invalid_each(
                &path.child("values").index(index),
                value,
                dns_subdomain_errors(value),
            );
        }
    } else {
        faults.invalid(
            path.child("key"),
            &requirement.key,
            "not a valid field selector key",
        );
    }
}

fn to_pods(faults: &mut Faults, affinity: &PodAffinity, path: &FieldPath) {
    for (index, term) in affinity
        .required_during_scheduling_ignored_during_execution
        .iter()
        .enumerate()
    {
        pod_term(faults, term, &path.child(REQUIRED).index(index));
    }
    for (index, weighted) in affinity
        .preferred_during_scheduling_ignored_during_execution
        .iter()
        .enumerate()
    {
        let path = path.child(PREFERRED).index(index);
        weight(faults, weighted.weight, path.child("weight"));
        pod_term(
            faults,
            &weighted.pod_affinity_term,
            &path.child("podAffinityTerm"),
        );
    }
}

fn pod_term(faults: &mut Faults, term: &PodAffinityTerm, path: &FieldPath) {
    label_selector(faults, term.label_selector.as_ref(), &path.child("labelSelector"));
    label_selector(
        faults,
        term.namespace_selector.as_ref(),
        &path.child("namespaceSelector"),
    );
    for namespace in &term.namespaces {
        faults.invalid_each(&path.child("namespace"), namespace, dns_label_errors(namespace));
    }
    label_keys(
        faults,
        &term.match_label_keys,
        &term.mismatch_label_keys,
        term.label_selector.as_ref(),
        path,
    );
    if term.topology_key.is_empty() {
        faults.required(path.child("topologyKey"), "can not be empty");
    }
    label_key(faults, &term.topology_key, &path.child("topologyKey"));
}

/// `matchLabelKeys` and `mismatchLabelKeys` of an affinity term or a spread constraint.
pub(crate) fn label_keys(
    faults: &mut Faults,
    matching: &[String],
    mismatching: &[String],
    selector: Option<&LabelSelector>,
    path: &FieldPath,
) {
    for (name, keys) in [("matchLabelKeys", matching), ("mismatchLabelKeys", mismatching)] {
        if keys.is_empty() {
            continue;
        }
        if selector.is_none() {
            faults.forbidden(
                path.child(name),
                "must not be specified when labelSelector is not set",
            );
            continue;
        }
        for (index, key) in keys.iter().enumerate() {
            label_key(faults, key, &path.child(name).index(index));
        }
    }
    if let Some(selector) = selector {
        // At this point the pod's own values have been merged in as expressions, so a key that is seen twice was
        // written by the user too.
        let mut seen: BTreeSet<&str> = selector.match_labels.keys().map(String::as_str).collect();
        for expression in &selector.match_expressions {
            let key = expression.key.as_str();
            if let Some(index) = matching.iter().rposition(|matched| matched == key)
                && seen.contains(key)
            {
                faults.invalid(
                    path.index(index),
                    key,
                    "exists in both matchLabelKeys and labelSelector",
                );
            }
            seen.insert(key);
        }
    }
    for (index, key) in matching.iter().enumerate() {
        if mismatching.contains(key) {
            faults.invalid(
                path.child("matchLabelKeys").index(index),
                key,
                "exists in both matchLabelKeys and mismatchLabelKeys",
            );
        }
    }
}
