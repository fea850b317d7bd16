//! Counts of checks that passed and failed.

use std::fmt;
use std::ops::AddAssign;

/// How many checks passed and failed.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Tally {
    /// Checks that passed.
    pub passed: usize,
    /// Checks that failed.
    pub failed: usize,
}

impl Tally {
    /// A single check.
    pub fn one(passed: bool) -> Self {
        Self {
            passed: usize::from(passed),
            failed: usize::from(!passed),
        }
    }

    /// The counts of a line such as `5 passed, 1 failed`; none for any other line.
    pub fn from_line(line: &str) -> Self {
        let counts = line.trim().split_once(" passed, ").and_then(|(passed, rest)| {
            let failed = rest.strip_suffix(" failed")?.parse().ok()?;
            Some(Self {
                passed: passed.parse().ok()?,
                failed,
            })
        });
        counts.unwrap_or_default()
    }

    /// Prints the counts under a name.
    pub fn shown(self, name: &str) -> Self {
        println!("{name}: {self}");
        self
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} passed, {} failed", self.passed, self.failed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn printed_counts_are_read_again() {
        let tally = Tally {
            passed: 12,
            failed: 3,
        };
        assert_eq!(Tally::from_line(&tally.to_string()), tally);
        assert_eq!(
            Tally::from_line("resources: 12 passed, 3 failed"),
            Tally::default()
        );
        assert_eq!(Tally::from_line("12 passed"), Tally::default());
    }
}
