//! Runs steps one after the other, keeps their results and prints a summary at the end.

use std::time::Instant;

use anyhow::Result;

use crate::tally::Tally;

/// What came out of a step.
pub enum Outcome {
    /// It ran.
    Ran(Tally),
    /// It could not run here, and why; this is no failure.
    Skipped(String),
}

impl From<Tally> for Outcome {
    fn from(tally: Tally) -> Self {
        Self::Ran(tally)
    }
}

/// The steps so far.
#[derive(Default)]
pub struct Report {
    total: Tally,
    lines: Vec<String>,
}

impl Report {
    /// Runs a step. An error is one failed check; the next step runs all the same.
    pub fn step<O: Into<Outcome>>(&mut self, name: &str, run: impl FnOnce() -> Result<O>) {
        println!("\n== {name}");
        let start = Instant::now();
        let tally = match run().map(Into::into) {
            Ok(Outcome::Ran(tally)) => tally,
            Ok(Outcome::Skipped(why)) => {
                let line = format!("skipped: {name}: {why}");
                println!("{line}");
                self.lines.push(line);
                return;
            }
            Err(error) => {
                println!("error: {error:#}");
                Tally::one(false)
            }
        };
        self.total += tally;
        let line = format!("{name}: {tally} ({:.0} s)", start.elapsed().as_secs_f64());
        println!("{line}");
        self.lines.push(line);
    }

    /// Prints every step's result and the sum; tells whether nothing failed.
    pub fn finish(self) -> bool {
        println!("\n== summary");
        for line in &self.lines {
            println!("{line}");
        }
        println!("{}", self.total);
        self.total.failed == 0
    }
}
