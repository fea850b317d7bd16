//! `cargo xtask bench`: the engine and the real scheduler side by side, then clusters of full size.

mod pairs;
mod scale;

use std::path::PathBuf;

use anyhow::{Context, Result};
use serde::Serialize;
use serde_json::Value;

use crate::engine::Engine;
use crate::judge::Judge;
use crate::process;
use crate::report::Report;
use crate::workspace::Workspace;

/// Where results are kept, by date.
const RESULTS: &str = "crates/bayplan-bench/results";

/// Sizes of a run.
struct Sizes {
    /// Numbers of nodes of the pairs.
    pair_nodes: &'static [usize],
    /// Pods of the pairs.
    pair_pods: usize,
    /// Runs of the engine; the middle one counts.
    engine_runs: usize,
    /// Nodes, running pods and new pods of the large cluster.
    cluster: [usize; 3],
    /// Nodes and running pods of the cluster that is read as JSON and as YAML.
    text: [usize; 2],
}

const FULL: Sizes = Sizes {
    pair_nodes: &[1000, 5000],
    pair_pods: 1000,
    engine_runs: 5,
    cluster: [10_000, 100_000, 1000],
    text: [1000, 20_000],
};

const QUICK: Sizes = Sizes {
    pair_nodes: &[1000],
    pair_pods: 200,
    engine_runs: 3,
    cluster: [1000, 10_000, 200],
    text: [200, 2000],
};

/// Everything that was measured.
#[derive(Serialize)]
struct Results {
    /// Start of the run, RFC 3339.
    date: String,
    machine: Machine,
    pairs: Vec<pairs::Pair>,
    cluster: Option<Value>,
    text: Vec<Value>,
}

/// Where it was measured.
#[derive(Serialize)]
struct Machine {
    processor: String,
    cores: usize,
    memory_gb: Option<f64>,
    /// Load of the last minute before the run; more than a little makes the figures doubtful.
    load: Option<f64>,
    /// Commit, with `-dirty` when files differ from it.
    commit: String,
    rust: String,
}

/// Measures and prints; a full run is written to the results. Tells whether the ratios are as they must be.
pub fn run(workspace: &Workspace, quick: bool) -> Result<bool> {
    let sizes = if quick { &QUICK } else { &FULL };
    let engine = Engine::build(workspace)?;
    let bayplan = workspace.release("bayplan")?;
    let bench = workspace.release("bayplan-bench")?;
    let judge = Judge::build(workspace)?;
    let scratch = workspace.scratch("bench")?;
    let mut results = Results {
        date: jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string(),
        machine: machine(workspace),
        pairs: Vec::new(),
        cluster: None,
        text: Vec::new(),
    };
    let mut report = Report::default();
    report.step("both schedulers side by side, every node scored", || {
        pairs::measure(&judge, &engine, sizes, &scratch, &mut results.pairs)
    });
    report.step("a large cluster", || {
        scale::cluster(&bench, &bayplan, sizes, &scratch, &mut results.cluster)
    });
    report.step("reading text", || {
        scale::text(&bench, sizes, &scratch, &mut results.text)
    });
    if !quick {
        println!("\nwritten to {}", write(workspace, &results)?.display());
    }
    Ok(report.finish())
}

fn write(workspace: &Workspace, results: &Results) -> Result<PathBuf> {
    let folder = workspace.path(RESULTS);
    std::fs::create_dir_all(&folder).with_context(|| format!("creating {}", folder.display()))?;
    let day = results.date.split('T').next().unwrap_or_default();
    let path = folder.join(format!("{day}.json"));
    let text = serde_json::to_string_pretty(results)? + "\n";
    std::fs::write(&path, text).with_context(|| format!("writing {}", path.display()))?;
    Ok(path)
}

fn machine(workspace: &Workspace) -> Machine {
    let file = |path: &str| std::fs::read_to_string(path).unwrap_or_default();
    let processor = file("/proc/cpuinfo")
        .lines()
        .find_map(|line| {
            line.strip_prefix("model name")?
                .split_once(": ")
                .map(|(_, name)| name.to_owned())
        })
        .unwrap_or_else(|| std::env::consts::ARCH.to_owned());
    let kibibytes = file("/proc/meminfo").lines().find_map(|line| {
        line.strip_prefix("MemTotal:")?
            .trim()
            .strip_suffix(" kB")?
            .parse::<f64>()
            .ok()
    });
    let output = |command: &mut std::process::Command| {
        process::capture(command).map_or("unknown".to_owned(), |text| text.trim().to_owned())
    };
    Machine {
        processor,
        cores: std::thread::available_parallelism().map_or(0, usize::from),
        memory_gb: kibibytes.map(|kibibytes| kibibytes * 1024.0 / 1e9),
        load: file("/proc/loadavg")
            .split(' ')
            .next()
            .and_then(|load| load.parse().ok()),
        commit: output(
            std::process::Command::new("git")
                .current_dir(&workspace.root)
                .args(["describe", "--always", "--dirty", "--abbrev=12"]),
        ),
        rust: output(process::cargo().arg("--version")),
    }
}
