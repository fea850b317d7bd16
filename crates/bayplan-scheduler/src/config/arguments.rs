//! Arguments of the plugins, defaulted and validated.
//!
//! Fields and defaults: `pkg/scheduler/apis/config/types_pluginargs.go` and
//! `pkg/scheduler/apis/config/v1/defaults.go` (v1.37.2).

use std::time::Duration;

use bayplan_model::object::{NodeAffinity, TopologySpreadConstraint};

/// Arguments of every plugin that takes some.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Arguments {
    /// Of `NodeResourcesFit`.
    pub fit: FitArguments,
    /// Of `NodeResourcesBalancedAllocation`.
    pub balanced: BalancedAllocationArguments,
    /// Of `InterPodAffinity`.
    pub inter_pod_affinity: InterPodAffinityArguments,
    /// Of `NodeAffinity`.
    pub node_affinity: NodeAffinityArguments,
    /// Of `PodTopologySpread`.
    pub pod_topology_spread: PodTopologySpreadArguments,
    /// Of `DefaultPreemption`.
    pub default_preemption: DefaultPreemptionArguments,
    /// Of `VolumeBinding`.
    pub volume_binding: VolumeBindingArguments,
    /// Of `DynamicResources`.
    pub dynamic_resources: DynamicResourcesArguments,
}

/// `NodeResourcesFitArgs`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct FitArguments {
    /// Extended resources that the filter leaves out, by full name.
    pub ignored_resources: Vec<String>,
    /// Extended resources that the filter leaves out, by the part before the `/`.
    pub ignored_resource_groups: Vec<String>,
    /// How nodes are scored.
    pub strategy: ScoringStrategy,
}

/// How `NodeResourcesFit` scores a node.
#[derive(Debug, Clone, PartialEq)]
pub struct ScoringStrategy {
    /// The formula.
    pub kind: StrategyKind,
    /// Resources in the order of the configuration, with weights 1 to 100; a name may repeat.
    pub resources: Vec<ResourceWeight>,
    /// Points of the curve for `RequestedToCapacityRatio`, strictly increasing in utilisation; else empty.
    pub shape: Vec<ShapePoint>,
}

/// Formula of a [`ScoringStrategy`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum StrategyKind {
    /// Prefers free nodes.
    #[default]
    LeastAllocated,
    /// Prefers full nodes.
    MostAllocated,
    /// Follows a curve over the utilisation.
    RequestedToCapacityRatio,
}

/// A resource and its weight.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResourceWeight {
    /// Resource name, for example `cpu` or `nvidia.com/gpu`.
    pub name: String,
    /// Weight, at least 1.
    pub weight: i64,
}

/// A point of a scoring curve.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShapePoint {
    /// Utilisation in percent, 0 to 100.
    pub utilization: i64,
    /// Score as written in the configuration, 0 to 10; the plugins multiply it by 10.
    pub score: i64,
}

/// `NodeResourcesBalancedAllocationArgs`.
#[derive(Debug, Clone, PartialEq)]
pub struct BalancedAllocationArguments {
    /// Resources whose use is compared; all weights are 1 and no name repeats.
    pub resources: Vec<ResourceWeight>,
}

/// `InterPodAffinityArgs`.
#[derive(Debug, Clone, PartialEq)]
pub struct InterPodAffinityArguments {
    /// Weight of existing pods' required affinity terms in the score, 0 to 100.
    pub hard_pod_affinity_weight: i32,
    /// Leaves existing pods' preferred terms out of the score.
    pub ignore_preferred_terms_of_existing_pods: bool,
}

/// `NodeAffinityArgs`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct NodeAffinityArguments {
    /// Node affinity in addition to that of every pod of the profile.
    pub added_affinity: Option<NodeAffinity>,
}

/// `PodTopologySpreadArgs`.
#[derive(Debug, Clone, PartialEq)]
pub struct PodTopologySpreadArguments {
    /// Constraints for pods that have none, without selectors. With [`DefaultingType::System`] these are
    /// [`system_default_constraints`], as the plugin itself holds them.
    pub default_constraints: Vec<TopologySpreadConstraint>,
    /// Where the constraints come from.
    pub defaulting_type: DefaultingType,
}

