//! Resource names and amounts (`pkg/apis/core/validation/validation.go:validateResourceRequirements`,
//! `pkg/apis/core/helper/helpers.go`, v1.37.2).

use std::collections::BTreeSet;

use bayplan_model::Quantity;
use bayplan_model::names::{dns_label_errors, qualified_name_errors};
use bayplan_model::object::{ContainerResourceClaim, PodSpec, ResourceRequirements};

use crate::field::{Faults, FieldPath, Value};
use crate::requests::{container_limits, container_requests};

const STANDARD_CONTAINER_RESOURCES: &[&str] = &["cpu", "memory", "ephemeral-storage"];

const STANDARD_RESOURCES: &[&str] = &[
    "cpu",
    "memory",
    "ephemeral-storage",
    "requests.cpu",
    "requests.memory",
    "requests.ephemeral-storage",
    "limits.cpu",
    "limits.memory",
    "limits.ephemeral-storage",
    "pods",
    "resourcequotas",
    "services",
    "replicationcontrollers",
    "secrets",
    "configmaps",
    "persistentvolumeclaims",
    "storage",
    "requests.storage",
    "services.nodeports",
    "services.loadbalancers",
];

const INTEGER_RESOURCES: &[&str] = &[
    "pods",
    "resourcequotas",
    "services",
    "replicationcontrollers",
    "secrets",
    "configmaps",
    "persistentvolumeclaims",
    "services.nodeports",
    "services.loadbalancers",
];

/// Whose requirements are checked: it decides which names are allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Level {
    /// A container, a limit range of containers or an overhead.
    Container,
    /// The pod as a whole.
    Pod,
}

/// True for huge pages of some size.
pub(crate) fn is_huge_pages(name: &str) -> bool {
    name.starts_with("hugepages-")
}

fn is_native(name: &str) -> bool {
    !name.contains('/') || name.contains("kubernetes.io/")
}

/// True for a resource that devices or other extensions provide.
pub(crate) fn is_extended(name: &str) -> bool {
    !is_native(name)
        && !name.starts_with("requests.")
        && qualified_name_errors(&format!("requests.{name}")).is_empty()
}

/// True when limits may exceed requests.
pub(crate) fn allows_overcommit(name: &str) -> bool {
    is_native(name) && !is_huge_pages(name)
}

/// True for what a pod can ask for as a whole.
pub(crate) fn is_pod_level(name: &str) -> bool {
    matches!(name, "cpu" | "memory") || is_huge_pages(name)
}

/// The name of a resource of any kind.
pub(crate) fn resource_name(faults: &mut Faults, name: &str, path: &FieldPath) -> bool {
    let errors = qualified_name_errors(name);
    if !errors.is_empty() {
        faults.invalid_typed_each(path, name, errors);
        return false;
    }
    if !name.contains('/')
        && !STANDARD_RESOURCES.contains(&name)
        && !is_huge_pages(name)
        && !name.starts_with("requests.hugepages-")
    {
        faults.invalid(
            path.clone(),
            Value::json(name),
            "must be a standard resource type or fully qualified",
        );
        return false;
    }
    true
}

/// The name of a resource that a container can ask for.
pub(crate) fn container_resource_name(faults: &mut Faults, name: &str, path: &FieldPath) {
    resource_name(faults, name, path);
    if !name.contains('/') {
        if !STANDARD_CONTAINER_RESOURCES.contains(&name) && !is_huge_pages(name) {
            faults.invalid(
                path.clone(),
                Value::json(name),
                "must be a standard resource for containers",
            );
        }
    } else if !is_native(name) && !is_extended(name) {
        faults.invalid(
            path.clone(),
            Value::json(name),
            "doesn't follow extended resource name standard",
        );
    }
}

fn pod_resource_name(faults: &mut Faults, name: &str, path: &FieldPath) {
    if resource_name(faults, name, path) && !is_pod_level(name) {
        faults.not_supported(path.clone(), Value::json(name), &["cpu", "hugepages-", "memory"]);
    }
}

/// An amount: not negative, and whole where only wholes exist.
pub(crate) fn quantity(faults: &mut Faults, name: &str, amount: Quantity, path: &FieldPath) {
    if amount.nanos() < 0 {
        faults.invalid(
            path.clone(),
            &amount.to_string(),
            "must be greater than or equal to 0",
        );
    }
    if (INTEGER_RESOURCES.contains(&name) || is_extended(name)) && amount.milli_value() % 1000 != 0 {
        faults.invalid(path.clone(), Value::json(&amount), "must be an integer");
    }
}

fn huge_pages(faults: &mut Faults, name: &str, amount: Quantity, path: &FieldPath) {
    let divisible = name
        .strip_prefix("hugepages-")
        .and_then(|size| size.parse::<Quantity>().ok())
        .filter(|size| size.nanos() > 0 && size.milli_value() % 1000 == 0 && size.value() != 0)
        .is_some_and(|size| amount.value() % size.value() == 0);
    if !divisible {
        faults.invalid(
            path.clone(),
            &amount.to_string(),
            format!("{amount} is not positive integer multiple of {name}"),
        );
    }
}

