//! Compares with what the real kube-scheduler made of the same configurations.
//!
//! Each line of `cases.jsonl` holds a configuration and the outcome that `conformance/cmd/configurations` recorded:
//! what differs from a scheduler without configuration, or the stage that failed and its errors. To add a case,
//! append a line with a name and a configuration and write the file again:
//! `go run ./cmd/configurations < cases.jsonl`.

use serde_json::{Value, json};

use super::{
    Arguments, ConfigErrors, DefaultingType, Plugin, Profile, ResourceWeight, SchedulerConfiguration,
    ShapePoint, UnknownPlugins, duration, parse,
};

mod left_out;

#[test]
fn all_recorded_cases_have_the_same_outcome() {
    let mut failures = Vec::new();
    let mut count = 0;
    for line in include_str!("cases.jsonl").lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let differences = match parse(&case["config"], UnknownPlugins::Refuse) {
            Ok(configuration) => compare_accepted(&configuration, &case["outcome"]),
            Err(errors) => compare_refused(&errors, &case["outcome"]),
        };
        failures.extend(
            differences
                .iter()
                .map(|difference| format!("{}: {difference}", case["name"])),
        );
        count += 1;
    }
    assert!(
        failures.is_empty(),
        "{} differences:\n{}",
        failures.len(),
        failures.join("\n")
    );
    assert!(count > 190, "only {count} cases");
}

#[test]
fn nothing_given_is_the_default() {
    let empty = json!({"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration"});
    assert_eq!(
        parse(&empty, UnknownPlugins::Refuse),
        Ok(SchedulerConfiguration::default())
    );
}

fn compare_accepted(configuration: &SchedulerConfiguration, outcome: &Value) -> Vec<String> {
    if !outcome["errors"].is_null() {
        return vec![format!("accepted, but should be refused: {}", outcome["errors"])];
    }
    let mut differences = Vec::new();
    let mut check = |what: &str, found: Value, expected: Value| {
        if found != expected {
            differences.push(format!("{what} is {found}, expected {expected}"));
        }
    };
    check(
        "parallelism",
        json!(configuration.parallelism),
        outcome["parallelism"].clone(),
    );
    let percentage = outcome.get("percentage").cloned().unwrap_or(json!(0));
    check(
        "percentage",
        json!(configuration.percentage_of_nodes_to_score),
        percentage,
    );
    let backoff = json!([
        configuration.pod_initial_backoff_seconds,
        configuration.pod_max_backoff_seconds
    ]);
    check("backoff", backoff, outcome["backoff"].clone());
    let expected = outcome["profiles"].as_array().unwrap();
    check(
        "number of profiles",
        json!(configuration.profiles.len()),
        json!(expected.len()),
    );
    for (profile, expected) in configuration.profiles.iter().zip(expected) {
        check("name", json!(profile.scheduler_name), expected["name"].clone());
        check(
            "percentage",
            json!(profile.percentage_of_nodes_to_score),
            expected["percentage"].clone(),
        );
        for ((point, found), (_, standard)) in plugin_lists(profile)
            .into_iter()
            .zip(plugin_lists(&Profile::default()))
        {
            check(
                point,
                found,
                expected["plugins"].get(point).cloned().unwrap_or(standard),
            );
        }
        let standard = argument_values(&Arguments::default());
        for ((plugin, found), (_, standard)) in argument_values(&profile.arguments).into_iter().zip(standard)
        {
            // A plugin that is off has arguments only where the file gives some.
            let expected = expected["arguments"]
                .get(plugin)
                .map_or(standard, |value| normalised(plugin, value));
            check(plugin, found, expected);
        }
    }
    differences
}

fn plugin_lists(profile: &Profile) -> Vec<(&'static str, Value)> {
    let names = |plugins: &[Plugin]| json!(plugins.iter().map(|plugin| plugin.name()).collect::<Vec<_>>());
    let weighted = |entry: &super::WeightedPlugin| format!("{}={}", entry.plugin, entry.weight);
    vec![
        ("preEnqueue", names(&profile.pre_enqueue)),
        ("queueSort", names(&profile.queue_sort)),
        ("preFilter", names(&profile.pre_filter)),
        ("filter", names(&profile.filter)),
        ("postFilter", names(&profile.post_filter)),
        ("preScore", names(&profile.pre_score)),
        (
            "score",
            json!(profile.score.iter().map(weighted).collect::<Vec<_>>()),
        ),
        ("reserve", names(&profile.reserve)),
        ("permit", names(&profile.permit)),
        ("preBind", names(&profile.pre_bind)),
        ("bind", names(&profile.bind)),
    ]
}

