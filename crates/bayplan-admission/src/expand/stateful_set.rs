//! StatefulSets (`pkg/controller/statefulset/stateful_set_utils.go`, v1.37.2).

use bayplan_model::object::{
    PersistentVolumeClaim, PersistentVolumeClaimVolumeSource, Pod, StatefulSet, Volume,
};

use super::{Expansion, pod_from_template};
use crate::identity::{controller_reference, template_hash};

/// Label that tells the revisions of a StatefulSet or a DaemonSet apart.
pub(super) const REVISION_LABEL: &str = "controller-revision-hash";
const POD_NAME_LABEL: &str = "statefulset.kubernetes.io/pod-name";
const POD_INDEX_LABEL: &str = "apps.kubernetes.io/pod-index";

/// The pods by ordinal, and their claims.
pub(super) fn stateful_set(made: &mut Expansion, set: &StatefulSet) {
    let replicas = made.room_for(set.spec.replicas.unwrap_or(1));
    for (pod, claims) in pods(set, replicas) {
        made.replicas.push(pod);
        made.claims.extend(claims);
    }
}

/// Pod and claims of each of the first `replicas` ordinals.
pub(super) fn pods(
    set: &StatefulSet,
    replicas: i32,
) -> impl Iterator<Item = (Pod, Vec<PersistentVolumeClaim>)> {
    let revision = format!("{}-{}", set.metadata.name, template_hash(&set.spec.template));
    let start = set.spec.ordinals.as_ref().map_or(0, |ordinals| ordinals.start);
    let owner = controller_reference("apps/v1", "StatefulSet", &set.metadata);
    (0..replicas).map(move |index| {
        let ordinal = i64::from(start) + i64::from(index);
        let name = format!("{}-{ordinal}", set.metadata.name);
        let mut pod = pod_from_template(&set.spec.template, &set.metadata.namespace, name.clone(), &owner);
        let claims = claims(set, &name);
        pod.spec.volumes = volumes(set, std::mem::take(&mut pod.spec.volumes), &name);
        let labels = &mut pod.metadata.labels;
        labels.insert(POD_NAME_LABEL.to_owned(), name);
        labels.insert(POD_INDEX_LABEL.to_owned(), ordinal.to_string());
        labels.insert(REVISION_LABEL.to_owned(), revision.clone());
        (pod, claims)
    })
}

/// The claims' volumes and those of the template that they do not replace.
fn volumes(set: &StatefulSet, own: Vec<Volume>, pod_name: &str) -> Vec<Volume> {
    let templates = &set.spec.volume_claim_templates;
    let mut volumes: Vec<Volume> = templates
        .iter()
        .map(|template| Volume {
            name: template.metadata.name.clone(),
            persistent_volume_claim: Some(PersistentVolumeClaimVolumeSource {
                claim_name: format!("{}-{pod_name}", template.metadata.name),
                read_only: false,
            }),
            ..Default::default()
        })
        .collect();
    volumes.extend(own.into_iter().filter(|volume| {
        !templates
            .iter()
            .any(|template| template.metadata.name == volume.name)
    }));
    volumes
}

fn claims(set: &StatefulSet, pod_name: &str) -> Vec<PersistentVolumeClaim> {
    let selector = set.spec.selector.as_ref();
    set.spec
        .volume_claim_templates
        .iter()
        .map(|template| {
            let mut claim = template.clone();
            claim.metadata.name = format!("{}-{pod_name}", template.metadata.name);
            claim.metadata.namespace.clone_from(&set.metadata.namespace);
            if let Some(selector) = selector {
                claim.metadata.labels.extend(selector.match_labels.clone());
            }
            claim
        })
        .collect()
}