/// Source of the default spread constraints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum DefaultingType {
    /// Kubernetes' own constraints.
    #[default]
    System,
    /// Those of the configuration, possibly none.
    List,
}

/// `DefaultPreemptionArgs`.
#[derive(Debug, Clone, PartialEq)]
pub struct DefaultPreemptionArguments {
    /// Least share of nodes that are tried, in percent, 0 to 100.
    pub min_candidate_nodes_percentage: i32,
    /// Least number of nodes that are tried, at least 0.
    pub min_candidate_nodes_absolute: i32,
}

/// `VolumeBindingArgs`.
#[derive(Debug, Clone, PartialEq)]
pub struct VolumeBindingArguments {
    /// Longest wait for a binding, in seconds, at least 0.
    pub bind_timeout_seconds: i64,
    /// Curve of the score over the volumes' utilisation, strictly increasing in utilisation.
    pub shape: Vec<ShapePoint>,
}

/// `DynamicResourcesArgs`.
#[derive(Debug, Clone, PartialEq)]
pub struct DynamicResourcesArguments {
    /// Longest time the filter may take on one node; zero means no limit.
    pub filter_timeout: Duration,
    /// Longest wait for device binding conditions, at least one second.
    pub binding_timeout: Duration,
}

impl Default for ScoringStrategy {
    fn default() -> ScoringStrategy {
        ScoringStrategy {
            kind: StrategyKind::default(),
            resources: default_resources(),
            shape: Vec::new(),
        }
    }
}

impl Default for BalancedAllocationArguments {
    fn default() -> BalancedAllocationArguments {
        BalancedAllocationArguments {
            resources: default_resources(),
        }
    }
}

impl Default for InterPodAffinityArguments {
    fn default() -> InterPodAffinityArguments {
        InterPodAffinityArguments {
            hard_pod_affinity_weight: 1,
            ignore_preferred_terms_of_existing_pods: false,
        }
    }
}

impl Default for PodTopologySpreadArguments {
    fn default() -> PodTopologySpreadArguments {
        PodTopologySpreadArguments {
            default_constraints: system_default_constraints(),
            defaulting_type: DefaultingType::System,
        }
    }
}

impl Default for DefaultPreemptionArguments {
    fn default() -> DefaultPreemptionArguments {
        DefaultPreemptionArguments {
            min_candidate_nodes_percentage: 10,
            min_candidate_nodes_absolute: 100,
        }
    }
}

impl Default for VolumeBindingArguments {
    fn default() -> VolumeBindingArguments {
        VolumeBindingArguments {
            bind_timeout_seconds: 600,
            shape: vec![
                ShapePoint {
                    utilization: 0,
                    score: 10,
                },
                ShapePoint {
                    utilization: 100,
                    score: 0,
                },
            ],
        }
    }
}

impl Default for DynamicResourcesArguments {
    fn default() -> DynamicResourcesArguments {
        DynamicResourcesArguments {
            filter_timeout: Duration::from_secs(10),
            binding_timeout: Duration::from_secs(600),
        }
    }
}

/// `defaultResourceSpec` of `pkg/scheduler/apis/config/v1/defaults.go` (v1.37.2).
pub(super) fn default_resources() -> Vec<ResourceWeight> {
    ["cpu", "memory"]
        .map(|name| ResourceWeight {
            name: name.to_owned(),
            weight: 1,
        })
        .to_vec()
}

/// Kubernetes' own spread constraints for pods that have none.
///
/// `systemDefaultConstraints` in `pkg/scheduler/framework/plugins/podtopologyspread/plugin.go` (v1.37.2).
pub fn system_default_constraints() -> Vec<TopologySpreadConstraint> {
    [("kubernetes.io/hostname", 3), ("topology.kubernetes.io/zone", 5)]
        .map(|(topology_key, max_skew)| TopologySpreadConstraint {
            topology_key: topology_key.to_owned(),
            max_skew,
            when_unsatisfiable: "ScheduleAnyway".to_owned(),
            ..TopologySpreadConstraint::default()
        })
        .to_vec()
}
