//! Containers, init containers and their ports (`pkg/apis/core/validation/validation.go:validateContainers`,
//! `validateInitContainers`, v1.37.2).

use std::collections::BTreeSet;

use bayplan_model::names::dns_label_errors;
use bayplan_model::object::{Container, ContainerPort, PodSpec, Probe};

use crate::field::{Faults, FieldPath, Value};
use crate::requests::is_sidecar;
use crate::validation::resources::{Level, requirements};

const PORT_RANGE_TEXT: &str = "must be between 1 and 65535, inclusive";
const RESTART_POLICIES: &[&str] = &["Always", "Never", "OnFailure"];
const RESTART_RULE_ACTIONS: &[&str] = &["Restart", "RestartAllContainers"];
/// Most restart rules of a container.
const RESTART_RULES_MAX: usize = 20;
const BIND_MOUNT_OPTIONS: &[&str] = &["nodev", "noexec", "nosuid"];

/// What containers may refer to.
pub(crate) struct PodNames<'a> {
    /// Valid volumes of the pod.
    pub(crate) volumes: BTreeSet<&'a str>,
    /// Device claims of the pod.
    pub(crate) claims: BTreeSet<&'a str>,
}

/// The containers of a pod, at least one.
pub(crate) fn containers(faults: &mut Faults, spec: &PodSpec, names: &PodNames<'_>, path: &FieldPath) {
    if spec.containers.is_empty() {
        faults.required(path.clone(), "");
        return;
    }
    let mut seen = BTreeSet::new();
    for (index, container) in spec.containers.iter().enumerate() {
        let path = path.index(index);
        common(faults, container, names, &path);
        if !seen.insert(container.name.as_str()) {
            faults.duplicate(path.child("name"), &container.name);
        }
        probe(
            faults,
            container.readiness_probe.as_ref(),
            &path.child("readinessProbe"),
        );
        probe(
            faults,
            container.startup_probe.as_ref(),
            &path.child("startupProbe"),
        );
        restart_policy(faults, container, &path);
    }
    host_port_conflicts(faults, &spec.containers, path);
}

/// The init containers of a pod, sidecars among them.
pub(crate) fn init_containers(faults: &mut Faults, spec: &PodSpec, names: &PodNames<'_>, list: &FieldPath) {
    let mut seen: BTreeSet<&str> = spec
        .containers
        .iter()
        .map(|container| container.name.as_str())
        .collect();
    for (index, container) in spec.init_containers.iter().enumerate() {
        let path = list.index(index);
        common(faults, container, names, &path);
        if container.restart_policy.is_none() && !container.restart_policy_rules.is_empty() {
            faults.required(
                path.child("restartPolicy"),
                "must specify restartPolicy when restart rules are used",
            );
        } else {
            restart_policy(faults, container, &path);
        }
        if seen.contains(container.name.as_str()) {
            faults.duplicate(path.child("name"), &container.name);
        } else if !container.name.is_empty() {
            seen.insert(&container.name);
        }
        // They run one by one, so each is checked alone; the API server then reports it at index 0.
        host_port_conflicts(faults, std::slice::from_ref(container), list);
        for (name, value) in [
            ("readinessProbe", &container.readiness_probe),
            ("startupProbe", &container.startup_probe),
        ] {
            if is_sidecar(container) {
                probe(faults, value.as_ref(), &path.child(name));
            } else if value.is_some() {
                faults.forbidden(
                    path.child(name),
                    "may not be set for init containers without restartPolicy=Always",
                );
            }
        }
    }
}

fn common(faults: &mut Faults, container: &Container, names: &PodNames<'_>, path: &FieldPath) {
    if container.name.is_empty() {
        faults.required(path.child("name"), "");
    } else {
        faults.invalid_each(
            &path.child("name"),
            &container.name,
            dns_label_errors(&container.name),
        );
    }
    if container.image.is_empty() {
        faults.required(path.child("image"), "");
    }
    ports(faults, &container.ports, &path.child("ports"));
    for (index, mount) in container.volume_mounts.iter().enumerate() {
        let path = path.child("volumeMounts").index(index);
        if mount.name.is_empty() {
            faults.required(path.child("name"), "");
        }
        if !names.volumes.contains(mount.name.as_str()) {
            faults.not_found(path.child("name"), &mount.name, "");
        }
        let mut seen = BTreeSet::new();
        for (option_index, option) in mount.bind_mount_options.iter().enumerate() {
            let path = path.child("bindMountOptions").index(option_index);
            if !BIND_MOUNT_OPTIONS.contains(&option.as_str()) {
                faults.not_supported(path.clone(), option, BIND_MOUNT_OPTIONS);
            }
            if !seen.insert(option.as_str()) {
                faults.duplicate(path, option);
            }
        }
    }
    requirements(
        faults,
        &container.resources,
        Level::Container,
        &names.claims,
        &path.child("resources"),
    );
}

