//! One line a diagnostic: `file:line:column: severity[code] message`.

use std::fmt::Write as _;

use super::Diagnostic;

/// Renders one line for each diagnostic, in the form that editors and `grep` users expect.
///
/// ```text
/// web.yaml:12:9: error[BP901] unknown field "replcas" (did you mean "replicas"?)
/// ```
#[must_use]
pub fn render_concise(diagnostics: &[Diagnostic]) -> String {
    let mut out = String::new();
    for diagnostic in diagnostics {
        if let Some(location) = &diagnostic.location {
            let _ = write!(out, "{}: ", location.display_short());
        }
        let _ = write!(
            out,
            "{}[{}] {}",
            diagnostic.severity.as_str(),
            diagnostic.code,
            diagnostic.message
        );
        if let Some(hint) = &diagnostic.hint {
            let _ = write!(out, " ({hint})");
        }
        out.push('\n');
    }
    out
}
