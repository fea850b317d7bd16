//! The LimitRanger plugin (`plugin/pkg/admission/limitranger/admission.go`, v1.37.2).

use bayplan_model::Quantity;
use bayplan_model::object::{LimitRange, PersistentVolumeClaim, PodSpec, ResourceList};

use crate::requests::{container_limits, container_requests};

/// Largest amount that is compared in thousandths (`resource.MaxMilliValue`).
const MILLI_VALUE_MAX: i64 = i64::MAX / 1000;

/// Fills in default limits and requests of every container.
pub(super) fn set_defaults(spec: &mut PodSpec, range: &LimitRange) {
    let (mut requests, mut limits) = (ResourceList::new(), ResourceList::new());
    for item in range.spec.limits.iter().filter(|item| item.kind == "Container") {
        requests.extend(item.default_request.clone());
        limits.extend(item.default.clone());
    }
    for container in spec.containers.iter_mut().chain(spec.init_containers.iter_mut()) {
        for (target, source) in [
            (&mut container.resources.limits, &limits),
            (&mut container.resources.requests, &requests),
        ] {
            for (name, quantity) in source {
                target.entry(name.clone()).or_insert(*quantity);
            }
        }
    }
}

/// What the pod violates, in one text, or nothing.
pub(super) fn violations(spec: &PodSpec, range: &LimitRange) -> Option<String> {
    let mut found = Vec::new();
    for item in &range.spec.limits {
        let mut check = |requests: &ResourceList, limits: &ResourceList| {
            for (name, bound) in &item.min {
                found.extend(below_minimum(&item.kind, name, *bound, requests, limits));
            }
            for (name, bound) in &item.max {
                found.extend(above_maximum(&item.kind, name, *bound, requests, limits));
            }
            for (name, bound) in &item.max_limit_request_ratio {
                found.extend(above_ratio(&item.kind, name, *bound, requests, limits));
            }
        };
        match item.kind.as_str() {
            "Container" => {
                for container in spec.containers.iter().chain(&spec.init_containers) {
                    check(&container.resources.requests, &container.resources.limits);
                }
            }
            "Pod" => {
                let (mut requests, mut limits) = (container_requests(spec), container_limits(spec));
                if let Some(resources) = &spec.resources {
                    // Huge pages of the pod as a whole do not count here.
                    for (total, own) in [
                        (&mut requests, &resources.requests),
                        (&mut limits, &resources.limits),
                    ] {
                        for name in ["cpu", "memory"] {
                            if let Some(quantity) = own.get(name) {
                                total.insert(name.to_owned(), *quantity);
                            }
                        }
                    }
                }
                check(&requests, &limits);
            }
            _ => {}
        }
    }
    aggregated(found)
}

/// What the claim violates, in one text, or nothing.
pub(super) fn claim_violations(claim: &PersistentVolumeClaim, range: &LimitRange) -> Option<String> {
    let requests = &claim.spec.resources.requests;
    let mut found = Vec::new();
    for item in range
        .spec
        .limits
        .iter()
        .filter(|item| item.kind == "PersistentVolumeClaim")
    {
        for (name, bound) in &item.min {
            found.extend(below_minimum(
                &item.kind,
                name,
                *bound,
                requests,
                &ResourceList::new(),
            ));
        }
        for (name, bound) in &item.max {
            let words = format!("maximum {name} usage per {} is {bound}", item.kind);
            match requests.get(name) {
                None => found.push(format!("{words}.  No request is specified")),
                Some(request) if exceeds(*request, *bound) => {
                    found.push(format!("{words}, but request is {request}"));
                }
                Some(_) => {}
            }
        }
    }
    aggregated(found)
}

/// Several texts as Go's aggregate error shows them: once each, in brackets when there is more than one.
fn aggregated(found: Vec<String>) -> Option<String> {
    let mut distinct: Vec<String> = Vec::new();
    for text in found {
        if !distinct.contains(&text) {
            distinct.push(text);
        }
    }
    match distinct.as_slice() {
        [] => None,
        [one] => Some(one.clone()),
        several => Some(format!("[{}]", several.join(", "))),
    }
}

/// Compares at the precision of the plugin: thousandths where they fit, else units.
fn exceeds(larger: Quantity, smaller: Quantity) -> bool {
    let (one, other) = (larger.value(), smaller.value());
    if one <= MILLI_VALUE_MAX && other <= MILLI_VALUE_MAX {
        larger.milli_value() > smaller.milli_value()
    } else {
        one > other
    }
}

fn below_minimum(
    kind: &str,
    name: &str,
    bound: Quantity,
    requests: &ResourceList,
    limits: &ResourceList,
) -> Option<String> {
    let words = format!("minimum {name} usage per {kind} is {bound}");
    let Some(request) = requests.get(name) else {
        return Some(format!("{words}.  No request is specified"));
    };
    if exceeds(bound, *request) {
        return Some(format!("{words}, but request is {request}"));
    }
    limits
        .get(name)
        .filter(|limit| exceeds(bound, **limit))
        .map(|limit| format!("{words}, but limit is {limit}"))
}

fn above_maximum(
    kind: &str,
    name: &str,
    bound: Quantity,
    requests: &ResourceList,
    limits: &ResourceList,
) -> Option<String> {
    let words = format!("maximum {name} usage per {kind} is {bound}");
    let Some(limit) = limits.get(name) else {
        return Some(format!("{words}.  No limit is specified"));
    };
    if exceeds(*limit, bound) {
        return Some(format!("{words}, but limit is {limit}"));
    }
    requests
        .get(name)
        .filter(|request| exceeds(**request, bound))
        .map(|request| format!("{words}, but request is {request}"))
}

fn above_ratio(
    kind: &str,
    name: &str,
    bound: Quantity,
    requests: &ResourceList,
    limits: &ResourceList,
) -> Option<String> {
    let words = format!("{name} max limit to request ratio per {kind} is {bound}");
    let Some(request) = requests.get(name).filter(|request| !request.is_zero()) else {
        return Some(format!("{words}, but no request is specified or request is 0"));
    };
    let Some(limit) = limits.get(name).filter(|limit| !limit.is_zero()) else {
        return Some(format!("{words}, but no limit is specified or limit is 0"));
    };
    let in_thousandths = [*request, *limit, bound]
        .iter()
        .all(|quantity| quantity.value() <= MILLI_VALUE_MAX);
    let (request, limit) = if in_thousandths {
        (request.milli_value(), limit.milli_value())
    } else {
        (request.value(), limit.value())
    };
    let ratio = limit as f64 / request as f64;
    let exceeded = if bound.value() <= MILLI_VALUE_MAX {
        ratio * 1000.0 > bound.milli_value() as f64
    } else {
        ratio > bound.value() as f64
    };
    exceeded.then(|| format!("{words}, but provided ratio is {ratio:.6}"))
}
