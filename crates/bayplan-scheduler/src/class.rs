//! Pods that are scheduled alike share one class: its plan, its verdicts on the nodes and its node-local scores.
//!
//! Deployments make many identical pods. What the node-local plugins say about a node for one of them holds for the
//! next one too, unless the node changed in between; so a class looks again only at touched nodes. Counts by domain
//! need no such care: the tables behind them are always current.

use crate::catalog::{ControllerKind, Spec};
use crate::config::Plugin;
use crate::ids::{LabelSetId, NodeId, SpecId};
use crate::plugins::column::Column;
use crate::plugins::inter_pod_affinity::AffinityPlan;
use crate::plugins::node_static::{Verdict, bits, verdict};
use crate::plugins::pod_topology_spread::SpreadPlan;
use crate::plugins::{balanced_allocation, node_ports, node_resources_fit};
use crate::profile::ProfilePlan;
use crate::symbol::Symbol;
use crate::world::World;

/// What makes pods alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ClassKey {
    /// Specification.
    pub spec: SpecId,
    /// Namespace and labels.
    pub labels: LabelSetId,
    /// Controller that default spreading looks at.
    pub controller: Option<(ControllerKind, Symbol)>,
}

/// Node-local results of a class, valid up to a position in the log of touched nodes.
#[derive(Debug, Clone)]
struct Local {
    position: u64,
    feasible: Vec<bool>,
    scores: Vec<i32>,
}

/// A class of pods.
#[derive(Debug, Clone)]
pub struct Class {
    /// Profile that schedules them.
    pub profile: usize,
    /// Nodes that `matchFields` restricts them to, in list order; names of unknown nodes are left out.
    pub candidates: Option<Vec<NodeId>>,
    /// Verdicts of the filters that read only node objects.
    pub verdicts: Column<Verdict>,
    /// Raw TaintToleration scores; `None` when all are 0.
    pub taint_scores: Option<Column<i32>>,
    /// Raw NodeAffinity scores; `None` when nothing is preferred.
    pub affinity_scores: Option<Column<i64>>,
    /// ImageLocality scores; `None` when all are 0.
    pub image_scores: Option<Vec<u8>>,
    /// Topology spread, or why its constraints do not parse.
    pub spread: Result<SpreadPlan, String>,
    /// Inter-pod affinity.
    pub affinity: AffinityPlan,
    local: Option<Local>,
}

impl Class {
    /// A class without node-local results yet.
    #[allow(clippy::too_many_arguments, reason = "plain data, assembled in one place")]
    pub fn new(
        profile: usize,
        candidates: Option<Vec<NodeId>>,
        verdicts: Column<Verdict>,
        taint_scores: Option<Column<i32>>,
        affinity_scores: Option<Column<i64>>,
        image_scores: Option<Vec<u8>>,
        spread: Result<SpreadPlan, String>,
        affinity: AffinityPlan,
    ) -> Class {
        Class {
            profile,
            candidates,
            verdicts,
            taint_scores,
            affinity_scores,
            image_scores,
            spread,
            affinity,
            local: None,
        }
    }

    /// Brings the node-local results up to date and returns feasibility and summed weighted scores by node.
    pub fn local(&mut self, world: &World, profile: &ProfilePlan, spec: &Spec) -> (&[bool], &[i32]) {
        let position = world.state.touched.position();
        let mut local = self.local.take().unwrap_or_else(|| Local {
            position: u64::MAX,
            feasible: vec![false; world.nodes.len()],
            scores: vec![0; world.nodes.len()],
        });
        let judge = NodeLocal {
            world,
            profile,
            spec,
            class: self,
            static_bits: profile.static_bits(),
        };
        match world.state.touched.since(local.position) {
            Some(touched) if touched.len() < world.nodes.len() => {
                for node in touched {
                    judge.update(&mut local, *node);
                }
            }
            _ => {
                for node in world.nodes.ids() {
                    judge.update(&mut local, node);
                }
            }
        }
        local.position = position;
        let local = self.local.insert(local);
        (&local.feasible, &local.scores)
    }

    /// Verdict on a node; worked out anew for nodes outside the candidates, such as a nominated one.
    pub fn verdict(&self, world: &World, profile: &ProfilePlan, spec: &Spec, node: NodeId) -> Verdict {
        self.verdicts
            .at(node)
            .unwrap_or_else(|| verdict(world.node_texts(), &profile.fixed, spec, node))
    }

    /// Feasibility and scores as last brought up to date.
    pub fn held(&self) -> (&[bool], &[i32]) {
        self.local
            .as_ref()
            .map_or((&[], &[]), |local| (&local.feasible, &local.scores))
    }

    /// Frees the node-local results; they are rebuilt when needed.
    pub fn forget(&mut self) {
        self.local = None;
    }

    /// True while node-local results are held.
    pub fn remembers(&self) -> bool {
        self.local.is_some()
    }
}

/// Judges single nodes by everything that is local to a node.
struct NodeLocal<'a> {
    world: &'a World,
    profile: &'a ProfilePlan,
    spec: &'a Spec,
    class: &'a Class,
    static_bits: Verdict,
}

impl NodeLocal<'_> {
    fn update(&self, local: &mut Local, node: NodeId) {
        let world = self.world;
        let feasible = self.class.verdict(world, self.profile, self.spec, node) & self.static_bits == 0
            && (!self.profile.fit_filters
                || node_resources_fit::fits(
                    &world.nodes,
                    &world.state,
                    self.spec,
                    &self.profile.fit.ignored,
                    node,
                ))
            && (!self.profile.ports_filter || node_ports::filter(&world.state, self.spec, node).is_none());
        local.feasible[node.index()] = feasible;
        if feasible {
            local.scores[node.index()] = self.score(node);
        }
    }

    fn score(&self, node: NodeId) -> i32 {
        let (world, spec, profile) = (self.world, self.spec, self.profile);
        let mut total = 0_i64;
        for weighted in &profile.profile.score {
            let points = match weighted.plugin {
                Plugin::NodeResourcesFit => node_resources_fit::score(
                    &profile.profile.arguments.fit,
                    &profile.fit,
                    &world.nodes,
                    &world.state,
                    spec,
                    node,
                ),
                Plugin::NodeResourcesBalancedAllocation if !profile.balance_skips(spec) => {
                    balanced_allocation::score(&profile.balanced, &world.nodes, &world.state, spec, node)
                }
                Plugin::ImageLocality => self
                    .class
                    .image_scores
                    .as_ref()
                    .map_or(0, |scores| i64::from(scores[node.index()])),
                _ => 0,
            };
            total = total.wrapping_add(points.wrapping_mul(weighted.weight));
        }
        // Points are 0-100; only absurd amounts and weights, for which these sums are not used, go beyond.
        i32::try_from(total).unwrap_or(if total < 0 { i32::MIN } else { i32::MAX })
    }
}

/// All static bits that the filters of a list look at.
pub fn static_bits(filters: &[Plugin]) -> Verdict {
    filters.iter().fold(0, |all, plugin| all | bits(*plugin))
}
