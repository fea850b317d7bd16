//! Plugin arguments: `k8s.io/kube-scheduler/config/v1/types_pluginargs.go` (v0.37.2).

use bayplan_model::object::{NodeAffinity, TopologySpreadConstraint};
use serde_json::Value;

use super::{Decoder, Object, Place, core};

/// Decoded arguments of one plugin, without defaults.
#[derive(Debug)]
pub(in crate::config) enum RawArguments {
    DefaultPreemption {
        min_candidate_nodes_percentage: Option<i32>,
        min_candidate_nodes_absolute: Option<i32>,
    },
    DynamicResources {
        filter_timeout: Option<i64>,
        binding_timeout: Option<i64>,
    },
    InterPodAffinity {
        hard_pod_affinity_weight: Option<i32>,
        ignore_preferred_terms_of_existing_pods: bool,
    },
    NodeAffinity {
        added_affinity: Option<NodeAffinity>,
    },
    NodeResourcesBalancedAllocation {
        resources: Vec<(String, i64)>,
    },
    NodeResourcesFit {
        ignored_resources: Vec<String>,
        ignored_resource_groups: Vec<String>,
        scoring_strategy: Option<RawStrategy>,
    },
    PodTopologySpread {
        default_constraints: Vec<TopologySpreadConstraint>,
        defaulting_type: String,
    },
    VolumeBinding {
        bind_timeout_seconds: Option<i64>,
        shape: Vec<(i32, i32)>,
    },
}

/// `scoringStrategy` of `NodeResourcesFit`.
#[derive(Debug)]
pub(in crate::config) struct RawStrategy {
    pub kind: String,
    pub resources: Vec<(String, i64)>,
    /// Utilisation and score of each point; none without `requestedToCapacityRatio`.
    pub shape: Option<Vec<(i32, i32)>>,
}

/// Decodes the arguments of one plugin.
type Decode = fn(&mut Decoder, &Value, &str) -> RawArguments;

/// How to decode the arguments of a plugin; none for a plugin whose arguments have no type of their own.
///
/// The kinds are those of `k8s.io/kube-scheduler/config/v1/register.go` (v0.37.2).
pub(in crate::config) fn argument_type(plugin: &str) -> Option<Decode> {
    match plugin {
        "DefaultPreemption" => Some(default_preemption),
        "DynamicResources" => Some(dynamic_resources),
        "InterPodAffinity" => Some(inter_pod_affinity),
        "NodeAffinity" => Some(node_affinity),
        "NodeResourcesBalancedAllocation" => Some(balanced_allocation),
        "NodeResourcesFit" => Some(fit),
        "PodTopologySpread" => Some(pod_topology_spread),
        "VolumeBinding" => Some(volume_binding),
        _ => None,
    }
}

/// The struct of a plugin's arguments; every one of them also takes a version and a kind.
fn arguments<'value, const COUNT: usize>(
    decoder: &mut Decoder,
    value: &'value Value,
    path: &str,
    struct_name: &'static str,
    fields: [&str; COUNT],
) -> Object<'value> {
    let mut all = vec!["apiVersion", "kind"];
    all.extend(fields);
    let place = Place {
        path: path.to_owned(),
        ..Place::default()
    };
    decoder.object(value, place, struct_name, &all)
}

fn default_preemption(decoder: &mut Decoder, value: &Value, path: &str) -> RawArguments {
    let fields = ["minCandidateNodesPercentage", "minCandidateNodesAbsolute"];
    let object = arguments(decoder, value, path, "DefaultPreemptionArgs", fields);
    RawArguments::DefaultPreemption {
        min_candidate_nodes_percentage: decoder.int32(&object, "minCandidateNodesPercentage"),
        min_candidate_nodes_absolute: decoder.int32(&object, "minCandidateNodesAbsolute"),
    }
}

fn dynamic_resources(decoder: &mut Decoder, value: &Value, path: &str) -> RawArguments {
    let fields = ["filterTimeout", "bindingTimeout"];
    let object = arguments(decoder, value, path, "DynamicResourcesArgs", fields);
    RawArguments::DynamicResources {
        filter_timeout: decoder.duration(&object, "filterTimeout", false),
        binding_timeout: decoder.duration(&object, "bindingTimeout", false),
    }
}

