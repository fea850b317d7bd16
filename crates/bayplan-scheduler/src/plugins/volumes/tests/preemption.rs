//! A dry run of preemption for pods that only volumes keep away: it exercises removal and return of pods.

use std::cmp::Reverse;

use super::super::{VolumeCycle, VolumePlugin};
use super::answers::{Cluster, PodAnswer};
use super::replay::{filter, prefilter};

/// Pods of lower priority to delete on the node so that the pod fits; none when that does not help
/// (`SelectVictimsOnNode` in `pkg/scheduler/framework/plugins/defaultpreemption/default_preemption.go`, v1.37.2).
/// The cluster is as before in the end.
fn victims(
    cluster: &mut Cluster,
    cycle: &VolumeCycle,
    running: &[VolumePlugin],
    node: u32,
) -> Option<Vec<u32>> {
    let mut cycle = cycle.clone();
    let preemptor = cluster.pods[cycle.pod() as usize].spec.priority;
    let on_node = |number: &u32| cluster.placed.get(number) == Some(&node);
    let is_lower = |number: &u32| cluster.pods[*number as usize].spec.priority < preemptor;
    let mut lower: Vec<u32> = (0..cluster.pods.len() as u32)
        .filter(on_node)
        .filter(is_lower)
        .collect();
    // A pod without start time counts as starting now, and so each after the one it is compared with.
    lower.reverse();
    lower.sort_by_key(|number| {
        let pod = &cluster.pods[*number as usize];
        let start = pod.status.start_time;
        (Reverse(pod.spec.priority), start.is_none(), start)
    });
    for number in &lower {
        cluster.state.remove(*number);
        cycle.pod_removed(&cluster.state, *number);
    }
    let fits = filter(cluster, &cycle, running, node).is_none();
    let mut victims = Vec::new();
    for number in &lower {
        cluster.state.place(*number, node);
        cycle.pod_added(&cluster.state, *number);
        if filter(cluster, &cycle, running, node).is_some() {
            cluster.state.remove(*number);
            cycle.pod_removed(&cluster.state, *number);
            victims.push(*number);
        }
    }
    for number in &victims {
        cluster.state.place(*number, node);
    }
    (fits && !victims.is_empty()).then_some(victims)
}

/// Compares whether preemption helps, and whom it hits on the nominated node.
pub fn compare_victims(cluster: &mut Cluster, answer: &PodAnswer) -> Result<bool, String> {
    let (cycle, running, _) = prefilter(&cluster.state, cluster.pod(&answer.pod));
    let before = cluster.state.clone();
    let mut found = false;
    for (name, verdict) in &answer.rejected {
        let Some(node) = cluster
            .nodes
            .number(name)
            .filter(|_| verdict.code == "Unschedulable")
        else {
            continue;
        };
        let victims = victims(cluster, &cycle, &running, node);
        found |= victims.is_some();
        if *name == answer.nominated {
            // Pods that are being deleted already are not deleted again.
            let names = victims
                .into_iter()
                .flatten()
                .map(|number| &cluster.pods[number as usize]);
            let mut names: Vec<String> = names
                .filter(|pod| !pod.is_terminating())
                .map(|pod| pod.metadata.full_name())
                .collect();
            names.sort();
            if names != answer.victims {
                return Err(format!(
                    "victims on {name}: got {names:?}, expected {:?}",
                    answer.victims
                ));
            }
        }
    }
    if cluster.state.placement != before.placement {
        return Err("the dry run left traces".to_owned());
    }
    if found == answer.nominated.is_empty() {
        return Err(format!(
            "preemption helps: got {found}, expected {:?}",
            answer.nominated
        ));
    }
    Ok(found)
}
