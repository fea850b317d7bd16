//! Validation of default spread constraints.

use bayplan_model::object::TopologySpreadConstraint;

use super::label_name;
use crate::config::error::Errors;
use crate::config::{DefaultingType, PodTopologySpreadArguments};

/// Applies the defaults of `PodTopologySpreadArgs` and validates them.
pub(super) fn pod_topology_spread(
    constraints: &[TopologySpreadConstraint],
    defaulting_type: &str,
    path: &str,
    errors: &mut Errors,
) -> PodTopologySpreadArguments {
    let type_path = format!("{path}.defaultingType");
    let list = match defaulting_type {
        "" | "System" => {
            if !constraints.is_empty() {
                errors.invalid_text(&type_path, "System", "when .defaultConstraints are not empty");
            }
            false
        }
        "List" => true,
        other => {
            errors.unsupported(&type_path, other, &["System", "List"]);
            false
        }
    };
    for (index, constraint) in constraints.iter().enumerate() {
        let earlier = constraints.get(..index).unwrap_or_default();
        default_constraint(
            constraint,
            earlier,
            &format!("{path}.defaultConstraints[{index}]"),
            errors,
        );
    }
    if list {
        PodTopologySpreadArguments {
            default_constraints: constraints.to_vec(),
            defaulting_type: DefaultingType::List,
        }
    } else {
        PodTopologySpreadArguments::default()
    }
}

fn default_constraint(
    constraint: &TopologySpreadConstraint,
    earlier: &[TopologySpreadConstraint],
    path: &str,
    errors: &mut Errors,
) {
    if constraint.max_skew <= 0 {
        errors.invalid(
            &format!("{path}.maxSkew"),
            constraint.max_skew,
            "not in valid range (0, inf)",
        );
    }
    let key_path = format!("{path}.topologyKey");
    if constraint.topology_key.is_empty() {
        errors.required(&key_path, "can not be empty");
    } else {
        label_name(&key_path, &constraint.topology_key, errors);
    }
    let action_path = format!("{path}.whenUnsatisfiable");
    match constraint.when_unsatisfiable.as_str() {
        "" => errors.required(&action_path, "can not be empty"),
        "DoNotSchedule" | "ScheduleAnyway" => {}
        other => errors.unsupported(&action_path, other, &["DoNotSchedule", "ScheduleAnyway"]),
    }
    if constraint.label_selector.is_some() {
        let detail = "constraint must not define a selector, as they deduced for each pod";
        errors.forbidden(&format!("{path}.labelSelector"), detail);
    }
    let same = |other: &TopologySpreadConstraint| {
        other.topology_key == constraint.topology_key
            && other.when_unsatisfiable == constraint.when_unsatisfiable
    };
    if earlier.iter().any(same) {
        errors.duplicate(
            path,
            &format!(
                "{{{}, {}}}",
                constraint.topology_key, constraint.when_unsatisfiable
            ),
        );
    }
}
