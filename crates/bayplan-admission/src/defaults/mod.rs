//! Values that the API server fills in when an object is created (`pkg/apis/*/v1/defaults.go`, v1.37.2), as far as
//! scheduling, its admission or its controllers read them.

mod pod;
mod workload;

use std::collections::BTreeMap;

use bayplan_model::object::{LimitRangeItem, Object, PersistentVolumeClaimSpec, ResourceList, Service};

use crate::identity::{generated_name, synthetic_uid};

pub(crate) use pod::pod_level_resources;
pub(crate) use workload::TEMPLATE_GENERATION_ANNOTATION;

/// Namespace of objects that name none, as `kubectl` fills it in.
pub const DEFAULT_NAMESPACE: &str = "default";

/// Fills in what the API server would before it validates the object.
///
/// Filling in twice is the same as once. An object without a uid gets one made from its names, a name that was to be
/// generated gets a fixed ending.
pub fn apply_defaults(object: &mut Object) {
    identity(object);
    match object {
        Object::Pod(it) => pod::pod(it),
        Object::Deployment(it) => workload::deployment(it),
        Object::ReplicaSet(it) => workload::replica_set(it),
        Object::ReplicationController(it) => workload::replication_controller(it),
        Object::StatefulSet(it) => workload::stateful_set(it),
        Object::DaemonSet(it) => workload::daemon_set(it),
        Object::Job(it) => workload::job(it),
        Object::CronJob(it) => workload::cron_job(it),
        Object::LeaderWorkerSet(it) => workload::leader_worker_set(it),
        Object::Namespace(it) => {
            let name = it.metadata.name.clone();
            it.metadata
                .labels
                .insert("kubernetes.io/metadata.name".to_owned(), name);
        }
        Object::Service(it) => service(it),
        Object::LimitRange(it) => it.spec.limits.iter_mut().for_each(limit_range_item),
        Object::PriorityClass(it) => set_if_none(&mut it.preemption_policy, "PreemptLowerPriority"),
        Object::StorageClass(it) => set_if_none(&mut it.volume_binding_mode, "Immediate"),
        Object::PersistentVolume(it) => {
            round_up(&mut it.spec.capacity);
            set_if_none(&mut it.spec.volume_mode, "Filesystem");
            set_if_empty(&mut it.status.phase, "Pending");
        }
        Object::PersistentVolumeClaim(it) => {
            claim_spec(&mut it.spec);
            set_if_empty(&mut it.status.phase, "Pending");
        }
        Object::Node(it) => {
            round_up(&mut it.status.capacity);
            round_up(&mut it.status.allocatable);
            if it.status.allocatable.is_empty() {
                it.status.allocatable = it.status.capacity.clone();
            }
        }
        // Nothing to fill in, or written by the cluster's own components.
        _ => {}
    }
}

fn identity(object: &mut Object) {
    if object.is_namespaced() && object.metadata().namespace.is_empty() {
        object.metadata_mut().namespace = DEFAULT_NAMESPACE.to_owned();
    }
    let metadata = object.metadata();
    if metadata.name.is_empty() && !metadata.generate_name.is_empty() {
        let name = generated_name(&metadata.generate_name, 0);
        object.metadata_mut().name = name;
    }
    if object.metadata().uid.is_empty() {
        let uid = synthetic_uid(&object.reference());
        object.metadata_mut().uid = uid;
    }
}

fn set_if_empty(field: &mut String, value: &str) {
    if field.is_empty() {
        value.clone_into(field);
    }
}

fn set_if_none(field: &mut Option<String>, value: &str) {
    field.get_or_insert_with(|| value.to_owned());
}

/// Amounts are kept in thousandths, rounded up (`SetDefaults_ResourceList`).
pub(crate) fn round_up(list: &mut ResourceList) {
    for quantity in list.values_mut() {
        *quantity = quantity.rounded_up_to_milli();
    }
}

fn claim_spec(spec: &mut PersistentVolumeClaimSpec) {
    round_up(&mut spec.resources.requests);
    round_up(&mut spec.resources.limits);
    set_if_none(&mut spec.volume_mode, "Filesystem");
}

fn service(service: &mut Service) {
    let spec = &mut service.spec;
    set_if_empty(&mut spec.session_affinity, "None");
    set_if_empty(&mut spec.kind, "ClusterIP");
    for port in &mut spec.ports {
        set_if_empty(&mut port.protocol, "TCP");
        let unset = match &port.target_port {
            None => true,
            Some(bayplan_model::object::IntOrString::Int(number)) => *number == 0,
            Some(bayplan_model::object::IntOrString::String(name)) => name.is_empty(),
        };
        if unset {
            port.target_port = Some(bayplan_model::object::IntOrString::Int(port.port));
        }
    }
    if matches!(spec.kind.as_str(), "NodePort" | "LoadBalancer")
        && spec.external_traffic_policy.as_deref().unwrap_or("").is_empty()
    {
        spec.external_traffic_policy = Some("Cluster".to_owned());
    }
    if matches!(spec.kind.as_str(), "NodePort" | "LoadBalancer" | "ClusterIP") {
        set_if_none(&mut spec.internal_traffic_policy, "Cluster");
    }
}

/// Container limits default to the maximum, requests to the limits, then to the minimum.
pub(crate) fn limit_range_item(item: &mut LimitRangeItem) {
    for list in [
        &mut item.max,
        &mut item.min,
        &mut item.default,
        &mut item.default_request,
        &mut item.max_limit_request_ratio,
    ] {
        round_up(list);
    }
    if item.kind != "Container" {
        return;
    }
    fill(&mut item.default, &item.max);
    fill(&mut item.default_request, &item.default);
    fill(&mut item.default_request, &item.min);
}

fn fill<V: Copy>(target: &mut BTreeMap<String, V>, source: &BTreeMap<String, V>) {
    for (key, value) in source {
        target.entry(key.clone()).or_insert(*value);
    }
}
