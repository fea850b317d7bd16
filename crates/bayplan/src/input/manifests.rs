//! What the user wants to apply.

use bayplan_admission::DEFAULT_NAMESPACE;
use bayplan_manifest::{Diagnostic, Input, Manifest, load_manifests};
use bayplan_model::selector::Selector;

use super::code;

/// Manifests that were read, and what is wrong with the others.
#[derive(Debug, Default)]
pub struct Manifests {
    /// Objects in the order of the files, each with its namespace filled in.
    pub list: Vec<Manifest>,
    /// What was found while reading.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads manifests as `kubectl apply` would: objects without a namespace get `namespace`, an object of another one
/// than the one asked for is refused, and `selector` picks objects by their labels.
pub fn read_manifests(inputs: Vec<Input>, namespace: Option<&str>, selector: Option<&Selector>) -> Manifests {
    let (list, diagnostics) = load_manifests(inputs);
    let mut manifests = Manifests {
        list: Vec::new(),
        diagnostics,
    };
    for mut manifest in list {
        if !selector.is_none_or(|selector| selector.matches(&manifest.object.metadata().labels)) {
            continue;
        }
        if manifest.object.is_namespaced() {
            let own = &manifest.object.metadata().namespace;
            if own.is_empty() {
                namespace
                    .unwrap_or(DEFAULT_NAMESPACE)
                    .clone_into(&mut manifest.object.metadata_mut().namespace);
            } else if namespace.is_some_and(|namespace| namespace != own) {
                let text = format!(
                    "the namespace {own} of the object does not match the namespace {} that was asked for",
                    namespace.unwrap_or_default()
                );
                let diagnostic = Diagnostic::error(code::OTHER_NAMESPACE, text)
                    .at(manifest.locate("metadata.namespace"))
                    .object(Some(manifest.name()))
                    .hint("leave out -n, or the namespace in the manifest");
                manifests.diagnostics.push(diagnostic);
                continue;
            }
        }
        manifests.list.push(manifest);
    }
    manifests
}
