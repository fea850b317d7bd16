//! The fast cycle and the slow, obvious evaluation must decide alike.
//!
//! [`Scheduler::schedule`](bayplan_scheduler::Scheduler::schedule) keeps node-local results for classes of pods and looks
//! again only at touched nodes; [`Scheduler::evaluate`](bayplan_scheduler::Scheduler::evaluate) judges every node anew.

use std::io::BufRead;
use std::path::PathBuf;

use bayplan_scheduler::{Outcome, Ties};

use crate::case::Case;
use crate::load::{open, prepare};

/// Compares the two on the pods of a case; pods are placed where both agree.
fn disagreements(case: &Case) -> Vec<String> {
    let Ok(mut prepared) = prepare(case, Ties::First, Some(100)) else {
        return Vec::new();
    };
    let scheduler = &mut prepared.scheduler;
    let mut found = Vec::new();
    // Twice over the list: the second round meets classes that are known already, and places pods a second time.
    for round in 0..2 {
        for (name, pod) in &prepared.pending {
            if round == 1 {
                scheduler.remove(*pod);
            }
            let decision = scheduler.schedule(*pod);
            let evaluation = scheduler.evaluate(*pod);
            let world = scheduler.world();
            let mut best: Vec<&str> = evaluation
                .best()
                .iter()
                .map(|node| world.node_name(*node))
                .collect();
            best.sort_unstable();
            let nominated = scheduler
                .nominated_node(*pod)
                .filter(|node| evaluation.feasible.contains(node));
            let slow = match (&evaluation.error, nominated) {
                (Some(text), _) => format!("error {text}"),
                (None, Some(node)) => format!("node {}", world.node_name(node)),
                (None, None) => match best.first() {
                    Some(node) => format!("node {node}"),
                    None => evaluation.diagnosis(world.node_count()).message(None),
                },
            };
            let fast = match &decision.outcome {
                Outcome::Placed(node) => format!("node {}", world.node_name(*node)),
                Outcome::Unschedulable(failed) => failed.diagnosis.message(None),
                Outcome::Error(text) => format!("error {text}"),
                // Neither is asked of the filters.
                Outcome::Gated(_) | Outcome::OtherScheduler(_) => slow.clone(),
            };
            // What is said of a nominated node outside a restriction by name is left out of evaluations.
            let restricted = fast.contains("didn't satisfy plugin(s)");
            if fast != slow && !restricted {
                found.push(format!(
                    "{} round {round} {name}: fast says {fast:?}, slow says {slow:?}",
                    case.name
                ));
            }
            if let Some(node) = decision.node() {
                scheduler.assume(*pod, node);
            }
        }
    }
    found
}

#[test]
fn fast_and_slow_agree_on_golden_cases() {
    let golden = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../conformance/golden");
    let mut cases = 0;
    for family in [
        "resources",
        "affinity",
        "spread",
        "taints",
        "config",
        "volumes",
        "mixed",
        "preempt",
    ] {
        let file = golden.join(format!("{family}.cases.jsonl.gz"));
        for line in open(&file).unwrap().lines().step_by(4) {
            let case: Case = serde_json::from_str(&line.unwrap()).unwrap();
            let found = disagreements(&case);
            assert!(found.is_empty(), "{}", found.join("\n"));
            cases += 1;
        }
    }
    assert!(cases > 200, "only {cases} cases");
}
