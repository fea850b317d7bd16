//! What the API server accepts with a warning (`pkg/api/pod/warnings.go`, `pkg/api/node/util.go`, v1.37.2), limited
//! to what concerns scheduling.

use bayplan_model::names::label_value_errors;
use bayplan_model::object::{
    NodeSelectorTerm, Object, PersistentVolumeClaimSpec, PodAffinity, PodSpec, ResourceList,
};

use crate::field::FieldPath;

const NULL_SELECTOR_TEXT: &str = "a null labelSelector results in matching no pod";

const DEPRECATED_NODE_LABELS: &[(&str, &str)] = &[
    (
        "beta.kubernetes.io/arch",
        "deprecated since v1.14; use \"kubernetes.io/arch\" instead",
    ),
    (
        "beta.kubernetes.io/os",
        "deprecated since v1.14; use \"kubernetes.io/os\" instead",
    ),
    (
        "failure-domain.beta.kubernetes.io/region",
        "deprecated since v1.17; use \"topology.kubernetes.io/region\" instead",
    ),
    (
        "failure-domain.beta.kubernetes.io/zone",
        "deprecated since v1.17; use \"topology.kubernetes.io/zone\" instead",
    ),
    (
        "beta.kubernetes.io/instance-type",
        "deprecated since v1.17; use \"node.kubernetes.io/instance-type\" instead",
    ),
    ("app.kubernetes.io/created-by", "deprecated since v1.9"),
    (
        "scheduler.alpha.kubernetes.io/preferAvoidPods",
        "deprecated since v1.22; use Taints and Tolerations instead",
    ),
    (
        "node-role.kubernetes.io/master",
        "use \"node-role.kubernetes.io/control-plane\" instead",
    ),
];

/// The API server's warnings about an object that it accepts, each a field and a text.
pub fn warnings(object: &Object) -> Vec<(FieldPath, String)> {
    let spec = FieldPath::root().child("spec");
    let template = spec.child("template");
    let mut found = Vec::new();
    match object {
        Object::Pod(pod) => pod_spec(&mut found, &pod.spec, &spec),
        Object::Deployment(it) => pod_spec(&mut found, &it.spec.template.spec, &template.child("spec")),
        Object::ReplicaSet(it) => pod_spec(&mut found, &it.spec.template.spec, &template.child("spec")),
        Object::StatefulSet(it) => {
            pod_spec(&mut found, &it.spec.template.spec, &template.child("spec"));
            for (index, claim) in it.spec.volume_claim_templates.iter().enumerate() {
                // The API server leaves out the `spec` of the claim here.
                let path = spec.child("volumeClaimTemplates").index(index);
                claim_spec(&mut found, &claim.spec, &path);
            }
        }
        Object::DaemonSet(it) => pod_spec(&mut found, &it.spec.template.spec, &template.child("spec")),
        Object::Job(it) => pod_spec(&mut found, &it.spec.template.spec, &template.child("spec")),
        Object::ReplicationController(it) => {
            if let Some(pods) = &it.spec.template {
                pod_spec(&mut found, &pods.spec, &template.child("spec"));
            }
        }
        Object::CronJob(it) => pod_spec(
            &mut found,
            &it.spec.job_template.spec.template.spec,
            &spec
                .child("jobTemplate")
                .child("spec")
                .child("template")
                .child("spec"),
        ),
        Object::PersistentVolumeClaim(it) => claim_spec(&mut found, &it.spec, &spec),
        _ => {}
    }
    found
}

fn deprecation(key: &str) -> Option<&'static str> {
    DEPRECATED_NODE_LABELS
        .iter()
        .find(|(label, _)| *label == key)
        .map(|(_, text)| *text)
}

