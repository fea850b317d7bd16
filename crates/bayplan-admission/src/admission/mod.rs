//! What the API server's admission plugins and its pod strategy change on a pod that is created, and what they refuse.
//!
//! The plugins that are on by default run in their order: LimitRanger, Priority, DefaultTolerationSeconds,
//! RuntimeClass, then the pod strategy; after validation LimitRanger's bounds and RuntimeClass's overhead. Webhooks,
//! quotas, service accounts and pod security are not known here.

mod context;
mod label_keys;
mod limit_ranger;
mod priority;
mod runtime_class;

use bayplan_model::object::{Labels, PersistentVolumeClaim, Pod, Toleration};

use crate::defaults::pod_level_resources;

pub use context::{AdmissionContext, SYSTEM_PRIORITY_CLASSES};

/// Seconds that pods stay on a node that is not ready or unreachable
/// (`plugin/pkg/admission/defaulttolerationseconds/admission.go`, v1.37.2).
pub const DEFAULT_TOLERATION_SECONDS: i64 = 300;

/// Node labels that a pod gets when it is bound (`plugin/pkg/admission/podtopologylabels/admission.go`, v1.37.2).
const TOPOLOGY_LABELS: [&str; 2] = ["topology.kubernetes.io/region", "topology.kubernetes.io/zone"];

/// Why a plugin refuses a pod or a claim.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{text}")]
pub struct Rejection {
    /// Field of the specification that it is about; empty when it is about several.
    pub field: &'static str,
    /// The plugin's text, without the words `pods "name" is forbidden: ` that the API server puts before it.
    pub text: String,
}

impl Rejection {
    fn new(field: &'static str, text: String) -> Rejection {
        Rejection { field, text }
    }
}

/// A class that a pod names and that cannot be looked up, because nothing of its kind was given.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Unresolved {
    /// PriorityClass; the priority was taken as 0.
    PriorityClass(String),
    /// RuntimeClass; nothing was added to the pod.
    RuntimeClass(String),
}

/// Changes a pod with its defaults filled in into the pod that is validated and stored; gives the classes that are not
/// known. Once it is validated, [`check_pod`] has the last word.
///
/// # Errors
/// A plugin that changes pods refuses this one.
pub fn admit_pod(pod: &mut Pod, context: &AdmissionContext) -> Result<Vec<Unresolved>, Rejection> {
    for range in context.limit_ranges_of(&pod.metadata.namespace) {
        limit_ranger::set_defaults(&mut pod.spec, range);
    }
    let mut unresolved = Vec::new();
    unresolved.extend(priority::admit(&mut pod.spec, context)?.map(Unresolved::PriorityClass));
    add_default_tolerations(&mut pod.spec.tolerations);
    unresolved.extend(runtime_class::admit(&mut pod.spec, context)?.map(Unresolved::RuntimeClass));
    label_keys::merge(pod);
    pod_level_resources(&mut pod.spec);
    Ok(unresolved)
}

/// Runs the plugins that only look at a pod, after it has been validated.
///
/// # Errors
/// A limit range or the runtime class refuses the pod.
pub fn check_pod(pod: &Pod, context: &AdmissionContext) -> Result<(), Rejection> {
    for range in context.limit_ranges_of(&pod.metadata.namespace) {
        if let Some(text) = limit_ranger::violations(&pod.spec, range) {
            return Err(Rejection::new("containers", text));
        }
    }
    runtime_class::check(&pod.spec, context)
}

/// Turns a claim with its defaults filled in into the claim that is stored: it gets the default class.
///
/// # Errors
/// A limit range refuses the claim.
pub fn admit_claim(claim: &mut PersistentVolumeClaim, context: &AdmissionContext) -> Result<(), Rejection> {
    let has_class = claim.spec.storage_class_name.is_some()
        || claim
            .metadata
            .annotations
            .contains_key("volume.beta.kubernetes.io/storage-class");
    if !has_class && let Some(class) = context.default_storage_class() {
        claim.spec.storage_class_name = Some(class.metadata.name.clone());
    }
    for range in context.limit_ranges_of(&claim.metadata.namespace) {
        if let Some(text) = limit_ranger::claim_violations(claim, range) {
            return Err(Rejection::new("resources", text));
        }
    }
    Ok(())
}

/// Tolerations of nodes that are not ready or unreachable, unless the pod has its own.
fn add_default_tolerations(tolerations: &mut Vec<Toleration>) {
    let missing: Vec<&str> = ["node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"]
        .into_iter()
        .filter(|key| {
            !tolerations.iter().any(|toleration| {
                (toleration.key == *key || toleration.key.is_empty())
                    && matches!(toleration.effect.as_str(), "" | "NoExecute")
            })
        })
        .collect();
    tolerations.extend(missing.into_iter().map(|key| Toleration {
        key: key.to_owned(),
        operator: "Exists".to_owned(),
        effect: "NoExecute".to_owned(),
        toleration_seconds: Some(DEFAULT_TOLERATION_SECONDS),
        ..Default::default()
    }));
}

/// Labels that a pod takes over from its node when it is bound; they replace those the pod had.
pub fn labels_copied_at_bind(node_labels: &Labels) -> Labels {
    TOPOLOGY_LABELS
        .into_iter()
        .filter_map(|key| Some((key.to_owned(), node_labels.get(key)?.clone())))
        .collect()
}
