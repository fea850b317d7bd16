//! Pods and claims of a workload, as its controller creates them before admission sees them.

mod daemon_set;
mod deployment;
mod job;
mod leader_worker_set;
mod membership;
mod stateful_set;

use bayplan_model::object::{
    Node, Object, ObjectMeta, ObjectRef, OwnerReference, PersistentVolumeClaim, Pod, PodTemplateSpec,
    ReplicaSet,
};

use crate::admission::AdmissionContext;
use crate::identity::{controller_reference, generated_name};

pub use leader_worker_set::{EXCLUSIVE_ANNOTATION, SUB_GROUP_EXCLUSIVE_ANNOTATION};
pub use membership::Membership;

/// A workload and what becomes of it.
#[derive(Debug, Clone, PartialEq)]
pub struct ExpandedWorkload {
    /// Its name.
    pub workload: ObjectRef,
    /// Position in the list that was handed in.
    pub index: usize,
    /// The workload itself, with its defaults filled in.
    pub object: Object,
    /// Other objects that the controllers create on the way and that scheduling reads: ReplicaSets, StatefulSets,
    /// Jobs, Services.
    pub created: Vec<Object>,
    /// Its pods in the order in which they are created; none is bound unless the workload says so.
    pub replicas: Vec<Pod>,
    /// Claims that are created with the pods; those that exist already are left out.
    pub claims: Vec<PersistentVolumeClaim>,
    /// Pods that are created only when another one has been placed.
    pub after_leader: Vec<AfterLeader>,
    /// What a reader of the result should know.
    pub notes: Vec<String>,
}

impl ExpandedWorkload {
    /// The ReplicaSet of a Deployment's current revision.
    pub fn replica_set(&self) -> Option<&ReplicaSet> {
        self.created.iter().find_map(|object| match object {
            Object::ReplicaSet(set) => Some(set),
            _ => None,
        })
    }
}

/// A pod that waits for its leader (LeaderWorkerSet).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AfterLeader {
    /// Position among the replicas.
    pub replica: usize,
    /// Position of the leader among the replicas.
    pub leader: usize,
    /// Node label whose value on the leader's node goes into the pod's node selector; see [`follow_leader`]. Without
    /// one the pod only waits.
    pub topology_key: Option<String>,
}

/// Puts the topology of the leader's node into the node selector of a worker.
pub fn follow_leader(worker: &mut Pod, topology_key: &str, value: &str) {
    worker
        .spec
        .node_selector
        .get_or_insert_with(Default::default)
        .insert(topology_key.to_owned(), value.to_owned());
}

/// What a controller makes, before admission.
#[derive(Debug, Default)]
pub(crate) struct Expansion {
    pub(crate) created: Vec<Object>,
    pub(crate) replicas: Vec<Pod>,
    pub(crate) claims: Vec<PersistentVolumeClaim>,
    pub(crate) after_leader: Vec<AfterLeader>,
    pub(crate) notes: Vec<String>,
}

/// Most pods that one workload is expanded into, so that a slip of the finger does not fill the memory.
const REPLICAS_MAX: usize = 100_000;

impl Expansion {
    /// How many of `wanted` further pods are made.
    fn room_for(&mut self, wanted: i32) -> i32 {
        let room = i32::try_from(REPLICAS_MAX.saturating_sub(self.replicas.len())).unwrap_or(i32::MAX);
        if wanted > room {
            let text = format!("only the first {REPLICAS_MAX} pods of this workload are considered");
            if !self.notes.contains(&text) {
                self.note(text);
            }
        }
        wanted.clamp(0, room)
    }

    fn note(&mut self, text: impl Into<String>) {
        self.notes.push(text.into());
    }
}

/// Expands a workload with its defaults filled in; `None` for objects that make no pods.
pub(crate) fn expand(object: &Object, context: &AdmissionContext, nodes: &[Node]) -> Option<Expansion> {
    let mut expansion = Expansion::default();
    let made = &mut expansion;
    match object {
        Object::Pod(pod) => {
            if !pod.spec.node_name.is_empty() {
                made.note("spec.nodeName is set: the pod is bound to its node without the scheduler");
            }
            made.replicas.push(pod.clone());
        }
        Object::Deployment(it) => deployment::deployment(made, it, context),
        Object::ReplicaSet(it) => {
            let owner = controller_reference("apps/v1", "ReplicaSet", &it.metadata);
            deployment::numbered(
                made,
                &it.spec.template,
                it.spec.replicas.unwrap_or(1),
                &it.metadata,
                &owner,
            );
        }
        Object::ReplicationController(it) => {
            if let Some(template) = &it.spec.template {
                let owner = controller_reference("v1", "ReplicationController", &it.metadata);
                deployment::numbered(
                    made,
                    template,
                    it.spec.replicas.unwrap_or(1),
                    &it.metadata,
                    &owner,
                );
            }
        }
        Object::StatefulSet(it) => stateful_set::stateful_set(made, it),
        Object::DaemonSet(it) => daemon_set::daemon_set(made, it, nodes),
        Object::Job(it) => job::job(made, it),
        Object::CronJob(it) => job::cron_job(made, it),
        Object::LeaderWorkerSet(it) => leader_worker_set::leader_worker_set(made, it),
        _ => return None,
    }
    ephemeral_claims(made);
    made.claims
        .retain(|claim| !context.has_claim(&claim.metadata.namespace, &claim.metadata.name));
    Some(expansion)
}

/// Claims of volumes that live as long as their pod
/// (`pkg/controller/volume/ephemeral/controller.go`, v1.37.2).
fn ephemeral_claims(made: &mut Expansion) {
    for pod in &made.replicas {
        for volume in &pod.spec.volumes {
            let template = volume
                .ephemeral
                .as_ref()
                .and_then(|it| it.volume_claim_template.as_ref());
            if let Some(template) = template {
                made.claims.push(PersistentVolumeClaim {
                    metadata: ObjectMeta {
                        name: format!("{}-{}", pod.metadata.name, volume.name),
                        namespace: pod.metadata.namespace.clone(),
                        labels: template.metadata.labels.clone(),
                        annotations: template.metadata.annotations.clone(),
                        owner_references: vec![controller_reference("v1", "Pod", &pod.metadata)],
                        ..Default::default()
                    },
                    spec: template.spec.clone(),
                    ..Default::default()
                });
            }
        }
    }
}

/// A pod from a template (`pkg/controller/controller_utils.go:GetPodFromTemplate`, v1.37.2).
fn pod_from_template(
    template: &PodTemplateSpec,
    namespace: &str,
    name: String,
    owner: &OwnerReference,
) -> Pod {
    Pod {
        metadata: ObjectMeta {
            name,
            namespace: namespace.to_owned(),
            labels: template.metadata.labels.clone(),
            annotations: template.metadata.annotations.clone(),
            owner_references: vec![owner.clone()],
            ..Default::default()
        },
        spec: template.spec.clone(),
        ..Default::default()
    }
}

/// The name of pod number `index` of an owner.
fn numbered_name(owner: &str, index: u64) -> String {
    generated_name(&format!("{owner}-"), index)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_many_pods_are_cut_and_told_once() {
        let mut made = Expansion::default();
        assert_eq!(made.room_for(-5), 0);
        assert_eq!(made.room_for(7), 7);
        assert_eq!(made.room_for(i32::MAX), 100_000);
        made.replicas.push(Pod::default());
        assert_eq!(made.room_for(i32::MAX), 99_999);
        assert_eq!(made.notes.len(), 1);
    }
}