fn pod_spec(found: &mut Vec<(FieldPath, String)>, spec: &PodSpec, path: &FieldPath) {
    for key in spec.node_selector.iter().flat_map(|selector| selector.keys()) {
        if let Some(text) = deprecation(key) {
            found.push((path.child("nodeSelector").key(key), text.to_owned()));
        }
    }
    let affinity_path = path.child("affinity");
    if let Some(affinity) = spec
        .affinity
        .as_ref()
        .and_then(|affinity| affinity.node_affinity.as_ref())
    {
        let path = affinity_path.child("nodeAffinity");
        let required = &affinity.required_during_scheduling_ignored_during_execution;
        for (index, term) in required
            .iter()
            .flat_map(|selector| &selector.node_selector_terms)
            .enumerate()
        {
            let path = path
                .child("requiredDuringSchedulingIgnoredDuringExecution")
                .child("nodeSelectorTerms");
            node_term(found, term, false, &path.index(index));
        }
        let preferred = &affinity.preferred_during_scheduling_ignored_during_execution;
        for (index, term) in preferred.iter().enumerate() {
            let path = path
                .child("preferredDuringSchedulingIgnoredDuringExecution")
                .index(index);
            node_term(found, &term.preference, true, &path.child("preference"));
        }
    }
    for (index, volume) in spec.volumes.iter().enumerate() {
        let template = volume
            .ephemeral
            .as_ref()
            .and_then(|it| it.volume_claim_template.as_ref());
        if let Some(template) = template {
            let path = path.child("volumes").index(index).child("ephemeral");
            claim_spec(
                found,
                &template.spec,
                &path.child("volumeClaimTemplate").child("spec"),
            );
        }
    }
    fractional_bytes(found, &spec.overhead, &path.child("overhead"));
    for (name, containers) in [
        ("containers", &spec.containers),
        ("initContainers", &spec.init_containers),
    ] {
        for (index, container) in containers.iter().enumerate() {
            let path = path.child(name).index(index).child("resources");
            fractional_bytes(found, &container.resources.limits, &path.child("limits"));
            fractional_bytes(found, &container.resources.requests, &path.child("requests"));
        }
    }
    for (index, constraint) in spec.topology_spread_constraints.iter().enumerate() {
        let path = path.child("topologySpreadConstraints").index(index);
        if let Some(text) = deprecation(&constraint.topology_key) {
            found.push((
                path.child("topologyKey"),
                format!("{} is {text}", constraint.topology_key),
            ));
        }
        if constraint.label_selector.is_none() {
            found.push((path.child("labelSelector"), NULL_SELECTOR_TEXT.to_owned()));
        }
    }
    if let Some(affinity) = &spec.affinity {
        for (name, terms) in [
            ("podAffinity", &affinity.pod_affinity),
            ("podAntiAffinity", &affinity.pod_anti_affinity),
        ] {
            if let Some(terms) = terms {
                pod_terms(found, terms, &affinity_path.child(name));
            }
        }
    }
}

fn claim_spec(found: &mut Vec<(FieldPath, String)>, spec: &PersistentVolumeClaimSpec, path: &FieldPath) {
    let resources = path.child("resources");
    fractional_bytes(found, &spec.resources.requests, &resources.child("requests"));
    fractional_bytes(found, &spec.resources.limits, &resources.child("limits"));
}

fn fractional_bytes(found: &mut Vec<(FieldPath, String)>, list: &ResourceList, path: &FieldPath) {
    for name in ["memory", "ephemeral-storage", "storage"] {
        if let Some(amount) = list.get(name).filter(|amount| amount.milli_value() % 1000 != 0) {
            found.push((
                path.key(name),
                format!(
                    "fractional byte value {:?} is invalid, must be an integer",
                    amount.to_string()
                ),
            ));
        }
    }
}

fn node_term(
    found: &mut Vec<(FieldPath, String)>,
    term: &NodeSelectorTerm,
    preferred: bool,
    path: &FieldPath,
) {
    for (index, requirement) in term.match_expressions.iter().enumerate() {
        let path = path.child("matchExpressions").index(index);
        if let Some(text) = deprecation(&requirement.key) {
            found.push((path.child("key"), format!("{} is {text}", requirement.key)));
        }
        if preferred {
            for (value_index, value) in requirement.values.iter().enumerate() {
                for text in label_value_errors(value) {
                    let path = path.child("values").index(value_index);
                    found.push((path, format!("{value} is invalid, {text}")));
                }
            }
        }
    }
}

fn pod_terms(found: &mut Vec<(FieldPath, String)>, affinity: &PodAffinity, path: &FieldPath) {
    let required = &affinity.required_during_scheduling_ignored_during_execution;
    for (index, term) in required.iter().enumerate() {
        if term.label_selector.is_none() {
            let path = path
                .child("requiredDuringSchedulingIgnoredDuringExecution")
                .index(index);
            found.push((path.child("labelSelector"), NULL_SELECTOR_TEXT.to_owned()));
        }
    }
    let preferred = &affinity.preferred_during_scheduling_ignored_during_execution;
    for (index, weighted) in preferred.iter().enumerate() {
        if weighted.pod_affinity_term.label_selector.is_none() {
            let path = path
                .child("preferredDuringSchedulingIgnoredDuringExecution")
                .index(index);
            let path = path.child("podAffinityTerm").child("labelSelector");
            found.push((path, NULL_SELECTOR_TEXT.to_owned()));
        }
    }
}
