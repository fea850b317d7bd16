//! Running other programs.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

/// Cargo, the one that runs this program.
pub fn cargo() -> Command {
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// How a command would be typed.
fn typed(command: &Command) -> String {
    std::iter::once(command.get_program())
        .chain(command.get_args())
        .map(|word| word.to_string_lossy().into_owned())
        .collect::<Vec<_>>()
        .join(" ")
}

/// Runs a command with its output shown; tells whether it succeeded.
pub fn succeeds(command: &mut Command) -> Result<bool> {
    println!("$ {}", typed(command));
    let status = command.stdin(Stdio::null()).status();
    Ok(status
        .with_context(|| format!("running {}", typed(command)))?
        .success())
}

/// Runs a command with its output shown; failing is an error.
pub fn run(command: &mut Command) -> Result<()> {
    if !succeeds(command)? {
        bail!("{} failed", typed(command));
    }
    Ok(())
}

/// Runs a command, shows its output and hands each line of it to `see`; tells whether it succeeded.
pub fn watch(command: &mut Command, mut see: impl FnMut(&str)) -> Result<bool> {
    let doing = format!("running {}", typed(command));
    println!("$ {}", typed(command));
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .with_context(|| doing.clone())?;
    if let Some(output) = child.stdout.take() {
        for line in BufReader::new(output).lines() {
            let line = line.with_context(|| doing.clone())?;
            println!("{line}");
            see(&line);
        }
    }
    Ok(child.wait().context(doing)?.success())
}

/// Runs a command and returns what it prints; failing is an error.
pub fn capture(command: &mut Command) -> Result<String> {
    let output = command
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .with_context(|| format!("running {}", typed(command)))?;
    if !output.status.success() {
        bail!("{} failed with {}", typed(command), output.status);
    }
    String::from_utf8(output.stdout).with_context(|| format!("output of {}", typed(command)))
}
