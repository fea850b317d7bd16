//! `bayplan explain`.

use clap::Args;

use super::{ClusterArguments, OutputArguments, SchedulerArguments, SelectionArguments};

const EXAMPLES: &str = "\
Examples:
  # Why is this pod pending
  bayplan explain pod/llama-70b-6d5f-x2x9k -n models --cluster cluster.yaml

  # All pending pods of a namespace
  bayplan explain -n models --cluster cluster.yaml";

/// Arguments of `explain`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct ExplainArguments {
    /// The pod, `pod/NAME` or `NAME`; without one, every pending pod of the selection
    #[arg(value_name = "pod/NAME")]
    pub pod: Option<String>,

    /// The cluster.
    #[command(flatten)]
    pub cluster: ClusterArguments,

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
