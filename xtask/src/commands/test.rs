//! `cargo xtask test`.

use anyhow::Result;

use super::{fresh, golden, openb, shared};
use crate::judge::Judge;
use crate::process;
use crate::report::Report;
use crate::tally::Tally;
use crate::workspace::Workspace;

/// Checks everything that needs only cargo, and with `all` everything; tells whether nothing failed.
pub fn run(workspace: &Workspace, all: bool) -> Result<bool> {
    let mut report = Report::default();
    report.step("format", || cargo(workspace, &["fmt", "--all", "--check"]));
    report.step("clippy", || {
        cargo(
            workspace,
            &[
                "clippy",
                "--workspace",
                "--all-targets",
                "--",
                "--deny",
                "warnings",
            ],
        )
    });
    report.step("tests", || tests(workspace));
    report.step("golden answers", || golden::check(workspace));
    if all {
        with_real_scheduler(workspace, &mut report);
        report.step("recorded answers beside the repository", || {
            shared::families(workspace)
        });
        report.step("examples of nodes", || shared::example_nodes(workspace));
        report.step("situations from public reports", || shared::situations(workspace));
    }
    Ok(report.finish())
}

/// The checks that ask the real scheduler anew.
fn with_real_scheduler(workspace: &Workspace, report: &mut Report) {
    let mut judge = None;
    report.step("build of the real scheduler", || {
        judge = Some(Judge::build(workspace)?);
        Ok(Tally::one(true))
    });
    let Some(judge) = judge else { return };
    report.step("go vet", || {
        Ok(Tally::one(process::succeeds(
            Judge::go(workspace).args(["vet", "./..."]),
        )?))
    });
    report.step("golden answers made again", || {
        golden::regenerate(workspace, &judge)
    });
    report.step("fresh random cases", || {
        fresh::check(workspace, &judge, fresh::seed_of_today()?, fresh::CASES)
    });
    report.step("published trace, pod after pod", || {
        openb::check(workspace, &judge)
    });
}

fn cargo(workspace: &Workspace, arguments: &[&str]) -> Result<Tally> {
    Ok(Tally::one(process::succeeds(
        process::cargo().current_dir(&workspace.root).args(arguments),
    )?))
}

/// Runs every crate's tests and sums up the runner's own lines.
fn tests(workspace: &Workspace) -> Result<Tally> {
    let mut sum = Tally::default();
    let mut command = process::cargo();
    command
        .current_dir(&workspace.root)
        .args(["test", "--workspace", "--no-fail-fast"]);
    let succeeded = process::watch(&mut command, |line| sum += result_line(line))?;
    if !succeeded && sum.failed == 0 {
        // What does not compile prints no counts.
        sum += Tally::one(false);
    }
    Ok(sum)
}

/// The counts of a line such as `test result: ok. 5 passed; 0 failed; 0 ignored; ...`; none for any other line.
fn result_line(line: &str) -> Tally {
    let Some((_, counts)) = line
        .strip_prefix("test result: ")
        .and_then(|rest| rest.split_once(". "))
    else {
        return Tally::default();
    };
    let count = |word: &str| {
        let part = counts.split("; ").find_map(|part| part.strip_suffix(word));
        part.and_then(|number| number.trim().parse().ok()).unwrap_or(0)
    };
    Tally {
        passed: count("passed"),
        failed: count("failed"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_come_from_the_runner() {
        let line = "test result: FAILED. 5 passed; 2 failed; 1 ignored; 0 measured; 3 filtered out; finished in 0.30s";
        assert_eq!(result_line(line), Tally { passed: 5, failed: 2 });
        assert_eq!(result_line("test result of something else"), Tally::default());
        assert_eq!(result_line("running 5 tests"), Tally::default());
    }
}
