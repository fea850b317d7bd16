//! `--scheduler-config`.

use std::path::Path;
use std::sync::Arc;

use bayplan_manifest::diagnostic::Code;
use bayplan_manifest::source::read_text;
use bayplan_manifest::tree::{NodeDeserializer, Tree, parse_documents};
use bayplan_manifest::{Diagnostic, Input};
use bayplan_scheduler::config::{SchedulerConfiguration, UnknownPlugins, parse};
use serde::Deserialize;

use super::{InputHash, code};

/// Reads a KubeSchedulerConfiguration; plugins that kube-scheduler does not have are left out and named in it.
///
/// # Errors
/// Everything that is wrong with the file.
pub fn read_configuration(
    path: &Path,
    hash: &mut InputHash,
) -> Result<SchedulerConfiguration, Vec<Diagnostic>> {
    let (source, mut diagnostics) = read_text(hash.watch(Input::path(path, false)));
    let Some(source) = source else {
        return Err(diagnostics);
    };
    let (mut trees, found) = parse_documents(&Arc::new(source));
    diagnostics.extend(found);
    if diagnostics.iter().any(Diagnostic::is_error) {
        return Err(diagnostics);
    }
    if trees.len() != 1 {
        let text = format!(
            "a scheduler configuration is one document, this file has {}",
            trees.len()
        );
        return Err(vec![fault(code::CONFIGURATION, text)]);
    }
    let tree = trees.remove(0);
    let value = serde_json::Value::deserialize(NodeDeserializer::new(&tree, tree.root()))
        .map_err(|error| vec![fault(code::CONFIGURATION, error.to_string())])?;
    parse(&value, UnknownPlugins::LeaveOut)
        .map_err(|errors| errors.0.into_iter().map(|error| located(&tree, error)).collect())
}

fn located(tree: &Tree, error: bayplan_scheduler::config::ConfigError) -> Diagnostic {
    let text = if error.path.is_empty() {
        error.message
    } else {
        format!("{}: {}", error.path, error.message)
    };
    let mut diagnostic = fault(code::CONFIGURATION, text).at(tree.locate_field(&error.path));
    diagnostic.hint = error.hint;
    diagnostic
}

fn fault(code: Code, text: String) -> Diagnostic {
    Diagnostic::error(code, text)
}
