//! Jobs and CronJobs (`pkg/controller/job/job_controller.go:manageJob`, `pkg/controller/cronjob/utils.go`, v1.37.2).

use bayplan_model::object::{CronJob, Job, Object, ObjectMeta};

use super::deployment::numbered;
use super::{Expansion, pod_from_template};
use crate::defaults::apply_defaults;
use crate::identity::{GENERATED_PREFIX_LENGTH_MAX, controller_reference, generated_name};

const INDEX_KEY: &str = "batch.kubernetes.io/job-completion-index";

/// The pods that run at the same time at the start.
pub(super) fn job(made: &mut Expansion, job: &Job) {
    if job.spec.suspend == Some(true) {
        made.note("the Job is suspended: it has no pods");
        return;
    }
    let parallelism = job.spec.parallelism.unwrap_or(1);
    let active = job
        .spec
        .completions
        .map_or(parallelism, |completions| completions.min(parallelism));
    let owner = controller_reference("batch/v1", "Job", &job.metadata);
    if job.spec.completion_mode.as_deref() != Some("Indexed") {
        numbered(made, &job.spec.template, active, &job.metadata, &owner);
        return;
    }
    for index in 0..made.room_for(active) {
        let name = generated_name(&indexed_prefix(&job.metadata.name, index), 0);
        let mut pod = pod_from_template(&job.spec.template, &job.metadata.namespace, name, &owner);
        for map in [&mut pod.metadata.labels, &mut pod.metadata.annotations] {
            map.insert(INDEX_KEY.to_owned(), index.to_string());
        }
        made.replicas.push(pod);
    }
}

/// `podGenerateNameWithIndex`: a long Job name is cut, never the index.
fn indexed_prefix(job_name: &str, index: i32) -> String {
    let ending = format!("-{index}-");
    let mut end = job_name
        .len()
        .min(GENERATED_PREFIX_LENGTH_MAX.saturating_sub(ending.len()));
    while !job_name.is_char_boundary(end) {
        end -= 1;
    }
    format!("{}{ending}", &job_name[..end])
}

/// The next Job of a CronJob. Its name ends in 0 where a cluster puts the minutes of the scheduled time.
pub(super) fn cron_job(made: &mut Expansion, cron: &CronJob) {
    if cron.spec.suspend == Some(true) {
        made.note("the CronJob is suspended: it starts no Job");
        return;
    }
    let template = &cron.spec.job_template;
    let mut object = Object::Job(Job {
        metadata: ObjectMeta {
            name: format!("{}-0", cron.metadata.name),
            namespace: cron.metadata.namespace.clone(),
            labels: template.metadata.labels.clone(),
            annotations: template.metadata.annotations.clone(),
            owner_references: vec![controller_reference("batch/v1", "CronJob", &cron.metadata)],
            ..Default::default()
        },
        spec: template.spec.clone(),
    });
    apply_defaults(&mut object);
    if let Object::Job(next) = &object {
        job(made, next);
        made.note("the pods are those of one run of the CronJob");
    }
    made.created.push(object);
}
