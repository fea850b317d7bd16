//! Controllers that make pods from one template (`pkg/apis/apps/validation/validation.go`,
//! `pkg/apis/core/validation/validation.go:ValidateReplicationController`, v1.37.2).

use bayplan_model::names::dns_label_errors;
use bayplan_model::object::{
    DaemonSet, Deployment, LabelSelector, PodSpec, PodTemplateSpec, ReplicaSet, ReplicationController,
    StatefulSet, Volume,
};
use bayplan_model::selector::Selector;

use crate::field::{Faults, FieldPath, Value};
use crate::validation::meta::{NameRule, annotations, label_selector, labels, object_meta};
use crate::validation::pod::{pod_annotations, pod_spec};
use crate::validation::storage::claim_spec;
use crate::validation::strategy::{daemon_set_strategy, deployment_strategy, stateful_set_strategy};

const SELECTOR_MISMATCH_TEXT: &str = "`selector` does not match template `labels`";

/// A pod template without regard to who holds it.
pub(crate) fn pod_template(faults: &mut Faults, template: &PodTemplateSpec, path: &FieldPath) {
    template_metadata(faults, template, path);
    pod_spec(faults, &template.spec, None, &path.child("spec"));
}

fn template_metadata(faults: &mut Faults, template: &PodTemplateSpec, path: &FieldPath) {
    labels(faults, &template.metadata.labels, &path.child("labels"));
    annotations(faults, &template.metadata.annotations, &path.child("annotations"));
    pod_annotations(
        faults,
        &template.metadata.annotations,
        &template.spec,
        &path.child("annotations"),
    );
}

/// Labels of a template as the API server shows them; none are `null`.
pub(crate) fn labels_value(template: &PodTemplateSpec) -> Value {
    if template.metadata.labels.is_empty() {
        Value::raw("null")
    } else {
        Value::json(&template.metadata.labels)
    }
}

fn always_restarts(faults: &mut Faults, spec: &PodSpec, template_path: &FieldPath) {
    if spec.restart_policy != "Always" {
        faults.not_supported(
            template_path.child("spec").child("restartPolicy"),
            Value::json(&spec.restart_policy),
            &["Always"],
        );
    }
}

/// The selector that is required and must not be empty; gives it parsed, or nothing when it cannot be.
fn required_selector(
    faults: &mut Faults,
    selector: Option<&LabelSelector>,
    kind_name: &str,
    invalid_detail: &str,
    path: &FieldPath,
) -> Option<Selector> {
    match selector {
        None => faults.required(path.clone(), ""),
        Some(given) => {
            label_selector(faults, Some(given), path);
            if given.match_labels.is_empty() && given.match_expressions.is_empty() {
                faults.invalid(
                    path.clone(),
                    Value::selector(Some(given)),
                    format!("empty selector is invalid for {kind_name}"),
                );
            }
        }
    }
    match Selector::from_label_selector(selector) {
        Ok(parsed) => Some(parsed),
        Err(_) => {
            faults.invalid(path.clone(), Value::selector(selector), invalid_detail);
            None
        }
    }
}

fn selects_own_pods(faults: &mut Faults, selector: &Selector, template: &PodTemplateSpec, path: &FieldPath) {
    if !selector.is_empty() && !selector.matches(&template.metadata.labels) {
        faults.invalid(
            path.child("metadata").child("labels"),
            labels_value(template),
            SELECTOR_MISMATCH_TEXT,
        );
    }
}

fn replica_set_template(
    faults: &mut Faults,
    selector: &Selector,
    template: &PodTemplateSpec,
    path: &FieldPath,
) {
    selects_own_pods(faults, selector, template, path);
    pod_template(faults, template, path);
    always_restarts(faults, &template.spec, path);
}

/// A Deployment.
pub(crate) fn deployment(faults: &mut Faults, deployment: &Deployment) {
    let root = FieldPath::root();
    let path = root.child("spec");
    let spec = &deployment.spec;
    object_meta(
        faults,
        &deployment.metadata,
        true,
        NameRule::Subdomain,
        &root.child("metadata"),
    );
    faults.nonnegative(path.child("replicas"), i64::from(spec.replicas.unwrap_or(1)));
    let selector = required_selector(
        faults,
        spec.selector.as_ref(),
        "deployment",
        "invalid label selector",
        &path.child("selector"),
    );
    if let Some(selector) = selector {
        replica_set_template(faults, &selector, &spec.template, &path.child("template"));
    }
    deployment_strategy(faults, deployment, &path.child("strategy"));
    faults.nonnegative(path.child("minReadySeconds"), i64::from(spec.min_ready_seconds));
    if let Some(seconds) = spec.progress_deadline_seconds {
        faults.nonnegative(path.child("progressDeadlineSeconds"), i64::from(seconds));
        if seconds <= spec.min_ready_seconds {
            faults.invalid(
                path.child("progressDeadlineSeconds"),
                seconds,
                "must be greater than minReadySeconds",
            );
        }
    }
}

/// A ReplicaSet.
pub(crate) fn replica_set(faults: &mut Faults, set: &ReplicaSet) {
    let root = FieldPath::root();
    let path = root.child("spec");
    object_meta(
        faults,
        &set.metadata,
        true,
        NameRule::Subdomain,
        &root.child("metadata"),
    );
    faults.nonnegative(path.child("replicas"), i64::from(set.spec.replicas.unwrap_or(1)));
    faults.nonnegative(
        path.child("minReadySeconds"),
        i64::from(set.spec.min_ready_seconds),
    );
    let selector = required_selector(
        faults,
        set.spec.selector.as_ref(),
        // The API server says so for ReplicaSets, too.
        "deployment",
        "invalid label selector",
        &path.child("selector"),
    );
    if let Some(selector) = selector {
        replica_set_template(faults, &selector, &set.spec.template, &path.child("template"));
    }
}