/// The arguments in the form of the recorded cases.
fn argument_values(arguments: &Arguments) -> Vec<(&'static str, Value)> {
    let resources = |list: &[ResourceWeight]| {
        json!(
            list.iter()
                .map(|resource| json!([resource.name, resource.weight]))
                .collect::<Vec<_>>()
        )
    };
    let shape = |points: &[ShapePoint]| {
        json!(
            points
                .iter()
                .map(|point| [point.utilization, point.score])
                .collect::<Vec<_>>()
        )
    };
    let preemption = &arguments.default_preemption;
    let devices = &arguments.dynamic_resources;
    let affinity = &arguments.inter_pod_affinity;
    let fit = &arguments.fit;
    let spread = &arguments.pod_topology_spread;
    let time = |value: std::time::Duration| duration::format(i64::try_from(value.as_nanos()).unwrap());
    vec![
        (
            "DefaultPreemption",
            json!([
                preemption.min_candidate_nodes_percentage,
                preemption.min_candidate_nodes_absolute
            ]),
        ),
        (
            "DynamicResources",
            json!([time(devices.filter_timeout), time(devices.binding_timeout)]),
        ),
        (
            "InterPodAffinity",
            json!([
                affinity.hard_pod_affinity_weight,
                affinity.ignore_preferred_terms_of_existing_pods
            ]),
        ),
        ("NodeAffinity", json!(arguments.node_affinity.added_affinity)),
        (
            "NodeResourcesBalancedAllocation",
            resources(&arguments.balanced.resources),
        ),
        (
            "NodeResourcesFit",
            json!({
                "groups": fit.ignored_resource_groups,
                "ignored": fit.ignored_resources,
                "resources": resources(&fit.strategy.resources),
                "shape": shape(&fit.strategy.shape),
                "strategy": format!("{:?}", fit.strategy.kind),
            }),
        ),
        (
            "PodTopologySpread",
            match spread.defaulting_type {
                DefaultingType::System => json!(["System", []]),
                DefaultingType::List => json!(["List", spread.default_constraints]),
            },
        ),
        (
            "VolumeBinding",
            json!([
                arguments.volume_binding.bind_timeout_seconds,
                shape(&arguments.volume_binding.shape)
            ]),
        ),
    ]
}

/// Brings recorded arguments into the form of our own: absent lists are empty ones, and API objects are written by
/// our own types.
fn normalised(plugin: &str, value: &Value) -> Value {
    let mut value = value.clone();
    match plugin {
        "NodeResourcesFit" => {
            for field in ["groups", "ignored", "shape"] {
                let given = value.get(field).filter(|list| !list.is_null()).cloned();
                value[field] = given.unwrap_or(json!([]));
            }
        }
        "PodTopologySpread" => {
            let given = serde_json::from_value::<Option<Vec<bayplan_model::object::TopologySpreadConstraint>>>(
                value[1].clone(),
            );
            value[1] = json!(given.unwrap().unwrap_or_default());
        }
        "NodeAffinity" => {
            let given = serde_json::from_value::<Option<bayplan_model::object::NodeAffinity>>(value);
            value = json!(given.unwrap());
        }
        _ => {}
    }
    value
}

fn compare_refused(errors: &ConfigErrors, outcome: &Value) -> Vec<String> {
    let found: Vec<String> = errors.0.iter().map(ToString::to_string).collect();
    let Some(expected) = outcome["errors"].as_array() else {
        return vec![format!("refused, but should be accepted: {found:?}")];
    };
    let expected: Vec<&str> = expected.iter().map(|text| text.as_str().unwrap()).collect();
    let same = match outcome["stage"].as_str().unwrap() {
        "decode" => decode_errors_agree(errors, expected[0]),
        "validate" => {
            let sorted = |texts: Vec<String>| {
                let mut texts = texts;
                texts.sort();
                texts
            };
            // The real scheduler prints an object without visible fields where we name the profile.
            let plain = |text: &str| match text.split_once("Duplicate value: ") {
                Some((path, _)) if path.ends_with(".schedulerName: ") => path.to_owned(),
                _ => text.to_owned(),
            };
            sorted(found.iter().map(|text| plain(text)).collect())
                == sorted(expected.iter().map(|text| plain(text)).collect())
        }
        // The real scheduler stops at the first fault, and plugins print paths relative to their arguments.
        "start" => errors.0.iter().any(|error| expected[0].contains(&error.message)),
        other => return vec![format!("unknown stage {other}")],
    };
    if same {
        Vec::new()
    } else {
        vec![format!("refused with {found:#?}, expected {expected:#?}")]
    }
}

/// Unknown fields are all listed by the real decoder, with paths inside the arguments; it stops at the first wrong type.
fn decode_errors_agree(errors: &ConfigErrors, expected: &str) -> bool {
    let unknown: Vec<_> = errors
        .0
        .iter()
        .filter(|error| error.message.contains("unknown field"))
        .collect();
    if !expected.contains("unknown field") {
        return errors.0.iter().any(|error| {
            // For arguments that are no mapping the real text ends with the fields of an anonymous struct.
            let message = error.message.split(" of type v1.").next().unwrap();
            expected.contains(if message.ends_with("Go value") {
                message
            } else {
                &error.message
            })
        });
    }
    unknown.len() == errors.0.len()
        && unknown.len() == expected.matches("unknown field").count()
        && unknown.iter().all(|error| {
            let path = error
                .path
                .split_once(".args.")
                .map_or(error.path.as_str(), |(_, path)| path);
            expected.contains(&format!("unknown field {path:?}"))
        })
}
