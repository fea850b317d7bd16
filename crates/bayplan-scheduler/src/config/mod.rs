//! `KubeSchedulerConfiguration` of `kubescheduler.config.k8s.io/v1`, read as kube-scheduler v1.37.2 reads it.
//!
//! The real scheduler decodes strictly, fills defaults, validates, and then builds one framework per profile, in
//! which the plugin lists of the file become one ordered list per extension point. The types here hold the
//! result of all four steps, so the engine never looks at the file's form again.

mod arguments;
mod plugin;
mod types;

pub use arguments::{
    Arguments, BalancedAllocationArguments, DefaultPreemptionArguments, DefaultingType,
    DynamicResourcesArguments, FitArguments, InterPodAffinityArguments, NodeAffinityArguments,
    PodTopologySpreadArguments, ResourceWeight, ScoringStrategy, ShapePoint, StrategyKind,
    VolumeBindingArguments, system_default_constraints,
};
pub use plugin::{DEFAULT_PLUGINS, ExtensionPoint, Plugin};
pub use types::{Profile, SchedulerConfiguration, WeightedPlugin};
