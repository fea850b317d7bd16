//! The real scheduler: the Go program under `conformance/`.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use serde_json::Value;

use crate::workspace::Workspace;
use crate::{lines, process};

/// The Go release that builds Kubernetes 1.37; `go` fetches it when it is older itself.
const GO_TOOLCHAIN: &str = "go1.27.3";

/// The real scheduler, ready to be asked.
pub struct Judge {
    program: PathBuf,
}

impl Judge {
    /// Builds the program; with an empty cache that takes minutes.
    pub fn build(workspace: &Workspace) -> Result<Self> {
        let program = workspace
            .scratch("judge")?
            .join(format!("conformance{}", std::env::consts::EXE_SUFFIX));
        let mut command = Self::go(workspace);
        command
            .args(["build", "-buildvcs=false", "-o"])
            .arg(&program)
            .arg(".");
        process::run(&mut command).context(
            "the real scheduler is a Go program: this needs any go from 1.21 on and the Go module proxy",
        )?;
        Ok(Self { program })
    }

    /// The go command in the module's folder.
    pub fn go(workspace: &Workspace) -> Command {
        let mut command = Command::new("go");
        command.current_dir(workspace.path("conformance"));
        if std::env::var_os("GOTOOLCHAIN").is_none() {
            command.env("GOTOOLCHAIN", GO_TOOLCHAIN);
        }
        command
    }

    /// A command of the program.
    pub fn command(&self, name: &str) -> Command {
        let mut command = Command::new(&self.program);
        command.arg(name);
        command
    }

    /// Writes random cases to a file.
    pub fn generate(&self, family: &str, seed: u64, count: usize, output: &Path) -> Result<()> {
        process::run(
            self.command("gen")
                .args([family, &seed.to_string(), &count.to_string()])
                .arg(output),
        )
    }

    /// Writes the answers to a file of cases to another file.
    pub fn answer(&self, cases: &Path, output: &Path) -> Result<()> {
        process::run(self.command("run").arg(cases).arg(output))
    }

    /// Places a case's pods one after the other with one worker; one line a pod.
    pub fn sequence(&self, case: &Path, percent: Option<u32>) -> Result<Vec<Value>> {
        let mut command = self.command("sequence");
        command.arg(case).args(percent.map(|percent| percent.to_string()));
        lines::values(&process::capture(&mut command)?, "the real scheduler's sequence")
    }
}
