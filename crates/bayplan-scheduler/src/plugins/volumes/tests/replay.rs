//! Plays the cases again and compares what the volume plugins have a say in.

use std::path::Path;

use super::super::{PreFilterOutcome, VolumeCycle, VolumePlugin, VolumeState};
use super::answers::{
    Answer, Case, Cluster, PLUGINS, PodAnswer, Verdict, read_lines, shared_folder, verdict,
};
use super::preemption::compare_victims;
use crate::config::ShapePoint;

/// The default of `VolumeBindingArgs.shape`.
pub const SHAPE: [ShapePoint; 2] = [
    ShapePoint {
        utilization: 0,
        score: 10,
    },
    ShapePoint {
        utilization: 100,
        score: 0,
    },
];

/// Filter plugins that run after the volume plugins.
const LATER: [&str; 4] = [
    "PodTopologySpread",
    "InterPodAffinity",
    "DynamicResources",
    "NodeDeclaredFeatures",
];

/// Counts what was compared.
#[derive(Debug, Default)]
pub struct Compared {
    pub prefilters: usize,
    pub rejections: usize,
    pub passes: usize,
    pub scores: usize,
    pub errors: usize,
    pub preemptions: usize,
}

/// PreFilter of all plugins: the cycle, the plugins to run, and the rejection if there is one.
pub fn prefilter(state: &VolumeState, pod: u32) -> (VolumeCycle, Vec<VolumePlugin>, Option<Verdict>) {
    let mut cycle = VolumeCycle::new(pod);
    let mut running = Vec::new();
    for (plugin, _) in PLUGINS {
        match state.prefilter(plugin, &mut cycle) {
            PreFilterOutcome::Skip => {}
            PreFilterOutcome::Continue => running.push(plugin),
            PreFilterOutcome::Reject(rejection) => return (cycle, running, Some(verdict(plugin, rejection))),
        }
    }
    (cycle, running, None)
}

/// The first rejection of a node.
pub fn filter(
    cluster: &Cluster,
    cycle: &VolumeCycle,
    running: &[VolumePlugin],
    node: u32,
) -> Option<Verdict> {
    running.iter().find_map(|plugin| {
        let rejection = cluster.state.filter(*plugin, cycle, &cluster.nodes, node)?;
        Some(verdict(*plugin, rejection))
    })
}

fn is_volume_plugin(name: &str) -> bool {
    PLUGINS.iter().any(|(_, plugin)| *plugin == name)
}

/// Compares one pod's answer; the text says what differs.
fn compare(cluster: &Cluster, answer: &PodAnswer, compared: &mut Compared) -> Result<(), String> {
    let pod = cluster.pod(&answer.pod);
    let (cycle, running, rejected) = prefilter(&cluster.state, pod);
    match &answer.prefilter {
        Some(expected) if is_volume_plugin(&expected.plugin) => {
            compared.prefilters += 1;
            if rejected != Some(expected.sorted()) {
                return Err(format!("PreFilter: got {rejected:?}, expected {expected:?}"));
            }
            return Ok(());
        }
        Some(_) => return Ok(()),
        None if rejected.is_some() && answer.message.starts_with("running PreFilter") => return Ok(()),
        None if rejected.is_some() => return Err(format!("PreFilter: got {rejected:?}, expected none")),
        None => {}
    }
    for (name, expected) in &answer.rejected {
        let Some(node) = cluster.nodes.number(name) else {
            continue;
        };
        let got = filter(cluster, &cycle, &running, node);
        if is_volume_plugin(&expected.plugin) {
            compared.rejections += 1;
            if got != Some(expected.sorted()) {
                return Err(format!("node {name}: got {got:?}, expected {expected:?}"));
            }
        } else if LATER.contains(&expected.plugin.as_str()) && got.is_some() {
            return Err(format!("node {name}: got {got:?}, expected to pass"));
        }
    }
    for name in &answer.feasible {
        let Some(node) = cluster.nodes.number(name) else {
            continue;
        };
        compared.passes += 1;
        if let Some(got) = filter(cluster, &cycle, &running, node) {
            return Err(format!("node {name}: got {got:?}, expected to pass"));
        }
        let raw = answer
            .scores
            .get(name)
            .and_then(|score| score.raw.get("VolumeBinding"));
        let got = cluster.state.score(&cycle, &cluster.nodes, node, &SHAPE);
        if let Some(expected) = raw {
            compared.scores += 1;
            if got != *expected {
                return Err(format!("node {name}: score {got}, expected {expected}"));
            }
        }
    }
    if let Some((plugin, text)) = filter_error(&answer.message) {
        compared.errors += 1;
        let expected = Verdict {
            plugin: plugin.to_owned(),
            code: "Error".to_owned(),
            reasons: vec![text.to_owned()],
        };
        let mut verdicts =
            (0..cluster.nodes.0.len() as u32).map(|node| filter(cluster, &cycle, &running, node));
        if !verdicts.any(|got| got.as_ref() == Some(&expected)) {
            return Err(format!("no node gives {expected:?}"));
        }
    }
    Ok(())
}

