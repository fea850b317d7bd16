//! `cargo xtask openb`: thousands of pods of a published cluster trace, one after the other, by both schedulers.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result, anyhow, bail};
use serde_json::{Value, json};

use crate::engine::Engine;
use crate::judge::Judge;
use crate::report::{Outcome, Report};
use crate::tally::Tally;
use crate::workspace::Workspace;
use crate::{compare, lines};

/// The lists of pods: all with whole GPUs, then the same with GPU models required for a third of them.
const LISTS: [&str; 2] = ["pods_default_whole", "pods_gpuspec33_whole"];
/// Answers that lie beside the data: the list and the file, with adaptive sampling.
const RECORDED: (&str, &str) = (
    "pods_gpuspec33_whole",
    "conformance/sequence/openb_gpuspec33.adaptive.jsonl.gz",
);

/// Runs the comparison alone; tells whether there was no difference.
pub fn run(workspace: &Workspace) -> Result<bool> {
    let judge = Judge::build(workspace)?;
    let mut report = Report::default();
    report.step("published trace, pod after pod", || check(workspace, &judge));
    Ok(report.finish())
}

/// Compares both schedulers on every pod of every list, with adaptive sampling and with every node scored, and with a
/// run that was recorded.
pub fn check(workspace: &Workspace, judge: &Judge) -> Result<Outcome> {
    let data = workspace.shared("data/openb");
    if !data.is_dir() {
        return Ok(Outcome::Skipped(format!("no data at {}", data.display())));
    }
    let engine = Engine::build(workspace)?;
    let cases = LISTS
        .iter()
        .map(|list| build(workspace, &data, list))
        .collect::<Result<Vec<_>>>()?;
    let mut sum = Tally::default();
    for (percent, name) in [(None, "adaptive"), (Some(100), "every node scored")] {
        let answers = ask(judge, &cases, percent);
        for ((list, case), expected) in LISTS.iter().zip(&cases).zip(answers) {
            let (expected, real_seconds) = expected?;
            let (got, engine_seconds) = timed(|| engine.sequence(case, percent))?;
            println!("  real scheduler {real_seconds:.0} s, engine {engine_seconds:.2} s, loading included");
            sum += compare::sequence(&expected, &got).shown(&format!("{list}, {name}"));
            if percent.is_none() && *list == RECORDED.0 {
                let recorded = lines::read(&workspace.shared(RECORDED.1))?;
                sum += compare::sequence(&recorded, &got).shown(&format!("{list}, recorded"));
            }
        }
    }
    Ok(sum.into())
}

/// A run of the real scheduler and its time in seconds.
type Answer = Result<(Vec<Value>, f64)>;

/// Runs the real scheduler on all cases at once: with one worker each, it would leave cores idle for minutes.
fn ask(judge: &Judge, cases: &[PathBuf], percent: Option<u32>) -> Vec<Answer> {
    std::thread::scope(|scope| {
        let asked: Vec<_> = cases
            .iter()
            .map(|case| scope.spawn(move || timed(|| judge.sequence(case, percent))))
            .collect();
        let failed = |_| Err(anyhow!("asking the real scheduler failed"));
        asked
            .into_iter()
            .map(|thread| thread.join().unwrap_or_else(failed))
            .collect()
    })
}

fn timed<T>(run: impl FnOnce() -> Result<T>) -> Result<(T, f64)> {
    let start = Instant::now();
    Ok((run()?, start.elapsed().as_secs_f64()))
}

/// Writes the case: all nodes, the pods' namespaces, and all pods pending in the order of the file.
fn build(workspace: &Workspace, data: &Path, list: &str) -> Result<PathBuf> {
    let nodes = lines::read(&data.join("nodes.jsonl.gz"))?;
    let mut pods = lines::read(&data.join(format!("{list}.jsonl.gz")))?;
    let mut namespaces = BTreeSet::new();
    let mut pending = Vec::new();
    for (number, pod) in pods.iter_mut().enumerate() {
        let (Value::Object(metadata), Value::Object(spec)) = (pod["metadata"].take(), pod["spec"].take())
        else {
            bail!("pod {} of {list} has no metadata or no spec", number + 1);
        };
        let (mut metadata, mut spec) = (metadata, spec);
        metadata
            .entry("uid")
            .or_insert_with(|| format!("pod-{number}").into());
        metadata.entry("namespace").or_insert_with(|| "default".into());
        spec.remove("nodeName");
        let text = |field: &str| metadata[field].as_str().unwrap_or_default().to_owned();
        pending.push(format!("{}/{}", text("namespace"), text("name")));
        namespaces.insert(text("namespace"));
        pod["metadata"] = metadata.into();
        pod["spec"] = spec.into();
    }
    let namespaces = namespaces
        .into_iter()
        .map(|name| json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}}));
    let objects: Vec<Value> = nodes.into_iter().chain(namespaces).chain(pods).collect();
    let path = workspace.scratch("openb")?.join(format!("{list}.case.json"));
    let doing = || format!("writing {}", path.display());
    let mut file = BufWriter::new(File::create(&path).with_context(doing)?);
    serde_json::to_writer(
        &mut file,
        &json!({"name": list, "objects": objects, "pending": pending}),
    )
    .with_context(doing)?;
    file.flush().with_context(doing)?;
    Ok(path)
}
