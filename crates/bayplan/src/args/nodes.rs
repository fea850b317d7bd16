//! `bayplan nodes`.

use clap::{Args, ValueEnum};

use bayplan_analysis::domains::Level as Domain;

use super::{ClusterArguments, DomainArguments, OutputArguments};

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

    /// The failure domains.
    #[command(flatten)]
    pub domains: DomainArguments,

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
    /// NVLink domains
    Nvlink,
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

impl Level {
    /// The level of failure domains that it stands for; `None` for single nodes, GPU types and models.
    pub fn domain(self) -> Option<Domain> {
        match self {
            Level::Nvlink => Some(Domain::NVLINK),
            Level::Rack => Some(Domain::RACK),
            Level::Zone => Some(Domain::ZONE),
            Level::Region => Some(Domain::REGION),
            Level::Node | Level::Gpu | Level::Model => None,
        }
    }
}