fn inter_pod_affinity(decoder: &mut Decoder, value: &Value, path: &str) -> RawArguments {
    let fields = ["hardPodAffinityWeight", "ignorePreferredTermsOfExistingPods"];
    let object = arguments(decoder, value, path, "InterPodAffinityArgs", fields);
    RawArguments::InterPodAffinity {
        hard_pod_affinity_weight: decoder.int32(&object, "hardPodAffinityWeight"),
        ignore_preferred_terms_of_existing_pods: decoder
            .boolean(&object, "ignorePreferredTermsOfExistingPods")
            .unwrap_or_default(),
    }
}

fn node_affinity(decoder: &mut Decoder, value: &Value, path: &str) -> RawArguments {
    let object = arguments(decoder, value, path, "NodeAffinityArgs", ["addedAffinity"]);
    RawArguments::NodeAffinity {
        added_affinity: core::node_affinity(decoder, &object, "addedAffinity"),
    }
}

fn balanced_allocation(decoder: &mut Decoder, value: &Value, path: &str) -> RawArguments {
    let object = arguments(
        decoder,
        value,
        path,
        "NodeResourcesBalancedAllocationArgs",
        ["resources"],
    );
    RawArguments::NodeResourcesBalancedAllocation {
        resources: resources(decoder, &object),
    }
}

fn fit(decoder: &mut Decoder, value: &Value, path: &str) -> RawArguments {
    let fields = ["ignoredResources", "ignoredResourceGroups", "scoringStrategy"];
    let object = arguments(decoder, value, path, "NodeResourcesFitArgs", fields);
    let fields = ["type", "resources", "requestedToCapacityRatio"];
    let strategy = decoder.child(&object, "scoringStrategy", "ScoringStrategy", &fields);
    RawArguments::NodeResourcesFit {
        ignored_resources: decoder.texts(&object, "ignoredResources"),
        ignored_resource_groups: decoder.texts(&object, "ignoredResourceGroups"),
        scoring_strategy: strategy.map(|strategy| RawStrategy {
            kind: decoder.text(&strategy, "type").unwrap_or_default(),
            resources: resources(decoder, &strategy),
            shape: decoder
                .child(
                    &strategy,
                    "requestedToCapacityRatio",
                    "RequestedToCapacityRatioParam",
                    &["shape"],
                )
                .map(|ratio| shape(decoder, &ratio)),
        }),
    }
}

fn pod_topology_spread(decoder: &mut Decoder, value: &Value, path: &str) -> RawArguments {
    let fields = ["defaultConstraints", "defaultingType"];
    let object = arguments(decoder, value, path, "PodTopologySpreadArgs", fields);
    RawArguments::PodTopologySpread {
        default_constraints: core::topology_spread_constraints(decoder, &object, "defaultConstraints"),
        defaulting_type: decoder.text(&object, "defaultingType").unwrap_or_default(),
    }
}

fn volume_binding(decoder: &mut Decoder, value: &Value, path: &str) -> RawArguments {
    let object = arguments(
        decoder,
        value,
        path,
        "VolumeBindingArgs",
        ["bindTimeoutSeconds", "shape"],
    );
    RawArguments::VolumeBinding {
        bind_timeout_seconds: decoder.int64(&object, "bindTimeoutSeconds"),
        shape: shape(decoder, &object),
    }
}

fn resources(decoder: &mut Decoder, object: &Object<'_>) -> Vec<(String, i64)> {
    let entries = decoder.children(object, "resources", "ResourceSpec", &["name", "weight"]);
    entries
        .iter()
        .map(|entry| {
            let name = decoder.text(entry, "name").unwrap_or_default();
            (name, decoder.int64(entry, "weight").unwrap_or_default())
        })
        .collect()
}

fn shape(decoder: &mut Decoder, object: &Object<'_>) -> Vec<(i32, i32)> {
    let points = decoder.children(
        object,
        "shape",
        "UtilizationShapePoint",
        &["utilization", "score"],
    );
    points
        .iter()
        .map(|point| {
            let utilization = decoder.int32(point, "utilization").unwrap_or_default();
            (utilization, decoder.int32(point, "score").unwrap_or_default())
        })
        .collect()
}
