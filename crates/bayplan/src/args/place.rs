//! `bayplan place`.

use std::path::PathBuf;

use clap::Args;

use super::{ClusterArguments, DomainArguments, OutputArguments, SchedulerArguments, SelectionArguments};

const EXAMPLES: &str = "\
Examples:
  # Where would the replicas of a Deployment land on the cluster in a dump
  bayplan place --cluster cluster.yaml -f deployment.yaml

  # The same with kubectl and Helm by pipe
  kubectl get nodes,pods,services,replicasets -A -o yaml > cluster.yaml
  helm template chart | bayplan place --cluster cluster.yaml -f -

  # Filters and scores of every node
  bayplan place --cluster cluster.yaml -f deployment.yaml --explain

  # How likely is it that all replicas share a node
  bayplan place --cluster cluster.yaml -f deployment.yaml --trials 1000

  # What becomes of the pods that are pending now
  bayplan place --cluster cluster.yaml -A";

/// Arguments of `place`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct PlaceArguments {
    /// Workloads of the cluster to place, for example `deployment/gateway`
    #[arg(value_name = "KIND/NAME")]
    pub workloads: Vec<String>,

    /// Manifests to place, `-` for standard input; without any, the cluster's pending pods are placed
    #[arg(short = 'f', long, value_name = "FILE|DIR|-")]
    pub filename: Vec<PathBuf>,

    /// Look into sub-directories of `-f` too
    #[arg(short = 'R', long)]
    pub recursive: bool,

    /// Take running pods of the same workloads away first and place all replicas
    #[arg(long)]
    pub fresh: bool,

    /// Show what every node was refused for and how many points every plugin gave it
    #[arg(long, conflicts_with = "trials")]
    pub explain: bool,

    /// Repeat with this many random arrival orders, ties and starts of the search, and report distributions
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..))]
    pub trials: Option<u32>,

    /// The cluster.
    #[command(flatten)]
    pub cluster: ClusterArguments,

    /// The failure domains.
    #[command(flatten)]
    pub domains: DomainArguments,

    /// The selection.
    #[command(flatten)]
    pub selection: SelectionArguments,

    /// The scheduler.
    #[command(flatten)]
    pub scheduler: SchedulerArguments,

    /// The output.
    #[command(flatten)]
    pub output: OutputArguments,
}
