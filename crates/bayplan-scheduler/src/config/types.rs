//! A whole configuration and its profiles, ready for the engine.

use super::{Arguments, DEFAULT_PLUGINS, ExtensionPoint, Plugin};

/// A scheduler's configuration after decoding, defaulting and validation.
#[derive(Debug, Clone, PartialEq)]
pub struct SchedulerConfiguration {
    /// Number of workers, at least 1. It changes which of several equal answers the real scheduler gives.
    pub parallelism: i32,
    /// Share of the nodes that are searched for feasible ones, in percent; 0 means adaptive. A profile may say
    /// otherwise: see [`SchedulerConfiguration::percentage_for`].
    pub percentage_of_nodes_to_score: i32,
    /// First backoff of a pod that could not be placed, in seconds, at least 1.
    pub pod_initial_backoff_seconds: i64,
    /// Largest backoff, in seconds, at least the first one.
    pub pod_max_backoff_seconds: i64,
    /// Profiles in the order of the file; their scheduler names differ.
    pub profiles: Vec<Profile>,
    /// What the configuration asks of the whole scheduler and the engine does not simulate, one sentence each.
    pub not_modelled: Vec<String>,
}

/// One profile: the plugins and arguments for the pods of one scheduler name.
///
/// Every list is in the order in which the framework runs it.
#[derive(Debug, Clone, PartialEq)]
pub struct Profile {
    /// `spec.schedulerName` of the pods that use the profile.
    pub scheduler_name: String,
    /// Overrides the global share, also with 0.
    pub percentage_of_nodes_to_score: Option<i32>,
    /// PreEnqueue plugins. The real scheduler runs these in no fixed order.
    pub pre_enqueue: Vec<Plugin>,
    /// QueueSort plugins: one, the same in all profiles; none where an unknown plugin sorts.
    pub queue_sort: Vec<Plugin>,
    /// PreFilter plugins.
    pub pre_filter: Vec<Plugin>,
    /// Filter plugins.
    pub filter: Vec<Plugin>,
    /// PostFilter plugins.
    pub post_filter: Vec<Plugin>,
    /// PreScore plugins.
    pub pre_score: Vec<Plugin>,
    /// Score plugins with the weights that are used.
    pub score: Vec<WeightedPlugin>,
    /// Reserve plugins.
    pub reserve: Vec<Plugin>,
    /// Permit plugins.
    pub permit: Vec<Plugin>,
    /// PreBind plugins.
    pub pre_bind: Vec<Plugin>,
    /// Bind plugins; empty only where an unknown plugin binds.
    pub bind: Vec<Plugin>,
    /// Arguments of the plugins, also of those that are off.
    pub arguments: Arguments,
    /// What the profile asks for and the engine does not simulate, one sentence each.
    pub not_modelled: Vec<String>,
}

/// A Score plugin and its weight.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WeightedPlugin {
    /// The plugin.
    pub plugin: Plugin,
    /// Factor of its normalised score: never 0, negative if the configuration says so.
    pub weight: i64,
}

impl SchedulerConfiguration {
    /// Share of the nodes to search for a pod of the profile, in percent; 0 means adaptive.
    ///
    /// `numFeasibleNodesToFind` in `pkg/scheduler/schedule_one.go` (v1.37.2).
    pub fn percentage_for(&self, profile: &Profile) -> i32 {
        profile
            .percentage_of_nodes_to_score
            .unwrap_or(self.percentage_of_nodes_to_score)
    }

    /// The profile for a pod's `spec.schedulerName`; none means that this scheduler ignores the pod.
    pub fn profile(&self, scheduler_name: &str) -> Option<&Profile> {
        self.profiles
            .iter()
            .find(|profile| profile.scheduler_name == scheduler_name)
    }
}

impl Default for SchedulerConfiguration {
    /// A scheduler started without a configuration file.
    fn default() -> SchedulerConfiguration {
        SchedulerConfiguration {
            parallelism: 16,
            percentage_of_nodes_to_score: 0,
            pod_initial_backoff_seconds: 1,
            pod_max_backoff_seconds: 10,
            profiles: vec![Profile::default()],
            not_modelled: Vec::new(),
        }
    }
}

impl Default for Profile {
    /// The profile `default-scheduler`.
    fn default() -> Profile {
        let at = |point: ExtensionPoint| {
            DEFAULT_PLUGINS
                .iter()
                .map(|&(plugin, _)| plugin)
                .filter(|plugin| plugin.implements(point))
                .collect()
        };
        Profile {
            scheduler_name: "default-scheduler".to_owned(),
            percentage_of_nodes_to_score: None,
            pre_enqueue: at(ExtensionPoint::PreEnqueue),
            queue_sort: at(ExtensionPoint::QueueSort),
            pre_filter: at(ExtensionPoint::PreFilter),
            filter: at(ExtensionPoint::Filter),
            post_filter: at(ExtensionPoint::PostFilter),
            pre_score: at(ExtensionPoint::PreScore),
            score: DEFAULT_PLUGINS
                .iter()
                .filter(|(plugin, _)| plugin.implements(ExtensionPoint::Score))
                .map(|&(plugin, weight)| WeightedPlugin {
                    plugin,
                    weight: i64::from(weight).max(1),
                })
                .collect(),
            reserve: at(ExtensionPoint::Reserve),
            permit: at(ExtensionPoint::Permit),
            pre_bind: at(ExtensionPoint::PreBind),
            bind: at(ExtensionPoint::Bind),
            arguments: Arguments::default(),
            not_modelled: Vec::new(),
        }
    }
}
