//! Controllers of pods.

use bayplan_model::object::{
    CronJob, DaemonSet, Deployment, IntOrString, Job, JobSpec, LabelSelector, LeaderWorkerNetworkConfig,
    LeaderWorkerRollingUpdate, LeaderWorkerSet, ObjectMeta, PersistentVolumeClaim, PodTemplateSpec,
    ReplicaSet, ReplicationController, RollingUpdateDaemonSet, RollingUpdateDeployment,
    RollingUpdateStatefulSet, StatefulSet,
};

use super::pod::pod_spec;
use super::{claim_spec, set_if_empty, set_if_none};

const ROLLING_UPDATE: &str = "RollingUpdate";
/// Seconds without progress before a rollout counts as failed.
const PROGRESS_DEADLINE_SECONDS: i32 = 600;
/// Counts the changes of a DaemonSet's template; set to 1 when it is created.
pub(crate) const TEMPLATE_GENERATION_ANNOTATION: &str = "deprecated.daemonset.template.generation";
const CONTROLLER_UID_LABEL: &str = "batch.kubernetes.io/controller-uid";

fn template(template: &mut PodTemplateSpec) {
    pod_spec(&mut template.spec);
}

fn quarter() -> IntOrString {
    IntOrString::String("25%".to_owned())
}

pub(super) fn deployment(deployment: &mut Deployment) {
    let spec = &mut deployment.spec;
    template(&mut spec.template);
    spec.replicas.get_or_insert(1);
    spec.progress_deadline_seconds
        .get_or_insert(PROGRESS_DEADLINE_SECONDS);
    let strategy = &mut spec.strategy;
    set_if_empty(&mut strategy.kind, ROLLING_UPDATE);
    if strategy.kind == ROLLING_UPDATE {
        let rolling = strategy
            .rolling_update
            .get_or_insert_with(RollingUpdateDeployment::default);
        rolling.max_unavailable.get_or_insert_with(quarter);
        rolling.max_surge.get_or_insert_with(quarter);
    }
}

pub(super) fn replica_set(set: &mut ReplicaSet) {
    template(&mut set.spec.template);
    set.spec.replicas.get_or_insert(1);
}

pub(super) fn replication_controller(controller: &mut ReplicationController) {
    let spec = &mut controller.spec;
    spec.replicas.get_or_insert(1);
    if let Some(pods) = &mut spec.template {
        template(pods);
        let labels = &pods.metadata.labels;
        if spec.selector.is_empty() {
            spec.selector.clone_from(labels);
        }
        if controller.metadata.labels.is_empty() {
            controller.metadata.labels.clone_from(labels);
        }
    }
}

pub(super) fn stateful_set(set: &mut StatefulSet) {
    let spec = &mut set.spec;
    template(&mut spec.template);
    claims(&mut spec.volume_claim_templates);
    spec.replicas.get_or_insert(1);
    set_if_empty(&mut spec.pod_management_policy, "OrderedReady");
    let strategy = &mut spec.update_strategy;
    if strategy.kind.is_empty() {
        ROLLING_UPDATE.clone_into(&mut strategy.kind);
        strategy
            .rolling_update
            .get_or_insert_with(RollingUpdateStatefulSet::default);
    }
    if strategy.kind == ROLLING_UPDATE
        && let Some(rolling) = &mut strategy.rolling_update
    {
        rolling.partition.get_or_insert(0);
        rolling.max_unavailable.get_or_insert(IntOrString::Int(1));
    }
}

fn claims(claims: &mut [PersistentVolumeClaim]) {
    for claim in claims {
        claim_spec(&mut claim.spec);
        set_if_empty(&mut claim.status.phase, "Pending");
    }
}

