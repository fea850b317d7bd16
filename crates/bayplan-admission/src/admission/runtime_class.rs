//! The RuntimeClass plugin (`plugin/pkg/admission/runtimeclass/admission.go`, `pkg/util/tolerations`, v1.37.2).

use bayplan_model::object::{PodSpec, ResourceList, RuntimeClass, Toleration};

use super::{AdmissionContext, Rejection};
use crate::defaults::round_up;

/// Adds overhead, node selector and tolerations of the class that the pod names.
///
/// Gives the name of a class that cannot be resolved because the cluster's classes are not known.
pub(super) fn admit(spec: &mut PodSpec, context: &AdmissionContext) -> Result<Option<String>, Rejection> {
    let Some(name) = &spec.runtime_class_name else {
        return Ok(None);
    };
    let Some(class) = context.runtime_classes.get(name) else {
        if !context.knows("RuntimeClass") {
            return Ok(Some(name.clone()));
        }
        return Err(Rejection::new(
            "runtimeClassName",
            format!("pod rejected: RuntimeClass {name:?} not found"),
        ));
    };
    if let Some(overhead) = &class.overhead {
        if !spec.overhead.is_empty() && !same_amounts(&spec.overhead, &overhead.pod_fixed) {
            return Err(Rejection::new(
                "overhead",
                "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead".to_owned(),
            ));
        }
        spec.overhead.clone_from(&overhead.pod_fixed);
        // Amounts of pods are rounded when they are read, those of classes are not.
        round_up(&mut spec.overhead);
    }
    scheduling(spec, class)?;
    Ok(None)
}

/// Refuses an overhead that comes from no class.
pub(super) fn check(spec: &PodSpec, context: &AdmissionContext) -> Result<(), Rejection> {
    let class = spec.runtime_class_name.as_ref();
    let has_overhead = match class.map(|name| context.runtime_classes.get(name)) {
        Some(Some(class)) => class.overhead.is_some(),
        // A class that is not known may well have one.
        Some(None) => true,
        None => false,
    };
    if has_overhead || spec.overhead.is_empty() {
        return Ok(());
    }
    Err(Rejection::new(
        "overhead",
        "pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead".to_owned(),
    ))
}

fn same_amounts(one: &ResourceList, other: &ResourceList) -> bool {
    one.len() == other.len()
        && one.iter().all(|(name, quantity)| {
            other
                .get(name)
                .is_some_and(|same| same.nanos() == quantity.nanos())
        })
}

fn scheduling(spec: &mut PodSpec, class: &RuntimeClass) -> Result<(), Rejection> {
    let Some(scheduling) = &class.scheduling else {
        return Ok(());
    };
    if !scheduling.node_selector.is_empty() {
        let selector = spec.node_selector.get_or_insert_with(Default::default);
        for (key, value) in &scheduling.node_selector {
            if let Some(own) = selector.get(key).filter(|own| *own != value) {
                return Err(Rejection::new(
                    "nodeSelector",
                    format!(
                        "conflict: runtimeClass.scheduling.nodeSelector[{key}] = {value}; pod.spec.nodeSelector[{key}] = {own}"
                    ),
                ));
            }
            selector.insert(key.clone(), value.clone());
        }
    }
    let own = std::mem::take(&mut spec.tolerations);
    spec.tolerations = merged(own, &scheduling.tolerations);
    Ok(())
}

/// Both lists, without what another toleration covers.
fn merged(first: Vec<Toleration>, second: &[Toleration]) -> Vec<Toleration> {
    let mut all = first;
    all.extend_from_slice(second);
    let mut merged: Vec<Toleration> = Vec::new();
    for (index, toleration) in all.iter().enumerate() {
        let covered = merged.iter().any(|other| covers(other, toleration))
            || all[index + 1..]
                .iter()
                .any(|later| later != toleration && covers(later, toleration));
        if !covered {
            merged.push(toleration.clone());
        }
    }
    merged
}

/// True when `wide` tolerates all that `narrow` does.
fn covers(wide: &Toleration, narrow: &Toleration) -> bool {
    if wide == narrow {
        return true;
    }
    if narrow.key != wide.key && (!wide.key.is_empty() || wide.operator != "Exists") {
        return false;
    }
    if narrow.effect != wide.effect && !wide.effect.is_empty() {
        return false;
    }
    if wide.effect == "NoExecute"
        && let Some(seconds) = wide.toleration_seconds
        && narrow
            .toleration_seconds
            .is_none_or(|narrow_seconds| narrow_seconds > seconds)
    {
        return false;
    }
    match wide.operator.as_str() {
        "Equal" | "" => narrow.operator == "Equal" && narrow.value == wide.value,
        "Exists" => true,
        _ => false,
    }
}
