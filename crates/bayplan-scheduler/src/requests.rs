//! What a pod asks for (`k8s.io/component-helpers/resource/helpers.go`, v0.37.2; `pkg/scheduler/framework/types.go`).

use std::collections::BTreeMap;

use bayplan_model::Quantity;
use bayplan_model::object::{Container, ContainerStatus, Pod, ResourceList};

/// Millicores counted for a container without a cpu request (`pkg/scheduler/util/pod_resources.go:DefaultMilliCPURequest`).
pub const DEFAULT_MILLI_CPU: i64 = 100;
/// Bytes counted for a container without a memory request (`DefaultMemoryRequest`): 200 MiB.
pub const DEFAULT_MEMORY: i64 = 200 * 1024 * 1024;

type Amounts<'a> = BTreeMap<&'a str, Quantity>;

/// How to add up.
#[derive(Debug, Clone, Copy)]
struct Rules {
    /// Honour pod-level requests.
    pod_level: bool,
    /// Read what the node reports for resized containers.
    status: bool,
    /// Default for containers without a cpu request.
    default_cpu: bool,
    /// Default for containers without a memory request.
    default_memory: bool,
}

/// Requests by resource name in the four views that the scheduler takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PodAmounts {
    /// What the fit filter asks for the incoming pod.
    pub requests: BTreeMap<String, Quantity>,
    /// What a running pod holds, resizes in progress included; the balance score adds this for the incoming pod too.
    pub held: BTreeMap<String, Quantity>,
    /// What a running pod holds of cpu and memory in the least/most-allocated scores, with defaults: millicores, bytes.
    pub non_zero: (i64, i64),
    /// What the fit score adds for the incoming pod: containers only, with defaults, pod-level requests ignored
    /// (`noderesources/fit.go:NewFit` builds the scorer without that switch).
    pub scored: BTreeMap<String, Quantity>,
}

impl PodAmounts {
    /// Adds up the requests of a pod.
    pub fn of(pod: &Pod) -> PodAmounts {
        let plain = Rules {
            pod_level: true,
            status: true,
            default_cpu: false,
            default_memory: false,
        };
        let held = pod_requests(pod, plain);
        let requests = pod_requests(
            pod,
            Rules {
                status: false,
                ..plain
            },
        );
        let pod_level = pod_level_requests(pod).is_some();
        let defaults = Rules {
            default_cpu: !pod_level || !held.contains_key("cpu"),
            default_memory: !pod_level || !held.contains_key("memory"),
            ..plain
        };
        let with_defaults = pod_requests(pod, defaults);
        let scored = pod_requests(
            pod,
            Rules {
                pod_level: false,
                status: false,
                default_cpu: true,
                default_memory: true,
            },
        );
        PodAmounts {
            non_zero: (
                with_defaults.get("cpu").map_or(0, |amount| amount.milli_value()),
                with_defaults.get("memory").map_or(0, |amount| amount.value()),
            ),
            requests: owned(requests),
            held: owned(held),
            scored: owned(scored),
        }
    }
}

fn owned(amounts: Amounts<'_>) -> BTreeMap<String, Quantity> {
    amounts
        .into_iter()
        .map(|(name, amount)| (name.to_owned(), amount))
        .collect()
}

/// True for resources that may be requested for the pod as a whole.
fn is_pod_level(name: &str) -> bool {
    matches!(name, "cpu" | "memory") || name.starts_with("hugepages-")
}

fn pod_level_requests(pod: &Pod) -> Option<&ResourceList> {
    let requests = &pod.spec.resources.as_ref()?.requests;
    requests.keys().any(|name| is_pod_level(name)).then_some(requests)
}

fn add<'a>(sum: &mut Amounts<'a>, more: impl IntoIterator<Item = (&'a str, Quantity)>) {
    for (name, amount) in more {
        sum.entry(name)
            .and_modify(|total| *total = total.plus(amount))
            .or_insert(amount);
    }
}

fn raise<'a>(largest: &mut Amounts<'a>, other: &Amounts<'a>) {
    for (name, amount) in other {
        let entry = largest.entry(name).or_insert(*amount);
        if amount.nanos() > entry.nanos() {
            *entry = *amount;
        }
    }
}

fn items(list: &ResourceList) -> impl Iterator<Item = (&str, Quantity)> {
    list.iter().map(|(name, amount)| (name.as_str(), *amount))
}

