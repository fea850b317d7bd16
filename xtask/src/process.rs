//! Running other programs.

use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail};

/// Cargo, the one that runs this program.
pub fn cargo() -> Command {
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// How a command would be typed, with the program found by its name.
fn typed(command: &Command) -> String {
    let program = Path::new(command.get_program());
    std::iter::once(program.file_name().unwrap_or(program.as_os_str()))
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

/// Runs a command and returns its exit code and what it prints to standard output.
pub fn output(command: &mut Command) -> Result<(Option<i32>, String)> {
    let doing = format!("running {}", typed(command));
    let output = command.stdin(Stdio::null()).stderr(Stdio::inherit()).output();
    let output = output.with_context(|| doing.clone())?;
    Ok((
        output.status.code(),
        String::from_utf8(output.stdout).context(doing)?,
    ))
}

/// Runs a command and returns what it prints; failing is an error.
pub fn capture(command: &mut Command) -> Result<String> {
    match output(command)? {
        (Some(0), text) => Ok(text),
        (code, _) => bail!("{} failed with exit code {code:?}", typed(command)),
    }
}

/// Runs a command and returns what it prints and its peak resident memory in megabytes (10^6 bytes), which only Linux
/// tells; failing is an error. The memory is looked up from outside, twenty times a second, so short runs have none.
pub fn capture_with_peak(command: &mut Command) -> Result<(String, Option<f64>)> {
    let doing = format!("running {}", typed(command));
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .with_context(|| doing.clone())?;
    let status = format!("/proc/{}/status", child.id());
    let output = child.stdout.take();
    let reader = std::thread::spawn(move || {
        let mut text = String::new();
        output
            .map_or(Ok(0), |mut output| output.read_to_string(&mut text))
            .map(|_| text)
    });
    let mut peak: Option<f64> = None;
    let succeeded = loop {
        // The high-water mark only rises, so the last look is the peak.
        peak = peak_of(&status).or(peak);
        if let Some(status) = child.try_wait().with_context(|| doing.clone())? {
            break status.success();
        }
        std::thread::sleep(Duration::from_millis(50));
    };
    let text = reader
        .join()
        .map_err(|_| anyhow!("{doing}: reading its output failed"))?;
    if !succeeded {
        bail!("{doing}: it failed");
    }
    Ok((text.with_context(|| doing.clone())?, peak))
}

fn peak_of(status: &str) -> Option<f64> {
    let status = std::fs::read_to_string(status).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: f64 = line.trim().strip_suffix(" kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024.0 / 1e6)
}
