//! Scores of the feasible nodes.

use crate::catalog::Spec;
use crate::class::Class;
use crate::config::Plugin;
use crate::cycle::facts::Facts;
use crate::ids::NodeId;
use crate::plugins::normalize::{default_normalize, fewest_first, spread_between_extremes};
use crate::plugins::{balanced_allocation, node_resources_fit};
use crate::profile::ProfilePlan;
use crate::world::World;

/// Who is scored where.
#[derive(Clone, Copy)]
pub struct Scoring<'a> {
    /// Cluster.
    pub world: &'a World,
    /// Profile.
    pub profile: &'a ProfilePlan,
    /// Class of the pod.
    pub class: &'a Class,
    /// Specification of the pod.
    pub spec: &'a Spec,
    /// What PreFilter found out.
    pub facts: &'a Facts,
    /// Nodes to score.
    pub feasible: &'a [NodeId],
}

impl Scoring<'_> {
    /// Raw scores of a plugin; false when it does not score this pod.
    pub fn raw(&self, plugin: Plugin, scores: &mut Vec<i64>) -> bool {
        let world = self.world;
        scores.clear();
        match plugin {
            Plugin::TaintToleration => scores.extend(self.feasible.iter().map(|node| {
                self.class
                    .taint_scores
                    .as_ref()
                    .and_then(|column| column.at(*node))
                    .map_or(0, i64::from)
            })),
            Plugin::NodeAffinity => match &self.class.affinity_scores {
                Some(column) => scores.extend(self.feasible.iter().map(|node| column.at(*node).unwrap_or(0))),
                None => return false,
            },
            Plugin::NodeResourcesFit => {
                let arguments = &self.profile.profile.arguments.fit;
                scores.extend(self.feasible.iter().map(|node| {
                    let resources = &self.profile.fit;
                    node_resources_fit::score(
                        arguments,
                        resources,
                        &world.nodes,
                        &world.state,
                        self.spec,
                        *node,
                    )
                }));
            }
            Plugin::NodeResourcesBalancedAllocation => {
                if self.profile.balance_skips(self.spec) {
                    return false;
                }
                scores.extend(self.feasible.iter().map(|node| {
                    let resources = &self.profile.balanced;
                    balanced_allocation::score(resources, &world.nodes, &world.state, self.spec, *node)
                }));
            }
            Plugin::ImageLocality => scores.extend(self.feasible.iter().map(|node| {
                self.class
                    .image_scores
                    .as_ref()
                    .map_or(0, |images| i64::from(images[node.index()]))
            })),
            Plugin::PodTopologySpread => match &self.class.spread {
                Ok(plan) if plan.scores() => plan.score(&world.state.counts, self.feasible, scores),
                _ => return false,
            },
            Plugin::InterPodAffinity => {
                if !self.class.affinity.scores(&world.state.counts) {
                    return false;
                }
                self.class
                    .affinity
                    .score(&world.state.counts, self.feasible, scores);
            }
            Plugin::VolumeBinding => {
                let shape = &self.profile.profile.arguments.volume_binding.shape;
                scores.extend(self.feasible.iter().map(|node| {
                    self.facts.volumes.as_ref().map_or(0, |cycle| {
                        world.volumes.score(cycle, &world.node_texts(), node.0, shape)
                    })
                }));
            }
            // Claims of dynamic resource allocation are not modelled; without any, every node scores 0.
            Plugin::DynamicResources => scores.extend(self.feasible.iter().map(|_| 0)),
            _ => return false,
        }
        true
    }

    /// Brings raw scores to 0-100.
    pub fn normalize(&self, plugin: Plugin, scores: &mut [i64]) {
        match plugin {
            Plugin::TaintToleration => default_normalize(scores, true),
            Plugin::NodeAffinity | Plugin::DynamicResources => default_normalize(scores, false),
            Plugin::InterPodAffinity => spread_between_extremes(scores),
            Plugin::PodTopologySpread => fewest_first(scores),
            _ => {}
        }
    }

    /// Sums of weighted normalised scores, up to a constant that is equal for all nodes.
    ///
    /// `local` holds the sums of the plugins that look at one node only, as the class keeps them.
    pub fn totals(&self, local: &[i32], totals: &mut Vec<i64>, scratch: &mut Vec<i64>) {
        totals.clear();
        totals.extend(self.feasible.iter().map(|node| i64::from(local[node.index()])));
        for weighted in &self.profile.profile.score {
            let needed = match weighted.plugin {
                Plugin::TaintToleration => self.class.taint_scores.is_some(),
                Plugin::NodeAffinity => self.class.affinity_scores.is_some(),
                Plugin::VolumeBinding => self.facts.volumes.is_some(),
                Plugin::PodTopologySpread | Plugin::InterPodAffinity => true,
                _ => false,
            };
            if !needed || !self.raw(weighted.plugin, scratch) {
                continue;
            }
            self.normalize(weighted.plugin, scratch);
            for (total, score) in totals.iter_mut().zip(scratch.iter()) {
                *total = total.wrapping_add(weighted.weight.wrapping_mul(*score));
            }
        }
    }
}
