//! The committed answers of the real scheduler.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::engine::Engine;
use crate::judge::Judge;
use crate::tally::Tally;
use crate::workspace::Workspace;
use crate::{compare, lines};

/// The seed of the committed set.
const SEED: u64 = 1;
/// So many cases of a family are made and answered again.
const REPEATED: usize = 40;
/// The family with so many nodes that fewer of its cases are repeated.
const LARGE: (&str, usize) = ("large", 4);

/// Compares the engine with every committed answer.
pub fn check(workspace: &Workspace) -> Result<Tally> {
    let engine = Engine::build(workspace)?;
    let folder = folder(workspace);
    let mut sum = Tally::default();
    for (family, cases, expected) in pairs(&folder, ".cases.jsonl.gz")? {
        let tally = compare::answers(&lines::read(&expected)?, &engine.answers(&cases)?);
        sum += tally.shown(&family);
    }
    for (name, case, expected) in pairs(&folder, ".case.json.gz")? {
        let tally = compare::sequence(&lines::read(&expected)?, &engine.sequence(&case, None)?);
        sum += tally.shown(&name);
    }
    if sum == Tally::default() {
        bail!("no cases in {}", folder.display());
    }
    Ok(sum)
}

/// Makes part of the committed set again, and compares both cases and answers.
pub fn regenerate(workspace: &Workspace, judge: &Judge) -> Result<Tally> {
    let (folder, scratch) = (folder(workspace), workspace.scratch("golden")?);
    let mut sum = Tally::default();
    for (family, cases, expected) in pairs(&folder, ".cases.jsonl.gz")? {
        let count = if family == LARGE.0 { LARGE.1 } else { REPEATED };
        let again = scratch.join(format!("{family}.cases.jsonl"));
        let answers = scratch.join(format!("{family}.expected.jsonl"));
        judge.generate(&family, SEED, count, &again)?;
        judge.answer(&again, &answers)?;
        let same = |committed: &Path, made: &Path| -> Result<Vec<bool>> {
            let (committed, made) = (lines::text(committed)?, lines::text(made)?);
            let made: Vec<&str> = made.lines().collect();
            if made.len() != count {
                bail!("expected {count} lines for {family}, got {}", made.len());
            }
            Ok(committed
                .lines()
                .zip(made)
                .map(|(committed, made)| committed == made)
                .collect())
        };
        let mut tally = Tally::default();
        for (case, answer) in same(&cases, &again)?.into_iter().zip(same(&expected, &answers)?) {
            tally += Tally::one(case && answer);
        }
        sum += tally.shown(&family);
    }
    for (name, case, expected) in pairs(&folder, ".case.json.gz")?.into_iter().take(1) {
        let tally = compare::sequence(&lines::read(&expected)?, &judge.sequence(&case, None)?);
        sum += tally.shown(&name);
    }
    Ok(sum)
}

/// Names of the families whose cases are answered in full.
pub fn families(workspace: &Workspace) -> Result<Vec<String>> {
    Ok(pairs(&folder(workspace), ".cases.jsonl.gz")?
        .into_iter()
        .map(|(family, ..)| family)
        .collect())
}

/// Files that end so, each with the name before the ending and the file of its answers, sorted by name.
pub fn pairs(folder: &Path, ending: &str) -> Result<Vec<(String, PathBuf, PathBuf)>> {
    let doing = || format!("reading {}", folder.display());
    let mut pairs = Vec::new();
    for entry in std::fs::read_dir(folder).with_context(doing)? {
        let path = entry.with_context(doing)?.path();
        let name = path
            .file_name()
            .and_then(|name| name.to_str())
            .and_then(|name| name.strip_suffix(ending));
        if let Some(name) = name {
            pairs.push((
                name.to_owned(),
                path.clone(),
                folder.join(format!("{name}.expected.jsonl.gz")),
            ));
        }
    }
    pairs.sort();
    Ok(pairs)
}

fn folder(workspace: &Workspace) -> PathBuf {
    workspace.path("conformance/golden")
}
