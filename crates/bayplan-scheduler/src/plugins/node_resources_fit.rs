//! NodeResourcesFit (`pkg/scheduler/framework/plugins/noderesources/{fit,resource_allocation}.go`, v1.37.2).

use crate::catalog::{Catalog, Spec};
use crate::config::{FitArguments, Plugin, ResourceWeight, ShapePoint, StrategyKind};
use crate::ids::{NodeId, ResourceId};
use crate::math::round_half_away;
use crate::nodes::Nodes;
use crate::state::State;
use crate::status::{Code, Rejection};

/// A resource that takes part in a score.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scored {
    /// Cpu in millicores.
    Cpu,
    /// Memory in bytes.
    Memory,
    /// Ephemeral storage in bytes.
    EphemeralStorage,
    /// Any other.
    Scalar(ResourceId),
    /// One that no node counts (not a scalar by its name).
    Uncounted,
}

/// The resources of a score with their weights.
#[derive(Debug, Clone, Default)]
pub struct ScoredResources {
    /// Resource and weight.
    pub items: Vec<(Scored, i64)>,
    /// Scalar resources that the filter ignores.
    pub ignored: Vec<ResourceId>,
}

impl ScoredResources {
    /// Finds the numbers of configured resources.
    pub fn new(catalog: &mut Catalog, resources: &[ResourceWeight]) -> ScoredResources {
        let items = resources
            .iter()
            .map(|ResourceWeight { name, weight }| {
                let resource = match name.as_str() {
                    "cpu" => Scored::Cpu,
                    "memory" => Scored::Memory,
                    "ephemeral-storage" => Scored::EphemeralStorage,
                    name if crate::catalog::is_scalar(name) => Scored::Scalar(catalog.resource_id(name)),
                    _ => Scored::Uncounted,
                };
                (resource, *weight)
            })
            .collect();
        ScoredResources {
            items,
            ignored: Vec::new(),
        }
    }
}

/// True when the filter leaves a resource out (`ignoredResources`, `ignoredResourceGroups`).
pub fn is_ignored(arguments: &FitArguments, name: &str) -> bool {
    let extended = name.contains('/') && !name.contains("kubernetes.io/") && !name.starts_with("requests.");
    extended
        && (arguments.ignored_resources.iter().any(|ignored| ignored == name)
            || arguments
                .ignored_resource_groups
                .iter()
                .any(|group| name.split('/').next() == Some(group)))
}

/// What is left of a resource. Sums of absurd amounts wrap around, here and in the scores, as Go's integers do.
fn left(allocatable: i64, used: i64) -> i64 {
    allocatable.wrapping_sub(used)
}

/// True when the pod fits on what is left of the node.
pub fn fits(nodes: &Nodes, state: &State, spec: &Spec, ignored: &[ResourceId], node: NodeId) -> bool {
    let at = node.index();
    let requests = &spec.requests;
    let short = |request: i64, allocatable: i64, used: i64| request > 0 && request > left(allocatable, used);
    (state.pods_on[at].len() as i64) < nodes.pods[at]
        && !short(requests.milli_cpu, nodes.milli_cpu[at], state.milli_cpu[at])
        && !short(requests.memory, nodes.memory[at], state.memory[at])
        && !short(
            requests.ephemeral_storage,
            nodes.ephemeral_storage[at],
            state.ephemeral_storage[at],
        )
        && !requests.scalars.iter().any(|(resource, amount)| {
            short(
                *amount,
                nodes.scalar(node, *resource),
                state.scalar(node, *resource),
            ) && !ignored.contains(resource)
        })
}

/// All reasons why the pod does not fit.
pub fn filter(
    catalog: &Catalog,
    nodes: &Nodes,
    state: &State,
    spec: &Spec,
    ignored: &[ResourceId],
    node: NodeId,
) -> Option<Rejection> {
    if fits(nodes, state, spec, ignored, node) {
        return None;
    }
    let at = node.index();
    let mut reasons = Vec::new();
    let mut unresolvable = false;
    if state.pods_on[at].len() as i64 + 1 > nodes.pods[at] {
        reasons.push("Too many pods".to_owned());
    }
    let mut check = |name: &str, request: i64, allocatable: i64, used: i64| {
        if request > 0 && request > left(allocatable, used) {
            reasons.push(format!("Insufficient {name}"));
            unresolvable |= request > allocatable;
        }
    };
    let requests = &spec.requests;
    check(
        "cpu",
        requests.milli_cpu,
        nodes.milli_cpu[at],
        state.milli_cpu[at],
    );
    check("memory", requests.memory, nodes.memory[at], state.memory[at]);
    check(
        "ephemeral-storage",
        requests.ephemeral_storage,
        nodes.ephemeral_storage[at],
        state.ephemeral_storage[at],
    );
    for (resource, amount) in requests
        .scalars
        .iter()
        .filter(|(resource, _)| !ignored.contains(resource))
    {
        let name = catalog.resource_name(*resource);
        check(
            name,
            *amount,
            nodes.scalar(node, *resource),
            state.scalar(node, *resource),
        );
    }
    let code = if unresolvable {
        Code::UnschedulableAndUnresolvable
    } else {
        Code::Unschedulable
    };
    Some(Rejection {
        plugin: Some(Plugin::NodeResourcesFit),
        code,
        reasons,
    })
}

