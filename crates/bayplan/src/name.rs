//! The name the binary is called by.

use std::ffi::OsString;
use std::path::Path;

use clap::Command;

/// What the name of the executable asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Name {
    /// `bayplan`.
    Plain,
    /// `kubectl-bayplan`, which kubectl runs for `kubectl bayplan`.
    KubectlPlugin,
    /// `kubectl_complete-bayplan`, which kubectl runs to complete `kubectl bayplan ...`.
    KubectlCompletion,
}

impl Name {
    /// Reads the zeroth argument; a missing one means the plain name.
    pub fn of(executable: Option<OsString>) -> Self {
        let executable = executable.unwrap_or_default();
        let stem = Path::new(&executable)
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy();
        if stem.starts_with("kubectl_complete-") {
            Name::KubectlCompletion
        } else if stem.starts_with("kubectl-") {
            Name::KubectlPlugin
        } else {
            Name::Plain
        }
    }

    /// The command as its help shows it under this name.
    pub fn command(self, command: Command) -> Command {
        match self {
            Name::KubectlPlugin => command.bin_name("kubectl bayplan"),
            Name::Plain | Name::KubectlCompletion => command,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn follows_the_file_name() {
        let of = |path: &str| Name::of(Some(OsString::from(path)));
        assert_eq!(of("/usr/bin/bayplan"), Name::Plain);
        assert_eq!(of("kubectl-bayplan"), Name::KubectlPlugin);
        assert_eq!(of("bin/kubectl-bayplan.exe"), Name::KubectlPlugin);
        assert_eq!(of("/opt/kubectl_complete-bayplan"), Name::KubectlCompletion);
        assert_eq!(Name::of(None), Name::Plain);
    }
}
