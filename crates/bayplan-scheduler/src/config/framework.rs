//! From the plugin sets of a profile to one ordered list per extension point, as a framework starts.
//!
//! `mergePlugins` in `pkg/scheduler/apis/config/v1/default_plugins.go`; `NewFramework`, `updatePluginList`,
//! `expandMultiPointPlugins` and `getValidScoreWeights` in `pkg/scheduler/framework/runtime/framework.go` (v1.37.2).

use super::decode::{RawPluginConfig, RawProfile};
use super::error::{ConfigError, Errors};
use super::merge::{Known, Unknown, enabled, merge};
use super::validate::ProfileArguments;
use super::{ExtensionPoint, Plugin, Profile, UnknownPlugins, WeightedPlugin};

/// An extension point's own plugins.
struct Explicit<'raw> {
    point: ExtensionPoint,
    enabled: Vec<Known>,
    disabled: Vec<&'raw str>,
}

/// What concerns all profiles alike.
pub(super) struct Common<'config> {
    pub(super) unknown_plugins: UnknownPlugins,
    /// Resources that extenders manage in the scheduler's stead.
    pub(super) ignored_resources: &'config [String],
}

/// Builds the profile whose fields stand at `path`.
///
/// The profile is only meaningful if no error was added.
pub(super) fn profile(
    raw: &RawProfile<'_>,
    path: &str,
    arguments: ProfileArguments,
    common: &Common<'_>,
    errors: &mut Errors,
) -> Profile {
    let mut profile = Profile {
        scheduler_name: raw.scheduler_name.clone().unwrap_or_default(),
        percentage_of_nodes_to_score: raw.percentage_of_nodes_to_score,
        arguments: arguments.arguments,
        ..Profile::default()
    };
    let mut unknown = Unknown {
        policy: common.unknown_plugins,
        names: Vec::new(),
        errors: Errors::default(),
    };
    let explicit: Vec<Explicit<'_>> = ExtensionPoint::ALL
        .into_iter()
        .zip(&raw.points)
        .map(|(point, set)| {
            let path = format!("{path}.plugins.{}.enabled", point.field());
            Explicit {
                point,
                enabled: unknown.split(point, enabled(set, &path)),
                disabled: set.disabled.iter().map(|plugin| plugin.name.as_str()).collect(),
            }
        })
        .collect();
    let merged = merge(&raw.multi_point, &format!("{path}.plugins.multiPoint.enabled"));
    // The framework looks up a MultiPoint plugin when it expands the first point that is not switched off as a whole.
    let expanded = explicit.iter().find(|explicit| !explicit.disabled.contains(&"*"));
    let first_point = expanded.map_or(ExtensionPoint::PreFilter, |explicit| explicit.point);
    let multi_point = unknown.split(first_point, merged);
    let mut enabled = multi_point
        .iter()
        .chain(explicit.iter().flat_map(|point| &point.enabled));
    let uses_fit = enabled.any(|known| known.plugin == Plugin::NodeResourcesFit);
    let mut found = unknown.errors;
    if uses_fit {
        // Resources that are replaced below are not looked at.
        let replaced = |error: &ConfigError| {
            !common.ignored_resources.is_empty() && error.path.contains(".args.ignoredResources[")
        };
        let faults = arguments.fit_errors.0.into_iter();
        found.0.extend(faults.filter(|error| !replaced(error)));
    }
    if !common.ignored_resources.is_empty() {
        // `buildExtenders` in `pkg/scheduler/scheduler.go` (v1.37.2) replaces the profile's own list.
        profile.arguments.fit.ignored_resources = common.ignored_resources.to_vec();
        let written = |config: &RawPluginConfig<'_>| config.name == Plugin::NodeResourcesFit.name();
        if !uses_fit && !raw.plugin_config.iter().any(written) {
            let message = "couldn't build extenders: can't find NodeResourcesFitArgs in plugin config";
            found.push(&format!("{path}.pluginConfig"), message);
        }
    }
    explicit
        .iter()
        .for_each(|point| check_explicit(point, &mut found));
    check_arguments(raw, &explicit, &multi_point, &mut found);
    if found.0.is_empty() {
        for explicit in &explicit {
            let plugins = expand(explicit, &multi_point, &mut found);
            put(
                &mut profile,
                explicit.point,
                plugins,
                &explicit.enabled,
                &multi_point,
            );
        }
        check_complete(
            &profile,
            &explicit,
            &multi_point,
            path,
            unknown.names.is_empty(),
            &mut found,
        );
    }
    profile.not_modelled = unknown
        .names
        .iter()
        .map(|name| format!("plugin {name} is not built into kube-scheduler and is left out"))
        .collect();
    errors.0.extend(found.0);
    profile
}