/// Allocatable amount and amount in use of one resource on a node; cpu and memory with defaults when `non_zero`.
pub fn allocation(
    nodes: &Nodes,
    state: &State,
    resource: Scored,
    non_zero: bool,
    node: NodeId,
) -> (i64, i64) {
    let at = node.index();
    match resource {
        Scored::Cpu => (
            nodes.milli_cpu[at],
            if non_zero {
                state.non_zero_milli_cpu[at]
            } else {
                state.milli_cpu[at]
            },
        ),
        Scored::Memory => (
            nodes.memory[at],
            if non_zero {
                state.non_zero_memory[at]
            } else {
                state.memory[at]
            },
        ),
        Scored::EphemeralStorage => (nodes.ephemeral_storage[at], state.ephemeral_storage[at]),
        Scored::Scalar(resource) => (nodes.scalar(node, resource), state.scalar(node, resource)),
        Scored::Uncounted => (0, 0),
    }
}

/// The amount of a resource in a pod's requests.
pub fn requested(amounts: &crate::catalog::Amounts, resource: Scored) -> i64 {
    match resource {
        Scored::Cpu => amounts.milli_cpu,
        Scored::Memory => amounts.memory,
        Scored::EphemeralStorage => amounts.ephemeral_storage,
        Scored::Scalar(resource) => amounts.scalar(resource),
        Scored::Uncounted => 0,
    }
}

/// Score of a node, 0-100.
pub fn score(
    arguments: &FitArguments,
    resources: &ScoredResources,
    nodes: &Nodes,
    state: &State,
    spec: &Spec,
    node: NodeId,
) -> i64 {
    let strategy = &arguments.strategy;
    let (mut sum, mut weights) = (0_i64, 0_i64);
    for (resource, weight) in &resources.items {
        let request = requested(&spec.scored, *resource);
        if request == 0 && matches!(resource, Scored::Scalar(_)) {
            continue;
        }
        let (capacity, used) = allocation(nodes, state, *resource, true, node);
        if capacity == 0 {
            continue;
        }
        let total = used.wrapping_add(request);
        let points = match strategy.kind {
            StrategyKind::LeastAllocated if total > capacity => 0,
            StrategyKind::LeastAllocated => left(capacity, total).wrapping_mul(100).wrapping_div(capacity),
            StrategyKind::MostAllocated => total.min(capacity).wrapping_mul(100).wrapping_div(capacity),
            StrategyKind::RequestedToCapacityRatio => {
                let utilization = if total > capacity {
                    100
                } else {
                    total.wrapping_mul(100).wrapping_div(capacity)
                };
                let points = along_shape(&strategy.shape, utilization);
                if points <= 0 {
                    continue;
                }
                points
            }
        };
        sum = sum.wrapping_add(points.wrapping_mul(*weight));
        weights += weight;
    }
    match strategy.kind {
        _ if weights == 0 => 0,
        StrategyKind::RequestedToCapacityRatio => round_half_away(sum as f64 / weights as f64),
        _ => sum / weights,
    }
}

/// Piecewise linear interpolation in integers; scores of the shape are 0-10 and stand for 0-100
/// (`plugins/helper/shape_score.go`).
pub fn along_shape(shape: &[ShapePoint], utilization: i64) -> i64 {
    let point = |index: usize| (shape[index].utilization, shape[index].score * 10);
    for index in 0..shape.len() {
        let (at, score) = point(index);
        if utilization <= at {
            if index == 0 {
                return score;
            }
            let (before, score_before) = point(index - 1);
            return score_before + (score - score_before) * (utilization - before) / (at - before);
        }
    }
    shape.len().checked_sub(1).map_or(0, |last| point(last).1)
}
