//! Jobs and CronJobs (`pkg/apis/batch/validation/validation.go`, v1.37.2).

use bayplan_model::names::dns_label_errors;
use bayplan_model::object::{CronJob, Job, JobSpec, Labels};
use bayplan_model::selector::Selector;

use crate::field::{Faults, FieldPath, Value};
use crate::validation::meta::{NameRule, label_selector, object_meta};
use crate::validation::workload::{labels_value, pod_template};

const CONTROLLER_UID_LABELS: [&str; 2] = ["controller-uid", "batch.kubernetes.io/controller-uid"];
const JOB_NAME_LABELS: [&str; 2] = ["job-name", "batch.kubernetes.io/job-name"];
/// Most pods of an Indexed Job at a time.
const INDEXED_PARALLELISM_MAX: i32 = 100_000;
/// Longest name of a CronJob, in bytes: its Jobs get 11 more.
const CRON_JOB_NAME_LENGTH_MAX: usize = 52;

/// A Job whose selector and labels have been filled in.
pub(crate) fn job(faults: &mut Faults, job: &Job) {
    let root = FieldPath::root();
    let path = root.child("spec");
    object_meta(
        faults,
        &job.metadata,
        true,
        NameRule::Subdomain,
        &root.child("metadata"),
    );
    if job.spec.manual_selector != Some(true) && job.spec.selector.is_some() {
        generated_selector(faults, job);
    }
    job_spec(faults, &job.spec, &path);
    let selector_path = path.child("selector");
    if job.spec.selector.is_none() {
        faults.required(selector_path.clone(), "");
    }
    label_selector(faults, job.spec.selector.as_ref(), &selector_path);
    if let Ok(selector) = Selector::from_label_selector(job.spec.selector.as_ref())
        && !selector.matches(&job.spec.template.metadata.labels)
    {
        faults.invalid(
            path.child("template").child("metadata").child("labels"),
            labels_value(&job.spec.template),
            "`selector` does not match template `labels`",
        );
    }
    if is_indexed(&job.spec)
        && let Some(completions) = job.spec.completions.filter(|completions| *completions > 0)
    {
        let host_name = format!("{}-{}", job.metadata.name, completions - 1);
        if !dns_label_errors(&host_name).is_empty() {
            faults.invalid(
                root.child("metadata").child("name"),
                &job.metadata.name,
                format!("will not able to create pod with invalid DNS label: {host_name}"),
            );
        }
    }
}

fn is_indexed(spec: &JobSpec) -> bool {
    spec.completion_mode.as_deref() == Some("Indexed")
}

fn generated_selector(faults: &mut Faults, job: &Job) {
    let path = FieldPath::root()
        .child("spec")
        .child("template")
        .child("metadata")
        .child("labels");
    let labels = &job.spec.template.metadata.labels;
    let mut expected = Labels::new();
    for (uid_label, name_label) in CONTROLLER_UID_LABELS.into_iter().zip(JOB_NAME_LABELS) {
        for (key, value) in [(uid_label, &job.metadata.uid), (name_label, &job.metadata.name)] {
            match labels.get(key) {
                None => faults.required(path.key(key), format!("must be '{value}'")),
                Some(actual) if actual != value => {
                    faults.invalid(path.key(key), Value::json(labels), format!("must be '{value}'"));
                }
                Some(_) => {}
            }
            expected.insert(key.to_owned(), value.clone());
        }
    }
    if let Ok(selector) = Selector::from_label_selector(job.spec.selector.as_ref())
        && !selector.matches(&expected)
    {
        faults.invalid(
            FieldPath::root().child("spec").child("selector"),
            Value::selector(job.spec.selector.as_ref()),
            "`selector` not auto-generated",
        );
    }
}

fn job_spec(faults: &mut Faults, spec: &JobSpec, path: &FieldPath) {
    for (name, value) in [
        ("parallelism", spec.parallelism),
        ("completions", spec.completions),
    ] {
        if let Some(value) = value {
            faults.nonnegative(path.child(name), i64::from(value));
        }
    }
    if let Some(mode) = spec.completion_mode.as_deref()
        && !matches!(mode, "NonIndexed" | "Indexed")
    {
        faults.not_supported(
            path.child("completionMode"),
            Value::json(mode),
            &["NonIndexed", "Indexed"],
        );
    }
    if is_indexed(spec) {
        if spec.completions.is_none() {
            faults.required(path.child("completions"), "when completion mode is Indexed");
        }
        if let Some(parallelism) = spec.parallelism.filter(|value| *value > INDEXED_PARALLELISM_MAX) {
            faults.invalid(
                path.child("parallelism"),
                parallelism,
                format!(
                    "must be less than or equal to {INDEXED_PARALLELISM_MAX} when completion mode is Indexed"
                ),
            );
        }
    }
    let template_path = path.child("template");
    pod_template(faults, &spec.template, &template_path);
    let restart_path = template_path.child("spec").child("restartPolicy");
    match spec.template.spec.restart_policy.as_str() {
        "OnFailure" | "Never" => {}
        "" | "Always" => faults.required(restart_path, "valid values: \"OnFailure\", \"Never\""),
        other => faults.not_supported(restart_path, Value::json(other), &["OnFailure", "Never"]),
    }
}

/// A CronJob; the schedule's syntax is not checked.
pub(crate) fn cron_job(faults: &mut Faults, cron: &CronJob) {
    let root = FieldPath::root();
    let path = root.child("spec");
    object_meta(
        faults,
        &cron.metadata,
        true,
        NameRule::Subdomain,
        &root.child("metadata"),
    );
    if cron.spec.schedule.is_empty() {
        faults.required(path.child("schedule"), "");
    } else if cron.spec.schedule.contains("TZ") {
        faults.invalid(
            path.child("schedule"),
            &cron.spec.schedule,
            "cannot use TZ or CRON_TZ in schedule, use timeZone field instead",
        );
    }
    let template = &cron.spec.job_template.spec;
    let template_path = path.child("jobTemplate").child("spec");
    job_spec(faults, template, &template_path);
    if template.selector.is_some() {
        faults.invalid(
            template_path.child("selector"),
            Value::selector(template.selector.as_ref()),
            "`selector` will be auto-generated",
        );
    }
    if template.manual_selector == Some(true) {
        faults.not_supported(
            template_path.child("manualSelector"),
            Value::raw("true"),
            &["nil", "false"],
        );
    }
    if cron.metadata.name.len() > CRON_JOB_NAME_LENGTH_MAX {
        faults.invalid(
            root.child("metadata").child("name"),
            &cron.metadata.name,
            "must be no more than 52 characters",
        );
    }
}
