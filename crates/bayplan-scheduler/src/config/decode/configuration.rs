//! `KubeSchedulerConfiguration` and what it is made of: `k8s.io/kube-scheduler/config/v1/types.go` (v0.37.2).

use serde_json::Value;

use super::arguments::{self, RawArguments};
use super::extender::{self, RawExtender};
use super::{Decoder, Object, Place};
use crate::config::ExtensionPoint;
use crate::config::error::ConfigError;

/// Group and version of the configuration and of plugin arguments.
const API_VERSION: &str = "kubescheduler.config.k8s.io/v1";

/// A decoded configuration without defaults.
#[derive(Debug, Default)]
pub(in crate::config) struct RawConfiguration<'value> {
    pub parallelism: Option<i32>,
    pub percentage_of_nodes_to_score: Option<i32>,
    pub pod_initial_backoff_seconds: Option<i64>,
    pub pod_max_backoff_seconds: Option<i64>,
    pub client_burst: i32,
    pub leader_election: RawLeaderElection,
    pub profiles: Vec<RawProfile<'value>>,
    pub extenders: Vec<RawExtender>,
}

/// `leaderElection`; durations in nanoseconds, 0 where none is given.
#[derive(Debug, Default)]
pub(in crate::config) struct RawLeaderElection {
    pub leader_elect: Option<bool>,
    pub lease_duration: i64,
    pub renew_deadline: i64,
    pub retry_period: i64,
    pub resource_lock: String,
}

/// An element of `profiles`.
#[derive(Debug, Default)]
pub(in crate::config) struct RawProfile<'value> {
    pub scheduler_name: Option<String>,
    pub percentage_of_nodes_to_score: Option<i32>,
    pub multi_point: RawPluginSet,
    /// In the order of [`ExtensionPoint::ALL`].
    pub points: [RawPluginSet; ExtensionPoint::ALL.len()],
    pub plugin_config: Vec<RawPluginConfig<'value>>,
}

/// Plugins that are switched on and off at one extension point.
#[derive(Debug, Clone, Default, PartialEq)]
pub(in crate::config) struct RawPluginSet {
    pub enabled: Vec<RawPlugin>,
    pub disabled: Vec<RawPlugin>,
}

/// A plugin by name; a missing weight is 0.
#[derive(Debug, Clone, Default, PartialEq)]
pub(in crate::config) struct RawPlugin {
    pub name: String,
    pub weight: i32,
}

/// An element of `pluginConfig`.
#[derive(Debug)]
pub(in crate::config) struct RawPluginConfig<'value> {
    pub name: String,
    /// Decoded arguments; none for a plugin that has no arguments type.
    pub arguments: Option<RawArguments>,
    /// The arguments as written.
    pub value: Option<&'value Value>,
}

/// Decodes a whole configuration.
pub(in crate::config) fn configuration<'value>(
    decoder: &mut Decoder,
    value: &'value Value,
) -> RawConfiguration<'value> {
    if !is_configuration(decoder, value) {
        return RawConfiguration::default();
    }
    let root = decoder.object(
        value,
        Place::default(),
        "KubeSchedulerConfiguration",
        &[
            "apiVersion",
            "kind",
            "parallelism",
            "leaderElection",
            "clientConnection",
            "enableProfiling",
            "enableContentionProfiling",
            "percentageOfNodesToScore",
            "podInitialBackoffSeconds",
            "podMaxBackoffSeconds",
            "profiles",
            "extenders",
            "delayCacheUntilActive",
        ],
    );
    for field in [
        "enableProfiling",
        "enableContentionProfiling",
        "delayCacheUntilActive",
    ] {
        decoder.boolean(&root, field);
    }
    RawConfiguration {
        parallelism: decoder.int32(&root, "parallelism"),
        percentage_of_nodes_to_score: decoder.int32(&root, "percentageOfNodesToScore"),
        pod_initial_backoff_seconds: decoder.int64(&root, "podInitialBackoffSeconds"),
        pod_max_backoff_seconds: decoder.int64(&root, "podMaxBackoffSeconds"),
        client_burst: client_burst(decoder, &root),
        leader_election: leader_election(decoder, &root),
        profiles: decoder
            .children(
                &root,
                "profiles",
                "KubeSchedulerProfile",
                &[
                    "schedulerName",
                    "percentageOfNodesToScore",
                    "plugins",
                    "pluginConfig",
                ],
            )
            .iter()
            .map(|object| profile(decoder, object))
            .collect(),
        extenders: extender::extenders(decoder, &root),
    }
}

/// Checks kind and version before anything else, as the codec does.
fn is_configuration(decoder: &mut Decoder, value: &Value) -> bool {
    let text = |field: &str| value.get(field).and_then(Value::as_str).unwrap_or_default();
    let (kind, version) = (text("kind"), text("apiVersion"));
    let known = format!("a configuration has apiVersion: {API_VERSION} and kind: KubeSchedulerConfiguration");
    let error = if !value.is_object() {
        ConfigError::new("", "couldn't get version/kind: not a mapping")
    } else if kind.is_empty() {
        ConfigError::new("kind", "Object 'Kind' is missing")
    } else if version.is_empty() {
        ConfigError::new("apiVersion", "Object 'apiVersion' is missing")
    } else if kind == "KubeSchedulerConfiguration" && version == API_VERSION {
        return true;
    } else if version == API_VERSION && argument_kind(kind) {
        ConfigError::new(
            "kind",
            format!("couldn't decode as KubeSchedulerConfiguration, got {API_VERSION}, Kind={kind}"),
        )
    } else {
        ConfigError::new("apiVersion", not_registered(kind, version))
    };
    decoder.errors.0.push(error.hint(Some(known)));
    false
}