/// Plugin and text of a volume plugin's failure.
fn filter_error(message: &str) -> Option<(&str, &str)> {
    let (plugin, text) = message
        .strip_prefix("running \"")?
        .split_once("\" filter plugin: ")?;
    is_volume_plugin(plugin).then_some((plugin, text))
}

/// Plays one case. In cases of `volumes_only` nothing but volumes keeps pods away from nodes, and the bindings of a
/// placed pod are assumed before the next.
pub fn replay(
    case: &Case,
    answer: &Answer,
    volumes_only: bool,
    compared: &mut Compared,
) -> Result<(), String> {
    if !answer.error.is_empty() {
        return Ok(());
    }
    assert_eq!(case.name, answer.name);
    assert!(answer.pods.len() <= case.pending.len());
    let mut cluster = Cluster::new(&case.objects);
    for pod in &answer.pods {
        compare(&cluster, pod, compared).map_err(|text| format!("{} {}: {text}", case.name, pod.pod))?;
        let searched = pod.prefilter.is_none() && !pod.message.starts_with("running ");
        if volumes_only && case.preempt && searched && pod.chosen.is_empty() {
            let found = compare_victims(&mut cluster, pod)
                .map_err(|text| format!("{} {}: {text}", case.name, pod.pod))?;
            compared.preemptions += usize::from(found);
        }
        for victim in &pod.victims {
            let victim = cluster.pod(victim);
            cluster.remove(victim);
        }
        if let Some(node) = cluster.nodes.number(&pod.chosen) {
            let number = cluster.pod(&pod.pod);
            if volumes_only {
                let (cycle, _, _) = prefilter(&cluster.state, number);
                cluster.state.reserve(&cycle, &cluster.nodes, node);
            }
            cluster.place(number, node);
        }
    }
    Ok(())
}

#[test]
fn agrees_with_the_shared_answers() {
    let Some(folder) = shared_folder() else { return };
    let mut compared = Compared::default();
    for family in ["volumes", "mixed", "preempt"] {
        let cases: Vec<Case> = read_lines(&folder.join(format!("{family}.cases.jsonl.gz")));
        let answers: Vec<Answer> = read_lines(&folder.join(format!("{family}.expected.jsonl.gz")));
        assert_eq!(cases.len(), answers.len());
        for (case, answer) in cases.iter().zip(&answers) {
            replay(case, answer, false, &mut compared).unwrap();
        }
    }
    println!("{compared:?}");
    assert!(
        compared.prefilters > 200 && compared.rejections > 800 && compared.scores > 900,
        "{compared:?}"
    );
}

/// Random cases in which only volumes matter, with the answers of the real framework (Reserve run for every placed
/// pod, preemption on). Cases whose answers depend on the order of a Go map are left out.
#[test]
fn agrees_with_the_golden_answers() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/plugins/volumes/tests/golden");
    let cases: Vec<Case> = read_lines(&Path::new(folder).join("cases.jsonl.gz"));
    let answers: Vec<Answer> = read_lines(&Path::new(folder).join("answers.jsonl.gz"));
    let mut compared = Compared::default();
    for (case, answer) in cases.iter().zip(&answers) {
        replay(case, answer, true, &mut compared).unwrap();
    }
    assert_eq!((cases.len(), answers.len()), (80, 80));
    assert!(
        compared.rejections > 400 && compared.errors > 10 && compared.preemptions > 8,
        "{compared:?}"
    );
}
