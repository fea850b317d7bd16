//! `cargo xtask demo`.

use std::process::Command;

use anyhow::Result;

use crate::process;
use crate::workspace::Workspace;

/// Builds Bayplan as it ships and runs its demonstration; tells whether it succeeded.
pub fn run(workspace: &Workspace, arguments: &[String]) -> Result<bool> {
    let bayplan = workspace.release("bayplan")?;
    process::succeeds(Command::new(bayplan).arg("demo").args(arguments))
}
