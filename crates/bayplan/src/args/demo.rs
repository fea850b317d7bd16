//! `bayplan demo`.

use std::path::PathBuf;

use clap::Args;

use super::OutputArguments;

/// Arguments of `demo`.
#[derive(Debug, Args)]
pub struct DemoArguments {
    /// Write the example's cluster and manifests into a directory instead of running it
    #[arg(long, value_name = "DIR")]
    pub export: Option<PathBuf>,

    /// The output.
    #[command(flatten)]
    pub output: OutputArguments,
}
