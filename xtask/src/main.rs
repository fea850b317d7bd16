//! The project's chores, as `cargo xtask <command>`.

// Printing is what these commands do.
#![allow(clippy::print_stdout)]

mod commands;
mod compare;
mod engine;
mod judge;
mod lines;
mod process;
mod report;
mod tally;
mod workspace;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use workspace::Workspace;

/// The project's chores.
#[derive(Parser)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Build Bayplan and run its demonstration.
    Demo {
        /// Arguments handed on to `bayplan demo`.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
    /// Measure the engine and the real scheduler side by side, and clusters of full size (needs Go).
    Bench {
        /// Small sizes, to see that it works; nothing is written to the results.
        #[arg(long)]
        quick: bool,
    },
    /// What continuous integration runs: `test --all`.
    Ci,
    /// Compare with the real scheduler on random cases that nobody has seen (needs Go).
    Fresh {
        /// The seed; without it that of the day, which is the date.
        #[arg(long)]
        seed: Option<u64>,
        /// How many cases, over all families.
        #[arg(long, default_value_t = commands::fresh::CASES)]
        cases: usize,
    },
    /// Compare with the real scheduler pod after pod on a published cluster trace (needs Go, and the data beside the repository).
    Openb,
    /// Check everything that needs only cargo; with --all, everything.
    Test {
        /// Also run the real scheduler (needs Go) and the shared data beside the repository.
        #[arg(long)]
        all: bool,
    },
}

impl Command {
    /// Programs that the command builds.
    fn programs(&self) -> &'static [&'static str] {
        match self {
            Command::Bench { .. } => &["bayplan", "bayplan-bench", "bayplan-conformance"],
            Command::Ci | Command::Test { all: true } => &["bayplan", "bayplan-conformance"],
            Command::Demo { .. } => &["bayplan"],
            Command::Fresh { .. } | Command::Openb | Command::Test { all: false } => &["bayplan-conformance"],
        }
    }

    /// Runs the command; tells whether nothing failed.
    fn run(self) -> anyhow::Result<bool> {
        let workspace = Workspace::find(self.programs())?;
        match self {
            Command::Bench { quick } => commands::bench::run(&workspace, quick),
            Command::Ci => commands::test::run(&workspace, true),
            Command::Demo { arguments } => commands::demo::run(&workspace, &arguments),
            Command::Fresh { seed, cases } => commands::fresh::run(&workspace, seed, cases),
            Command::Openb => commands::openb::run(&workspace),
            Command::Test { all } => commands::test::run(&workspace, all),
        }
    }
}

fn main() -> ExitCode {
    match Arguments::parse().command.run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(2)
        }
    }
}
