//! Update strategies and the numbers or percentages in them (`pkg/apis/apps/validation/validation.go`, v1.37.2).

use bayplan_model::object::{DaemonSet, Deployment, IntOrString, StatefulSet};

use crate::field::{Faults, FieldPath, Value, go_json};

const PERCENT_TEXT: &str = "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')";

/// How a Deployment is updated.
pub(crate) fn deployment_strategy(faults: &mut Faults, deployment: &Deployment, path: &FieldPath) {
    let strategy = &deployment.spec.strategy;
    let rolling_path = path.child("rollingUpdate");
    match (strategy.kind.as_str(), &strategy.rolling_update) {
        ("Recreate", None) => {}
        ("Recreate", Some(_)) => faults.forbidden(
            rolling_path,
            "may not be specified when strategy `type` is 'Recreate'",
        ),
        ("RollingUpdate", None) => {
            faults.required(rolling_path, "this should be defaulted and never be nil");
        }
        ("RollingUpdate", Some(rolling)) => {
            let zero = IntOrString::Int(0);
            let unavailable = rolling.max_unavailable.as_ref().unwrap_or(&zero);
            let surge = rolling.max_surge.as_ref().unwrap_or(&zero);
            let unavailable_path = rolling_path.child("maxUnavailable");
            int_or_percent(faults, unavailable, &unavailable_path);
            int_or_percent(faults, surge, &rolling_path.child("maxSurge"));
            if number(unavailable) == 0 && number(surge) == 0 {
                faults.invalid(
                    unavailable_path.clone(),
                    Value::json(unavailable),
                    "may not be 0 when `maxSurge` is 0",
                );
            }
            at_most_all(faults, unavailable, &unavailable_path);
        }
        (kind, rolling) => {
            let shown = rolling.as_ref().map_or("null".to_owned(), |rolling| {
                format!(
                    "{{\"MaxUnavailable\":{},\"MaxSurge\":{}}}",
                    go_json(&rolling.max_unavailable.clone().unwrap_or_default()),
                    go_json(&rolling.max_surge.clone().unwrap_or_default())
                )
            });
            let value = format!("{{\"Type\":{},\"RollingUpdate\":{shown}}}", go_json(&kind));
            faults.not_supported(path.clone(), Value::raw(value), &["Recreate", "RollingUpdate"]);
        }
    }
}

/// How a StatefulSet is updated.
pub(crate) fn stateful_set_strategy(faults: &mut Faults, set: &StatefulSet, path: &FieldPath) {
    let strategy = &set.spec.update_strategy;
    let rolling_path = path.child("rollingUpdate");
    let shown = strategy.rolling_update.as_ref().map(|rolling| {
        format!(
            "{{\"Partition\":{},\"MaxUnavailable\":{}}}",
            rolling.partition.unwrap_or(0),
            go_json(&rolling.max_unavailable)
        )
    });
    match (strategy.kind.as_str(), &strategy.rolling_update) {
        ("", _) => faults.required(path.clone(), ""),
        ("OnDelete" | "RollingUpdate", None) => {}
        ("OnDelete", Some(_)) => faults.invalid(
            rolling_path,
            Value::raw(shown.unwrap_or_default()),
            "only allowed for updateStrategy 'RollingUpdate'",
        ),
        ("RollingUpdate", Some(rolling)) => {
            faults.nonnegative(
                rolling_path.child("partition"),
                i64::from(rolling.partition.unwrap_or(0)),
            );
            if let Some(unavailable) = &rolling.max_unavailable {
                let path = rolling_path.child("maxUnavailable");
                int_or_percent(faults, unavailable, &path);
                if number(unavailable) == 0 {
                    faults.invalid(path.clone(), Value::json(unavailable), "cannot be 0");
                }
                at_most_all(faults, unavailable, &path);
            }
        }
        (kind, _) => faults.invalid(
            path.clone(),
            Value::raw(format!(
                "{{\"Type\":{},\"RollingUpdate\":{}}}",
                go_json(&kind),
                shown.unwrap_or_else(|| "null".to_owned())
            )),
            "must be 'RollingUpdate' or 'OnDelete'",
        ),
    }
}

/// How a DaemonSet is updated.
pub(crate) fn daemon_set_strategy(faults: &mut Faults, set: &DaemonSet, path: &FieldPath) {
    let strategy = &set.spec.update_strategy;
    let path_rolling = path.child("rollingUpdate");
    match (strategy.kind.as_str(), &strategy.rolling_update) {
        ("OnDelete", _) => {}
        ("RollingUpdate", None) => faults.required(path_rolling, ""),
        ("RollingUpdate", Some(rolling)) => {
            let zero = IntOrString::Int(0);
            let unavailable = rolling.max_unavailable.as_ref().unwrap_or(&zero);
            let surge = rolling.max_surge.as_ref().unwrap_or(&zero);
            let (unavailable_path, surge_path) = (
                path_rolling.child("maxUnavailable"),
                path_rolling.child("maxSurge"),
            );
            int_or_percent(faults, unavailable, &unavailable_path);
            int_or_percent(faults, surge, &surge_path);
            at_most_all(faults, unavailable, &unavailable_path);
            at_most_all(faults, surge, &surge_path);
            match (number(unavailable) != 0, number(surge) != 0) {
                (true, true) => faults.invalid(
                    surge_path,
                    Value::json(surge),
                    "may not be set when maxUnavailable is non-zero",
                ),
                (false, false) => faults.required(unavailable_path, "cannot be 0 when maxSurge is 0"),
                _ => {}
            }
        }
        (kind, rolling) => {
            let shown = rolling.as_ref().map_or("null".to_owned(), |rolling| {
                format!(
                    "{{\"MaxUnavailable\":{},\"MaxSurge\":{}}}",
                    go_json(&rolling.max_unavailable.clone().unwrap_or_default()),
                    go_json(&rolling.max_surge.clone().unwrap_or_default())
                )
            });
            faults.not_supported(
                path.clone(),
                Value::raw(format!(
                    "{{\"Type\":{},\"RollingUpdate\":{shown}}}",
                    go_json(&kind)
                )),
                &["RollingUpdate", "OnDelete"],
            );
        }
    }
}

fn percent(value: &IntOrString) -> Option<i64> {
    match value {
        IntOrString::Int(_) => None,
        IntOrString::String(text) => {
            let digits = text.strip_suffix('%')?;
            (!digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()))
                .then(|| digits.parse().unwrap_or(i64::MAX))
        }
    }
}

/// The number or the percentage; a text that is neither counts as the number it spells, or 0.
fn number(value: &IntOrString) -> i64 {
    match value {
        IntOrString::Int(value) => i64::from(*value),
        IntOrString::String(text) => percent(value).unwrap_or_else(|| text.parse().unwrap_or(0)),
    }
}

/// A number that is not negative, or a percentage.
pub(crate) fn int_or_percent(faults: &mut Faults, value: &IntOrString, path: &FieldPath) {
    match value {
        IntOrString::Int(number) => faults.nonnegative(path.clone(), i64::from(*number)),
        IntOrString::String(_) => {
            if percent(value).is_none() {
                faults.invalid(path.clone(), Value::json(value), PERCENT_TEXT);
            }
        }
    }
}

/// A percentage of 100 at most.
pub(crate) fn at_most_all(faults: &mut Faults, value: &IntOrString, path: &FieldPath) {
    if percent(value).is_some_and(|percent| percent > 100) {
        faults.invalid(path.clone(), Value::json(value), "must not be greater than 100%");
    }
}
