//! Defaults and validation of plugin arguments: `apis/config/v1/defaults.go` and
//! `apis/config/validation/validation_pluginargs.go` under `pkg/scheduler` (v1.37.2).

use std::collections::BTreeSet;
use std::time::Duration;

use super::affinity::node_affinity;
use super::spread::pod_topology_spread;
use super::{SECOND, label_name};
use crate::config::arguments::default_resources;
use crate::config::decode::{RawArguments, RawStrategy};
use crate::config::error::Errors;
use crate::config::{
    Arguments, BalancedAllocationArguments, DefaultPreemptionArguments, DynamicResourcesArguments,
    FitArguments, ResourceWeight, ScoringStrategy, ShapePoint, StrategyKind, VolumeBindingArguments,
    duration,
};

/// Arguments of a profile and the faults that count only if the plugin is used.
#[derive(Debug, Default)]
pub(in crate::config) struct ProfileArguments {
    pub arguments: Arguments,
    /// Faults of `NodeResourcesFit`. The table of validators has this plugin under a wrong name, so its arguments
    /// are first looked at when the plugin starts.
    pub fit_errors: Errors,
}

impl ProfileArguments {
    /// Applies defaults to the arguments of one plugin, validates them and keeps them.
    pub(super) fn take(&mut self, raw: &RawArguments, path: &str, errors: &mut Errors) {
        let arguments = &mut self.arguments;
        match raw {
            RawArguments::DefaultPreemption {
                min_candidate_nodes_percentage,
                min_candidate_nodes_absolute,
            } => {
                let percentage = *min_candidate_nodes_percentage;
                arguments.default_preemption =
                    default_preemption(percentage, *min_candidate_nodes_absolute, path, errors);
            }
            RawArguments::DynamicResources {
                filter_timeout,
                binding_timeout,
            } => {
                arguments.dynamic_resources =
                    dynamic_resources(*filter_timeout, *binding_timeout, path, errors);
            }
            RawArguments::InterPodAffinity {
                hard_pod_affinity_weight,
                ignore_preferred_terms_of_existing_pods,
            } => {
                let weight = hard_pod_affinity_weight.unwrap_or(1);
                if !(0..=100).contains(&weight) {
                    errors.invalid(
                        &format!("{path}.hardPodAffinityWeight"),
                        weight,
                        "not in valid range [0, 100]",
                    );
                }
                arguments.inter_pod_affinity.hard_pod_affinity_weight = weight;
                arguments
                    .inter_pod_affinity
                    .ignore_preferred_terms_of_existing_pods = *ignore_preferred_terms_of_existing_pods;
            }
            RawArguments::NodeAffinity { added_affinity } => {
                if let Some(affinity) = added_affinity {
                    node_affinity(affinity, &format!("{path}.addedAffinity"), errors);
                }
                arguments.node_affinity.added_affinity.clone_from(added_affinity);
            }
            RawArguments::NodeResourcesBalancedAllocation { resources } => {
                arguments.balanced = balanced_allocation(resources, path, errors);
            }
            RawArguments::NodeResourcesFit {
                ignored_resources,
                ignored_resource_groups,
                scoring_strategy,
            } => {
                ignored(
                    ignored_resources,
                    ignored_resource_groups,
                    path,
                    &mut self.fit_errors,
                );
                arguments.fit = FitArguments {
                    ignored_resources: ignored_resources.clone(),
                    ignored_resource_groups: ignored_resource_groups.clone(),
                    strategy: scoring_strategy
                        .as_ref()
                        .map(|raw| strategy(raw, &format!("{path}.scoringStrategy"), &mut self.fit_errors))
                        .unwrap_or_default(),
                };
            }
            RawArguments::PodTopologySpread {
                default_constraints,
                defaulting_type,
            } => {
                arguments.pod_topology_spread =
                    pod_topology_spread(default_constraints, defaulting_type, path, errors);
            }
            RawArguments::VolumeBinding {
                bind_timeout_seconds,
                shape,
            } => {
                arguments.volume_binding = volume_binding(*bind_timeout_seconds, shape, path, errors);
            }
        }
    }
}

