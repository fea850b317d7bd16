//! PreFilter: what is found out once a cycle.

use smallvec::SmallVec;

use crate::catalog::{NameRestriction, Spec};
use crate::class::Class;
use crate::config::Plugin;
use crate::ids::PodId;
use crate::plugins::volumes::{PreFilterOutcome, VolumeCycle, VolumePlugin};
use crate::profile::ProfilePlan;
use crate::status::{Code, Rejection};
use crate::world::World;

/// What PreFilter found out, valid until a pod is placed or removed.
#[derive(Debug, Clone)]
pub struct Facts {
    /// The pod.
    pub pod: PodId,
    /// Topology spread filters.
    pub spread_filters: bool,
    /// Smallest counts of the hard spread constraints.
    pub smallest: SmallVec<[i64; 2]>,
    /// Inter-pod affinity filters.
    pub affinity_filters: bool,
    /// Volume plugins; `None` for a pod without volumes.
    pub volumes: Option<VolumeCycle>,
    /// Volume plugins that filter.
    pub volume_filters: SmallVec<[VolumePlugin; 4]>,
    /// Plugins that restricted the nodes.
    pub restricted_by: Vec<Plugin>,
}

/// Outcome of PreFilter.
#[derive(Debug)]
pub enum PreFilter {
    /// The nodes are to be filtered.
    Continue(Box<Facts>),
    /// No node can take the pod now.
    Reject {
        /// Why; the plugin is absent when the framework itself decided.
        rejection: Rejection,
        /// DynamicResources had not run yet, so its PostFilter will fail with `not found`.
        before_dynamic_resources: bool,
    },
    /// The cycle fails with this text.
    Error(String),
}

/// The volume plugin behind a plugin.
pub fn volume_plugin(plugin: Plugin) -> Option<VolumePlugin> {
    match plugin {
        Plugin::VolumeRestrictions => Some(VolumePlugin::VolumeRestrictions),
        Plugin::NodeVolumeLimits => Some(VolumePlugin::NodeVolumeLimits),
        Plugin::VolumeBinding => Some(VolumePlugin::VolumeBinding),
        Plugin::VolumeZone => Some(VolumePlugin::VolumeZone),
        _ => None,
    }
}

/// A volume plugin's rejection in the engine's terms.
pub fn volume_rejection(plugin: Plugin, rejection: crate::plugins::volumes::Rejection) -> Rejection {
    use crate::plugins::volumes::RejectionCode;
    Rejection {
        plugin: Some(plugin),
        code: match rejection.code {
            RejectionCode::Unschedulable => Code::Unschedulable,
            RejectionCode::UnschedulableAndUnresolvable => Code::UnschedulableAndUnresolvable,
            RejectionCode::Error => Code::Error,
        },
        reasons: rejection
            .reasons
            .into_iter()
            .map(std::borrow::Cow::into_owned)
            .collect(),
    }
}

impl Facts {
    /// Runs PreFilter (`pkg/scheduler/framework/runtime/framework.go:RunPreFilterPlugins`).
    pub fn find(world: &World, profile: &ProfilePlan, class: &Class, spec: &Spec, pod: PodId) -> PreFilter {
        let counts = &world.state.counts;
        let mut facts = Facts {
            pod,
            spread_filters: false,
            smallest: SmallVec::new(),
            affinity_filters: false,
            volumes: spec.has_volumes.then(|| VolumeCycle::new(pod.0)),
            volume_filters: SmallVec::new(),
            restricted_by: Vec::new(),
        };
        let mut remembered: Option<Rejection> = None;
        let mut before_dynamic_resources = profile.profile.pre_filter.contains(&Plugin::DynamicResources);
        for plugin in &profile.profile.pre_filter {
            let outcome = match plugin {
                Plugin::NodeAffinity => match &spec.name_restriction {
                    NameRestriction::Conflict => {
                        Some(Rejection::unresolvable(*plugin, "pod affinity terms conflict"))
                    }
                    NameRestriction::Names(_) => {
                        facts.restricted_by.push(*plugin);
                        None
                    }
                    NameRestriction::None => None,
                },
                Plugin::PodTopologySpread => match &class.spread {
                    Err(text) => {
                        return PreFilter::Error(format!(
                            "running PreFilter plugin \"PodTopologySpread\": get constraints from pod: {text}"
                        ));
                    }
                    Ok(plan) => {
                        facts.spread_filters = plan.filters();
                        facts.smallest = plan.smallest(counts);
                        None
                    }
                },
                Plugin::InterPodAffinity => match &spec.terms.error {
                    Some(text) => Some(Rejection::unresolvable(*plugin, &format!("parsing pod: {text}"))),
                    None => {
                        facts.affinity_filters = class.affinity.filters(counts);
                        None
                    }
                },
                Plugin::DynamicResources => {
                    before_dynamic_resources = false;
                    None
                }
                plugin => match facts.volume_prefilter(world, *plugin) {
                    Some(rejection) if rejection.code == Code::Error => {
                        return PreFilter::Error(format!(
                            "running PreFilter plugin {:?}: {}",
                            plugin.name(),
                            rejection.message()
                        ));
                    }
                    outcome => outcome,
                },
            };
            match outcome {
                Some(rejection) if rejection.code == Code::UnschedulableAndUnresolvable => {
                    return PreFilter::Reject {
                        rejection,
                        before_dynamic_resources,
                    };
                }
                Some(rejection) => remembered = Some(rejection),
                None => {}
            }
        }
        match remembered {
            Some(rejection) => PreFilter::Reject {
                rejection,
                before_dynamic_resources: false,
            },
            None => PreFilter::Continue(Box::new(facts)),
        }
    }

    fn volume_prefilter(&mut self, world: &World, plugin: Plugin) -> Option<Rejection> {
        let (Some(cycle), Some(volume)) = (&mut self.volumes, volume_plugin(plugin)) else {
            return None;
        };
        match world.volumes.prefilter(volume, cycle) {
            PreFilterOutcome::Skip => None,
            PreFilterOutcome::Continue => {
                self.volume_filters.push(volume);
                None
            }
            PreFilterOutcome::Reject(rejection) => Some(volume_rejection(plugin, rejection)),
        }
    }
}