/// Checks that the plugin which sorts the queue has the same arguments in all profiles, as `pkg/scheduler/profile` does.
pub(super) fn same_queue_sort(profiles: &[RawProfile<'_>], built: &[Profile], errors: &mut Errors) {
    let mut first = None;
    for (index, (raw, profile)) in profiles.iter().zip(built).enumerate() {
        let Some(sorter) = profile.queue_sort.first() else {
            continue;
        };
        let mut config = raw.plugin_config.iter();
        let arguments = config
            .find(|config| config.name == sorter.name())
            .and_then(|config| config.value);
        if *first.get_or_insert(arguments) != arguments {
            let name = &profile.scheduler_name;
            let message = format!("different queue sort plugin args for profile {name:?}");
            errors.push(&format!("profiles[{index}].pluginConfig"), message);
        }
    }
}

fn check_explicit(explicit: &Explicit<'_>, errors: &mut Errors) {
    let interface = explicit.point.interface();
    for (index, known) in explicit.enabled.iter().enumerate() {
        let plugin = known.plugin;
        if !plugin.implements(explicit.point) {
            errors.push(
                &known.path,
                format!("plugin {:?} does not extend {interface} plugin", plugin.name()),
            );
        } else if explicit
            .enabled
            .iter()
            .take(index)
            .any(|earlier| earlier.plugin == plugin)
        {
            errors.push(&known.path, already_registered(plugin, interface));
        }
    }
}

/// Plugins that are used only when a pod group found no place get no default arguments, because `pluginsNames` in
/// `defaults.go` leaves that point out; so they do not start without written ones.
fn check_arguments(
    raw: &RawProfile<'_>,
    explicit: &[Explicit<'_>],
    multi_point: &[Known],
    errors: &mut Errors,
) {
    let (forgotten, others): (Vec<_>, Vec<_>) = explicit
        .iter()
        .partition(|explicit| explicit.point == ExtensionPoint::PodGroupPostFilter);
    let has_defaults = |plugin: Plugin| {
        let named = others
            .iter()
            .flat_map(|explicit| &explicit.enabled)
            .chain(multi_point);
        named.map(|known| known.plugin).any(|named| named == plugin)
    };
    for known in forgotten.iter().flat_map(|explicit| &explicit.enabled) {
        let name = known.plugin.name();
        let written = raw.plugin_config.iter().any(|config| config.name == name);
        if known.plugin.implements(ExtensionPoint::PodGroupPostFilter)
            && !written
            && !has_defaults(known.plugin)
        {
            let message = format!("initializing plugin {name:?}: got args of type <nil>, want *{name}Args");
            errors.push(&known.path, message);
        }
    }
}

fn already_registered(plugin: Plugin, interface: &str) -> String {
    format!("plugin {:?} already registered as {interface:?}", plugin.name())
}

/// The plugins of one extension point in the order in which they run.
fn expand(explicit: &Explicit<'_>, multi_point: &[Known], errors: &mut Errors) -> Vec<Plugin> {
    let own: Vec<Plugin> = explicit.enabled.iter().map(|known| known.plugin).collect();
    if multi_point.is_empty() || explicit.disabled.contains(&"*") {
        return own;
    }
    let mut overrides = Vec::new();
    let mut expanded = Vec::new();
    for known in multi_point
        .iter()
        .filter(|known| known.plugin.implements(explicit.point))
    {
        let plugin = known.plugin;
        if explicit.disabled.contains(&plugin.name()) {
            continue;
        }
        if own.contains(&plugin) {
            overrides.push(plugin);
        } else if expanded.contains(&plugin) {
            // Listed twice under MultiPoint: said once, not at every point of the plugin.
            if !errors.0.iter().any(|error| error.path == known.path) {
                errors.push(
                    &known.path,
                    already_registered(plugin, explicit.point.interface()),
                );
            }
        } else {
            expanded.push(plugin);
        }
    }
    let is_override = |plugin: &&Plugin| overrides.contains(plugin);
    let first = own.iter().filter(is_override).copied();
    let last = own.iter().filter(|plugin| !is_override(plugin)).copied();
    first.chain(expanded.iter().copied()).chain(last).collect()
}

fn put(
    profile: &mut Profile,
    point: ExtensionPoint,
    plugins: Vec<Plugin>,
    explicit: &[Known],
    multi_point: &[Known],
) {
    match point {
        ExtensionPoint::PreFilter => profile.pre_filter = plugins,
        ExtensionPoint::Filter => profile.filter = plugins,
        ExtensionPoint::PostFilter => profile.post_filter = plugins,
        ExtensionPoint::Reserve => profile.reserve = plugins,
        ExtensionPoint::PreScore => profile.pre_score = plugins,
        ExtensionPoint::Score => {
            let weigh = |plugin| WeightedPlugin {
                plugin,
                weight: weight(plugin, explicit, multi_point),
            };
            profile.score = plugins.into_iter().map(weigh).collect();
        }
        ExtensionPoint::PreBind => profile.pre_bind = plugins,
        ExtensionPoint::Bind => profile.bind = plugins,
        ExtensionPoint::Permit => profile.permit = plugins,
        ExtensionPoint::PreEnqueue => profile.pre_enqueue = plugins,
        ExtensionPoint::QueueSort => profile.queue_sort = plugins,
        // No plugin serves PostBind; the other points belong to pod groups, whose gates are off.
        ExtensionPoint::PostBind
        | ExtensionPoint::PlacementGenerate
        | ExtensionPoint::PlacementScore
        | ExtensionPoint::PodGroupPostFilter => {}
    }
}

/// The weight given at the point itself, else that of the MultiPoint list; 0 means 1.
fn weight(plugin: Plugin, explicit: &[Known], multi_point: &[Known]) -> i64 {
    let found = explicit
        .iter()
        .chain(multi_point)
        .find(|known| known.plugin == plugin);
    match found.map_or(0, |known| known.weight) {
        0 => 1,
        weight => i64::from(weight),
    }
}

/// `unknown_free` is false if plugins were left out that might sort the queue or bind.
fn check_complete(
    profile: &Profile,
    explicit: &[Explicit<'_>],
    multi_point: &[Known],
    path: &str,
    unknown_free: bool,
    errors: &mut Errors,
) {
    let name = &profile.scheduler_name;
    let sorters = profile.queue_sort.len();
    if sorters > 1 || (sorters == 0 && unknown_free) {
        let message = format!(
            "only one queue sort plugin required for profile with scheduler name {name:?}, but got {sorters}"
        );
        errors.push(&format!("{path}.plugins.queueSort"), message);
    }
    if profile.bind.is_empty() && unknown_free {
        let message = format!("at least one bind plugin is needed for profile with scheduler name {name:?}");
        errors.push(&format!("{path}.plugins.bind"), message);
    }
    for (point, kind) in [
        (ExtensionPoint::Score, "score"),
        (ExtensionPoint::PlacementScore, "placement score"),
    ] {
        let own = explicit
            .iter()
            .find(|explicit| explicit.point == point)
            .map_or(&[][..], |point| &point.enabled);
        if overflows(point, own, multi_point) {
            let message = format!("{kind} plugins: total score of Score plugins could overflow");
            errors.push(&format!("{path}.plugins.{}", point.field()), message);
        }
    }
}

/// The framework's check of the weights' sum. Weights have 32 bits, so the sum itself always fits; but after a
/// negative weight the comparison overflows and refuses the next plugin.
fn overflows(point: ExtensionPoint, explicit: &[Known], multi_point: &[Known]) -> bool {
    const MAX_SCORE: i64 = 100;
    let mut seen = Vec::new();
    let mut total: i64 = 0;
    for known in explicit
        .iter()
        .chain(multi_point)
        .filter(|known| known.plugin.implements(point))
    {
        if seen.contains(&known.plugin) {
            continue;
        }
        seen.push(known.plugin);
        let score = if known.weight == 0 {
            MAX_SCORE
        } else {
            i64::from(known.weight) * MAX_SCORE
        };
        if score > i64::MAX.wrapping_sub(total) {
            return true;
        }
        total += score;
    }
    false
}
