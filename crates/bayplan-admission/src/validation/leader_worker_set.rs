//! LeaderWorkerSets, as their webhook checks them (kubernetes-sigs/lws `pkg/webhooks/leaderworkerset_webhook.go`).

use bayplan_model::object::{IntOrString, LeaderWorkerSet};

use crate::expand::SUB_GROUP_EXCLUSIVE_ANNOTATION;
use crate::field::{Faults, FieldPath, Value};
use crate::validation::meta::{NameRule, object_meta};
use crate::validation::strategy::{at_most_all, int_or_percent};
use crate::validation::workload::pod_template;

/// Most groups.
const REPLICAS_MAX: i32 = 1_000_000;

/// A LeaderWorkerSet. Its templates are checked as those of the StatefulSets that it becomes.
pub(crate) fn leader_worker_set(faults: &mut Faults, set: &LeaderWorkerSet) {
    let root = FieldPath::root();
    let path = root.child("spec");
    let template = &set.spec.leader_worker_template;
    let template_path = path.child("leaderWorkerTemplate");
    object_meta(
        faults,
        &set.metadata,
        true,
        NameRule::Label1035,
        &root.child("metadata"),
    );
    let replicas = set.spec.replicas.unwrap_or(1);
    let size = template.size.unwrap_or(1);
    if replicas < 0 {
        faults.invalid(
            path.child("replicas"),
            replicas,
            "replicas must be equal or greater than 0",
        );
    }
    if replicas > REPLICAS_MAX {
        faults.invalid(
            path.child("replicas"),
            replicas,
            "replicas must be equal or less than 1000000",
        );
    }
    if size < 1 {
        faults.invalid(
            template_path.child("size"),
            size,
            "size must be equal or greater than 1",
        );
    }
    if i64::from(replicas) * i64::from(size) > i64::from(i32::MAX) {
        faults.invalid(
            path.child("replicas"),
            replicas,
            format!(
                "the product of replicas and worker replicas must not exceed {}",
                i32::MAX
            ),
        );
    }
    rollout(
        faults,
        set,
        replicas,
        &path.child("rolloutStrategy").child("rollingUpdateConfiguration"),
    );
    sub_groups(faults, set, size, &template_path);
    if let Some(leader) = &template.leader_template {
        pod_template(faults, leader, &template_path.child("leaderTemplate"));
    }
    pod_template(
        faults,
        &template.worker_template,
        &template_path.child("workerTemplate"),
    );
}

fn rollout(faults: &mut Faults, set: &LeaderWorkerSet, replicas: i32, path: &FieldPath) {
    let Some(rolling) = &set.spec.rollout_strategy.rolling_update_configuration else {
        return;
    };
    let (one, zero) = (IntOrString::Int(1), IntOrString::Int(0));
    let unavailable = rolling.max_unavailable.as_ref().unwrap_or(&one);
    let surge = rolling.max_surge.as_ref().unwrap_or(&zero);
    let unavailable_path = path.child("maxUnavailable");
    for (value, path) in [(unavailable, &unavailable_path), (surge, &path.child("maxSurge"))] {
        int_or_percent(faults, value, path);
        at_most_all(faults, value, path);
    }
    faults.nonnegative(path.child("partition"), i64::from(rolling.partition.unwrap_or(0)));
    let total = i64::from(replicas);
    if unavailable.scaled(total, false) == Some(0) && surge.scaled(total, true) == Some(0) && replicas != 0 {
        faults.invalid(
            unavailable_path,
            Value::json(unavailable),
            "must not be 0 when `maxSurge` is 0",
        );
    }
}

fn sub_groups(faults: &mut Faults, set: &LeaderWorkerSet, size: i32, template_path: &FieldPath) {
    let Some(policy) = &set.spec.leader_worker_template.sub_group_policy else {
        if let Some(key) = set.metadata.annotations.get(SUB_GROUP_EXCLUSIVE_ANNOTATION) {
            faults.invalid(
                FieldPath::root()
                    .child("metadata")
                    .child("annotations")
                    .child(SUB_GROUP_EXCLUSIVE_ANNOTATION),
                key,
                "cannot have subgroup-exclusive-topology without subGroupSize set",
            );
        }
        return;
    };
    let path = template_path.child("SubGroupPolicy").child("subGroupSize");
    let Some(sub_size) = policy.sub_group_size.filter(|sub_size| *sub_size >= 1) else {
        faults.invalid(
            path,
            policy.sub_group_size.unwrap_or(0),
            "subGroupSize must be equal or greater than 1",
        );
        return;
    };
    if size % sub_size != 0 && (size - 1) % sub_size != 0 {
        faults.invalid(
            path.clone(),
            sub_size,
            "size or size - 1 must be divisible by subGroupSize",
        );
    }
    if size < sub_size {
        faults.invalid(path.clone(), sub_size, "subGroupSize cannot be larger than size");
    }
    if policy.kind.as_deref() == Some("LeaderExcluded") && (size - 1) % sub_size != 0 {
        faults.invalid(
            path,
            sub_size,
            "size-1 must be divisible by subGroupSize when using LeaderExcluded",
        );
    }
}
