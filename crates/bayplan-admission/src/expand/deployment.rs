//! Deployments, ReplicaSets and ReplicationControllers (`pkg/controller/deployment/sync.go:getNewReplicaSet`,
//! `pkg/controller/replicaset/replica_set.go`, v1.37.2).

use bayplan_model::object::{
    Deployment, LabelSelector, Object, ObjectMeta, ObjectRef, OwnerReference, PodTemplateSpec, ReplicaSet,
    ReplicaSetSpec,
};

use super::{Expansion, numbered_name, pod_from_template};
use crate::admission::AdmissionContext;
use crate::defaults::apply_defaults;
use crate::identity::{controller_reference, synthetic_uid, template_hash};

/// Label that tells the revisions of a Deployment apart.
pub(super) const TEMPLATE_HASH_LABEL: &str = "pod-template-hash";

/// Pods that differ only in their name.
pub(super) fn numbered(
    made: &mut Expansion,
    template: &PodTemplateSpec,
    replicas: i32,
    owner_meta: &ObjectMeta,
    owner: &OwnerReference,
) {
    for index in 0..made.room_for(replicas) {
        let name = numbered_name(&owner_meta.name, u64::from(index.unsigned_abs()));
        made.replicas
            .push(pod_from_template(template, &owner_meta.namespace, name, owner));
    }
}

/// The ReplicaSet of the Deployment's current template and its pods.
pub(super) fn deployment(made: &mut Expansion, deployment: &Deployment, context: &AdmissionContext) {
    let existing = existing_revision(deployment, context);
    if existing.is_none() && deployment.spec.paused {
        made.note("the Deployment is paused: its controller starts no new revision, so there are no pods");
        return;
    }
    let mut set = existing.unwrap_or_else(|| new_revision(deployment));
    set.spec.replicas = deployment.spec.replicas;
    let owner = controller_reference("apps/v1", "ReplicaSet", &set.metadata);
    numbered(
        made,
        &set.spec.template,
        deployment.spec.replicas.unwrap_or(1),
        &set.metadata,
        &owner,
    );
    made.created.push(Object::ReplicaSet(set));
}

/// The oldest ReplicaSet of the cluster with the same template, its hash label aside
/// (`pkg/controller/deployment/util/deployment_util.go:FindNewReplicaSet`).
fn existing_revision(deployment: &Deployment, context: &AdmissionContext) -> Option<ReplicaSet> {
    let metadata = &deployment.metadata;
    context
        .replica_sets_of(&metadata.namespace, &metadata.name)
        .iter()
        .filter_map(|set| {
            let mut object = Object::ReplicaSet(set.clone());
            apply_defaults(&mut object);
            let Object::ReplicaSet(set) = object else {
                return None;
            };
            let mut template = set.spec.template.clone();
            template.metadata.labels.remove(TEMPLATE_HASH_LABEL);
            same_template(&template, &deployment.spec.template).then_some(set)
        })
        .min_by(|one, other| {
            let age = |set: &ReplicaSet| (set.metadata.creation_timestamp, set.metadata.name.clone());
            age(one).cmp(&age(other))
        })
}

fn same_template(one: &PodTemplateSpec, other: &PodTemplateSpec) -> bool {
    one.metadata.labels == other.metadata.labels
        && one.metadata.annotations == other.metadata.annotations
        && one.spec == other.spec
}

fn new_revision(deployment: &Deployment) -> ReplicaSet {
    let mut template = deployment.spec.template.clone();
    let hash = template_hash(&template);
    template
        .metadata
        .labels
        .insert(TEMPLATE_HASH_LABEL.to_owned(), hash.clone());
    let mut selector: LabelSelector = deployment.spec.selector.clone().unwrap_or_default();
    selector
        .match_labels
        .insert(TEMPLATE_HASH_LABEL.to_owned(), hash.clone());
    let metadata = &deployment.metadata;
    let name = format!("{}-{hash}", metadata.name);
    ReplicaSet {
        metadata: ObjectMeta {
            uid: synthetic_uid(&ObjectRef {
                namespace: metadata.namespace.clone(),
                kind: "ReplicaSet".to_owned(),
                name: name.clone(),
            }),
            name,
            namespace: metadata.namespace.clone(),
            labels: template.metadata.labels.clone(),
            owner_references: vec![controller_reference("apps/v1", "Deployment", metadata)],
            ..Default::default()
        },
        spec: ReplicaSetSpec {
            selector: Some(selector),
            template,
            min_ready_seconds: deployment.spec.min_ready_seconds,
            ..Default::default()
        },
        ..Default::default()
    }
}
