//! Budgets, priority classes, limit ranges, runtime classes, services and namespaces (`pkg/apis/policy/validation`,
//! `pkg/apis/scheduling/validation`, `pkg/apis/node/validation`, `pkg/apis/core/validation/validation.go`, v1.37.2).

use std::collections::{BTreeMap, BTreeSet};

use bayplan_model::Quantity;
use bayplan_model::names::{dns_label_errors, qualified_name_errors};
use bayplan_model::object::{
    LimitRange, LimitRangeItem, Namespace, PodDisruptionBudget, PriorityClass, ResourceRequirements,
    RuntimeClass,
};

use crate::admission::SYSTEM_PRIORITY_CLASSES;
use crate::field::{Faults, FieldPath, Value, go_json, selector_json};
use crate::validation::meta::{NameRule, label_selector, labels, object_meta};
use crate::validation::pod::{preemption_policy, tolerations};
use crate::validation::resources::{
    Level, allows_overcommit, container_resource_name, requirements, resource_name,
};
use crate::validation::strategy::{at_most_all, int_or_percent};

/// Highest priority of a class that is not the system's own (`HighestUserDefinablePriority`).
const USER_PRIORITY_MAX: i32 = 1_000_000_000;

/// A namespace.
pub(crate) fn namespace(faults: &mut Faults, namespace: &Namespace) {
    let path = FieldPath::root().child("metadata");
    object_meta(faults, &namespace.metadata, false, NameRule::Label, &path);
}

/// A disruption budget.
pub(crate) fn disruption_budget(faults: &mut Faults, budget: &PodDisruptionBudget) {
    let path = FieldPath::root().child("spec");
    let spec = &budget.spec;
    if spec.min_available.is_some() && spec.max_unavailable.is_some() {
        let value = format!(
            "{{\"MinAvailable\":{},\"Selector\":{},\"MaxUnavailable\":{},\"UnhealthyPodEvictionPolicy\":{}}}",
            go_json(&spec.min_available),
            selector_json(spec.selector.as_ref()),
            go_json(&spec.max_unavailable),
            go_json(&spec.unhealthy_pod_eviction_policy),
        );
        faults.invalid(
            path.clone(),
            Value::raw(value),
            "minAvailable and maxUnavailable cannot be both set",
        );
    }
    for (name, value) in [
        ("minAvailable", &spec.min_available),
        ("maxUnavailable", &spec.max_unavailable),
    ] {
        if let Some(value) = value {
            int_or_percent(faults, value, &path.child(name));
            at_most_all(faults, value, &path.child(name));
        }
    }
    label_selector(faults, spec.selector.as_ref(), &path.child("selector"));
    if let Some(policy) = &spec.unhealthy_pod_eviction_policy
        && !matches!(policy.as_str(), "AlwaysAllow" | "IfHealthyBudget")
    {
        faults.not_supported(
            path.child("unhealthyPodEvictionPolicy"),
            Value::json(policy),
            &["AlwaysAllow", "IfHealthyBudget"],
        );
    }
    let metadata = FieldPath::root().child("metadata");
    object_meta(faults, &budget.metadata, true, NameRule::PathSegment, &metadata);
}

/// A priority class.
pub(crate) fn priority_class(faults: &mut Faults, class: &PriorityClass) {
    let root = FieldPath::root();
    let name = &class.metadata.name;
    object_meta(
        faults,
        &class.metadata,
        false,
        NameRule::Subdomain,
        &root.child("metadata"),
    );
    if name.starts_with("system-") {
        let error = match SYSTEM_PRIORITY_CLASSES.iter().find(|(system, _)| system == name) {
            None => Some(format!("{name} is not a known system priority class")),
            Some((_, value)) if *value != class.value => {
                Some(format!("value of {name} PriorityClass must be {value}"))
            }
            Some(_) if class.global_default => {
                Some(format!("globalDefault of {name} PriorityClass must be false"))
            }
            Some(_) => None,
        };
        if let Some(error) = error {
            faults.forbidden(
                root.child("metadata").child("name"),
                format!("priority class names with 'system-' prefix are reserved for system use only. error: {error}"),
            );
        }
    } else if class.value > USER_PRIORITY_MAX {
        faults.forbidden(
            root.child("value"),
            format!("maximum allowed value of a user defined priority is {USER_PRIORITY_MAX}"),
        );
    }
    if let Some(policy) = &class.preemption_policy {
        preemption_policy(faults, policy, root.child("preemptionPolicy"));
    }
}

