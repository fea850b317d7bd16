//! `bayplan demo`.

use clap::Args;

use super::OutputArguments;

/// Arguments of `demo`.
#[derive(Debug, Args)]
pub struct DemoArguments {
    /// The output.
    #[command(flatten)]
    pub output: OutputArguments,
}
