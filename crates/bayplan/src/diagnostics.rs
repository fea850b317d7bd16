//! What was found in the input, on standard error and in the documents.

use std::io::{self, IsTerminal, Write};

use bayplan_api::{Issue, Severity, Uncertainty};
use bayplan_manifest::Diagnostic;
use bayplan_manifest::diagnostic::{RenderStyle, Severity as Found, render_full};

use crate::args::OutputArguments;
use crate::printer::{Paint, Tone, diagnostics_on_stderr};

/// The findings as the documents carry them.
pub fn issues(diagnostics: &[Diagnostic]) -> Vec<Issue> {
    let issue = |diagnostic: &Diagnostic| Issue {
        code: diagnostic.code.id().to_owned(),
        severity: match diagnostic.severity {
            Found::Error => Severity::Error,
            Found::Warning => Severity::Warning,
            Found::Info => Severity::Info,
        },
        message: diagnostic.message.clone(),
        hint: diagnostic.hint.clone(),
        file: diagnostic
            .location
            .as_ref()
            .map(|location| location.file.to_string()),
        line: diagnostic.location.as_ref().map(|location| location.line),
        column: diagnostic.location.as_ref().map(|location| location.column),
        object: diagnostic.object.clone(),
    };
    diagnostics.iter().map(issue).collect()
}

/// Tells people about findings and uncertainties, unless the document on standard output carries them.
///
/// # Errors
/// Standard error cannot be written to.
pub fn tell(
    diagnostics: &[Diagnostic],
    uncertain: &[Uncertainty],
    output: &OutputArguments,
) -> io::Result<()> {
    if !diagnostics_on_stderr(output) {
        return Ok(());
    }
    let paint = Paint::decide(&io::stderr());
    let style = if paint.0 {
        RenderStyle::Colored
    } else {
        RenderStyle::Plain
    };
    let mut text = render_full(diagnostics, style);
    let (start, end) = paint.around(Tone::Warn);
    for entry in uncertain {
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str(&format!("{start}uncertain{end}: {}\n", entry.reason));
        if !entry.objects.is_empty() {
            text.push_str(&format!("  = note: concerns {}\n", some(&entry.objects)));
        }
    }
    if !text.is_empty() && io::stderr().is_terminal() {
        text.push('\n');
    }
    io::stderr().lock().write_all(text.as_bytes())
}

/// The first few of a list of names.
pub fn some(names: &[String]) -> String {
    const SHOWN: usize = 5;
    let mut text = names
        .iter()
        .take(SHOWN)
        .map(String::as_str)
        .collect::<Vec<_>>()
        .join(", ");
    if names.len() > SHOWN {
        text.push_str(&format!(" and {} more", names.len() - SHOWN));
    }
    text
}
