//! Validation of added node affinity, by parsing it as `k8s.io/component-helpers/scheduling/corev1/nodeaffinity` does.

use bayplan_model::object::{NodeAffinity, NodeSelectorTerm};
use bayplan_model::selector::NodeTerm;

use crate::config::error::Errors;

/// Reports what does not parse.
pub(super) fn node_affinity(affinity: &NodeAffinity, path: &str, errors: &mut Errors) {
    if let Some(required) = &affinity.required_during_scheduling_ignored_during_execution {
        let path = format!("{path}.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms");
        for (index, term) in required.node_selector_terms.iter().enumerate() {
            node_selector_term(term, &format!("{path}[{index}]"), errors);
        }
    }
    let preferred = &affinity.preferred_during_scheduling_ignored_during_execution;
    // A weight of 0 switches a term off, faults included.
    for (index, term) in preferred.iter().enumerate().filter(|(_, term)| term.weight != 0) {
        let path = format!("{path}.preferredDuringSchedulingIgnoredDuringExecution[{index}]");
        node_selector_term(&term.preference, &path, errors);
    }
}

/// Checks one requirement after the other, so that each fault has its own place.
fn node_selector_term(term: &NodeSelectorTerm, path: &str, errors: &mut Errors) {
    let expressions = term.match_expressions.iter().map(|requirement| NodeSelectorTerm {
        match_expressions: vec![requirement.clone()],
        match_fields: Vec::new(),
    });
    let fields = term.match_fields.iter().map(|requirement| NodeSelectorTerm {
        match_expressions: Vec::new(),
        match_fields: vec![requirement.clone()],
    });
    for (field, terms) in [
        ("matchExpressions", expressions.collect::<Vec<_>>()),
        ("matchFields", fields.collect()),
    ] {
        for (index, term) in terms.iter().enumerate() {
            let Err(error) = NodeTerm::new(term) else { continue };
            let text = error.to_string();
            let requirement = format!("{path}.{field}[{index}]");
            // The parsed term has one requirement, so its own path starts with `<field>[0].`.
            let rest = text.strip_prefix(&format!("{field}[0].")).unwrap_or(&text);
            match rest.split_once(": ").filter(|_| !rest.starts_with('[')) {
                Some((place, message)) => errors.push(&format!("{requirement}.{place}"), message),
                None => errors.push(&requirement, rest),
            }
        }
    }
}