/// A runtime class.
pub(crate) fn runtime_class(faults: &mut Faults, class: &RuntimeClass) {
    let root = FieldPath::root();
    object_meta(
        faults,
        &class.metadata,
        false,
        NameRule::Subdomain,
        &root.child("metadata"),
    );
    if class.handler.is_empty() {
        faults.required(root.child("handler"), "");
    } else {
        faults.invalid_each(
            &root.child("handler"),
            &class.handler,
            dns_label_errors(&class.handler),
        );
    }
    if let Some(overhead) = &class.overhead {
        let overhead = ResourceRequirements {
            limits: overhead.pod_fixed.clone(),
            ..Default::default()
        };
        requirements(
            faults,
            &overhead,
            Level::Container,
            &BTreeSet::new(),
            &root.child("overhead"),
        );
    }
    if let Some(scheduling) = &class.scheduling {
        let path = root.child("scheduling");
        labels(faults, &scheduling.node_selector, &path.child("nodeSelector"));
        tolerations(faults, &scheduling.tolerations, &path.child("tolerations"));
        let mut seen = BTreeSet::new();
        for (index, toleration) in scheduling.tolerations.iter().enumerate() {
            let key = (
                &toleration.key,
                &toleration.operator,
                &toleration.value,
                &toleration.effect,
            );
            if !seen.insert(key) {
                let value = format!(
                    "{{\"Key\":{},\"Operator\":{},\"Value\":{},\"Effect\":{},\"TolerationSeconds\":{}}}",
                    go_json(&toleration.key),
                    go_json(&toleration.operator),
                    go_json(&toleration.value),
                    go_json(&toleration.effect),
                    go_json(&toleration.toleration_seconds),
                );
                faults.duplicate(path.child("tolerations").index(index), Value::raw(value));
            }
        }
    }
}

/// A limit range.
pub(crate) fn limit_range(faults: &mut Faults, range: &LimitRange) {
    let root = FieldPath::root();
    object_meta(
        faults,
        &range.metadata,
        true,
        NameRule::Subdomain,
        &root.child("metadata"),
    );
    let mut kinds = BTreeSet::new();
    for (index, item) in range.spec.limits.iter().enumerate() {
        let path = root.child("spec").child("limits").index(index);
        let kind_path = path.child("type");
        let errors = qualified_name_errors(&item.kind);
        if !errors.is_empty() {
            faults.invalid_typed_each(&kind_path, &item.kind, errors);
        } else if !item.kind.contains('/')
            && !matches!(item.kind.as_str(), "Pod" | "Container" | "PersistentVolumeClaim")
        {
            faults.invalid(
                kind_path.clone(),
                Value::json(&item.kind),
                "must be a standard limit type or fully qualified",
            );
        }
        if !kinds.insert(item.kind.as_str()) {
            faults.duplicate(kind_path, Value::json(&item.kind));
        }
        limit_range_item(faults, item, &path);
    }
}

