//! A profile with its arguments resolved to numbers.

use crate::catalog::{Catalog, Spec, SpreadConstraint, intern_node_selector, intern_preferred};
use crate::class::static_bits;
use crate::config::{DefaultingType, Plugin, Profile, system_default_constraints};
use crate::matcher::{LabelMatch, Matcher};
use crate::plugins::balanced_allocation;
use crate::plugins::node_resources_fit::{ScoredResources, is_ignored};
use crate::plugins::node_static::{Fixed, Verdict};
use crate::symbol::Symbol;
use bayplan_model::object::Labels;

/// Weights up to this one, times 100 points and three plugins, fit into 32 bits.
const LARGEST_SMALL_WEIGHT: u64 = 1_000_000;

/// A profile, ready to run.
#[derive(Debug, Clone)]
pub struct ProfilePlan {
    /// The profile as configured.
    pub profile: Profile,
    /// Its name.
    pub name: Symbol,
    /// `addedAffinity` and the taint of cordoned nodes.
    pub fixed: Fixed,
    /// Resources of the fit score and those that the fit filter ignores.
    pub fit: ScoredResources,
    /// Resources of the balance score.
    pub balanced: ScoredResources,
    /// NodeResourcesFit filters.
    pub fit_filters: bool,
    /// NodePorts filters.
    pub ports_filter: bool,
    /// `kubernetes.io/hostname`.
    pub hostname: Symbol,
    /// `PreferNoSchedule`.
    pub prefer_no_schedule: Symbol,
    /// Default spread constraints; the selector is filled in for each pod.
    default_constraints: Vec<SpreadConstraint>,
    /// The default constraints are the built-in ones.
    pub system_defaults: bool,
    /// A weight is so large that sums of scores need more than 32 bits.
    pub large_weights: bool,
}

impl ProfilePlan {
    /// Resolves a profile.
    pub fn new(catalog: &mut Catalog, profile: &Profile) -> ProfilePlan {
        let arguments = &profile.arguments;
        let added = arguments.node_affinity.added_affinity.as_ref();
        let fixed = Fixed {
            added_required: added
                .and_then(|affinity| {
                    affinity
                        .required_during_scheduling_ignored_during_execution
                        .as_ref()
                })
                .map(|selector| intern_node_selector(&mut catalog.interner, selector)),
            added_preferred: added
                .filter(|affinity| {
                    !affinity
                        .preferred_during_scheduling_ignored_during_execution
                        .is_empty()
                })
                .and_then(|affinity| intern_preferred(&mut catalog.interner, affinity).ok()),
            cordon: Some((
                catalog.interner.intern("node.kubernetes.io/unschedulable"),
                catalog.interner.intern("NoSchedule"),
                catalog.interner.intern(""),
            )),
        };
        let system_defaults = arguments.pod_topology_spread.defaulting_type == DefaultingType::System;
        let defaults = if system_defaults {
            system_default_constraints()
        } else {
            arguments.pod_topology_spread.default_constraints.clone()
        };
        let anyone = catalog.interner.intern("");
        let default_constraints = defaults
            .iter()
            .filter_map(|constraint| SpreadConstraint::of(catalog, anyone, &Labels::new(), constraint).ok())
            .collect();
        ProfilePlan {
            name: catalog.interner.intern(&profile.scheduler_name),
            fixed,
            fit: ScoredResources::new(catalog, &arguments.fit.strategy.resources),
            balanced: ScoredResources::new(catalog, &arguments.balanced.resources),
            fit_filters: profile.filter.contains(&Plugin::NodeResourcesFit),
            ports_filter: profile.filter.contains(&Plugin::NodePorts),
            hostname: catalog.interner.intern("kubernetes.io/hostname"),
            prefer_no_schedule: catalog.interner.intern("PreferNoSchedule"),
            default_constraints,
            system_defaults,
            large_weights: profile
                .score
                .iter()
                .any(|score| score.weight.unsigned_abs() > LARGEST_SMALL_WEIGHT),
            profile: profile.clone(),
        }
    }

    /// Finds which known resources the fit filter ignores; to be called when resources were added.
    pub fn refresh_ignored(&mut self, catalog: &Catalog) {
        let arguments = &self.profile.arguments.fit;
        if arguments.ignored_resources.is_empty() && arguments.ignored_resource_groups.is_empty() {
            return;
        }
        self.fit.ignored = (0..catalog.resources.len() as u32)
            .map(crate::ids::ResourceId)
            .filter(|resource| is_ignored(arguments, catalog.resource_name(*resource)))
            .collect();
    }

    /// Bits of the static verdicts that the profile's filters look at.
    pub fn static_bits(&self) -> Verdict {
        static_bits(&self.profile.filter)
    }

    /// True when the balance score is skipped for pods like this.
    pub fn balance_skips(&self, spec: &Spec) -> bool {
        balanced_allocation::skips(&self.balanced, spec)
    }

    /// The default constraints with a pod's default selector; none when the selector is empty
    /// (`podtopologyspread/common.go:buildDefaultConstraints`).
    pub fn default_constraints(
        &self,
        catalog: &mut Catalog,
        namespace: Symbol,
        selector: LabelMatch,
    ) -> Vec<SpreadConstraint> {
        if self.default_constraints.is_empty() || selector.is_empty() {
            return Vec::new();
        }
        let matcher = catalog.matcher_id(Matcher::in_namespace(namespace, selector));
        self.default_constraints
            .iter()
            .map(|constraint| SpreadConstraint {
                matcher,
                selects_everything: false,
                ..constraint.clone()
            })
            .collect()
    }
}
