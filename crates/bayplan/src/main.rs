//! The command line. One binary, three names: `bayplan`, `kubectl-bayplan` (run by `kubectl bayplan`) and
//! `kubectl_complete-bayplan` (asked by kubectl for completions).

mod args;
mod commands;
mod complete;
mod diagnostics;
mod exit;
mod input;
mod name;
mod plan;
mod printer;
mod progress;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches};

use crate::args::Arguments;
use crate::exit::Exit;
use crate::name::Name;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    exit::on_interrupt();
    let mut arguments = std::env::args_os();
    let name = Name::of(arguments.next());
    let rest: Vec<OsString> = arguments.collect();
    match name {
        Name::KubectlCompletion => exit::code(complete::answer_kubectl(&rest)),
        Name::Plain | Name::KubectlPlugin => exit::code(run(name, rest)),
    }
}

fn run(name: Name, rest: Vec<OsString>) -> anyhow::Result<Exit> {
    let command = name.command(Arguments::command());
    let words = std::iter::once(OsString::from("bayplan")).chain(rest);
    let parsed = command
        .try_get_matches_from(words)
        .and_then(|matches| Arguments::from_arg_matches(&matches));
    match parsed {
        Ok(arguments) => commands::run(arguments.command),
        Err(error) => {
            // Help that was asked for is data and goes to standard output; everything else is a usage error.
            let asked = !error.use_stderr();
            error.print()?;
            Ok(if asked { Exit::Clean } else { Exit::Failure })
        }
    }
}
