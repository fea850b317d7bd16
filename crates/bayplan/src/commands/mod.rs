//! What the commands do: one file for each.

mod completion;
mod demo;
mod explain;
mod nodes;
mod place;
mod version;

use std::io::{self, BufWriter};

use bayplan_api::Body;

use crate::args::{Command, OutputArguments};
use crate::exit::Exit;
use crate::printer::{Output, Paint, print};

/// Runs a command.
///
/// # Errors
/// When the input or the usage leaves nothing to say; findings are no errors.
pub fn run(command: Command) -> anyhow::Result<Exit> {
    match command {
        Command::Nodes(arguments) => nodes::run(&arguments),
        Command::Demo(arguments) => demo::run(&arguments),
        Command::Explain(arguments) => explain::run(&arguments),
        Command::Place(arguments) => place::run(&arguments),
        Command::Completion(arguments) => completion::run(&arguments),
        Command::Version(arguments) => version::run(&arguments),
    }
}

fn show<B: Body>(output: Output<'_, B>, arguments: &OutputArguments) -> anyhow::Result<()> {
    let stdout = io::stdout();
    let paint = Paint::decide(&stdout);
    print(output, arguments, paint, &mut BufWriter::new(stdout.lock()))?;
    Ok(())
}

/// A share in percent, with a decimal only below 10 %.
fn percent(share: f64) -> String {
    let value = share * 100.0;
    if value > 0.0 && value < 9.95 && (value - value.round()).abs() >= 0.05 {
        format!("{value:.1}%")
    } else {
        format!("{value:.0}%")
    }
}
