//! The command line as clap reads it: one file for each command, and the groups of flags that commands share.

pub mod completion;
pub mod demo;
pub mod explain;
pub mod nodes;
pub mod place;
mod shared;
pub mod version;

pub use shared::{
    ClusterArguments, DomainArguments, LiveArguments, OutputArguments, OutputFormat, SchedulerArguments,
    SelectionArguments, Ties,
};

use clap::{Parser, Subcommand};

/// Simulates the Kubernetes scheduler to plan where replicas land, and why.
#[derive(Debug, Parser)]
#[command(
    name = "bayplan",
    disable_version_flag = true,
    propagate_version = false,
    max_term_width = 110
)]
#[command(after_help = "Exit codes: 0 fine, 1 findings, 2 bad usage or unreadable input, 130 interrupted.")]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Show on a built-in cluster what placement policies change
    Demo(demo::DemoArguments),
    /// Say where every replica will land, and why
    Place(place::PlaceArguments),
    /// Explain why a pod is pending, or why it is where it is
    Explain(explain::ExplainArguments),
    /// Show free and used GPUs, CPU and memory by node, rack, zone and model
    Nodes(nodes::NodesArguments),
    /// Print the completion script of a shell
    Completion(completion::CompletionArguments),
    /// Print the version of the tool and of the scheduler it reproduces
    Version(version::VersionArguments),
}
