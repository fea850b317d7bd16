//! The numbers that compare two placements.

use bayplan_analysis::spread::same_node_share;
use bayplan_api::{Measure, Placement};

use super::name_part;
use crate::plan::Plan;

/// The workload that sends the requests; all others are models.
const GATEWAY: &str = "gateway";
/// A GPU type that the example's models are not meant for.
const TOO_SMALL: &str = "nvidia-t4";

/// Worst shares, pair shares, and replicas on the wrong kind of GPU.
pub fn compare(plan: &Plan, naive: &Placement, layered: &Placement) -> Vec<Measure> {
    let workloads: Vec<&str> = naive
        .workloads
        .iter()
        .map(|workload| workload.workload.as_str())
        .collect();
    let models: Vec<&str> = workloads
        .iter()
        .copied()
        .filter(|workload| name_part(workload) != GATEWAY)
        .collect();
    let gateway = workloads
        .iter()
        .copied()
        .filter(|workload| name_part(workload) == GATEWAY);
    let gateways: Vec<&str> = gateway.collect();
    let measure = |measure: &str, workloads: &[&str], value: &dyn Fn(&Placement) -> f64| Measure {
        measure: measure.to_owned(),
        workloads: workloads
            .iter()
            .map(|workload| name_part(workload).to_owned())
            .collect(),
        naive: value(naive),
        layered: value(layered),
    };
    let mut measures = Vec::new();
    for workload in &workloads {
        let worst = |body: &Placement| {
            let found = body.workloads.iter().find(|other| other.workload == *workload);
            found
                .and_then(|found| found.worst.get("node"))
                .map_or(0.0, |worst| worst.share)
        };
        measures.push(measure("worst node's share", &[workload], &worst));
    }
    for model in &models {
        let pairs = |body: &Placement| {
            same_node_share(&nodes(body, &gateways), &nodes(body, &[model])).unwrap_or(0.0)
        };
        let both: Vec<&str> = gateways.iter().chain([model]).copied().collect();
        measures.push(measure("pairs on the same node", &both, &pairs));
    }
    let misplaced = |body: &Placement| {
        let all = nodes(body, &models);
        let wrong = all
            .iter()
            .filter(|node| gpu_type(plan, node) == Some(TOO_SMALL))
            .count();
        wrong as f64 / all.len().max(1) as f64
    };
    measures.push(measure("replicas on T4 GPUs", &models, &misplaced));
    measures
}

/// Nodes of the replicas of some workloads.
fn nodes<'a>(body: &'a Placement, workloads: &[&str]) -> Vec<&'a str> {
    body.pods
        .iter()
        .filter(|pod| workloads.contains(&pod.workload.as_str()))
        .filter_map(|pod| pod.node.as_deref())
        .collect()
}

fn gpu_type<'a>(plan: &'a Plan, node: &str) -> Option<&'a str> {
    let node = plan.nodes.iter().find(|known| known.metadata.name == node)?;
    bayplan_analysis::gpu::gpu_type(node)
}