fn default_preemption(
    percentage: Option<i32>,
    absolute: Option<i32>,
    path: &str,
    errors: &mut Errors,
) -> DefaultPreemptionArguments {
    let defaults = DefaultPreemptionArguments::default();
    let percentage = percentage.unwrap_or(defaults.min_candidate_nodes_percentage);
    let absolute = absolute.unwrap_or(defaults.min_candidate_nodes_absolute);
    let percentage_path = format!("{path}.minCandidateNodesPercentage");
    let absolute_path = format!("{path}.minCandidateNodesAbsolute");
    if !(0..=100).contains(&percentage) {
        errors.invalid(&percentage_path, percentage, "not in valid range [0, 100]");
    }
    if absolute < 0 {
        errors.invalid(&absolute_path, absolute, "not in valid range [0, inf)");
    }
    if percentage == 0 && absolute == 0 {
        errors.invalid(
            &percentage_path,
            0,
            "cannot be zero at the same time as minCandidateNodesAbsolute",
        );
        errors.invalid(
            &absolute_path,
            0,
            "cannot be zero at the same time as minCandidateNodesPercentage",
        );
    }
    DefaultPreemptionArguments {
        min_candidate_nodes_percentage: percentage,
        min_candidate_nodes_absolute: absolute,
    }
}

fn dynamic_resources(
    filter: Option<i64>,
    binding: Option<i64>,
    path: &str,
    errors: &mut Errors,
) -> DynamicResourcesArguments {
    if let Some(nanoseconds) = filter.filter(|&nanoseconds| nanoseconds < 0) {
        let value = duration::format(nanoseconds);
        errors.invalid_text(
            &format!("{path}.filterTimeout"),
            &value,
            "must be zero or positive",
        );
    }
    if let Some(nanoseconds) = binding.filter(|&nanoseconds| nanoseconds < SECOND) {
        let value = duration::format(nanoseconds);
        errors.invalid_text(
            &format!("{path}.bindingTimeout"),
            &value,
            "must be at least 1 second",
        );
    }
    let defaults = DynamicResourcesArguments::default();
    let or = |nanoseconds: Option<i64>, default: Duration| {
        nanoseconds
            .and_then(|value| u64::try_from(value).ok())
            .map_or(default, Duration::from_nanos)
    };
    DynamicResourcesArguments {
        filter_timeout: or(filter, defaults.filter_timeout),
        binding_timeout: or(binding, defaults.binding_timeout),
    }
}

fn balanced_allocation(
    resources: &[(String, i64)],
    path: &str,
    errors: &mut Errors,
) -> BalancedAllocationArguments {
    let resources = with_default_weights(resources);
    let mut seen = BTreeSet::new();
    for (index, resource) in resources.iter().enumerate() {
        let path = format!("{path}.resources[{index}]");
        if !seen.insert(&resource.name) {
            errors.duplicate(&format!("{path}.name"), &resource.name);
        }
        if resource.weight != 1 {
            errors.invalid(&format!("{path}.weight"), resource.weight, "must be 1");
        }
    }
    BalancedAllocationArguments { resources }
}

/// The default resources for an empty list, weight 1 for a missing one.
fn with_default_weights(resources: &[(String, i64)]) -> Vec<ResourceWeight> {
    if resources.is_empty() {
        return default_resources();
    }
    resources
        .iter()
        .map(|(name, weight)| ResourceWeight {
            name: name.clone(),
            weight: if *weight == 0 { 1 } else { *weight },
        })
        .collect()
}

fn ignored(resources: &[String], groups: &[String], path: &str, errors: &mut Errors) {
    for (index, name) in resources.iter().enumerate() {
        label_name(&format!("{path}.ignoredResources[{index}]"), name, errors);
    }
    for (index, group) in groups.iter().enumerate() {
        let path = format!("{path}.ignoredResourceGroups[{index}]");
        if group.contains('/') {
            errors.invalid_text(&path, group, "resource group name can't contain '/'");
        }
        label_name(&path, group, errors);
    }
}