/// Requests and limits of a container or of the whole pod; `claims` are the names of the pod's device claims.
pub(crate) fn requirements(
    faults: &mut Faults,
    requirements: &ResourceRequirements,
    level: Level,
    claims: &BTreeSet<&str>,
    path: &FieldPath,
) {
    let name_rule = match level {
        Level::Container => container_resource_name,
        Level::Pod => pod_resource_name,
    };
    let limits_path = path.child("limits");
    let requests_path = path.child("requests");
    let (mut has_cpu_or_memory, mut has_huge_pages) = (false, false);
    for (name, limit) in &requirements.limits {
        let path = limits_path.key(name);
        name_rule(faults, name, &path);
        quantity(faults, name, *limit, &path);
        if is_huge_pages(name) {
            has_huge_pages = true;
            huge_pages(faults, name, *limit, &path);
        }
        has_cpu_or_memory |= matches!(name.as_str(), "cpu" | "memory");
    }
    for (name, request) in &requirements.requests {
        let path = requests_path.key(name);
        name_rule(faults, name, &path);
        quantity(faults, name, *request, &path);
        request_within_limit(
            faults,
            name,
            *request,
            requirements.limits.get(name),
            (&requests_path, &limits_path),
        );
        if is_huge_pages(name) {
            has_huge_pages = true;
            huge_pages(faults, name, *request, &path);
        }
        has_cpu_or_memory |= matches!(name.as_str(), "cpu" | "memory");
    }
    if has_huge_pages && !has_cpu_or_memory {
        faults.forbidden(path.clone(), "HugePages require cpu or memory");
    }
    claim_names(faults, &requirements.claims, claims, &path.child("claims"));
}

/// A request is at most the limit; of what cannot be overcommitted it is exactly the limit.
fn request_within_limit(
    faults: &mut Faults,
    name: &str,
    request: Quantity,
    limit: Option<&Quantity>,
    (requests_path, limits_path): (&FieldPath, &FieldPath),
) {
    let overcommit = allows_overcommit(name);
    let Some(limit) = limit else {
        if !overcommit {
            faults.required(
                limits_path.clone(),
                "Limit must be set for non overcommitable resources",
            );
        }
        return;
    };
    let relation = if !overcommit && request.nanos() != limit.nanos() {
        "equal to"
    } else if request.nanos() > limit.nanos() {
        "less than or equal to"
    } else {
        return;
    };
    faults.invalid(
        requests_path.clone(),
        &request.to_string(),
        format!("must be {relation} {name} limit of {limit}"),
    );
}

fn claim_names(
    faults: &mut Faults,
    claims: &[ContainerResourceClaim],
    pod_claims: &BTreeSet<&str>,
    path: &FieldPath,
) {
    let mut seen: BTreeSet<String> = BTreeSet::new();
    for (index, claim) in claims.iter().enumerate() {
        let path = path.index(index);
        if claim.name.is_empty() {
            faults.required(path, "");
            continue;
        }
        if seen.contains(&claim.name) {
            faults.duplicate(path.clone(), &claim.name);
        } else {
            let mut key = claim.name.clone();
            if !claim.request.is_empty() {
                faults.invalid_each(
                    &path.child("request"),
                    &claim.request,
                    dns_label_errors(&claim.request),
                );
                key = format!("{key}/{}", claim.request);
            }
            let overlaps = claim.request.is_empty()
                && seen
                    .iter()
                    .any(|other| other.split_once('/').is_some_and(|(name, _)| name == claim.name));
            if seen.contains(&key) {
                faults.duplicate(path.clone(), &key);
            } else if overlaps {
                faults.duplicate(path.clone(), &claim.name);
            }
            seen.insert(key);
        }
        if !pod_claims.contains(claim.name.as_str()) {
            let names: Vec<&str> = pod_claims.iter().copied().collect();
            let detail = if names.is_empty() {
                "must be one of the names in pod.spec.resourceClaims which is empty".to_owned()
            } else {
                format!(
                    "must be one of the names in pod.spec.resourceClaims: {}",
                    names.join(", ")
                )
            };
            faults.not_found(path, &claim.name, detail);
        }
    }
}

/// Resources of the pod as a whole: names, amounts, and that the containers fit in.
pub(crate) fn pod_level(faults: &mut Faults, spec: &PodSpec, claims: &BTreeSet<&str>, spec_path: &FieldPath) {
    let Some(resources) = &spec.resources else { return };
    let path = spec_path.child("resources");
    if !resources.claims.is_empty() {
        faults.forbidden(
            path.child("claims"),
            "claims may not be set for Resources at pod-level",
        );
    }
    requirements(faults, resources, Level::Pod, claims, &path);
    for (name, sum) in container_requests(spec) {
        if let Some(request) = resources.requests.get(&name)
            && sum.nanos() > request.nanos()
        {
            faults.invalid(
                path.child("requests").key(&name),
                &request.to_string(),
                format!("must be greater than or equal to aggregate container requests of {sum}"),
            );
        }
    }
    for (name, sum) in container_limits(spec) {
        if let Some(limit) = resources.limits.get(&name)
            && is_huge_pages(&name)
            && sum.nanos() > limit.nanos()
        {
            faults.invalid(
                path.child("limits").key(&name),
                &limit.to_string(),
                format!("must be greater than or equal to aggregate container limits of {sum}"),
            );
        }
    }
    for (index, container) in spec.containers.iter().enumerate() {
        for (name, limit) in &container.resources.limits {
            if let Some(pod_limit) = resources.limits.get(name)
                && limit.nanos() > pod_limit.nanos()
            {
                faults.invalid(
                    path.child("containers").index(index).key(name).child("limits"),
                    &limit.to_string(),
                    format!("must be less than or equal to pod limits of {pod_limit}"),
                );
            }
        }
    }
}
