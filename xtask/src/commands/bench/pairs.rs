//! The same case scheduled by both.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, anyhow};
use serde::Serialize;
use serde_json::Value;

use super::Sizes;
use crate::engine::Engine;
use crate::judge::Judge;
use crate::process;
use crate::tally::Tally;

/// Scenarios of the conformance program's `benchgen`.
const SCENARIOS: [&str; 5] = ["basic", "anti", "prefer", "spread", "inference"];
/// Every node is filtered and scored.
const PERCENT: &str = "100";
/// The engine must place so many times as many pods in a second.
const LEAST_RATIO: f64 = 100.0;

/// One case.
#[derive(Serialize)]
pub struct Pair {
    scenario: &'static str,
    nodes: usize,
    pods: usize,
    /// What the real scheduler's program printed.
    real: Value,
    /// Its peak resident memory.
    real_peak_resident_mb: Option<f64>,
    /// What the engine's program printed in its middle run; `heap_mb` is peak resident memory.
    engine: Value,
    /// All runs of the engine.
    engine_pods_per_s: Vec<f64>,
    /// Pods a second of the engine by those of the real scheduler.
    ratio: f64,
}

/// Measures every scenario at every size; fails those that are too slow or place another number of pods.
pub fn measure(
    judge: &Judge,
    engine: &Engine,
    sizes: &Sizes,
    scratch: &Path,
    pairs: &mut Vec<Pair>,
) -> Result<Tally> {
    println!(
        "  pods a second; memory is the peak of the process, loading included (and of the Go heap), in MB"
    );
    println!(
        "{:10} {:>6} {:>6} {:>10} {:>12} {:>8} {:>16} {:>8}",
        "SCENARIO", "NODES", "PODS", "REAL", "BAYPLAN", "RATIO", "REAL MB", "MB"
    );
    let mut sum = Tally::default();
    for &nodes in sizes.pair_nodes {
        for scenario in SCENARIOS {
            let pair = one(judge, engine, sizes, scratch, scenario, nodes)?;
            let memory = pair
                .real_peak_resident_mb
                .map_or(String::new(), |peak| format!("{peak:.0} "));
            println!(
                "{scenario:10} {nodes:>6} {:>6} {:>10.0} {:>12.0} {:>7.0}x {:>16} {:>8.0}",
                pair.pods,
                number(&pair.real, "pods_per_s")?,
                number(&pair.engine, "pods_per_s")?,
                pair.ratio,
                format!("{memory}({:.0})", number(&pair.real, "heap_mb")?),
                number(&pair.engine, "heap_mb")?,
            );
            sum += Tally::one(pair.ratio >= LEAST_RATIO && pair.real["placed"] == pair.engine["placed"]);
            pairs.push(pair);
        }
    }
    Ok(sum)
}

fn one(
    judge: &Judge,
    engine: &Engine,
    sizes: &Sizes,
    scratch: &Path,
    scenario: &'static str,
    nodes: usize,
) -> Result<Pair> {
    let path = scratch.join(format!("{scenario}-{nodes}.case.json"));
    let numbers = [nodes.to_string(), sizes.pair_pods.to_string()];
    process::capture(judge.command("benchgen").arg(scenario).args(numbers).arg(&path))?;
    let (text, real_peak_resident_mb) =
        process::capture_with_peak(arguments(&mut judge.command("bench"), &path))?;
    let real = parse(&text)?;
    let mut runs = Vec::new();
    for _ in 0..sizes.engine_runs {
        let run = parse(&process::capture(arguments(&mut engine.command("bench"), &path))?)?;
        runs.push((number(&run, "pods_per_s")?, run));
    }
    let engine_pods_per_s: Vec<f64> = runs.iter().map(|(speed, _)| *speed).collect();
    runs.sort_by(|one, other| one.0.total_cmp(&other.0));
    let middle = runs.len() / 2;
    let (speed, engine) = runs.into_iter().nth(middle).context("no run of the engine")?;
    std::fs::remove_file(&path).with_context(|| format!("removing {}", path.display()))?;
    Ok(Pair {
        scenario,
        nodes,
        pods: sizes.pair_pods,
        ratio: speed / number(&real, "pods_per_s")?,
        real,
        real_peak_resident_mb,
        engine,
        engine_pods_per_s,
    })
}

fn arguments<'a>(command: &'a mut Command, case: &Path) -> &'a mut Command {
    command.arg(case).arg(PERCENT)
}

fn parse(text: &str) -> Result<Value> {
    serde_json::from_str(text).context("reading the figures")
}

fn number(figures: &Value, name: &str) -> Result<f64> {
    figures[name]
        .as_f64()
        .ok_or_else(|| anyhow!("the figures have no {name}"))
}
