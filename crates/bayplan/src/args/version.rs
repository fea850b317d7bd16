//! `bayplan version`.

use clap::Args;

use super::OutputArguments;

/// Arguments of `version`.
#[derive(Debug, Args)]
pub struct VersionArguments {
    /// The output.
    #[command(flatten)]
    pub output: OutputArguments,
}
