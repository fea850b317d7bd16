//! Colour.

use std::io::IsTerminal;

/// Meaning of a cell; shown as colour on a terminal, in addition to what the text says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Tone {
    /// Nothing special.
    #[default]
    Plain,
    /// As it should be.
    Good,
    /// Needs a look.
    Warn,
    /// Wrong.
    Bad,
}

/// Whether colour is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Paint(pub bool);

impl Paint {
    /// Decides for one stream: colour only on a terminal, never with `NO_COLOR`, always with `CLICOLOR_FORCE`.
    pub fn decide(stream: &impl IsTerminal) -> Self {
        let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty() && value != "0");
        let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let dumb = std::env::var_os("TERM").is_some_and(|value| value == "dumb");
        Paint(!refused && (set("CLICOLOR_FORCE") || (stream.is_terminal() && !dumb)))
    }

    /// Escape sequences around a text of that tone.
    pub fn around(self, tone: Tone) -> (&'static str, &'static str) {
        match (self.0, tone) {
            (false, _) | (_, Tone::Plain) => ("", ""),
            (true, Tone::Good) => ("\u{1b}[32m", "\u{1b}[0m"),
            (true, Tone::Warn) => ("\u{1b}[33m", "\u{1b}[0m"),
            (true, Tone::Bad) => ("\u{1b}[31m", "\u{1b}[0m"),
        }
    }

    /// Escape sequences around a heading.
    pub fn bold(self) -> (&'static str, &'static str) {
        if self.0 {
            ("\u{1b}[1m", "\u{1b}[0m")
        } else {
            ("", "")
        }
    }
}
