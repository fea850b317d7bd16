//! Clusters of full size, read from text.

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result, anyhow};
use serde_json::{Value, json};

use super::Sizes;
use crate::process;
use crate::tally::Tally;

/// Loads a cluster and places new pods with a three-layer policy in it, measured from inside, and then the same by the
/// command line, as a user would wait for it.
pub fn cluster(
    bench: &Path,
    bayplan: &Path,
    sizes: &Sizes,
    scratch: &Path,
    results: &mut Option<Value>,
) -> Result<Tally> {
    let [nodes, running, new] = sizes.cluster;
    let (cluster, manifest) = (scratch.join("cluster.json"), scratch.join("new.yaml"));
    write_cluster(bench, nodes, running, "json", &cluster)?;
    process::capture(
        Command::new(bench)
            .arg("manifest")
            .arg(new.to_string())
            .arg(&manifest),
    )?;

    let figures = figures(Command::new(bench).arg("place").arg(&cluster).arg(&manifest))?;
    let load = &figures["load"];
    println!("{nodes} nodes, {running} running pods, {new} new pods");
    println!("  text             {:>8.0} MB", number(load, "megabytes")?);
    println!(
        "  load and index   {:>8.2} s   {:.0} MB/s, peak memory {:.0} MB",
        number(load, "seconds")?,
        number(load, "megabytes_per_s")?,
        number(load, "peak_resident_mb").unwrap_or(0.0),
    );
    println!(
        "  prepare          {:>8.2} s",
        number(&figures, "prepare_seconds")?
    );
    println!(
        "  place            {:>8.2} s   {:.0} pods/s, {} placed, {} pending",
        number(&figures, "place_seconds")?,
        number(&figures, "pods_per_s")?,
        figures["placed"],
        figures["pending"],
    );
    println!(
        "  all              {:>8.2} s   peak memory {:.0} MB",
        number(&figures, "total_seconds")?,
        number(&figures, "peak_resident_mb").unwrap_or(0.0),
    );

    let start = Instant::now();
    let mut command = Command::new(bayplan);
    command
        .arg("place")
        .arg("--cluster")
        .arg(&cluster)
        .arg("-f")
        .arg(&manifest)
        .args(["-o", "name"]);
    let (names, peak) = process::capture_with_peak(&mut command)?;
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "  bayplan place    {seconds:>8.2} s   peak memory {:.0} MB",
        peak.unwrap_or(0.0)
    );
    let named = names.lines().count();
    *results = Some(json!({
        "nodes": nodes, "running_pods": running, "new_pods": new, "inside": figures,
        "command": {"seconds": seconds, "peak_resident_mb": peak},
    }));
    std::fs::remove_file(&cluster).with_context(|| format!("removing {}", cluster.display()))?;
    Ok(Tally::one(figures["placed"] == new && named == new))
}

/// How fast each form of text is read, by one thread and by all.
pub fn text(bench: &Path, sizes: &Sizes, scratch: &Path, results: &mut Vec<Value>) -> Result<Tally> {
    let [nodes, running] = sizes.text;
    println!(
        "{:8} {:>8} {:>8} {:>8} {:>8} {:>8}",
        "FORM", "MB", "THREADS", "SECONDS", "MB/S", "PEAK MB"
    );
    let mut sum = Tally::default();
    for format in ["json", "indented", "yaml"] {
        let cluster = scratch.join(format!("text.{format}"));
        write_cluster(bench, nodes, running, format, &cluster)?;
        for workers in ["1", "0"] {
            let load = figures(
                Command::new(bench)
                    .arg("load")
                    .arg(&cluster)
                    .args(["--workers", workers]),
            )?;
            println!(
                "{format:8} {:>8.0} {:>8} {:>8.2} {:>8.0} {:>8.0}",
                number(&load, "megabytes")?,
                if workers == "0" { "all" } else { workers },
                number(&load, "seconds")?,
                number(&load, "megabytes_per_s")?,
                number(&load, "peak_resident_mb").unwrap_or(0.0),
            );
            sum += Tally::one(load["objects"]["Pod"] == running && load["objects"]["Node"] == nodes);
            results.push(json!({"format": format, "workers": workers, "figures": load}));
        }
        std::fs::remove_file(&cluster).with_context(|| format!("removing {}", cluster.display()))?;
    }
    Ok(sum)
}

fn write_cluster(bench: &Path, nodes: usize, pods: usize, format: &str, path: &Path) -> Result<()> {
    let mut command = Command::new(bench);
    command
        .arg("cluster")
        .arg(nodes.to_string())
        .arg(pods.to_string())
        .arg(path)
        .args(["--format", format]);
    process::capture(&mut command).map(drop)
}

fn figures(command: &mut Command) -> Result<Value> {
    serde_json::from_str(&process::capture(command)?).context("reading the figures")
}

fn number(figures: &Value, name: &str) -> Result<f64> {
    figures[name]
        .as_f64()
        .ok_or_else(|| anyhow!("the figures have no {name}"))
}
