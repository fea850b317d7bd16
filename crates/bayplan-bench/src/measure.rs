//! The measurements.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use bayplan_admission::{AdmissionContext, admit, apply_defaults};
use bayplan_manifest::{Diagnostic, Input, LoadReport, load_cluster, load_manifests};
use bayplan_model::object::{Node, Object};
use bayplan_scheduler::config::SchedulerConfiguration;
use bayplan_scheduler::{Options, Scheduler, Ties, WorldBuilder};
use bayplan_sim::placement::{Candidate, Detail, NodeLabels, place as place_candidates};
use serde::Serialize;

/// Figures of reading a cluster.
#[derive(Debug, Serialize)]
pub struct LoadFigures {
    /// Size of the file in megabytes (10^6 bytes).
    pub megabytes: f64,
    /// Objects by kind.
    pub objects: BTreeMap<&'static str, usize>,
    /// From opening the file to the last object, decoded.
    pub seconds: f64,
    /// Text that is read and decoded in a second.
    pub megabytes_per_s: f64,
    /// Peak resident memory of the process; absent where the system does not tell.
    pub peak_resident_mb: Option<f64>,
}

/// Figures of reading a cluster and placing pods in it.
#[derive(Debug, Serialize)]
pub struct PlaceFigures {
    /// Reading the cluster, and indexing it for the scheduler.
    pub load: LoadFigures,
    /// Reading, validating and expanding the manifests, and setting up the scheduler.
    pub prepare_seconds: f64,
    /// Pods that were placed.
    pub placed: usize,
    /// Pods that fit nowhere.
    pub pending: usize,
    /// Placing them, every node scored.
    pub place_seconds: f64,
    /// New pods in a second of placing.
    pub pods_per_s: f64,
    /// All of it.
    pub total_seconds: f64,
    /// Peak resident memory of the process; absent where the system does not tell.
    pub peak_resident_mb: Option<f64>,
}

/// Reads a cluster and drops its objects.
pub fn load(path: &Path, workers: usize) -> Result<LoadFigures> {
    read(path, workers, &mut |_| {})
}

/// Reads a cluster, creates what a manifest holds, and places its pods one after the other.
pub fn place(cluster: &Path, manifest: &Path) -> Result<PlaceFigures> {
    let start = Instant::now();
    let mut builder = WorldBuilder::new();
    let mut context = AdmissionContext::new();
    let mut nodes: Vec<Node> = Vec::new();
    let mut load = read(cluster, 0, &mut |mut object| {
        apply_defaults(&mut object);
        if let Object::Node(node) = &object {
            let mut node = node.clone();
            node.status.images.clear();
            nodes.push(node);
        }
        context.add(&object);
        builder.add(object);
    })?;

    let (world, issues) = builder.finish();
    if let Some(issue) = issues.first() {
        bail!("{}: {}", issue.object, issue.message);
    }
    load.seconds = start.elapsed().as_secs_f64();
    load.megabytes_per_s = load.megabytes / load.seconds;
    load.peak_resident_mb = peak_resident_mb();

    let preparing = Instant::now();
    let (manifests, diagnostics) = load_manifests(vec![Input::path(manifest, false)]);
    refuse(&diagnostics)?;
    let objects = manifests.into_iter().map(|manifest| manifest.object).collect();
    let admitted = admit(objects, &context, &nodes);
    if let Some(fault) = admitted.faults.first() {
        bail!("{}: {}", fault.object, fault.text());
    }
    let options = Options {
        ties: Ties::Exact,
        seed: 0,
        percentage_of_nodes_to_score: Some(100),
    };
    let mut scheduler = Scheduler::new(world, &SchedulerConfiguration::default(), options);
    let labels = NodeLabels::of(&scheduler, &nodes);
    let mut candidates = Vec::new();
    for (group, workload) in admitted.workloads.into_iter().enumerate() {
        candidates.extend(workload.replicas.into_iter().map(|pod| Candidate {
            pod,
            group,
            existing: None,
            leader: None,
        }));
    }
    let order: Vec<usize> = (0..candidates.len()).collect();
    let prepare_seconds = preparing.elapsed().as_secs_f64();

    let placing = Instant::now();
    let run = place_candidates(&mut scheduler, &candidates, &order, &labels, Detail::Nothing);
    let place_seconds = placing.elapsed().as_secs_f64();
    let placed = run
        .outcomes
        .iter()
        .filter(|outcome| outcome.node.is_some())
        .count();
    Ok(PlaceFigures {
        load,
        prepare_seconds,
        placed,
        pending: candidates.len() - placed,
        place_seconds,
        pods_per_s: candidates.len() as f64 / place_seconds,
        total_seconds: start.elapsed().as_secs_f64(),
        peak_resident_mb: peak_resident_mb(),
    })
}

fn read(path: &Path, workers: usize, sink: &mut dyn FnMut(Object)) -> Result<LoadFigures> {
    let megabytes = std::fs::metadata(path)
        .with_context(|| format!("opening {}", path.display()))?
        .len() as f64
        / 1e6;
    let start = Instant::now();
    let LoadReport {
        diagnostics, counts, ..
    } = load_cluster(vec![Input::path(path, false)], workers, &mut |located| {
        sink(located.object)
    });
    let seconds = start.elapsed().as_secs_f64();
    refuse(&diagnostics)?;
    Ok(LoadFigures {
        megabytes,
        objects: counts,
        seconds,
        megabytes_per_s: megabytes / seconds,
        peak_resident_mb: peak_resident_mb(),
    })
}

/// What is measured is good input.
fn refuse(diagnostics: &[Diagnostic]) -> Result<()> {
    match diagnostics.first() {
        Some(diagnostic) => bail!("the input is faulty: {diagnostic:?}"),
        None => Ok(()),
    }
}

/// Peak resident memory in megabytes (10^6 bytes), as Linux tells it.
fn peak_resident_mb() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: f64 = line.trim().strip_suffix(" kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024.0 / 1e6)
}