fn argument_kind(kind: &str) -> bool {
    kind.strip_suffix("Args")
        .is_some_and(|plugin| arguments::argument_type(plugin).is_some())
}

fn not_registered(kind: &str, version: &str) -> String {
    format!("no kind {kind:?} is registered for version {version:?}")
}

fn client_burst(decoder: &mut Decoder, root: &Object<'_>) -> i32 {
    let fields = ["kubeconfig", "acceptContentTypes", "contentType", "qps", "burst"];
    let Some(object) = decoder.child(root, "clientConnection", "ClientConnectionConfiguration", &fields)
    else {
        return 0;
    };
    for field in ["kubeconfig", "acceptContentTypes", "contentType"] {
        decoder.text(&object, field);
    }
    decoder.float32(&object, "qps");
    decoder.int32(&object, "burst").unwrap_or_default()
}

fn leader_election(decoder: &mut Decoder, root: &Object<'_>) -> RawLeaderElection {
    let fields = [
        "leaderElect",
        "leaseDuration",
        "renewDeadline",
        "retryPeriod",
        "resourceLock",
        "resourceName",
        "resourceNamespace",
    ];
    let Some(object) = decoder.child(root, "leaderElection", "LeaderElectionConfiguration", &fields) else {
        return RawLeaderElection::default();
    };
    for field in ["resourceName", "resourceNamespace"] {
        decoder.text(&object, field);
    }
    RawLeaderElection {
        leader_elect: decoder.boolean(&object, "leaderElect"),
        lease_duration: decoder
            .duration(&object, "leaseDuration", true)
            .unwrap_or_default(),
        renew_deadline: decoder
            .duration(&object, "renewDeadline", true)
            .unwrap_or_default(),
        retry_period: decoder.duration(&object, "retryPeriod", true).unwrap_or_default(),
        resource_lock: decoder.text(&object, "resourceLock").unwrap_or_default(),
    }
}

fn profile<'value>(decoder: &mut Decoder, object: &Object<'value>) -> RawProfile<'value> {
    let mut profile = RawProfile {
        scheduler_name: decoder.text(object, "schedulerName"),
        percentage_of_nodes_to_score: decoder.int32(object, "percentageOfNodesToScore"),
        ..RawProfile::default()
    };
    let mut fields: Vec<&str> = ExtensionPoint::ALL.iter().map(|point| point.field()).collect();
    fields.push("multiPoint");
    if let Some(plugins) = decoder.child(object, "plugins", "Plugins", &fields) {
        profile.multi_point = plugin_set(decoder, &plugins, "multiPoint");
        profile.points = ExtensionPoint::ALL.map(|point| plugin_set(decoder, &plugins, point.field()));
    }
    let entries = decoder.children(object, "pluginConfig", "PluginConfig", &["name", "args"]);
    profile.plugin_config = entries
        .iter()
        .map(|entry| plugin_config(decoder, entry))
        .collect();
    profile
}

fn plugin_set(decoder: &mut Decoder, plugins: &Object<'_>, field: &str) -> RawPluginSet {
    let Some(object) = decoder.child(plugins, field, "PluginSet", &["enabled", "disabled"]) else {
        return RawPluginSet::default();
    };
    let [enabled, disabled] = ["enabled", "disabled"].map(|field| {
        let entries = decoder.children(&object, field, "Plugin", &["name", "weight"]);
        entries
            .iter()
            .map(|entry| RawPlugin {
                name: decoder.text(entry, "name").unwrap_or_default(),
                weight: decoder.int32(entry, "weight").unwrap_or_default(),
            })
            .collect()
    });
    RawPluginSet { enabled, disabled }
}

fn plugin_config<'value>(decoder: &mut Decoder, entry: &Object<'value>) -> RawPluginConfig<'value> {
    let name = decoder.text(entry, "name").unwrap_or_default();
    let value = entry.get("args");
    let arguments = arguments::argument_type(&name).and_then(|decode| {
        let value = value.unwrap_or(&Value::Null);
        let path = entry.path_of("args");
        let kind = format!("{name}Args");
        is_kind(decoder, value, &path, &name, &kind).then(|| decode(decoder, value, &path))
    });
    RawPluginConfig {
        name,
        arguments,
        value,
    }
}

/// Checks the optional kind and version of a plugin's arguments.
fn is_kind(decoder: &mut Decoder, value: &Value, path: &str, plugin: &str, kind: &str) -> bool {
    let text = |field: &str| {
        value
            .get(field)
            .and_then(Value::as_str)
            .filter(|text| !text.is_empty())
    };
    let (found_kind, version) = (
        text("kind").unwrap_or(kind),
        text("apiVersion").unwrap_or(API_VERSION),
    );
    if found_kind == kind && version == API_VERSION {
        return true;
    }
    let message = if version == API_VERSION && argument_kind(found_kind) {
        let group = API_VERSION
            .split_once('/')
            .map_or(API_VERSION, |(group, _)| group);
        format!("args for plugin {plugin} were not of type {kind}.{group}, got {found_kind}.{group}")
    } else {
        format!(
            "decoding args for plugin {plugin}: {}",
            not_registered(found_kind, version)
        )
    };
    decoder.errors.push(path, message);
    false
}
