//! Bayplan's engine: the program of the crate `bayplan-conformance`.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;
use serde_json::Value;

use crate::workspace::Workspace;
use crate::{lines, process};

/// The engine, ready to be asked.
pub struct Engine {
    program: PathBuf,
}

impl Engine {
    /// Builds the program as the engine ships.
    pub fn build(workspace: &Workspace) -> Result<Self> {
        Ok(Self {
            program: workspace.release("bayplan-conformance")?,
        })
    }

    /// A command of the program.
    pub fn command(&self, name: &str) -> Command {
        let mut command = Command::new(&self.program);
        command.arg(name);
        command
    }

    /// The answers to a file of cases.
    pub fn answers(&self, cases: &Path) -> Result<Vec<Value>> {
        lines::values(
            &process::capture(self.command("run").arg(cases))?,
            "the engine's answers",
        )
    }

    /// Places a case's pods one after the other; one line a pod.
    pub fn sequence(&self, case: &Path, percent: Option<u32>) -> Result<Vec<Value>> {
        let mut command = self.command("sequence");
        command.arg(case).args(percent.map(|percent| percent.to_string()));
        lines::values(&process::capture(&mut command)?, "the engine's sequence")
    }
}
