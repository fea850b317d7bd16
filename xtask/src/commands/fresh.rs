//! `cargo xtask fresh`: random cases that nobody has seen, answered by both schedulers.

use std::path::Path;

use anyhow::{Context, Result};
use serde_json::Value;

use super::golden;
use crate::engine::Engine;
use crate::judge::Judge;
use crate::report::Report;
use crate::tally::Tally;
use crate::workspace::Workspace;
use crate::{compare, lines};

/// Cases of a run, over all families.
pub const CASES: usize = 2000;
/// Of these, so many each of `large` and `sequence`: they are slow, for they have hundreds of nodes or pods.
const LARGE_CASES: usize = 40;
const SEQUENCE_CASES: usize = 8;

/// The seed of the day: the date in UTC, as a number such as 20260131.
pub fn seed_of_today() -> Result<u64> {
    jiff::Timestamp::now()
        .strftime("%Y%m%d")
        .to_string()
        .parse()
        .context("reading the date as a seed")
}

/// Runs the comparison alone; tells whether there was no difference.
pub fn run(workspace: &Workspace, seed: Option<u64>, cases: usize) -> Result<bool> {
    let judge = Judge::build(workspace)?;
    let mut report = Report::default();
    let seed = seed.map_or_else(seed_of_today, Ok)?;
    report.step("fresh random cases", || check(workspace, &judge, seed, cases));
    Ok(report.finish())
}

/// Compares both schedulers on fresh cases of every family.
pub fn check(workspace: &Workspace, judge: &Judge, seed: u64, cases: usize) -> Result<Tally> {
    println!("seed {seed}; the same cases again: cargo xtask fresh --seed {seed} --cases {cases}");
    let engine = Engine::build(workspace)?;
    let scratch = workspace.scratch(&format!("fresh-{seed}"))?;
    let families = golden::families(workspace)?;
    let large = cases * LARGE_CASES / CASES;
    let sequences = (cases * SEQUENCE_CASES / CASES).max(1);
    let ordinary = families.iter().filter(|family| *family != "large").count().max(1);
    let mut sum = Tally::default();
    for family in &families {
        let count = if family == "large" {
            large
        } else {
            cases.saturating_sub(large + sequences).div_ceil(ordinary)
        };
        let path = scratch.join(format!("{family}.cases.jsonl"));
        let expected = scratch.join(format!("{family}.expected.jsonl"));
        judge.generate(family, seed, count, &path)?;
        judge.answer(&path, &expected)?;
        let tally = compare::answers(&lines::read(&expected)?, &engine.answers(&path)?);
        sum += tally.shown(family);
    }
    sum += check_sequences(judge, &engine, seed, sequences, &scratch)?.shown("sequence");
    if sum.failed == 0 {
        std::fs::remove_dir_all(&scratch).with_context(|| format!("removing {}", scratch.display()))?;
    } else {
        println!("cases and answers are in {}", scratch.display());
    }
    Ok(sum)
}

/// Compares both schedulers on runs of many pods, one check a run.
fn check_sequences(judge: &Judge, engine: &Engine, seed: u64, count: usize, scratch: &Path) -> Result<Tally> {
    let all = scratch.join("sequence.cases.jsonl");
    judge.generate("sequence", seed, count, &all)?;
    let mut sum = Tally::default();
    for (number, case) in lines::read(&all)?.iter().enumerate() {
        let path = scratch.join(format!("sequence-{number}.case.json"));
        write(&path, case)?;
        sum += compare::sequence(&judge.sequence(&path, None)?, &engine.sequence(&path, None)?);
    }
    Ok(sum)
}

fn write(path: &Path, case: &Value) -> Result<()> {
    std::fs::write(path, case.to_string()).with_context(|| format!("writing {}", path.display()))
}
