//! The Priority plugin (`plugin/pkg/admission/priority/admission.go`, v1.37.2).

use bayplan_model::object::PodSpec;

use super::{AdmissionContext, Rejection, SYSTEM_PRIORITY_CLASSES};

/// Sets priority and preemption policy from the class that the pod names, or from the global default.
///
/// Gives the name of a class that cannot be resolved because the cluster's classes are not known.
pub(super) fn admit(spec: &mut PodSpec, context: &AdmissionContext) -> Result<Option<String>, Rejection> {
    let (name, priority, policy) = if spec.priority_class_name.is_empty() {
        global_default(context)
    } else {
        let name = spec.priority_class_name.clone();
        if let Some(class) = context.priority_classes.get(&name) {
            (name, class.value, class.preemption_policy.clone())
        } else if let Some((_, value)) = SYSTEM_PRIORITY_CLASSES.iter().find(|(system, _)| *system == name) {
            (name, *value, Some("PreemptLowerPriority".to_owned()))
        } else if !context.knows("PriorityClass") {
            spec.priority.get_or_insert(0);
            spec.preemption_policy
                .get_or_insert_with(|| "PreemptLowerPriority".to_owned());
            return Ok(Some(name));
        } else {
            return Err(Rejection::new(
                "priorityClassName",
                format!("no PriorityClass with name {name} was found"),
            ));
        }
    };
    if let Some(given) = spec.priority.filter(|given| *given != priority) {
        return Err(Rejection::new(
            "priority",
            format!(
                "the integer value of priority ({given}) must not be provided in pod spec; priority admission controller computed {priority} from the given PriorityClass name"
            ),
        ));
    }
    spec.priority_class_name = name;
    spec.priority = Some(priority);
    if let Some(policy) = policy {
        if let Some(given) = spec.preemption_policy.as_ref().filter(|given| **given != policy) {
            return Err(Rejection::new(
                "preemptionPolicy",
                format!(
                    "the string value of PreemptionPolicy ({given}) must not be provided in pod spec; priority admission controller computed {policy} from the given PriorityClass name"
                ),
            ));
        }
        spec.preemption_policy = Some(policy);
    }
    Ok(None)
}

/// The class marked as global default, the lowest of several; without one 0.
fn global_default(context: &AdmissionContext) -> (String, i32, Option<String>) {
    context
        .priority_classes
        .values()
        .filter(|class| class.global_default)
        .min_by_key(|class| class.value)
        .map_or_else(
            || (String::new(), 0, Some("PreemptLowerPriority".to_owned())),
            |class| {
                (
                    class.metadata.name.clone(),
                    class.value,
                    class.preemption_policy.clone(),
                )
            },
        )
}
