//! Answers scheduling cases as the conformance program over the real scheduler does, and measures the engine.

#[cfg(test)]
mod agreement;
mod case;
mod load;
mod run;
mod sequence;

use std::io::{BufWriter, Write};
use std::path::PathBuf;

use anyhow::Result;
use clap::{Parser, Subcommand};

/// Bayplan's engine on conformance cases.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Print the answer to every case, one line each.
    Run {
        /// Cases, JSON lines, may be .gz.
        cases: PathBuf,
    },
    /// Schedule the pending pods of one case and print one line of figures.
    Bench {
        /// The case, JSON, may be .gz.
        case: PathBuf,
        /// Share of the nodes to search, in percent; without it the adaptive default.
        percent: Option<i32>,
    },
    /// Schedule the pending pods of one case and print one line a pod.
    Sequence {
        /// The case, JSON, may be .gz.
        case: PathBuf,
        /// Share of the nodes to search, in percent; without it the adaptive default.
        percent: Option<i32>,
    },
}

fn main() -> Result<()> {
    let mut output = BufWriter::new(std::io::stdout().lock());
    match Arguments::parse().command {
        Command::Run { cases } => run::run(&cases, &mut output)?,
        Command::Sequence { case, percent } => sequence::sequence(&case, percent, &mut output)?,
        Command::Bench { case, percent } => {
            serde_json::to_writer(&mut output, &sequence::bench(&case, percent)?)?;
            output.write_all(b"\n")?;
        }
    }
    output.flush()?;
    Ok(())
}
