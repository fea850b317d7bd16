//! The plugins a profile switches on: defaults and the file's own lists merged, names resolved.

use super::decode::RawPluginSet;
use super::error::{ConfigError, Errors, did_you_mean};
use super::{DEFAULT_PLUGINS, ExtensionPoint, Plugin, UnknownPlugins};

/// A plugin that is switched on, and where.
pub(super) struct Enabled<'raw> {
    pub(super) name: &'raw str,
    pub(super) weight: i32,
    /// Field of the configuration; that of the whole list for a default plugin.
    pub(super) path: String,
}

/// A known plugin that is switched on.
pub(super) struct Known {
    pub(super) plugin: Plugin,
    pub(super) weight: i32,
    pub(super) path: String,
}

/// Names that are not in the registry.
pub(super) struct Unknown {
    pub(super) policy: UnknownPlugins,
    pub(super) names: Vec<String>,
    pub(super) errors: Errors,
}

impl Unknown {
    /// Keeps the known plugins of a list.
    pub(super) fn split(&mut self, point: ExtensionPoint, plugins: Vec<Enabled<'_>>) -> Vec<Known> {
        let mut known = Vec::new();
        for Enabled { name, weight, path } in plugins {
            match (Plugin::from_name(name), self.policy) {
                (Some(plugin), _) => known.push(Known { plugin, weight, path }),
                (None, UnknownPlugins::LeaveOut) => {
                    if !self.names.iter().any(|known| known == name) {
                        self.names.push(name.to_owned());
                    }
                }
                (None, UnknownPlugins::Refuse) => {
                    let message = format!("{} {name:?} does not exist", point.interface());
                    let hint = did_you_mean(name, Plugin::ALL.iter().map(|plugin| plugin.name()));
                    self.errors.0.push(ConfigError::new(path, message).hint(hint));
                }
            }
        }
        known
    }
}

/// The switched-on plugins of a set whose list stands at `path`.
pub(super) fn enabled<'raw>(set: &'raw RawPluginSet, path: &str) -> Vec<Enabled<'raw>> {
    let plugins = set.enabled.iter().enumerate();
    plugins
        .map(|(index, plugin)| Enabled {
            name: &plugin.name,
            weight: plugin.weight,
            path: format!("{path}[{index}]"),
        })
        .collect()
}

/// Merges a MultiPoint set into the default one; all other points have empty defaults and stay as they are.
pub(super) fn merge<'raw>(custom: &'raw RawPluginSet, path: &str) -> Vec<Enabled<'raw>> {
    let mut custom_enabled: Vec<Option<Enabled<'raw>>> =
        enabled(custom, path).into_iter().map(Some).collect();
    let is_disabled = |name: &str| custom.disabled.iter().any(|plugin| plugin.name == name);
    let mut merged = Vec::new();
    if !is_disabled("*") {
        for (plugin, weight) in DEFAULT_PLUGINS
            .iter()
            .filter(|(plugin, _)| !is_disabled(plugin.name()))
        {
            let name = plugin.name();
            // Of several entries of one name the last one replaces the default; the others stay and are refused later.
            let replacement = custom_enabled
                .iter_mut()
                .rfind(|entry| entry.as_ref().is_some_and(|entry| entry.name == name))
                .and_then(Option::take);
            merged.push(replacement.unwrap_or_else(|| Enabled {
                name,
                weight: *weight,
                path: path.to_owned(),
            }));
        }
    }
    merged.extend(custom_enabled.into_iter().flatten());
    merged
}
