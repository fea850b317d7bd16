//! The look of a compiler: code, place, the lines with carets, hint and notes.

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};

use super::{Diagnostic, Location, Severity};

/// Whether the output may use colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RenderStyle {
    /// Plain text.
    #[default]
    Plain,
    /// ANSI colours.
    Colored,
}

/// Renders every diagnostic with its source lines, a blank line between two.
///
/// The text of diagnostics quotes user input; control characters in it are made visible or dropped, so that a file
/// cannot drive the terminal.
#[must_use]
pub fn render_full(diagnostics: &[Diagnostic], style: RenderStyle) -> String {
    let renderer = match style {
        RenderStyle::Plain => Renderer::plain(),
        RenderStyle::Colored => Renderer::styled(),
    }
    .decor_style(DecorStyle::Ascii);
    let mut out = String::new();
    for (index, diagnostic) in diagnostics.iter().enumerate() {
        if index > 0 {
            out.push('\n');
        }
        render_one(&renderer, diagnostic, &mut out);
    }
    out
}

fn render_one(renderer: &Renderer, diagnostic: &Diagnostic, out: &mut String) {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Info => Level::INFO,
    };
    let title = level
        .primary_title(printable(&diagnostic.message))
        .id(diagnostic.code.id());
    let mut group = Group::with_title(title);
    if let Some(location) = &diagnostic.location {
        group = mark(
            group,
            location,
            AnnotationKind::Primary,
            diagnostic.caret.as_deref(),
        );
    }
    for label in &diagnostic.labels {
        group = mark(
            group,
            &label.location,
            AnnotationKind::Context,
            Some(&label.message),
        );
    }
    if let Some(object) = &diagnostic.object {
        group = group.element(Level::NOTE.message(printable(&format!("in {object}"))));
    }
    for note in &diagnostic.notes {
        group = group.element(Level::NOTE.message(printable(note)));
    }
    if let Some(hint) = &diagnostic.hint {
        group = group.element(Level::HELP.message(printable(hint)));
    }
    out.push_str(&renderer.render(&[group]));
    out.push('\n');
}

fn mark<'a>(
    group: Group<'a>,
    location: &'a Location,
    kind: AnnotationKind,
    label: Option<&'a str>,
) -> Group<'a> {
    let Some(excerpt) = &location.excerpt else {
        return group.element(
            Origin::path(location.file.as_ref())
                .line(location.line as usize)
                .char_column(location.column as usize),
        );
    };
    let annotation = kind.span(location.marked.clone()).label(label.map(printable));
    group.element(
        Snippet::source(excerpt.as_ref())
            .path(location.file.as_ref())
            .line_start(location.line as usize)
            .annotation(annotation),
    )
}

fn printable(text: &str) -> String {
    text.chars()
        .map(|character| {
            if character.is_control() && character != '\n' {
                '\u{fffd}'
            } else {
                character
            }
        })
        .collect()
}
