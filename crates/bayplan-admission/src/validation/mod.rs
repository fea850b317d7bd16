//! What the API server would refuse, in its own words and order.
//!
//! Objects are checked after defaulting, as the API server does it. Only what the object types of the model hold can
//! be checked; entries of maps come in the order of their keys, where the API server's own order is random.

mod affinity;
mod container;
mod job;
mod leader_worker_set;
mod meta;
mod pod;
mod policy;
mod resources;
mod service;
mod storage;
mod strategy;
mod volumes;
mod warnings;
mod workload;

use bayplan_model::object::Object;

use crate::field::{Faults, FieldError};

pub(crate) use resources::{allows_overcommit, is_huge_pages, is_pod_level};
pub use warnings::warnings;

/// All faults that the API server would name in an object that has its defaults filled in.
///
/// Nodes, CSI objects and other reports of a cluster's own components are taken as they are.
pub fn validate(object: &Object) -> Vec<FieldError> {
    let mut faults = Faults::default();
    let found = &mut faults;
    match object {
        Object::Pod(pod) => pod::pod(found, pod),
        Object::Deployment(deployment) => workload::deployment(found, deployment),
        Object::ReplicaSet(set) => workload::replica_set(found, set),
        Object::ReplicationController(controller) => workload::replication_controller(found, controller),
        Object::StatefulSet(set) => workload::stateful_set(found, set),
        Object::DaemonSet(set) => workload::daemon_set(found, set),
        Object::Job(job) => job::job(found, job),
        Object::CronJob(cron) => job::cron_job(found, cron),
        Object::LeaderWorkerSet(set) => leader_worker_set::leader_worker_set(found, set),
        Object::PodDisruptionBudget(budget) => policy::disruption_budget(found, budget),
        Object::PriorityClass(class) => policy::priority_class(found, class),
        Object::LimitRange(range) => policy::limit_range(found, range),
        Object::RuntimeClass(class) => policy::runtime_class(found, class),
        Object::Namespace(namespace) => policy::namespace(found, namespace),
        Object::Service(service) => service::service(found, service),
        Object::PersistentVolume(volume) => storage::volume(found, volume),
        Object::PersistentVolumeClaim(claim) => storage::claim(found, claim),
        Object::StorageClass(class) => storage::storage_class(found, class),
        _ => {}
    }
    faults.into_errors()
}