pub(super) fn daemon_set(set: &mut DaemonSet) {
    template(&mut set.spec.template);
    set.metadata
        .annotations
        .entry(TEMPLATE_GENERATION_ANNOTATION.to_owned())
        .or_insert_with(|| "1".to_owned());
    let strategy = &mut set.spec.update_strategy;
    set_if_empty(&mut strategy.kind, ROLLING_UPDATE);
    if strategy.kind == ROLLING_UPDATE {
        let rolling = strategy
            .rolling_update
            .get_or_insert_with(RollingUpdateDaemonSet::default);
        rolling.max_unavailable.get_or_insert(IntOrString::Int(1));
        rolling.max_surge.get_or_insert(IntOrString::Int(0));
    }
}

/// A Job, with the selector and the labels that the API server generates before it validates
/// (`pkg/registry/batch/job/strategy.go:generateSelector`).
pub(super) fn job(job: &mut Job) {
    job_spec(&mut job.spec);
    let template_labels = &job.spec.template.metadata.labels;
    // Only the labels that were written, not those that are generated below.
    if job.metadata.labels.is_empty() && !template_labels.contains_key(CONTROLLER_UID_LABEL) {
        job.metadata.labels.clone_from(template_labels);
    }
    if job.spec.manual_selector != Some(true) {
        generate_selector(&job.metadata, &mut job.spec);
    }
}

fn job_spec(spec: &mut JobSpec) {
    template(&mut spec.template);
    if spec.completions.is_none() && spec.parallelism.is_none() {
        spec.completions = Some(1);
    }
    spec.parallelism.get_or_insert(1);
    set_if_none(&mut spec.completion_mode, "NonIndexed");
    spec.suspend.get_or_insert(false);
    spec.manual_selector.get_or_insert(false);
}

fn generate_selector(metadata: &ObjectMeta, spec: &mut JobSpec) {
    let labels = &mut spec.template.metadata.labels;
    for (key, value) in [
        ("job-name", &metadata.name),
        ("batch.kubernetes.io/job-name", &metadata.name),
        ("controller-uid", &metadata.uid),
        (CONTROLLER_UID_LABEL, &metadata.uid),
    ] {
        labels.entry(key.to_owned()).or_insert_with(|| value.clone());
    }
    spec.selector
        .get_or_insert_with(LabelSelector::default)
        .match_labels
        .entry(CONTROLLER_UID_LABEL.to_owned())
        .or_insert_with(|| metadata.uid.clone());
}

pub(super) fn cron_job(cron: &mut CronJob) {
    template(&mut cron.spec.job_template.spec.template);
    cron.spec.suspend.get_or_insert(false);
}

/// A LeaderWorkerSet, by its schema and its webhook (kubernetes-sigs/lws).
pub(super) fn leader_worker_set(set: &mut LeaderWorkerSet) {
    let spec = &mut set.spec;
    spec.replicas.get_or_insert(1);
    set_if_empty(&mut spec.startup_policy, "LeaderCreated");
    let group = &mut spec.leader_worker_template;
    group.size.get_or_insert(1);
    template(&mut group.worker_template);
    if let Some(leader) = &mut group.leader_template {
        template(leader);
    }
    claims(&mut group.volume_claim_templates);
    set_if_empty(&mut group.restart_policy, "RecreateGroupOnPodRestart");
    if group.restart_policy == "Default" {
        "None".clone_into(&mut group.restart_policy);
    }
    if let Some(policy) = &mut group.sub_group_policy {
        set_if_none(&mut policy.kind, "LeaderWorker");
    }
    let strategy = &mut spec.rollout_strategy;
    set_if_empty(&mut strategy.kind, ROLLING_UPDATE);
    let rolling = strategy
        .rolling_update_configuration
        .get_or_insert_with(LeaderWorkerRollingUpdate::default);
    rolling.partition.get_or_insert(0);
    rolling.max_unavailable.get_or_insert(IntOrString::Int(1));
    rolling.max_surge.get_or_insert(IntOrString::Int(0));
    let network = spec
        .network_config
        .get_or_insert_with(LeaderWorkerNetworkConfig::default);
    set_if_none(&mut network.subdomain_policy, "Shared");
}
