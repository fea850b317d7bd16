//! `bayplan completion`.

use std::io::Write;

use clap::CommandFactory;

use crate::args::Arguments;
use crate::args::completion::CompletionArguments;
use crate::exit::Exit;

/// Prints the completion script of a shell.
///
/// # Errors
/// When standard output cannot be written to.
pub fn run(arguments: &CompletionArguments) -> anyhow::Result<Exit> {
    // The generator treats a write error as a bug, so it writes to memory and the pipe is written here.
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Arguments::command(), "bayplan", &mut script);
    std::io::stdout().lock().write_all(&script)?;
    Ok(Exit::Clean)
}
