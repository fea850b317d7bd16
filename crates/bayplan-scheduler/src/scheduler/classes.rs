//! Finding or making the class of a pod.

use std::sync::Arc;

use crate::catalog::NameRestriction;
use crate::class::{Class, ClassKey};
use crate::config::Plugin;
use crate::default_selector::default_selector;
use crate::ids::{NodeId, PodId};
use crate::plugins::column::Column;
use crate::plugins::inter_pod_affinity::AffinityPlan;
use crate::plugins::node_static::{affinity_score, taint_score, verdict};
use crate::plugins::pod_topology_spread::{Constraints, SpreadPlan};
use crate::plugins::{image_locality, node_texts::NodeTexts};
use crate::scheduler::Scheduler;

/// Node-local results held at a time, in values (nodes x classes): about 200 MB.
const REMEMBERED_VALUES: usize = 40_000_000;

impl Scheduler {
    /// Index of a pod's class, made if needed and up to date with the terms that running pods carry.
    pub(crate) fn class_of(&mut self, pod: PodId) -> usize {
        let record = &self.world.state.pods[pod.index()];
        let key = ClassKey {
            spec: record.spec,
            labels: record.labels,
            controller: record.controller,
        };
        if let Some(index) = self.class_ids.get(&key) {
            let index = *index;
            if let Some(class) = &mut self.classes[index] {
                let arguments = &self.profiles[class.profile].profile.arguments.inter_pod_affinity;
                let world = &mut self.world;
                class.affinity.refresh(
                    &world.catalog,
                    &world.nodes,
                    &mut world.state,
                    arguments,
                    key.labels,
                );
            }
            return index;
        }
        let class = self.make_class(key);
        let index = self.classes.len();
        self.classes.push(Some(Box::new(class)));
        self.class_ids.insert(key, index);
        index
    }

    fn make_class(&mut self, key: ClassKey) -> Class {
        let spec = Arc::clone(self.world.catalog.spec(key.spec));
        let profile_index = self
            .profiles
            .iter()
            .position(|profile| profile.name == spec.scheduler_name)
            .unwrap_or_default();
        let profile = &self.profiles[profile_index];
        let spread = match &spec.spread {
            Err(text) => Err(text.clone()),
            Ok(own) => {
                let defaults = if own.is_empty() {
                    let selector = default_selector(&self.world.catalog, key.labels, key.controller);
                    let catalog = Arc::make_mut(&mut self.world.catalog);
                    let namespace = catalog.label_set(key.labels).namespace;
                    profile.default_constraints(catalog, namespace, selector)
                } else {
                    Vec::new()
                };
                let constraints = Constraints {
                    list: if own.is_empty() { &defaults } else { own },
                    require_all: !own.is_empty() || !profile.system_defaults,
                };
                let world = &mut self.world;
                let (catalog, nodes, state) = (&world.catalog, &world.nodes, &mut world.state);
                Ok(SpreadPlan::new(
                    catalog,
                    nodes,
                    state,
                    profile.hostname,
                    &spec,
                    key.labels,
                    &constraints,
                ))
            }
        };
        let world = &mut self.world;
        let arguments = &profile.profile.arguments.inter_pod_affinity;
        let affinity = AffinityPlan::new(
            &world.catalog,
            &world.nodes,
            &mut world.state,
            arguments,
            &spec,
            key.labels,
        );
        let nodes = &*world.nodes;
        let texts = NodeTexts {
            catalog: &world.catalog,
            nodes,
        };
        let candidates = match &spec.name_restriction {
            NameRestriction::Names(names) if profile.profile.pre_filter.contains(&Plugin::NodeAffinity) => {
                let mut list: Vec<NodeId> = names
                    .iter()
                    .filter_map(|name| nodes.by_name.get(name))
                    .copied()
                    .collect();
                list.sort_unstable();
                Some(list)
            }
            _ => None,
        };
        let some = candidates.as_deref();
        let prefers = spec.preferred_nodes.as_ref().is_some_and(Result::is_ok)
            || profile.fixed.added_preferred.is_some();
        let any_preferred_taint = nodes
            .ids()
            .any(|node| taint_score(nodes, &spec, Some(profile.prefer_no_schedule), node) > 0);
        Class::new(
            profile_index,
            candidates.clone(),
            Column::new(nodes, some, |node| verdict(texts, &profile.fixed, &spec, node)),
            any_preferred_taint.then(|| {
                Column::new(nodes, some, |node| {
                    taint_score(nodes, &spec, Some(profile.prefer_no_schedule), node) as i32
                })
            }),
            prefers.then(|| {
                Column::new(nodes, some, |node| {
                    affinity_score(texts, &profile.fixed, &spec, node)
                })
            }),
            image_locality::scores(nodes, &spec),
            spread,
            affinity,
        )
    }

    /// Frees the oldest node-local results when too many are held.
    pub(crate) fn limit_memory(&mut self) {
        let per_class = self.world.nodes.len().max(1);
        if self.remembering * per_class <= REMEMBERED_VALUES {
            return;
        }
        for class in self.classes.iter_mut().flatten() {
            class.forget();
        }
        self.remembering = 0;
    }
}