fn pod_requests(pod: &Pod, rules: Rules) -> Amounts<'_> {
    let mut sum = container_requests(pod, rules);
    if rules.pod_level
        && let Some(requests) = pod_level_requests(pod)
    {
        let mut effective: Amounts<'_> = items(requests).collect();
        if rules.status
            && let Some(resources) = &pod.status.resources
        {
            if resize_is_infeasible(pod) {
                effective.clear();
            }
            raise(&mut effective, &items(&resources.requests).collect());
            raise(&mut effective, &items(&pod.status.allocated_resources).collect());
        }
        sum.extend(effective.into_iter().filter(|(name, _)| is_pod_level(name)));
    }
    add(&mut sum, items(&pod.spec.overhead));
    sum
}

fn resize_is_infeasible(pod: &Pod) -> bool {
    pod.status
        .conditions
        .iter()
        .find(|condition| condition.kind == "PodResizePending")
        .is_some_and(|condition| condition.reason == "Infeasible")
}

fn container_requests(pod: &Pod, rules: Rules) -> Amounts<'_> {
    let spec = aggregate(pod, rules, |container, _| Some(&container.resources.requests));
    let infeasible = resize_is_infeasible(pod);
    let status_matters = rules.status
        && (infeasible
            || !pod.status.allocated_resources.is_empty()
            || pod
                .status
                .container_statuses
                .iter()
                .chain(&pod.status.init_container_statuses)
                .any(reports_resources));
    if !status_matters {
        return spec;
    }
    let mut largest = if infeasible { Amounts::new() } else { spec };
    let pod_resources = pod
        .status
        .resources
        .as_ref()
        .filter(|resources| !resources.requests.is_empty());
    if let (false, Some(resources)) = (pod.status.allocated_resources.is_empty(), pod_resources) {
        raise(&mut largest, &items(&pod.status.allocated_resources).collect());
        raise(&mut largest, &items(&resources.requests).collect());
        return largest;
    }
    let allocated = aggregate(pod, rules, |container, status| {
        status
            .map(|status| &status.allocated_resources)
            .filter(|amounts| !amounts.is_empty())
            .or_else(|| (!infeasible).then_some(&container.resources.requests))
    });
    let actuated = aggregate(pod, rules, |container, status| {
        status
            .and_then(|status| status.resources.as_ref().map(|resources| &resources.requests))
            .filter(|amounts| !amounts.is_empty())
            .or_else(|| {
                status
                    .map(|status| &status.allocated_resources)
                    .filter(|amounts| !amounts.is_empty())
            })
            .or_else(|| (!infeasible).then_some(&container.resources.requests))
    });
    raise(&mut largest, &actuated);
    raise(&mut largest, &allocated);
    largest
}

fn reports_resources(status: &ContainerStatus) -> bool {
    !status.allocated_resources.is_empty() || status.resources.is_some()
}

/// True for an init container that keeps running beside the others.
pub fn is_sidecar(container: &Container) -> bool {
    container.restart_policy.as_deref() == Some("Always")
}

fn aggregate<'a>(
    pod: &'a Pod,
    rules: Rules,
    choose: impl Fn(&'a Container, Option<&'a ContainerStatus>) -> Option<&'a ResourceList>,
) -> Amounts<'a> {
    let amounts_of = |container: &'a Container| {
        let status = rules.status.then(|| {
            pod.status
                .container_statuses
                .iter()
                .chain(&pod.status.init_container_statuses)
                .find(|status| status.name == container.name)
        });
        let mut amounts: Amounts<'a> = choose(container, status.flatten())
            .into_iter()
            .flat_map(items)
            .collect();
        if rules.default_cpu {
            amounts
                .entry("cpu")
                .or_insert(Quantity::from_milli(DEFAULT_MILLI_CPU));
        }
        if rules.default_memory {
            amounts
                .entry("memory")
                .or_insert(Quantity::from_bytes(DEFAULT_MEMORY));
        }
        amounts
    };
    let mut sum = Amounts::new();
    for container in &pod.spec.containers {
        add(&mut sum, amounts_of(container));
    }
    let mut sidecars = Amounts::new();
    let mut init_peak = Amounts::new();
    for container in &pod.spec.init_containers {
        let amounts = amounts_of(container);
        if is_sidecar(container) {
            add(&mut sum, amounts.clone());
            add(&mut sidecars, amounts);
            raise(&mut init_peak, &sidecars);
        } else {
            let mut combined = amounts;
            add(&mut combined, sidecars.clone());
            raise(&mut init_peak, &combined);
        }
    }
    raise(&mut sum, &init_peak);
    sum
}
