//! `bayplan nodes`.

use clap::{Args, ValueEnum};

use super::{ClusterArguments, OutputArguments};

const EXAMPLES: &str = "\
Examples:
  # Everything: nodes, racks, zones, GPU types and models
  kubectl get nodes,pods -A -o yaml | bayplan nodes --cluster -

  # Racks only, those with most free GPUs first
  bayplan nodes --cluster cluster.yaml --by rack --sort-by -GPU-FREE

  # GPU nodes of one zone
  bayplan nodes --cluster cluster.yaml -l topology.kubernetes.io/zone=z1 --by node";

/// Arguments of `nodes`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct NodesArguments {
    /// Sum up by these only; the default is every level that the cluster has
    #[arg(long, value_enum, value_delimiter = ',', value_name = "LEVEL")]
    pub by: Vec<Level>,

    /// Label of pods that names the model they serve
    #[arg(long, value_name = "KEY", default_value = "model")]
    pub model_label: String,

    /// Label of nodes that names their rack; the default tries the keys in use
    #[arg(long, value_name = "KEY")]
    pub rack_label: Option<String>,

    /// Label selector for nodes
    #[arg(short = 'l', long, value_name = "SELECTOR")]
    pub selector: Option<String>,

    /// The cluster.
    #[command(flatten)]
    pub cluster: ClusterArguments,

    /// The output.
    #[command(flatten)]
    pub output: OutputArguments,
}

/// What rows stand for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Level {
    /// Single nodes
    Node,
    /// Racks
    Rack,
    /// Zones
    Zone,
    /// Regions
    Region,
    /// GPU types
    Gpu,
    /// Models, by the pods that serve them
    Model,
}
