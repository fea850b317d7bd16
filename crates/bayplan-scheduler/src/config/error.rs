//! Everything that kube-scheduler would refuse about a configuration.

use std::fmt;

/// One fault, where it is, and what to do about it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}{message}", PathPrefix(.path))]
pub struct ConfigError {
    /// Field as the API writes it, for example `profiles[0].pluginConfig[1].args.shape[0].score`; empty when the
    /// configuration as a whole is meant.
    pub path: String,
    /// What kube-scheduler says about it, without the field.
    pub message: String,
    /// What to do, where that can be guessed.
    pub hint: Option<String>,
}

/// All faults found; never empty.
///
/// As in the real scheduler, decoding, validation and start-up follow each other: only the faults of the first
/// stage that fails are listed. The real scheduler stops at the first start-up fault, here all of them are given.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", List(.0))]
pub struct ConfigErrors(pub Vec<ConfigError>);

struct PathPrefix<'error>(&'error str);

impl fmt::Display for PathPrefix<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            Ok(())
        } else {
            write!(formatter, "{}: ", self.0)
        }
    }
}

struct List<'errors>(&'errors [ConfigError]);

impl fmt::Display for List<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, error) in self.0.iter().enumerate() {
            let separator = if index == 0 { "" } else { "; " };
            write!(formatter, "{separator}{error}")?;
        }
        Ok(())
    }
}

impl ConfigError {
    pub(super) fn new(path: impl Into<String>, message: impl Into<String>) -> ConfigError {
        ConfigError {
            path: path.into(),
            message: message.into(),
            hint: None,
        }
    }

    pub(super) fn hint(mut self, hint: Option<String>) -> ConfigError {
        self.hint = hint;
        self
    }
}

/// Collects validation errors in the words of `k8s.io/apimachinery/pkg/util/validation/field` (v0.37.2).
#[derive(Debug, Default)]
pub(super) struct Errors(pub(super) Vec<ConfigError>);

impl Errors {
    pub(super) fn push(&mut self, path: &str, message: impl Into<String>) {
        self.0.push(ConfigError::new(path, message));
    }

    /// `value` as JSON writes it.
    pub(super) fn invalid(&mut self, path: &str, value: impl fmt::Display, detail: &str) {
        self.push(path, format!("Invalid value: {value}: {detail}"));
    }

    pub(super) fn invalid_text(&mut self, path: &str, value: &str, detail: &str) {
        self.push(path, format!("Invalid value: {value:?}: {detail}"));
    }

    pub(super) fn required(&mut self, path: &str, detail: &str) {
        let separator = if detail.is_empty() { "" } else { ": " };
        self.push(path, format!("Required value{separator}{detail}"));
    }

    pub(super) fn duplicate(&mut self, path: &str, value: &str) {
        self.push(path, format!("Duplicate value: {value:?}"));
    }

    pub(super) fn forbidden(&mut self, path: &str, detail: &str) {
        self.push(path, format!("Forbidden: {detail}"));
    }

    pub(super) fn unsupported(&mut self, path: &str, value: &str, supported: &[&str]) {
        let quoted: Vec<String> = supported.iter().map(|value| format!("{value:?}")).collect();
        let error = ConfigError::new(
            path,
            format!(
                "Unsupported value: {value:?}: supported values: {}",
                quoted.join(", ")
            ),
        );
        self.0
            .push(error.hint(did_you_mean(value, supported.iter().copied())));
    }

    /// The errors as a failure, or nothing.
    pub(super) fn into_result(self) -> Result<(), ConfigErrors> {
        if self.0.is_empty() {
            Ok(())
        } else {
            Err(ConfigErrors(self.0))
        }
    }
}

/// Suggests the known word closest to one that is not known.
pub(super) fn did_you_mean<'word>(word: &str, known: impl Iterator<Item = &'word str>) -> Option<String> {
    let word = word.to_lowercase();
    known
        .map(|candidate| (edit_distance(&word, &candidate.to_lowercase()), candidate))
        .min_by_key(|&(distance, _)| distance)
        // More than a quarter of the letters wrong is no slip any more.
        .filter(|&(distance, candidate)| distance * 4 <= candidate.len().max(4))
        .map(|(_, candidate)| format!("did you mean {candidate}?"))
}

/// Letters to insert, delete or replace (Levenshtein).
fn edit_distance(left: &str, right: &str) -> usize {
    let right: Vec<char> = right.chars().collect();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (line, left) in left.chars().enumerate() {
        let mut diagonal = line;
        let mut before = line + 1;
        for (column, &right) in right.iter().enumerate() {
            let above = row.get(column + 1).copied().unwrap_or_default();
            let here = (diagonal + usize::from(left != right))
                .min(above + 1)
                .min(before + 1);
            if let Some(cell) = row.get_mut(column) {
                *cell = before;
            }
            diagonal = above;
            before = here;
        }
        if let Some(cell) = row.last_mut() {
            *cell = before;
        }
    }
    row.last().copied().unwrap_or_default()
}
