//! NodeResourcesBalancedAllocation (`pkg/scheduler/framework/plugins/noderesources/balanced_allocation.go`, v1.37.2).

use smallvec::SmallVec;

use crate::catalog::Spec;
use crate::ids::NodeId;
use crate::nodes::Nodes;
use crate::plugins::node_resources_fit::{Scored, ScoredResources, allocation, requested};
use crate::state::State;

/// True when the pod requests none of the resources; the plugin then does not score.
pub fn skips(resources: &ScoredResources, spec: &Spec) -> bool {
    resources
        .items
        .iter()
        .all(|(resource, _)| requested(&spec.held, *resource) == 0)
}

/// Score of a node, 50-100; 75 means that the pod leaves the balance as it is.
pub fn score(resources: &ScoredResources, nodes: &Nodes, state: &State, spec: &Spec, node: NodeId) -> i64 {
    let mut with_pod: SmallVec<[f64; 4]> = SmallVec::new();
    let mut without_pod: SmallVec<[f64; 4]> = SmallVec::new();
    for (resource, _) in &resources.items {
        let request = requested(&spec.held, *resource);
        if request == 0 && matches!(resource, Scored::Scalar(_)) {
            continue;
        }
        let (capacity, used) = allocation(nodes, state, *resource, false, node);
        if capacity == 0 {
            continue;
        }
        let fraction = |amount: i64| {
            let fraction = amount as f64 / capacity as f64;
            if fraction > 1.0 { 1.0 } else { fraction }
        };
        with_pod.push(fraction(used.wrapping_add(request)));
        without_pod.push(fraction(used));
    }
    // Amounts below zero, which only a dump that was edited can hold, wrap around as in Go.
    let gain = balance(&with_pod).wrapping_sub(balance(&without_pod));
    50 + gain.wrapping_add(50) / 2
}

/// `(1 - standard deviation) * 100`, in Go's order of operations.
fn balance(fractions: &[f64]) -> i64 {
    let deviation = match fractions {
        [first, second] => ((first - second) / 2.0).abs(),
        [] | [_] => 0.0,
        several => {
            let count = several.len() as f64;
            let mut total = 0.0;
            for fraction in several {
                total += fraction;
            }
            let mean = total / count;
            let mut sum = 0.0;
            for fraction in several {
                sum += (fraction - mean) * (fraction - mean);
            }
            (sum / count).sqrt()
        }
    };
    ((1.0 - deviation) * 100.0) as i64
}
