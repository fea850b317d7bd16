//! Pods and their specification (`pkg/apis/core/validation/validation.go:ValidatePodSpec`, v1.37.2).

use std::collections::BTreeSet;

use bayplan_model::names::{dns_subdomain_errors, label_value_errors, qualified_name_errors};
use bayplan_model::object::{
    Pod, PodSchedulingGate, PodSpec, ResourceRequirements, Toleration, TopologySpreadConstraint,
};

use crate::field::{Faults, FieldPath, Value, go_quoted};
use crate::validation::affinity::{affinity, label_keys};
use crate::validation::container::{PodNames, containers, init_containers};
use crate::validation::meta::{NameRule, label_key, label_selector, labels, object_meta};
use crate::validation::resources::{Level, pod_level, requirements};
use crate::validation::volumes::{resource_claims, volumes};

const MIRROR_ANNOTATION: &str = "kubernetes.io/config.mirror";
const DELETION_COST_ANNOTATION: &str = "controller.kubernetes.io/pod-deletion-cost";

/// A pod on its own.
pub(crate) fn pod(faults: &mut Faults, pod: &Pod) {
    let metadata = FieldPath::root().child("metadata");
    let spec = FieldPath::root().child("spec");
    object_meta(faults, &pod.metadata, true, NameRule::Subdomain, &metadata);
    pod_annotations(
        faults,
        &pod.metadata.annotations,
        &pod.spec,
        &metadata.child("annotations"),
    );
    pod_spec(faults, &pod.spec, Some(&pod.metadata.name), &spec);
    if let Some(seconds) = pod.spec.termination_grace_period_seconds {
        faults.nonnegative(spec.child("terminationGracePeriodSeconds"), seconds);
    }
    for (name, list) in [
        ("containers", &pod.spec.containers),
        ("initContainers", &pod.spec.init_containers),
    ] {
        for (index, container) in list.iter().enumerate() {
            if container.image.trim().len() != container.image.len() {
                faults.invalid(
                    spec.child(name).index(index).child("image"),
                    &container.image,
                    "must not have leading or trailing whitespace",
                );
            }
        }
    }
    if !pod.spec.node_name.is_empty() && !pod.spec.scheduling_gates.is_empty() {
        faults.forbidden(
            spec.child("nodeName"),
            "cannot be set until all schedulingGates have been cleared",
        );
    }
}

/// Annotations that mean something on pods.
pub(crate) fn pod_annotations(
    faults: &mut Faults,
    annotations: &bayplan_model::object::Labels,
    spec: &PodSpec,
    path: &FieldPath,
) {
    if let Some(value) = annotations.get(MIRROR_ANNOTATION)
        && spec.node_name.is_empty()
    {
        faults.invalid(
            path.key(MIRROR_ANNOTATION),
            value,
            "must set spec.nodeName if mirror pod annotation is set",
        );
    }
    if let Some(value) = annotations.get(DELETION_COST_ANNOTATION)
        && !is_deletion_cost(value)
    {
        faults.invalid(
            path.key(DELETION_COST_ANNOTATION),
            value,
            "must be a 32bit integer",
        );
    }
}

/// `helper.GetDeletionCostFromPodAnnotations`: no plus sign and no leading zeros.
fn is_deletion_cost(value: &str) -> bool {
    (value == "0" || value.starts_with(|first: char| first == '-' || ('1'..='9').contains(&first)))
        && value.parse::<i32>().is_ok()
}

