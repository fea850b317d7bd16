//! Validation of a decoded configuration: `pkg/scheduler/apis/config/validation/validation.go` and
//! `k8s.io/component-base/config/validation` (v1.37.2), with the defaults of `apis/config/v1/defaults.go` applied.

mod affinity;
mod arguments;
mod spread;

pub(super) use arguments::ProfileArguments;

use std::collections::{BTreeMap, BTreeSet};

use bayplan_model::names::qualified_name_errors;

use super::decode::{
    RawConfiguration, RawExtender, RawLeaderElection, RawPlugin, RawPluginConfig, RawPluginSet, RawProfile,
};
use super::error::Errors;
use super::{ExtensionPoint, SchedulerConfiguration, duration};

/// Plugins that were removed and are refused by name (`invalidPluginsByVersion`).
const REMOVED_PLUGINS: [&str; 4] = ["AzureDiskLimits", "CinderLimits", "EBSLimits", "GCEPDLimits"];

const SECOND: i64 = 1_000_000_000;

/// Validates everything and returns the arguments of each profile.
///
/// Sets the scalar fields of the configuration; its profiles are left to the caller.
pub(super) fn configuration(
    raw: &RawConfiguration<'_>,
    configuration: &mut SchedulerConfiguration,
    errors: &mut Errors,
) -> Vec<ProfileArguments> {
    if raw.client_burst < 0 {
        errors.invalid("clientConnection.burst", raw.client_burst, "must be non-negative");
    }
    leader_election(&raw.leader_election, errors);
    configuration.parallelism = raw.parallelism.unwrap_or(configuration.parallelism);
    if configuration.parallelism <= 0 {
        let detail = "should be an integer value greater than zero";
        errors.invalid("parallelism", configuration.parallelism, detail);
    }
    let mut names: BTreeMap<&str, usize> = BTreeMap::new();
    let mut arguments = Vec::new();
    for (index, profile) in raw.profiles.iter().enumerate() {
        let path = format!("profiles[{index}]");
        let name = profile.scheduler_name.as_deref().unwrap_or_default();
        if name.is_empty() {
            errors.required(&format!("{path}.schedulerName"), "");
        }
        percentage(
            &format!("{path}.percentageOfNodesToScore"),
            profile.percentage_of_nodes_to_score,
            errors,
        );
        arguments.push(plugin_config(&path, profile, errors));
        if let Some(earlier) = names.insert(name, index) {
            // The real message prints a path object as JSON, which has no fields.
            errors.push(
                &format!("{path}.schedulerName"),
                format!("Duplicate value: {name:?}, as in profiles[{earlier}].schedulerName"),
            );
        }
    }
    common_queue_sort(&raw.profiles, errors);
    percentage(
        "percentageOfNodesToScore",
        raw.percentage_of_nodes_to_score,
        errors,
    );
    configuration.percentage_of_nodes_to_score = raw
        .percentage_of_nodes_to_score
        .unwrap_or(configuration.percentage_of_nodes_to_score);
    backoff(raw, configuration, errors);
    extenders(&raw.extenders, errors);
    arguments
}

fn backoff(raw: &RawConfiguration<'_>, configuration: &mut SchedulerConfiguration, errors: &mut Errors) {
    let initial = raw
        .pod_initial_backoff_seconds
        .unwrap_or(configuration.pod_initial_backoff_seconds);
    let longest = raw
        .pod_max_backoff_seconds
        .unwrap_or(configuration.pod_max_backoff_seconds);
    if initial <= 0 {
        errors.invalid("podInitialBackoffSeconds", initial, "must be greater than 0");
    }
    if longest < initial {
        let detail = "must be greater than or equal to PodInitialBackoffSeconds";
        errors.invalid("podMaxBackoffSeconds", longest, detail);
    }
    configuration.pod_initial_backoff_seconds = initial;
    configuration.pod_max_backoff_seconds = longest;
}

fn leader_election(raw: &RawLeaderElection, errors: &mut Errors) {
    if raw.leader_elect == Some(false) {
        return;
    }
    let or = |value: i64, default: i64| if value == 0 { default } else { value };
    let lease = or(raw.lease_duration, 15 * SECOND);
    let renew = or(raw.renew_deadline, 10 * SECOND);
    let retry = or(raw.retry_period, 2 * SECOND);
    for (field, value) in [
        ("leaseDuration", lease),
        ("renewDeadline", renew),
        ("retryPeriod", retry),
    ] {
        if value <= 0 {
            let path = format!("leaderElection.{field}");
            errors.invalid_text(&path, &duration::format(value), "must be greater than zero");
        }
    }
    if lease <= renew {
        let detail = "must be greater than `RenewDeadline`";
        errors.invalid_text("leaderElection.leaseDuration", &duration::format(renew), detail);
    }
    if !raw.resource_lock.is_empty() && raw.resource_lock != "leases" {
        let detail = "resourceLock value must be \"leases\"";
        errors.invalid_text("leaderElection.resourceLock", &raw.resource_lock, detail);
    }
}

fn percentage(path: &str, value: Option<i32>, errors: &mut Errors) {
    if let Some(value) = value.filter(|value| !(0..=100).contains(value)) {
        errors.invalid(path, value, "not in valid range [0-100]");
    }
}

