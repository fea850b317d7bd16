//! Schedulers with plugins of their own, faults reported together, and hints: what the real scheduler cannot show.

use serde_json::{Value, json};

use crate::config::{ConfigErrors, ExtensionPoint, Plugin, SchedulerConfiguration, UnknownPlugins, parse};

fn configuration(profile: &Value) -> Value {
    json!({
        "apiVersion": "kubescheduler.config.k8s.io/v1",
        "kind": "KubeSchedulerConfiguration",
        "profiles": [profile],
    })
}

fn left_out(profile: &Value) -> Result<SchedulerConfiguration, ConfigErrors> {
    parse(&configuration(profile), UnknownPlugins::LeaveOut)
}

fn errors(value: &Value) -> Vec<String> {
    let errors = parse(value, UnknownPlugins::Refuse).unwrap_err();
    errors
        .0
        .iter()
        .map(|error| format!("{error} | {}", error.hint.as_deref().unwrap_or("-")))
        .collect()
}

#[test]
fn unknown_plugins_are_left_out_once_and_named() {
    let read = left_out(&json!({
        "plugins": {
            "multiPoint": {"enabled": [{"name": "Coscheduling"}, {"name": "ImageLocality", "weight": 4}]},
            "filter": {"enabled": [{"name": "Coscheduling"}, {"name": "NodePorts"}]},
            "score": {"enabled": [{"name": "Trimaran", "weight": 5}]},
        },
        "pluginConfig": [{"name": "Coscheduling", "args": {"permitWaitingTimeSeconds": 60}}],
    }))
    .unwrap();
    let profile = &read.profiles[0];
    assert_eq!(
        profile.not_modelled,
        [
            "plugin Coscheduling is not built into kube-scheduler and is left out",
            "plugin Trimaran is not built into kube-scheduler and is left out",
        ]
    );
    assert_eq!(profile.filter.first(), Some(&Plugin::NodePorts));
    let images = profile
        .score
        .iter()
        .find(|entry| entry.plugin == Plugin::ImageLocality)
        .unwrap();
    assert_eq!(images.weight, 4);
    assert_eq!(
        profile.score.len(),
        SchedulerConfiguration::default().profiles[0].score.len()
    );
}

#[test]
fn an_unknown_plugin_may_sort_and_bind() {
    let read = left_out(&json!({"plugins": {
        "queueSort": {"disabled": [{"name": "*"}], "enabled": [{"name": "Coscheduling"}]},
        "bind": {"disabled": [{"name": "*"}], "enabled": [{"name": "MyBinder"}]},
    }}))
    .unwrap();
    assert!(read.profiles[0].queue_sort.is_empty());
    assert!(read.profiles[0].bind.is_empty());
    assert_eq!(read.profiles[0].not_modelled.len(), 2);
}

#[test]
fn leaving_out_unknown_plugins_excuses_nothing_else() {
    let refused = left_out(&json!({"plugins": {"score": {"enabled": [{"name": "NodeName"}]}}})).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "profiles[0].plugins.score.enabled[0]: plugin \"NodeName\" does not extend ScorePlugin plugin"
    );
    let refused = left_out(&json!({"plugins": {"bind": {"disabled": [{"name": "*"}]}}})).unwrap_err();
    assert!(
        refused.to_string().contains("at least one bind plugin is needed"),
        "{refused}"
    );
}

#[test]
fn extenders_are_named_as_not_simulated() {
    let mut value = configuration(&json!({}));
    value["extenders"] = json!([{"urlPrefix": "http://extender:8888", "filterVerb": "filter"}]);
    let read = parse(&value, UnknownPlugins::Refuse).unwrap();
    assert_eq!(
        read.not_modelled,
        ["extender http://extender:8888 is not asked for filtering, scores, preemption or binding"]
    );
}

#[test]
fn faults_of_one_stage_are_reported_together_with_hints() {
    let value = configuration(&json!({
        "percentageOfNodesToScore": "5",
        "plugin": {},
        "pluginConfig": [{"name": "InterPodAffinity", "args": {"hardPodAffinityWeigt": 1, "zzz": 2}}],
    }));
    assert_eq!(
        errors(&value),
        [
            "profiles[0].plugin: strict decoding error: unknown field \"plugin\" | did you mean plugins?",
            "profiles[0].percentageOfNodesToScore: json: cannot unmarshal string into Go struct field \
             KubeSchedulerProfile.profiles.percentageOfNodesToScore of type int32 | -",
            "profiles[0].pluginConfig[0].args.hardPodAffinityWeigt: strict decoding error: unknown field \
             \"hardPodAffinityWeigt\" | did you mean hardPodAffinityWeight?",
            "profiles[0].pluginConfig[0].args.zzz: strict decoding error: unknown field \"zzz\" | -",
        ]
    );
    let value = configuration(&json!({"plugins": {
        "filter": {"enabled": [{"name": "NodeResourceFit"}, {"name": "nodename"}]},
        "multiPoint": {"enabled": [{"name": "Coscheduling"}]},
    }}));
    assert_eq!(
        errors(&value),
        [
            "profiles[0].plugins.filter.enabled[0]: FilterPlugin \"NodeResourceFit\" does not exist | did you mean NodeResourcesFit?",
            "profiles[0].plugins.filter.enabled[1]: FilterPlugin \"nodename\" does not exist | did you mean NodeName?",
            "profiles[0].plugins.multiPoint.enabled[0]: PreFilterPlugin \"Coscheduling\" does not exist | -",
        ]
    );
}

#[test]
fn not_a_mapping_is_refused() {
    for value in [json!(null), json!([]), json!("x"), json!(5)] {
        assert!(parse(&value, UnknownPlugins::LeaveOut).is_err(), "{value}");
    }
}

#[test]
fn names_are_those_of_the_registry() {
    for plugin in Plugin::ALL {
        assert_eq!(Plugin::from_name(plugin.name()), Some(*plugin));
        assert!(
            ExtensionPoint::ALL.iter().any(|&point| plugin.implements(point)),
            "{plugin}"
        );
    }
    assert_eq!(Plugin::ALL.len(), 24);
}

#[test]
fn a_profile_may_override_the_percentage() {
    let value = json!({
        "apiVersion": "kubescheduler.config.k8s.io/v1",
        "kind": "KubeSchedulerConfiguration",
        "percentageOfNodesToScore": 50,
        "profiles": [{"schedulerName": "a"}, {"schedulerName": "b", "percentageOfNodesToScore": 0}],
    });
    let read = parse(&value, UnknownPlugins::Refuse).unwrap();
    let of = |name: &str| read.profile(name).map(|profile| read.percentage_for(profile));
    assert_eq!((of("a"), of("b"), of("c")), (Some(50), Some(0), None));
}