fn limit_range_item(faults: &mut Faults, item: &LimitRangeItem, path: &FieldPath) {
    let name_rule = |faults: &mut Faults, name: &str, path: &FieldPath| match item.kind.as_str() {
        "Pod" | "Container" => container_resource_name(faults, name, path),
        _ => {
            resource_name(faults, name, path);
        }
    };
    let is_pod = item.kind == "Pod";
    let mut keys = BTreeSet::new();
    for (name, list) in [
        ("max", &item.max),
        ("min", &item.min),
        ("default", &item.default),
        ("defaultRequest", &item.default_request),
        ("maxLimitRequestRatio", &item.max_limit_request_ratio),
    ] {
        if name == "maxLimitRequestRatio"
            && item.kind == "PersistentVolumeClaim"
            && !item.min.contains_key("storage")
            && !item.max.contains_key("storage")
        {
            faults.required(
                path.child("limits"),
                "either minimum or maximum storage value is required, but neither was provided",
            );
        }
        if is_pod && name.starts_with("default") {
            if !list.is_empty() {
                faults.forbidden(path.child(name), "may not be specified when `type` is 'Pod'");
            }
            continue;
        }
        for resource in list.keys() {
            name_rule(faults, resource, &path.child(name).key(resource));
            keys.insert(resource.as_str());
        }
    }
    let none = BTreeMap::new();
    let (defaults, default_requests) = if is_pod {
        (&none, &none)
    } else {
        (&item.default, &item.default_request)
    };
    for key in keys {
        bounds(
            faults,
            key,
            &Bounds {
                min: item.min.get(key).copied(),
                max: item.max.get(key).copied(),
                default: defaults.get(key).copied(),
                default_request: default_requests.get(key).copied(),
                ratio: item.max_limit_request_ratio.get(key).copied(),
            },
            path,
        );
    }
}

struct Bounds {
    min: Option<Quantity>,
    max: Option<Quantity>,
    default: Option<Quantity>,
    default_request: Option<Quantity>,
    ratio: Option<Quantity>,
}

fn bounds(faults: &mut Faults, key: &str, bounds: &Bounds, path: &FieldPath) {
    let Bounds {
        min,
        max,
        default,
        default_request,
        ratio,
    } = *bounds;
    // (smaller, its words, larger, its words, field, value shown)
    let pairs = [
        (min, "min value", max, "max value", "min", min),
        (
            min,
            "min value",
            default_request,
            "default request value",
            "defaultRequest",
            default_request,
        ),
        (
            default_request,
            "default request value",
            max,
            "max value",
            "defaultRequest",
            default_request,
        ),
        (
            default_request,
            "default request value",
            default,
            "default limit value",
            "defaultRequest",
            default_request,
        ),
        (min, "min value", default, "default value", "default", min),
        (default, "default value", max, "max value", "default", max),
    ];
    for (smaller, smaller_words, larger, larger_words, field, shown) in pairs {
        if let (Some(smaller), Some(larger), Some(shown)) = (smaller, larger, shown)
            && smaller.nanos() > larger.nanos()
        {
            faults.invalid(
                path.child(field).key(key),
                Value::json(&shown),
                format!("{smaller_words} {smaller} is greater than {larger_words} {larger}"),
            );
        }
    }
    if let Some(ratio) = ratio {
        let path = path.child("maxLimitRequestRatio").key(key);
        if ratio.nanos() < Quantity::from_units(1).nanos() {
            faults.invalid(
                path.clone(),
                Value::json(&ratio),
                format!("ratio {ratio} is less than 1"),
            );
        }
        if let (Some(min), Some(max)) = (min, max) {
            let largest = max.nanos() as f64 / min.nanos() as f64;
            if ratio.nanos() as f64 / 1e9 > largest {
                faults.invalid(
                    path,
                    Value::json(&ratio),
                    format!("ratio {ratio} is greater than max/min = {largest:.6}"),
                );
            }
        }
    }
    if let (Some(default), Some(default_request)) = (default, default_request)
        && !allows_overcommit(key)
        && default.nanos() != default_request.nanos()
    {
        faults.invalid(
            path.child("defaultRequest").key(key),
            Value::json(&default_request),
            format!("default value {default} must equal to defaultRequest value {default_request} in {key}"),
        );
    }
}
