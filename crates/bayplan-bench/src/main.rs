//! Makes a cluster of any size as kubectl prints it, and measures loading it and placing pods in it.

mod cluster;
mod manifest;
mod measure;
mod pod;
mod text;

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::{Parser, Subcommand};
use serde::Serialize;

use text::Format;

/// Measures Bayplan on clusters of any size.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Write a cluster as `kubectl get ... -A -o json|yaml` would print it.
    Cluster {
        /// Number of nodes.
        nodes: usize,
        /// Number of running pods.
        pods: usize,
        /// The file to write.
        output: PathBuf,
        /// JSON or YAML.
        #[arg(long, value_enum, default_value_t = Format::Json)]
        format: Format,
    },
    /// Write manifests of new workloads with a three-layer policy, YAML.
    Manifest {
        /// Number of new pods.
        pods: usize,
        /// The file to write.
        output: PathBuf,
    },
    /// Read a cluster and do nothing with it; prints one line of figures.
    Load {
        /// The cluster, JSON or YAML.
        cluster: PathBuf,
        /// Threads that decode; 0 is one for each core.
        #[arg(long, default_value_t = 0)]
        workers: usize,
    },
    /// Read a cluster, admit manifests and place their pods, every node scored; prints one line of figures.
    Place {
        /// The cluster, JSON or YAML.
        cluster: PathBuf,
        /// The manifests, YAML.
        manifest: PathBuf,
    },
}

fn main() -> Result<()> {
    match Arguments::parse().command {
        Command::Cluster {
            nodes,
            pods,
            output,
            format,
        } => write_file(&output, |file| cluster::write(file, nodes, pods, format)),
        Command::Manifest { pods, output } => write_file(&output, |file| manifest::write(file, pods)),
        Command::Load { cluster, workers } => print(&measure::load(&cluster, workers)?),
        Command::Place { cluster, manifest } => print(&measure::place(&cluster, &manifest)?),
    }
}

fn write_file(path: &Path, write: impl FnOnce(&mut BufWriter<File>) -> std::io::Result<()>) -> Result<()> {
    let file = File::create(path).with_context(|| format!("creating {}", path.display()))?;
    let mut file = BufWriter::with_capacity(1 << 20, file);
    write(&mut file)
        .and_then(|()| file.flush())
        .with_context(|| format!("writing {}", path.display()))
}

fn print(figures: &impl Serialize) -> Result<()> {
    let mut output = std::io::stdout().lock();
    serde_json::to_writer(&mut output, figures)?;
    writeln!(output)?;
    Ok(())
}
