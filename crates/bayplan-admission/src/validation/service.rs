//! Services, as far as selection and traffic policies go
//! (`pkg/apis/core/validation/validation.go:ValidateServiceCreate`, v1.37.2).

use std::collections::BTreeSet;

use bayplan_model::names::dns_label_errors;
use bayplan_model::object::{IntOrString, Service, ServicePort};

use crate::field::{Faults, FieldPath, Value};
use crate::validation::container::{port_name_errors, port_number, protocol};
use crate::validation::meta::{NameRule, labels, object_meta};

const TYPES: &[&str] = &["ClusterIP", "ExternalName", "LoadBalancer", "NodePort"];
const TRAFFIC_POLICIES: &[&str] = &["Cluster", "Local"];
const TRAFFIC_DISTRIBUTIONS: &[&str] = &["PreferClose", "PreferSameZone", "PreferSameNode"];

/// A service.
pub(crate) fn service(faults: &mut Faults, service: &Service) {
    let root = FieldPath::root();
    let path = root.child("spec");
    let spec = &service.spec;
    let kind = spec.kind.as_str();
    object_meta(
        faults,
        &service.metadata,
        true,
        NameRule::Label,
        &root.child("metadata"),
    );
    let headless = spec.cluster_ip == "None";
    if spec.ports.is_empty() && !headless && kind != "ExternalName" {
        faults.required(path.child("ports"), "");
    }
    if headless && matches!(kind, "LoadBalancer" | "NodePort") {
        faults.invalid(
            path.child("clusterIPs").index(0),
            "None",
            format!("may not be set to 'None' for {kind} services"),
        );
    }
    let mut names = BTreeSet::new();
    for (index, port) in spec.ports.iter().enumerate() {
        let path = path.child("ports").index(index);
        service_port(faults, port, spec.ports.len() > 1, &mut names, &path);
    }
    if let Some(selector) = &spec.selector {
        labels(faults, selector, &path.child("selector"));
    }
    if !matches!(spec.session_affinity.as_str(), "ClientIP" | "None") {
        faults.not_supported(
            path.child("sessionAffinity"),
            Value::json(&spec.session_affinity),
            &["ClientIP", "None"],
        );
    }
    if !TYPES.contains(&kind) {
        faults.not_supported(path.child("type"), Value::json(kind), TYPES);
    }
    if kind == "ClusterIP" {
        for (index, port) in spec.ports.iter().enumerate() {
            if port.node_port != 0 {
                faults.forbidden(
                    path.child("ports").index(index).child("nodePort"),
                    "may not be used when `type` is 'ClusterIP'",
                );
            }
        }
    }
    policies(faults, service, &path);
}

fn policies(faults: &mut Faults, service: &Service, path: &FieldPath) {
    let spec = &service.spec;
    let external = path.child("externalTrafficPolicy");
    if matches!(spec.kind.as_str(), "NodePort" | "LoadBalancer") {
        match spec.external_traffic_policy.as_deref().unwrap_or("") {
            "" => faults.required(external, ""),
            policy if !TRAFFIC_POLICIES.contains(&policy) => {
                faults.not_supported(external, Value::json(policy), TRAFFIC_POLICIES);
            }
            _ => {}
        }
    } else if let Some(policy) = spec
        .external_traffic_policy
        .as_deref()
        .filter(|policy| !policy.is_empty())
    {
        faults.invalid(
            external,
            Value::json(policy),
            "may only be set for externally-accessible services",
        );
    }
    if let Some(policy) = &spec.internal_traffic_policy
        && !TRAFFIC_POLICIES.contains(&policy.as_str())
    {
        faults.not_supported(
            path.child("internalTrafficPolicy"),
            Value::json(policy),
            TRAFFIC_POLICIES,
        );
    }
    if let Some(distribution) = &spec.traffic_distribution
        && !TRAFFIC_DISTRIBUTIONS.contains(&distribution.as_str())
    {
        faults.not_supported(
            path.child("trafficDistribution"),
            distribution,
            TRAFFIC_DISTRIBUTIONS,
        );
    }
}

fn service_port<'a>(
    faults: &mut Faults,
    port: &'a ServicePort,
    needs_name: bool,
    names: &mut BTreeSet<&'a str>,
    path: &FieldPath,
) {
    if port.name.is_empty() {
        if needs_name {
            faults.required(path.child("name"), "");
        }
    } else {
        faults.invalid_each(&path.child("name"), &port.name, dns_label_errors(&port.name));
        if !names.insert(&port.name) {
            faults.duplicate(path.child("name"), &port.name);
        }
    }
    port_number(faults, port.port, path.child("port"));
    protocol(faults, &port.protocol, path.child("protocol"));
    match &port.target_port {
        Some(IntOrString::Int(number)) => port_number(faults, *number, path.child("targetPort")),
        Some(IntOrString::String(name)) => {
            faults.invalid_each(&path.child("targetPort"), name, port_name_errors(name));
        }
        None => {}
    }
}