/// A ReplicationController.
pub(crate) fn replication_controller(faults: &mut Faults, controller: &ReplicationController) {
    let root = FieldPath::root();
    let path = root.child("spec");
    let spec = &controller.spec;
    object_meta(
        faults,
        &controller.metadata,
        true,
        NameRule::Subdomain,
        &root.child("metadata"),
    );
    if spec.selector.is_empty() {
        faults.required(path.child("selector"), "");
    }
    let template_path = path.child("template");
    match &spec.template {
        None => faults.required(template_path, ""),
        Some(template) => {
            replica_set_template(
                faults,
                &Selector::from_labels(&spec.selector),
                template,
                &template_path,
            );
        }
    }
    // Checked after the rest: these rules are declared with the type.
    faults.nonnegative(path.child("replicas"), i64::from(spec.replicas.unwrap_or(1)));
}

/// A StatefulSet.
pub(crate) fn stateful_set(faults: &mut Faults, set: &StatefulSet) {
    let root = FieldPath::root();
    let path = root.child("spec");
    let spec = &set.spec;
    object_meta(
        faults,
        &set.metadata,
        true,
        NameRule::Label,
        &root.child("metadata"),
    );
    match spec.pod_management_policy.as_str() {
        "" => faults.required(path.child("podManagementPolicy"), ""),
        "OrderedReady" | "Parallel" => {}
        other => faults.invalid(
            path.child("podManagementPolicy"),
            Value::json(other),
            "must be 'OrderedReady' or 'Parallel'",
        ),
    }
    stateful_set_strategy(faults, set, &path.child("updateStrategy"));
    for (index, claim) in spec.volume_claim_templates.iter().enumerate() {
        claim_spec(
            faults,
            &claim.spec,
            &path.child("volumeClaimTemplates").index(index).child("spec"),
        );
    }
    faults.nonnegative(path.child("replicas"), i64::from(spec.replicas.unwrap_or(1)));
    faults.nonnegative(path.child("minReadySeconds"), i64::from(spec.min_ready_seconds));
    if let Some(ordinals) = &spec.ordinals {
        faults.nonnegative(path.child("ordinals").child("start"), i64::from(ordinals.start));
    }
    if !spec.service_name.is_empty() {
        faults.invalid_each(
            &path.child("serviceName"),
            &spec.service_name,
            dns_label_errors(&spec.service_name),
        );
    }
    let selector = required_selector(
        faults,
        spec.selector.as_ref(),
        "statefulset",
        "",
        &path.child("selector"),
    );
    let template_path = path.child("template");
    if let Some(selector) = selector {
        selects_own_pods(faults, &selector, &spec.template, &template_path);
        let template = with_claim_volumes(set);
        pod_template(faults, &template, &template_path);
        // The API server looks at the metadata twice.
        template_metadata(faults, &template, &template_path);
    }
    always_restarts(faults, &spec.template.spec, &template_path);
}

/// The template with the volumes that the claims will bring.
fn with_claim_volumes(set: &StatefulSet) -> PodTemplateSpec {
    let mut template = set.spec.template.clone();
    let claims = &set.spec.volume_claim_templates;
    if claims.is_empty() {
        return template;
    }
    let mut volumes: Vec<Volume> = claims
        .iter()
        .map(|claim| Volume {
            name: claim.metadata.name.clone(),
            persistent_volume_claim: Some(bayplan_model::object::PersistentVolumeClaimVolumeSource {
                claim_name: claim.metadata.name.clone(),
                read_only: false,
            }),
            ..Default::default()
        })
        .collect();
    volumes.sort_by(|one, other| one.name.cmp(&other.name));
    volumes.dedup_by(|one, other| one.name == other.name);
    let own = std::mem::take(&mut template.spec.volumes);
    volumes.extend(
        own.into_iter()
            .filter(|volume| !claims.iter().any(|claim| claim.metadata.name == volume.name)),
    );
    template.spec.volumes = volumes;
    template
}

/// A DaemonSet.
pub(crate) fn daemon_set(faults: &mut Faults, set: &DaemonSet) {
    let root = FieldPath::root();
    let path = root.child("spec");
    let spec = &set.spec;
    object_meta(
        faults,
        &set.metadata,
        true,
        NameRule::Subdomain,
        &root.child("metadata"),
    );
    label_selector(faults, spec.selector.as_ref(), &path.child("selector"));
    let template_path = path.child("template");
    if let Ok(selector) = Selector::from_label_selector(spec.selector.as_ref())
        && !selector.matches(&spec.template.metadata.labels)
    {
        faults.invalid(
            template_path.child("metadata").child("labels"),
            labels_value(&spec.template),
            SELECTOR_MISMATCH_TEXT,
        );
    }
    if let Some(selector) = &spec.selector
        && selector.match_labels.is_empty()
        && selector.match_expressions.is_empty()
    {
        faults.invalid(
            path.child("selector"),
            Value::selector(Some(selector)),
            "empty selector is invalid for daemonset",
        );
    }
    pod_template(faults, &spec.template, &template_path);
    always_restarts(faults, &spec.template.spec, &template_path);
    faults.nonnegative(path.child("minReadySeconds"), i64::from(spec.min_ready_seconds));
    daemon_set_strategy(faults, set, &path.child("updateStrategy"));
}