/// The specification of a pod; `pod_name` is known for pods, not for templates.
pub(crate) fn pod_spec(faults: &mut Faults, spec: &PodSpec, pod_name: Option<&str>, path: &FieldPath) {
    if spec.termination_grace_period_seconds.is_none() {
        faults.required(path.child("terminationGracePeriodSeconds"), "");
    }
    let names = PodNames {
        volumes: volumes(faults, &spec.volumes, pod_name, &path.child("volumes")),
        claims: spec
            .resource_claims
            .iter()
            .map(|claim| claim.name.as_str())
            .filter(|name| !name.is_empty())
            .collect(),
    };
    resource_claims(faults, &spec.resource_claims, &path.child("resourceClaims"));
    containers(faults, spec, &names, &path.child("containers"));
    init_containers(faults, spec, &names, &path.child("initContainers"));
    pod_level(faults, spec, &names.claims, path);
    host_network_ports(faults, spec, pod_name.is_some(), path);
    restart_policy(faults, &spec.restart_policy, path.child("restartPolicy"));
    if let Some(selector) = &spec.node_selector {
        labels(faults, selector, &path.child("nodeSelector"));
    }
    if let Some(terms) = &spec.affinity {
        affinity(faults, terms, &path.child("affinity"));
    }
    scheduling_gates(faults, &spec.scheduling_gates, &path.child("schedulingGates"));
    spread_constraints(
        faults,
        &spec.topology_spread_constraints,
        &path.child("topologySpreadConstraints"),
    );
    if spec.host_users == Some(false) && spec.host_network {
        faults.forbidden(path.child("hostNetwork"), "when `hostUsers` is false");
    }
    if !spec.node_name.is_empty() {
        faults.invalid_each(
            &path.child("nodeName"),
            &spec.node_name,
            dns_subdomain_errors(&spec.node_name),
        );
    }
    tolerations(faults, &spec.tolerations, &path.child("tolerations"));
    if !spec.priority_class_name.is_empty() {
        faults.invalid_each(
            &path.child("priorityClassName"),
            &spec.priority_class_name,
            dns_subdomain_errors(&spec.priority_class_name),
        );
    }
    if let Some(name) = &spec.runtime_class_name {
        faults.invalid_each(&path.child("runtimeClassName"), name, dns_subdomain_errors(name));
    }
    if let Some(policy) = &spec.preemption_policy {
        preemption_policy(faults, policy, path.child("preemptionPolicy"));
    }
    let overhead = ResourceRequirements {
        limits: spec.overhead.clone(),
        ..Default::default()
    };
    requirements(
        faults,
        &overhead,
        Level::Container,
        &BTreeSet::new(),
        &path.child("overhead"),
    );
}

fn host_network_ports(faults: &mut Faults, spec: &PodSpec, is_pod: bool, path: &FieldPath) {
    if !spec.host_network {
        return;
    }
    for (index, container) in spec.containers.iter().enumerate() {
        for (port_index, port) in container.ports.iter().enumerate() {
            // In a template the host port may still be missing: it is filled in on the pod.
            if (is_pod || port.host_port != 0) && port.host_port != port.container_port {
                faults.invalid(
                    path.child("containers")
                        .index(index)
                        .child("ports")
                        .index(port_index)
                        .child("hostPort"),
                    port.host_port,
                    "must match `containerPort` when `hostNetwork` is true",
                );
            }
        }
    }
}

fn restart_policy(faults: &mut Faults, policy: &str, path: FieldPath) {
    match policy {
        "" => faults.required(path, ""),
        "Always" | "OnFailure" | "Never" => {}
        other => faults.not_supported(path, Value::json(other), &["Always", "OnFailure", "Never"]),
    }
}

/// A preemption policy that was given.
pub(crate) fn preemption_policy(faults: &mut Faults, policy: &str, path: FieldPath) {
    match policy {
        "" => faults.required(path, ""),
        "PreemptLowerPriority" | "Never" => {}
        other => faults.not_supported(path, Value::json(other), &["PreemptLowerPriority", "Never"]),
    }
}

fn scheduling_gates(faults: &mut Faults, gates: &[PodSchedulingGate], path: &FieldPath) {
    let mut seen = BTreeSet::new();
    for (index, gate) in gates.iter().enumerate() {
        faults.invalid_each(&path.index(index), &gate.name, qualified_name_errors(&gate.name));
        if !seen.insert(gate.name.as_str()) {
            faults.duplicate(path.index(index), &gate.name);
        }
    }
}

