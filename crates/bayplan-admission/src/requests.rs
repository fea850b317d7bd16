//! Sums of requests and limits over the containers of a pod specification
//! (`k8s.io/component-helpers/resource/helpers.go:AggregateContainerRequests`, v0.37.2, specification only).

use bayplan_model::Quantity;
use bayplan_model::object::{Container, PodSpec, ResourceList};

/// True for a sidecar: an init container that keeps running.
pub(crate) fn is_sidecar(container: &Container) -> bool {
    container.restart_policy.as_deref() == Some("Always")
}

/// What the containers request at most at any time.
pub(crate) fn container_requests(spec: &PodSpec) -> ResourceList {
    aggregate(spec, |container| &container.resources.requests)
}

/// What the containers may use at most at any time.
pub(crate) fn container_limits(spec: &PodSpec) -> ResourceList {
    aggregate(spec, |container| &container.resources.limits)
}

fn aggregate(spec: &PodSpec, list_of: impl Fn(&Container) -> &ResourceList) -> ResourceList {
    let mut total = ResourceList::new();
    for container in &spec.containers {
        add(&mut total, list_of(container));
    }
    let mut sidecars = ResourceList::new();
    let mut peak = ResourceList::new();
    for container in &spec.init_containers {
        if is_sidecar(container) {
            add(&mut total, list_of(container));
            add(&mut sidecars, list_of(container));
            keep_larger(&mut peak, &sidecars);
        } else {
            let mut with_sidecars = list_of(container).clone();
            add(&mut with_sidecars, &sidecars);
            keep_larger(&mut peak, &with_sidecars);
        }
    }
    keep_larger(&mut total, &peak);
    total
}

fn add(list: &mut ResourceList, more: &ResourceList) {
    for (name, quantity) in more {
        list.entry(name.clone())
            .and_modify(|sum| *sum = sum.plus(*quantity))
            .or_insert(*quantity);
    }
}

fn keep_larger(list: &mut ResourceList, other: &ResourceList) {
    for (name, quantity) in other {
        list.entry(name.clone())
            .and_modify(|kept: &mut Quantity| {
                if quantity.nanos() > kept.nanos() {
                    *kept = *quantity;
                }
            })
            .or_insert(*quantity);
    }
}
