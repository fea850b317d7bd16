//! The filters on one node, in the profile's order, up to the first rejection.

use crate::catalog::Spec;
use crate::class::Class;
use crate::config::Plugin;
use crate::cycle::facts::{Facts, volume_plugin, volume_rejection};
use crate::ids::NodeId;
use crate::plugins::{node_ports, node_resources_fit, node_static};
use crate::profile::ProfilePlan;
use crate::status::{Code, Rejection};
use crate::world::World;

impl Facts {
    /// The first rejection of a node, with all reasons of the plugin that rejects it.
    pub fn filter(
        &self,
        world: &World,
        profile: &ProfilePlan,
        class: &Class,
        spec: &Spec,
        node: NodeId,
    ) -> Option<Rejection> {
        let (nodes, state) = (&*world.nodes, &world.state);
        profile.profile.filter.iter().find_map(|plugin| match plugin {
            Plugin::NodeUnschedulable
            | Plugin::TaintToleration
            | Plugin::NodeAffinity
            | Plugin::NodeDeclaredFeatures => {
                node_static::filter(*plugin, class.verdict(world, profile, spec, node))
            }
            Plugin::NodePorts => node_ports::filter(state, spec, node),
            Plugin::NodeResourcesFit => {
                node_resources_fit::filter(&world.catalog, nodes, state, spec, &profile.fit.ignored, node)
            }
            Plugin::PodTopologySpread if self.spread_filters => {
                class
                    .spread
                    .as_ref()
                    .ok()?
                    .filter(&state.counts, &self.smallest, node)
            }
            Plugin::InterPodAffinity if self.affinity_filters => class.affinity.filter(&state.counts, node),
            plugin => {
                let volume = volume_plugin(*plugin).filter(|volume| self.volume_filters.contains(volume))?;
                let cycle = self.volumes.as_ref()?;
                let rejection = world.volumes.filter(volume, cycle, &world.node_texts(), node.0)?;
                let mut rejection = volume_rejection(*plugin, rejection);
                if rejection.code == Code::Error {
                    rejection.reasons = vec![format!(
                        "running {:?} filter plugin: {}",
                        plugin.name(),
                        rejection.message()
                    )];
                }
                Some(rejection)
            }
        })
    }

    /// True when some filter passes a node for reasons that the class does not keep: volumes.
    pub fn filters_volumes(&self) -> bool {
        !self.volume_filters.is_empty()
    }
}
