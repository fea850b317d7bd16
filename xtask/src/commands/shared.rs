//! Checks with the data that lies beside some clones: recorded answers and situations from public reports.

use std::process::Command;

use anyhow::{Context, Result};
use serde_json::Value;

use super::golden;
use crate::engine::Engine;
use crate::report::Outcome;
use crate::tally::Tally;
use crate::workspace::Workspace;
use crate::{compare, lines, process};

/// The situations whose placement, message or refusal Bayplan answers.
const SITUATIONS: [&str; 31] = [
    "09", "10", "12", "13", "14", "15", "16", "17", "18", "19", "21", "22", "24", "25", "26", "27", "28",
    "30", "31", "32", "33", "34", "35", "37", "38", "39", "40", "43", "44", "46", "51",
];

/// Compares the engine with recorded answers of the real scheduler.
pub fn families(workspace: &Workspace) -> Result<Outcome> {
    let folder = workspace.shared("conformance");
    if !folder.is_dir() {
        return Ok(Outcome::Skipped(format!("no data at {}", folder.display())));
    }
    let engine = Engine::build(workspace)?;
    let mut sum = Tally::default();
    for (family, cases, expected) in golden::pairs(&folder, ".cases.jsonl.gz")? {
        sum += compare::answers(&lines::read(&expected)?, &engine.answers(&cases)?).shown(&family);
    }
    Ok(sum.into())
}

/// Reads the examples of nodes from different providers and places the demonstration's workloads on them.
pub fn example_nodes(workspace: &Workspace) -> Result<Outcome> {
    let folder = workspace.shared("data/nodes");
    if !folder.is_dir() {
        return Ok(Outcome::Skipped(format!("no data at {}", folder.display())));
    }
    let bayplan = workspace.release("bayplan")?;
    let manifest = workspace.path("crates/bayplan/src/commands/demo/naive.yaml");
    let mut sum = Tally::default();
    for cluster in [folder.clone(), folder.join("all-list.json")] {
        let mut command = Command::new(&bayplan);
        command
            .arg("place")
            .arg("--cluster")
            .arg(&cluster)
            .arg("-f")
            .arg(&manifest)
            .args(["-o", "json"]);
        let (code, text) = process::output(&mut command)?;
        let answer: Value = serde_json::from_str(&text).context("reading the placement")?;
        let pods = answer["pods"].as_array().map_or(0, Vec::len);
        println!(
            "{}: {pods} pods, {} of them placed, exit {code:?}",
            cluster.display(),
            answer["summary"]["placed"]
        );
        // Pods that stay pending are an answer; unreadable input is none.
        sum += Tally::one(pods > 0 && matches!(code, Some(0 | 1)));
    }
    Ok(sum.into())
}

/// Runs Bayplan on situations from public reports.
pub fn situations(workspace: &Workspace) -> Result<Outcome> {
    let runner = workspace.shared("cases/run.py");
    if !runner.is_file() {
        return Ok(Outcome::Skipped(format!("no data at {}", runner.display())));
    }
    let bayplan = workspace.release("bayplan")?;
    let mut sum = Tally::default();
    let mut command = Command::new("python3");
    command.arg(&runner).arg("--bin").arg(bayplan).args(SITUATIONS);
    let succeeded = process::watch(&mut command, |line| sum += Tally::from_line(line))?;
    if !succeeded && sum.failed == 0 {
        sum += Tally::one(false);
    }
    Ok(sum.into())
}