fn plugin_config(path: &str, profile: &RawProfile<'_>, errors: &mut Errors) -> ProfileArguments {
    for (point, set) in ExtensionPoint::ALL.iter().zip(&profile.points) {
        // Not among the sets that are looked through.
        if matches!(
            point,
            ExtensionPoint::PlacementGenerate | ExtensionPoint::PlacementScore
        ) {
            continue;
        }
        for (index, plugin) in set.enabled.iter().enumerate() {
            let path = format!("{path}.plugins.{}.enabled[{index}]", point.field());
            removed_plugin(&path, &plugin.name, errors);
        }
    }
    let mut arguments = ProfileArguments::default();
    let mut seen = BTreeSet::new();
    for (index, config) in profile.plugin_config.iter().enumerate() {
        let path = format!("{path}.pluginConfig[{index}]");
        if !seen.insert(config.name.as_str()) {
            errors.duplicate(&path, &config.name);
        }
        removed_plugin(&path, &config.name, errors);
        if let Some(raw) = &config.arguments {
            arguments.take(raw, &format!("{path}.args"), errors);
        }
    }
    arguments
}

fn removed_plugin(path: &str, name: &str, errors: &mut Errors) {
    if REMOVED_PLUGINS.contains(&name) {
        // The table of removed plugins is made with the version of the core API by mistake.
        let detail = "was invalid in version \"v1\" \
                      (KubeSchedulerConfiguration is version \"kubescheduler.config.k8s.io/v1\")";
        errors.invalid_text(path, name, detail);
    }
}

/// All profiles share one queue, so they must sort it alike.
fn common_queue_sort(profiles: &[RawProfile<'_>], errors: &mut Errors) {
    let queue_sort = |profile: &RawProfile<'_>| -> RawPluginSet {
        let sets = ExtensionPoint::ALL.iter().zip(&profile.points);
        sets.filter(|(point, _)| **point == ExtensionPoint::QueueSort)
            .map(|(_, set)| RawPluginSet {
                enabled: set.enabled.clone(),
                // Merging keeps only the names of disabled plugins.
                disabled: set
                    .disabled
                    .iter()
                    .map(|plugin| RawPlugin {
                        weight: 0,
                        ..plugin.clone()
                    })
                    .collect(),
            })
            .next()
            .unwrap_or_default()
    };
    let Some((first, others)) = profiles.split_first() else {
        return;
    };
    let canonical = queue_sort(first);
    if canonical.enabled.len() > 1 {
        let detail = "only one queue sort plugin can be enabled";
        errors.invalid(
            "profiles[0].plugins.queueSort.Enabled",
            canonical.enabled.len(),
            detail,
        );
    }
    let name = canonical
        .enabled
        .first()
        .map(|plugin| plugin.name.as_str())
        .filter(|name| !name.is_empty());
    let of_queue_sort = |config: &&RawPluginConfig<'_>| Some(config.name.as_str()) == name;
    let arguments = first
        .plugin_config
        .iter()
        .rfind(of_queue_sort)
        .and_then(|config| config.value);
    for (index, profile) in others.iter().enumerate() {
        let path = format!("profiles[{}]", index + 1);
        let current = queue_sort(profile);
        if current != canonical {
            let value = plugin_set_json(&current);
            errors.invalid(
                &format!("{path}.plugins.queueSort"),
                value,
                "must be the same for all profiles",
            );
        }
        for config in profile.plugin_config.iter().filter(of_queue_sort) {
            if config.value != arguments {
                let value = config
                    .value
                    .map_or_else(|| "null".to_owned(), ToString::to_string);
                let detail = "queueSort must be the same for all profiles";
                errors.invalid(&format!("{path}.pluginConfig.args"), value, detail);
            }
        }
    }
}

/// A plugin set as Go prints the internal type.
fn plugin_set_json(set: &RawPluginSet) -> String {
    let list = |plugins: &[RawPlugin]| {
        if plugins.is_empty() {
            return "null".to_owned();
        }
        let items: Vec<String> = plugins
            .iter()
            .map(|plugin| format!("{{\"Name\":{:?},\"Weight\":{}}}", plugin.name, plugin.weight))
            .collect();
        format!("[{}]", items.join(","))
    };
    format!(
        "{{\"Enabled\":{},\"Disabled\":{}}}",
        list(&set.enabled),
        list(&set.disabled)
    )
}

fn extenders(extenders: &[RawExtender], errors: &mut Errors) {
    let mut managed = BTreeSet::new();
    for (index, extender) in extenders.iter().enumerate() {
        let path = format!("extenders[{index}]");
        if !extender.prioritize_verb.is_empty() && extender.weight <= 0 {
            let detail = "must have a positive weight applied to it";
            errors.invalid(&format!("{path}.weight"), extender.weight, detail);
        }
        for (index, (name, _)) in extender.managed_resources.iter().enumerate() {
            let path = format!("{path}.managedResources[{index}].name");
            extended_resource_name(&path, name, errors);
            if !managed.insert(name) {
                errors.invalid_text(&path, name, "duplicate extender managed resource name");
            }
        }
    }
    let binders = extenders
        .iter()
        .filter(|extender| !extender.bind_verb.is_empty())
        .count();
    if binders > 1 {
        let value = format!("found {binders} extenders implementing bind");
        errors.invalid_text("extenders", &value, "only one extender can implement bind");
    }
}

fn extended_resource_name(path: &str, name: &str, errors: &mut Errors) {
    let faults = qualified_name_errors(name);
    for fault in &faults {
        errors.invalid_text(path, name, fault);
    }
    // `IsExtendedResourceName` in `pkg/apis/core/v1/helper/helpers.go`.
    let native = !name.contains('/') || name.contains("kubernetes.io/");
    let extended = !native
        && !name.starts_with("requests.")
        && qualified_name_errors(&format!("requests.{name}")).is_empty();
    if faults.is_empty() && !extended {
        errors.invalid_text(path, name, "is an invalid extended resource name");
    }
}

/// Checks a label key (`ValidateLabelName` of `k8s.io/apimachinery/pkg/apis/meta/v1/validation`).
fn label_name(path: &str, name: &str, errors: &mut Errors) {
    for fault in qualified_name_errors(name) {
        errors.invalid_text(path, name, &fault);
    }
}