fn strategy(raw: &RawStrategy, path: &str, errors: &mut Errors) -> ScoringStrategy {
    let kind = match raw.kind.as_str() {
        "LeastAllocated" => StrategyKind::LeastAllocated,
        "MostAllocated" => StrategyKind::MostAllocated,
        "RequestedToCapacityRatio" => StrategyKind::RequestedToCapacityRatio,
        other => {
            let supported = ["LeastAllocated", "MostAllocated", "RequestedToCapacityRatio"];
            errors.unsupported(&format!("{path}.type"), other, &supported);
            StrategyKind::default()
        }
    };
    let resources = with_default_weights(&raw.resources);
    for (index, resource) in resources.iter().enumerate() {
        if !(1..=100).contains(&resource.weight) {
            let detail = format!("resource weight of {} not in valid range (0, 100]", resource.name);
            errors.invalid(
                &format!("{path}.resources[{index}].weight"),
                resource.weight,
                &detail,
            );
        }
    }
    let ratio_path = format!("{path}.requestedToCapacityRatio");
    match (kind, &raw.shape) {
        (StrategyKind::RequestedToCapacityRatio, None) => {
            errors.required(
                &ratio_path,
                "must be specified when type is RequestedToCapacityRatio",
            );
        }
        (StrategyKind::RequestedToCapacityRatio, Some(points)) => {
            shape(points, &format!("{ratio_path}.shape"), errors);
        }
        (_, Some(_)) => {
            errors.forbidden(
                &ratio_path,
                "must be nil when type is not RequestedToCapacityRatio",
            );
        }
        (_, None) => {}
    }
    ScoringStrategy {
        kind,
        resources,
        shape: shape_points(raw.shape.as_deref().unwrap_or_default()),
    }
}

fn shape(points: &[(i32, i32)], path: &str, errors: &mut Errors) {
    if points.is_empty() {
        errors.required(path, "at least one point must be specified");
    }
    let falling = points
        .iter()
        .zip(points.iter().skip(1))
        .position(|(before, point)| before.0 >= point.0);
    if let Some((index, (utilization, _))) =
        falling.and_then(|before| Some((before + 1, points.get(before + 1)?)))
    {
        let detail = "values must be sorted in increasing order";
        errors.invalid(&format!("{path}[{index}].utilization"), utilization, detail);
    }
    for (index, (utilization, score)) in points.iter().enumerate() {
        if !(0..=100).contains(utilization) {
            errors.invalid(
                &format!("{path}[{index}].utilization"),
                utilization,
                "not in valid range [0, 100]",
            );
        }
        if !(0..=10).contains(score) {
            errors.invalid(
                &format!("{path}[{index}].score"),
                score,
                "not in valid range [0, 10]",
            );
        }
    }
}

fn shape_points(points: &[(i32, i32)]) -> Vec<ShapePoint> {
    points
        .iter()
        .map(|&(utilization, score)| ShapePoint {
            utilization: i64::from(utilization),
            score: i64::from(score),
        })
        .collect()
}

fn volume_binding(
    bind_timeout_seconds: Option<i64>,
    points: &[(i32, i32)],
    path: &str,
    errors: &mut Errors,
) -> VolumeBindingArguments {
    let mut arguments = VolumeBindingArguments::default();
    if let Some(seconds) = bind_timeout_seconds {
        if seconds < 0 {
            let detail = "invalid BindTimeoutSeconds, should not be a negative value";
            errors.invalid(&format!("{path}.bindTimeoutSeconds"), seconds, detail);
        }
        arguments.bind_timeout_seconds = seconds;
    }
    if !points.is_empty() {
        shape(points, &format!("{path}.shape"), errors);
        arguments.shape = shape_points(points);
    }
    arguments
}
