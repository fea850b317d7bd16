//! Scheduling the pods of one large case, one after the other.

use std::io::Write;
use std::path::Path;
use std::time::Instant;

use anyhow::Result;
use bayplan_scheduler::{Outcome, Ties};
use serde::Serialize;

use crate::load::{Prepared, prepare, single};

/// One pod's outcome.
#[derive(Serialize)]
struct Line<'a> {
    pod: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    node: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
}

/// Prints one line a pod: what the real scheduler's schedulePod with parallelism 1 would choose. PostFilter is not run.
pub fn sequence(path: &Path, percentage: Option<i32>, output: &mut impl Write) -> Result<()> {
    let Prepared {
        mut scheduler,
        pending,
    } = prepare(&single(path)?, Ties::Exact, percentage.or(Some(0)))?;
    for (name, pod) in &pending {
        let decision = scheduler.schedule(*pod);
        let message = match &decision.outcome {
            Outcome::Placed(_) => None,
            Outcome::Unschedulable(failed) => Some(failed.diagnosis.message(None)),
            Outcome::Gated(text) | Outcome::Error(text) => Some(text.clone()),
            Outcome::OtherScheduler(name) => Some(format!("no profile for scheduler name {name}")),
        };
        if let Some(node) = decision.node() {
            scheduler.reserve_volumes(*pod, node);
            scheduler.assume(*pod, node);
        }
        let node = decision.node().map(|node| scheduler.world().node_name(node));
        serde_json::to_writer(
            &mut *output,
            &Line {
                pod: name,
                node,
                message,
            },
        )?;
        output.write_all(b"\n")?;
    }
    Ok(())
}

/// Times of a benchmark, in the format of the real scheduler's program.
#[derive(Debug, Serialize)]
pub struct Measurement {
    /// Name of the case.
    pub case: String,
    /// Nodes.
    pub nodes: usize,
    /// Pods scheduled.
    pub pods: usize,
    /// Pods that found a node.
    pub placed: usize,
    /// Pods that found none.
    pub failed: usize,
    /// Share of the nodes that were searched, in percent; 0 is adaptive.
    pub percent: i32,
    /// Time of the scheduling loop alone.
    pub seconds: f64,
    /// Pods by second.
    pub pods_per_s: f64,
    /// Peak resident memory of the process in megabytes (10^6 bytes).
    pub heap_mb: f64,
}

/// Schedules all pending pods of a case and measures the loop.
pub fn bench(path: &Path, percentage: Option<i32>) -> Result<Measurement> {
    let case = single(path)?;
    let Prepared {
        mut scheduler,
        pending,
    } = prepare(&case, Ties::Exact, percentage.or(Some(0)))?;
    let name = case.name.clone();
    drop(case);
    let start = Instant::now();
    let mut placed = 0;
    for (_, pod) in &pending {
        if let Some(node) = scheduler.schedule(*pod).node() {
            scheduler.assume(*pod, node);
            placed += 1;
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    Ok(Measurement {
        case: name,
        nodes: scheduler.world().node_count(),
        pods: pending.len(),
        placed,
        failed: pending.len() - placed,
        percent: percentage.unwrap_or(0),
        seconds,
        pods_per_s: pending.len() as f64 / seconds,
        heap_mb: peak_resident_mb(),
    })
}

/// Peak resident memory from `/proc/self/status`; 0 where there is none.
fn peak_resident_mb() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let kib = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))
        .and_then(|rest| rest.trim().trim_end_matches(" kB").trim().parse::<f64>().ok());
    kib.unwrap_or(0.0) * 1024.0 / 1e6
}
