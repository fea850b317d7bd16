//! Pods and pod templates.

use bayplan_model::Quantity;
use bayplan_model::object::{Container, Pod, PodSpec, Probe, ResourceList, ResourceRequirements};

use super::{claim_spec, fill, round_up, set_if_empty};
use crate::requests::{container_limits, container_requests};
use crate::validation::{allows_overcommit, is_huge_pages, is_pod_level};

/// Seconds between the stop signal and the kill (`DefaultTerminationGracePeriodSeconds`).
const TERMINATION_GRACE_PERIOD_SECONDS: i64 = 30;

/// A pod: as a template, and what only pods get.
pub(super) fn pod(pod: &mut Pod) {
    pod_spec(&mut pod.spec);
    let spec = &mut pod.spec;
    if spec
        .termination_grace_period_seconds
        .is_some_and(|seconds| seconds < 0)
    {
        spec.termination_grace_period_seconds = Some(1);
    }
    let host_network = spec.host_network;
    for container in containers_mut(spec) {
        fill(&mut container.resources.requests, &container.resources.limits);
        for port in &mut container.ports {
            if host_network && port.host_port == 0 {
                port.host_port = port.container_port;
            }
        }
    }
    set_if_empty(&mut pod.status.phase, "Pending");
}

fn containers_mut(spec: &mut PodSpec) -> impl Iterator<Item = &mut Container> {
    spec.containers.iter_mut().chain(spec.init_containers.iter_mut())
}

/// The specification of a pod or of a template.
pub(super) fn pod_spec(spec: &mut PodSpec) {
    set_if_empty(&mut spec.restart_policy, "Always");
    set_if_empty(&mut spec.scheduler_name, "default-scheduler");
    spec.termination_grace_period_seconds
        .get_or_insert(TERMINATION_GRACE_PERIOD_SECONDS);
    round_up(&mut spec.overhead);
    if let Some(resources) = &mut spec.resources {
        rounded(resources);
    }
    for container in containers_mut(spec) {
        rounded(&mut container.resources);
        for port in &mut container.ports {
            set_if_empty(&mut port.protocol, "TCP");
        }
        [&mut container.readiness_probe, &mut container.startup_probe]
            .into_iter()
            .flatten()
            .for_each(set_probe);
    }
    for volume in &mut spec.volumes {
        let template = volume
            .ephemeral
            .as_mut()
            .and_then(|it| it.volume_claim_template.as_mut());
        if let Some(template) = template {
            claim_spec(&mut template.spec);
        }
        if let Some(rbd) = &mut volume.rbd {
            set_if_empty(&mut rbd.pool, "rbd");
        }
    }
}

fn rounded(resources: &mut ResourceRequirements) {
    round_up(&mut resources.requests);
    round_up(&mut resources.limits);
}

fn set_probe(probe: &mut Probe) {
    for (field, value) in [
        (&mut probe.period_seconds, 10),
        (&mut probe.success_threshold, 1),
        (&mut probe.failure_threshold, 3),
    ] {
        if *field == 0 {
            *field = value;
        }
    }
}

/// Resources of the pod as a whole, completed from the containers once admission has seen the pod
/// (`pkg/api/pod/util.go:DefaultPodLevelResources`, v1.37.2).
pub(crate) fn pod_level_resources(spec: &mut PodSpec) {
    let Some(mut resources) = spec.resources.take() else {
        return;
    };
    if !resources.requests.is_empty() || !resources.limits.is_empty() {
        let (requests, limits) = (container_requests(spec), container_limits(spec));
        for (name, limit) in &limits {
            if is_huge_pages(name) && !resources.requests.contains_key(name) {
                resources.limits.entry(name.clone()).or_insert(*limit);
            }
        }
        for (name, request) in &requests {
            if is_pod_level(name) && allows_overcommit(name) {
                resources.requests.entry(name.clone()).or_insert(*request);
            }
        }
        for (name, limit) in &resources.limits {
            if is_pod_level(name) {
                resources.requests.entry(name.clone()).or_insert(*limit);
            }
        }
        limits_from_containers(spec, &mut resources, &limits);
    }
    spec.resources = Some(resources);
}

/// A resource that every container limits gets a limit for the whole pod: the sum, at least the request.
fn limits_from_containers(spec: &PodSpec, resources: &mut ResourceRequirements, limits: &ResourceList) {
    let candidates: Vec<(String, Quantity)> = resources
        .requests
        .iter()
        .filter(|(name, _)| is_pod_level(name) && !resources.limits.contains_key(*name))
        .map(|(name, request)| (name.clone(), *request))
        .collect();
    for (name, request) in candidates {
        let all_limited = spec
            .containers
            .iter()
            .chain(&spec.init_containers)
            .all(|container| container.resources.limits.contains_key(&name));
        if let (true, Some(limit)) = (all_limited, limits.get(&name)) {
            let larger = if request.nanos() > limit.nanos() {
                request
            } else {
                *limit
            };
            resources.limits.insert(name, larger);
        }
    }
}