fn restart_policy(faults: &mut Faults, container: &Container, path: &FieldPath) {
    match container.restart_policy.as_deref() {
        None if container.restart_policy_rules.is_empty() => return,
        None => faults.required(
            path.child("restartPolicy"),
            "must specify restartPolicy when restart rules are used",
        ),
        Some(policy) if !RESTART_POLICIES.contains(&policy) => {
            faults.not_supported(path.child("restartPolicy"), Value::json(policy), RESTART_POLICIES);
        }
        Some(_) => {}
    }
    let rules = &container.restart_policy_rules;
    if rules.len() > RESTART_RULES_MAX {
        faults.too_many(path.child("restartPolicyRules"), rules.len(), RESTART_RULES_MAX);
    }
    for (index, rule) in rules.iter().enumerate() {
        if !RESTART_RULE_ACTIONS.contains(&rule.action.as_str()) {
            faults.not_supported(
                path.child("restartPolicyRules").index(index).child("action"),
                Value::json(&rule.action),
                RESTART_RULE_ACTIONS,
            );
        }
    }
}

fn probe(faults: &mut Faults, probe: Option<&Probe>, path: &FieldPath) {
    let Some(probe) = probe else { return };
    for (name, value) in [
        ("initialDelaySeconds", probe.initial_delay_seconds),
        ("periodSeconds", probe.period_seconds),
        ("successThreshold", probe.success_threshold),
        ("failureThreshold", probe.failure_threshold),
    ] {
        faults.nonnegative(path.child(name), i64::from(value));
    }
}

fn ports(faults: &mut Faults, ports: &[ContainerPort], path: &FieldPath) {
    let mut names = BTreeSet::new();
    for (index, port) in ports.iter().enumerate() {
        let path = path.index(index);
        if !port.name.is_empty() {
            let errors = port_name_errors(&port.name);
            if errors.is_empty() {
                if !names.insert(port.name.as_str()) {
                    faults.duplicate(path.child("name"), &port.name);
                }
            } else {
                faults.invalid_each(&path.child("name"), &port.name, errors);
            }
        }
        if port.container_port == 0 {
            faults.required(path.child("containerPort"), "");
        } else {
            port_number(faults, port.container_port, path.child("containerPort"));
        }
        if port.host_port != 0 {
            port_number(faults, port.host_port, path.child("hostPort"));
        }
        protocol(faults, &port.protocol, path.child("protocol"));
    }
}

/// A port number from 1 to 65535.
pub(crate) fn port_number(faults: &mut Faults, port: i32, path: FieldPath) {
    if !(1..=65535).contains(&port) {
        faults.invalid(path, port, PORT_RANGE_TEXT);
    }
}

/// A transport protocol.
pub(crate) fn protocol(faults: &mut Faults, protocol: &str, path: FieldPath) {
    match protocol {
        "" => faults.required(path, ""),
        "TCP" | "UDP" | "SCTP" => {}
        other => faults.not_supported(path, Value::json(other), &["SCTP", "TCP", "UDP"]),
    }
}

/// What is wrong with the name of a port (`IsValidPortName`).
pub(crate) fn port_name_errors(name: &str) -> Vec<String> {
    let mut errors = Vec::new();
    let bytes = name.as_bytes();
    if name.len() > 15 {
        errors.push("must be no more than 15 characters".to_owned());
    }
    if bytes.is_empty()
        || !bytes
            .iter()
            .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || *byte == b'-')
    {
        errors.push("must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)".to_owned());
    }
    if !bytes.iter().any(u8::is_ascii_lowercase) {
        errors.push("must contain at least one letter (a-z)".to_owned());
    }
    if name.contains("--") {
        errors.push("must not contain consecutive hyphens".to_owned());
    }
    if name.starts_with('-') || name.ends_with('-') {
        errors.push("must not begin or end with a hyphen".to_owned());
    }
    errors
}

fn host_port_conflicts(faults: &mut Faults, containers: &[Container], list: &FieldPath) {
    let mut seen = BTreeSet::new();
    for (index, container) in containers.iter().enumerate() {
        for (port_index, port) in container.ports.iter().enumerate() {
            if port.host_port == 0 {
                continue;
            }
            let key = format!("{}/{}/{}", port.protocol, port.host_ip, port.host_port);
            if seen.contains(&key) {
                faults.duplicate(
                    list.index(index)
                        .child("ports")
                        .index(port_index)
                        .child("hostPort"),
                    &key,
                );
            } else {
                seen.insert(key);
            }
        }
    }
}
