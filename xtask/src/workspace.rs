//! Where things are, and building them.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow};

use crate::process;

/// The repository and its build folder.
pub struct Workspace {
    /// The folder with the workspace's Cargo.toml.
    pub root: PathBuf,
    /// Where cargo builds.
    target: PathBuf,
    /// Programs that the command needs. They are built together, for cargo builds what they share anew whenever another
    /// set of packages asks for other features of it.
    programs: &'static [&'static str],
}

impl Workspace {
    /// Finds the repository this program was built from. `programs` are those that will be asked for.
    pub fn find(programs: &'static [&'static str]) -> Result<Self> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"))
            .parent()
            .context("finding the repository")?
            .to_owned();
        let metadata = process::capture(process::cargo().current_dir(&root).args([
            "metadata",
            "--no-deps",
            "--format-version",
            "1",
        ]))?;
        let metadata: serde_json::Value =
            serde_json::from_str(&metadata).context("reading cargo's metadata")?;
        let target = metadata["target_directory"]
            .as_str()
            .ok_or_else(|| anyhow!("cargo's metadata names no target directory"))?
            .into();
        Ok(Self {
            root,
            target,
            programs,
        })
    }

    /// The folder of a thing in the repository.
    pub fn path(&self, relative: &str) -> PathBuf {
        self.root.join(relative)
    }

    /// Data beside the repository that is not part of it; absent in most clones.
    pub fn shared(&self, relative: &str) -> PathBuf {
        self.root.join("../shared").join(relative)
    }

    /// A folder for results that can be made again, created when missing.
    pub fn scratch(&self, name: &str) -> Result<PathBuf> {
        let folder = self.target.join("xtask").join(name);
        std::fs::create_dir_all(&folder).with_context(|| format!("creating {}", folder.display()))?;
        Ok(folder)
    }

    /// Builds the programs as they ship and returns the path of one.
    pub fn release(&self, program: &str) -> Result<PathBuf> {
        let packages = self.programs.iter().flat_map(|name| ["--package", name]);
        process::run(
            process::cargo()
                .current_dir(&self.root)
                .args(["build", "--release"])
                .args(packages),
        )?;
        Ok(self
            .target
            .join("release")
            .join(format!("{program}{}", std::env::consts::EXE_SUFFIX)))
    }
}
