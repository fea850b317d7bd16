//! Completion for `kubectl bayplan`.
//!
//! kubectl runs `kubectl_complete-bayplan` with the words typed so far, the last one unfinished, and reads candidates
//! from standard output, one a line with an optional description behind a tab. The last line is `:` and a directive of
//! Cobra (k8s.io/kubectl v0.37.2, pkg/cmd/plugin/plugin_completion.go).

mod candidates;

use std::ffi::OsString;
use std::fmt::Write as _;
use std::io::Write;

use clap::CommandFactory;

use crate::args::Arguments;
use crate::exit::Exit;
use candidates::{Completion, complete};

/// Cobra's `ShellCompDirectiveDefault`: the shell may complete file names.
const DIRECTIVE_DEFAULT: u8 = 0;
/// Cobra's `ShellCompDirectiveNoFileComp`.
const DIRECTIVE_NO_FILES: u8 = 4;

/// Prints candidates for the last of `words`.
///
/// # Errors
/// When standard output cannot be written to.
pub fn answer_kubectl(words: &[OsString]) -> anyhow::Result<Exit> {
    let words: Vec<String> = words
        .iter()
        .map(|word| word.to_string_lossy().into_owned())
        .collect();
    let mut command = Arguments::command();
    command.build();
    let Completion { candidates, files } = complete(&command, &words);
    let mut text = String::new();
    for (value, help) in candidates {
        if help.is_empty() {
            writeln!(text, "{value}")?;
        } else {
            writeln!(text, "{value}\t{help}")?;
        }
    }
    writeln!(
        text,
        ":{}",
        if files {
            DIRECTIVE_DEFAULT
        } else {
            DIRECTIVE_NO_FILES
        }
    )?;
    std::io::stdout().lock().write_all(text.as_bytes())?;
    Ok(Exit::Clean)
}
