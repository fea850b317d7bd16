//! What the engine does not model, so that answers can say so.

use bayplan_model::object::Pod;

/// Why a decision about a pod may differ from the real scheduler's; empty for most pods.
pub fn of_pod(pod: &Pod) -> Vec<String> {
    let mut reasons = Vec::new();
    if !pod.spec.resource_claims.is_empty() {
        reasons.push(
            "uses resource claims: devices of dynamic resource allocation are not modelled, every node is taken as having them"
                .to_owned(),
        );
    }
    if pod.spec.scheduling_group.is_some() {
        reasons.push(
            "belongs to a pod group: groups are off by default in 1.37, so the pod is scheduled alone"
                .to_owned(),
        );
    }
    reasons
}