/// Tolerations of a pod or a runtime class.
pub(crate) fn tolerations(faults: &mut Faults, tolerations: &[Toleration], path: &FieldPath) {
    for (index, toleration) in tolerations.iter().enumerate() {
        let path = path.index(index);
        if !toleration.key.is_empty() {
            label_key(faults, &toleration.key, &path.child("key"));
        }
        let operator = toleration.operator.as_str();
        if toleration.key.is_empty() && operator != "Exists" {
            faults.invalid(
                path.child("operator"),
                Value::json(operator),
                "operator must be Exists when `key` is empty, which means \"match all values and all keys\"",
            );
        }
        if toleration.toleration_seconds.is_some() && toleration.effect != "NoExecute" {
            faults.invalid(
                path.child("effect"),
                Value::json(&toleration.effect),
                "effect must be 'NoExecute' when `tolerationSeconds` is set",
            );
        }
        match operator {
            "" | "Equal" => {
                let errors = label_value_errors(&toleration.value);
                if !errors.is_empty() {
                    faults.invalid(path.child("operator"), &toleration.value, errors.join(";"));
                }
            }
            "Exists" => {
                if !toleration.value.is_empty() {
                    faults.invalid(
                        path.child("operator"),
                        &toleration.value,
                        "value must be empty when `operator` is 'Exists'",
                    );
                }
            }
            // The numeric operators are behind a gate that is off; the text names them all the same.
            "Lt" | "Gt" => faults.not_supported(
                path.child("operator"),
                Value::json(operator),
                &["Equal", "Exists", "Lt", "Gt"],
            ),
            other => faults.not_supported(path.child("operator"), Value::json(other), &["Equal", "Exists"]),
        }
        if !toleration.effect.is_empty() {
            taint_effect(faults, &toleration.effect, path.child("effect"));
        }
    }
}

/// An effect that was given.
pub(crate) fn taint_effect(faults: &mut Faults, effect: &str, path: FieldPath) {
    if !matches!(effect, "NoSchedule" | "PreferNoSchedule" | "NoExecute") {
        faults.not_supported(
            path,
            Value::json(effect),
            &["NoSchedule", "PreferNoSchedule", "NoExecute"],
        );
    }
}

fn spread_constraints(faults: &mut Faults, constraints: &[TopologySpreadConstraint], path: &FieldPath) {
    for (index, constraint) in constraints.iter().enumerate() {
        let path = path.index(index);
        let action = constraint.when_unsatisfiable.as_str();
        faults.positive(path.child("maxSkew"), i64::from(constraint.max_skew));
        if constraint.topology_key.is_empty() {
            faults.required(path.child("topologyKey"), "can not be empty");
        }
        if !matches!(action, "DoNotSchedule" | "ScheduleAnyway") {
            faults.not_supported(
                path.child("whenUnsatisfiable"),
                Value::json(action),
                &["DoNotSchedule", "ScheduleAnyway"],
            );
        }
        let repeats = constraints[index + 1..].iter().any(|other| {
            other.topology_key == constraint.topology_key
                && other.when_unsatisfiable == constraint.when_unsatisfiable
        });
        if repeats {
            faults.duplicate(
                path.child("{topologyKey, whenUnsatisfiable}"),
                Value::raw(go_quoted(&format!("{{{}, {action}}}", constraint.topology_key))),
            );
        }
        if let Some(min_domains) = constraint.min_domains {
            faults.positive(path.child("minDomains"), i64::from(min_domains));
            if action != "DoNotSchedule" {
                faults.invalid(
                    path.child("minDomains"),
                    min_domains,
                    format!("can only use minDomains if whenUnsatisfiable=DoNotSchedule, not {action}"),
                );
            }
        }
        for (name, policy) in [
            ("nodeAffinityPolicy", &constraint.node_affinity_policy),
            ("nodeTaintsPolicy", &constraint.node_taints_policy),
        ] {
            if let Some(policy) = policy
                && !matches!(policy.as_str(), "Honor" | "Ignore")
            {
                faults.not_supported(path.child(name), Value::json(policy), &["Honor", "Ignore"]);
            }
        }
        label_keys(
            faults,
            &constraint.match_label_keys,
            &[],
            constraint.label_selector.as_ref(),
            &path,
        );
        label_selector(
            faults,
            constraint.label_selector.as_ref(),
            &path.child("labelSelector"),
        );
    }
}
