//! `KubeSchedulerConfiguration` of `kubescheduler.config.k8s.io/v1`, read as kube-scheduler v1.37.2 reads it.
//!
//! The real scheduler decodes strictly, fills defaults, validates, and then builds one framework per profile, in
//! which the plugin lists of the file become one ordered list per extension point. The types here hold the
//! result of all four steps, so the engine never looks at the file's form again.

mod arguments;
mod decode;
mod duration;
mod error;
mod framework;
mod merge;
mod plugin;
#[cfg(test)]
mod tests;
mod types;
mod validate;

use serde_json::Value;

pub use arguments::{
    Arguments, BalancedAllocationArguments, DefaultPreemptionArguments, DefaultingType,
    DynamicResourcesArguments, FitArguments, InterPodAffinityArguments, NodeAffinityArguments,
    PodTopologySpreadArguments, ResourceWeight, ScoringStrategy, ShapePoint, StrategyKind,
    VolumeBindingArguments, system_default_constraints,
};
pub use error::{ConfigError, ConfigErrors};
pub use plugin::{DEFAULT_PLUGINS, ExtensionPoint, Plugin};
pub use types::{Profile, SchedulerConfiguration, WeightedPlugin};

/// What to do with plugins that kube-scheduler itself does not have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum UnknownPlugins {
    /// Refuse them, as kube-scheduler does when it starts.
    #[default]
    Refuse,
    /// Go on without them and say so in [`Profile::not_modelled`]: for a scheduler with plugins of its own.
    LeaveOut,
}

/// Reads a configuration from its JSON value.
///
/// # Errors
/// Everything that kube-scheduler v1.37.2 would refuse, with field paths; see [`ConfigErrors`] for what is reported
/// together. Keys that occur twice in the text are the caller's to refuse: a JSON value no longer shows them.
pub fn parse(value: &Value, unknown_plugins: UnknownPlugins) -> Result<SchedulerConfiguration, ConfigErrors> {
    let mut decoder = decode::Decoder::default();
    let mut raw = decode::configuration(&mut decoder, value);
    decoder.errors.into_result()?;

    if raw.profiles.is_empty() {
        raw.profiles.push(decode::RawProfile::default());
    }
    if let [only] = raw.profiles.as_mut_slice() {
        only.scheduler_name
            .get_or_insert_with(|| "default-scheduler".to_owned());
    }
    let mut configuration = SchedulerConfiguration::default();
    let mut errors = error::Errors::default();
    let arguments = validate::configuration(&raw, &mut configuration, &mut errors);
    errors.into_result()?;

    let ignored_resources: Vec<String> = raw
        .extenders
        .iter()
        .flat_map(|extender| &extender.managed_resources)
        .filter(|(_, ignored_by_scheduler)| *ignored_by_scheduler)
        .map(|(name, _)| name.clone())
        .collect();
    let common = framework::Common {
        unknown_plugins,
        ignored_resources: &ignored_resources,
    };
    let mut errors = error::Errors::default();
    configuration.profiles = raw
        .profiles
        .iter()
        .zip(arguments)
        .enumerate()
        .map(|(index, (profile, arguments))| {
            let path = format!("profiles[{index}]");
            framework::profile(profile, &path, arguments, &common, &mut errors)
        })
        .collect();
    framework::same_queue_sort(&raw.profiles, &configuration.profiles, &mut errors);
    errors.into_result()?;
    configuration.not_modelled = raw
        .extenders
        .iter()
        .map(|extender| {
            let url = &extender.url_prefix;
            format!("extender {url} is not asked for filtering, scores, preemption or binding")
        })
        .collect();
    Ok(configuration)
}
