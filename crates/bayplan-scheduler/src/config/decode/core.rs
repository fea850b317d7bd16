//! Pieces of the core API that stand inside plugin arguments: `k8s.io/api/core/v1/types.go` (v0.37.2).

use bayplan_model::object::{
    LabelSelector, LabelSelectorRequirement, Labels, NodeAffinity, NodeSelector, NodeSelectorRequirement,
    NodeSelectorTerm, PreferredSchedulingTerm, TopologySpreadConstraint,
};
use serde_json::Value;

use super::{Decoder, Object};

const TERM_FIELDS: [&str; 2] = ["matchExpressions", "matchFields"];
const REQUIREMENT_FIELDS: [&str; 3] = ["key", "operator", "values"];

pub(super) fn node_affinity(decoder: &mut Decoder, object: &Object<'_>, field: &str) -> Option<NodeAffinity> {
    const REQUIRED: &str = "requiredDuringSchedulingIgnoredDuringExecution";
    const PREFERRED: &str = "preferredDuringSchedulingIgnoredDuringExecution";
    let affinity = decoder.child(object, field, "NodeAffinity", &[REQUIRED, PREFERRED])?;
    let required = decoder
        .child(&affinity, REQUIRED, "NodeSelector", &["nodeSelectorTerms"])
        .map(|selector| {
            let terms = decoder.children(&selector, "nodeSelectorTerms", "NodeSelectorTerm", &TERM_FIELDS);
            NodeSelector {
                node_selector_terms: terms
                    .iter()
                    .map(|term| node_selector_term(decoder, term))
                    .collect(),
            }
        });
    let preferred = decoder.children(
        &affinity,
        PREFERRED,
        "PreferredSchedulingTerm",
        &["weight", "preference"],
    );
    Some(NodeAffinity {
        required_during_scheduling_ignored_during_execution: required,
        preferred_during_scheduling_ignored_during_execution: preferred
            .iter()
            .map(|term| PreferredSchedulingTerm {
                weight: decoder.int32(term, "weight").unwrap_or_default(),
                preference: decoder
                    .child(term, "preference", "NodeSelectorTerm", &TERM_FIELDS)
                    .map(|term| node_selector_term(decoder, &term))
                    .unwrap_or_default(),
            })
            .collect(),
    })
}

fn node_selector_term(decoder: &mut Decoder, term: &Object<'_>) -> NodeSelectorTerm {
    let [match_expressions, match_fields] = TERM_FIELDS.map(|field| {
        let requirements = decoder.children(term, field, "NodeSelectorRequirement", &REQUIREMENT_FIELDS);
        requirements
            .iter()
            .map(|requirement| NodeSelectorRequirement {
                key: decoder.text(requirement, "key").unwrap_or_default(),
                operator: decoder.text(requirement, "operator").unwrap_or_default(),
                values: decoder.texts(requirement, "values"),
            })
            .collect()
    });
    NodeSelectorTerm {
        match_expressions,
        match_fields,
    }
}

pub(super) fn topology_spread_constraints(
    decoder: &mut Decoder,
    object: &Object<'_>,
    field: &str,
) -> Vec<TopologySpreadConstraint> {
    let fields = [
        "maxSkew",
        "topologyKey",
        "whenUnsatisfiable",
        "labelSelector",
        "minDomains",
        "nodeAffinityPolicy",
        "nodeTaintsPolicy",
        "matchLabelKeys",
    ];
    let entries = decoder.children(object, field, "TopologySpreadConstraint", &fields);
    entries
        .iter()
        .map(|entry| TopologySpreadConstraint {
            max_skew: decoder.int32(entry, "maxSkew").unwrap_or_default(),
            topology_key: decoder.text(entry, "topologyKey").unwrap_or_default(),
            when_unsatisfiable: decoder.text(entry, "whenUnsatisfiable").unwrap_or_default(),
            label_selector: label_selector(decoder, entry),
            min_domains: decoder.int32(entry, "minDomains"),
            node_affinity_policy: decoder.text(entry, "nodeAffinityPolicy"),
            node_taints_policy: decoder.text(entry, "nodeTaintsPolicy"),
            match_label_keys: decoder.texts(entry, "matchLabelKeys"),
        })
        .collect()
}

fn label_selector(decoder: &mut Decoder, object: &Object<'_>) -> Option<LabelSelector> {
    let selector = decoder.child(
        object,
        "labelSelector",
        "LabelSelector",
        &["matchLabels", "matchExpressions"],
    )?;
    let expressions = decoder.children(
        &selector,
        "matchExpressions",
        "LabelSelectorRequirement",
        &REQUIREMENT_FIELDS,
    );
    Some(LabelSelector {
        match_labels: labels(decoder, &selector, "matchLabels"),
        match_expressions: expressions
            .iter()
            .map(|requirement| LabelSelectorRequirement {
                key: decoder.text(requirement, "key").unwrap_or_default(),
                operator: decoder.text(requirement, "operator").unwrap_or_default(),
                values: decoder.texts(requirement, "values"),
            })
            .collect(),
    })
}

fn labels(decoder: &mut Decoder, object: &Object<'_>, field: &str) -> Labels {
    let mut labels = Labels::default();
    match object.get(field) {
        Some(Value::Object(map)) => {
            for (key, value) in map {
                match value {
                    Value::String(text) => _ = labels.insert(key.clone(), text.clone()),
                    Value::Null => _ = labels.insert(key.clone(), String::new()),
                    other => decoder.wrong_type(other, &object.place_of(field), "string"),
                }
            }
        }
        Some(other) => decoder.wrong_type(other, &object.place_of(field), "map[string]string"),
        None => {}
    }
    labels
}
