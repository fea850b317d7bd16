//! One pod's scheduling cycle through the volume plugins.

use super::binding::{self, BindingCycle};
use super::limits::{self, LimitsCycle};
use super::restrictions::{self, RestrictionsCycle};
use super::score::score;
use super::zone::{self, ZoneLabel};
use super::{PreFilterOutcome, Rejection, VolumeNodes, VolumePlugin, VolumeState};
use crate::config::ShapePoint;

/// What the PreFilters found out about one pod; filled by [`VolumeState::prefilter`], valid until a reservation
/// changes.
#[derive(Debug, Clone)]
pub struct VolumeCycle {
    pod: u32,
    restrictions: Option<RestrictionsCycle>,
    limits: Option<LimitsCycle>,
    binding: Option<BindingCycle>,
    zones: Option<Vec<ZoneLabel>>,
}

impl VolumeCycle {
    /// A cycle for the pod of this number, before any PreFilter.
    pub fn new(pod: u32) -> VolumeCycle {
        VolumeCycle {
            pod,
            restrictions: None,
            limits: None,
            binding: None,
            zones: None,
        }
    }

    /// The pod that is being scheduled.
    pub fn pod(&self) -> u32 {
        self.pod
    }

    /// AddPod of VolumeRestrictions: another pod appears, on whatever node. The other plugins follow the state
    /// alone, as does this one for disks. Does nothing when PreFilter skipped.
    pub fn pod_added(&mut self, state: &VolumeState, other: u32) {
        self.update(state, other, 1);
    }

    /// RemovePod of VolumeRestrictions, which undoes [`VolumeCycle::pod_added`].
    pub fn pod_removed(&mut self, state: &VolumeState, other: u32) {
        self.update(state, other, -1);
    }

    fn update(&mut self, state: &VolumeState, other: u32, sign: i64) {
        if let (Some(restrictions), Some(other)) = (&mut self.restrictions, state.pod(other)) {
            restrictions.update(other, sign);
        }
    }

    pub(super) fn binding(&self) -> Option<&BindingCycle> {
        self.binding.as_ref()
    }
}

/// A plugin that has run: something for its Filter, or a reason to skip it.
fn kept<T>(found: Result<Option<T>, Rejection>, slot: &mut Option<T>) -> PreFilterOutcome {
    match found {
        Ok(found) => {
            *slot = found;
            if slot.is_some() {
                PreFilterOutcome::Continue
            } else {
                PreFilterOutcome::Skip
            }
        }
        Err(rejection) => PreFilterOutcome::Reject(rejection),
    }
}

impl VolumeState {
    /// PreFilter of one plugin.
    pub fn prefilter(&self, plugin: VolumePlugin, cycle: &mut VolumeCycle) -> PreFilterOutcome {
        let Some(pod) = self.pod(cycle.pod) else {
            return PreFilterOutcome::Skip;
        };
        match plugin {
            VolumePlugin::VolumeRestrictions => {
                kept(restrictions::prefilter(self, pod), &mut cycle.restrictions)
            }
            VolumePlugin::NodeVolumeLimits => {
                let found = limits::applies(pod).then(|| LimitsCycle::new(&self.storage, pod));
                kept(Ok(found), &mut cycle.limits)
            }
            VolumePlugin::VolumeBinding => kept(binding::prefilter(self, pod), &mut cycle.binding),
            VolumePlugin::VolumeZone => {
                let found = zone::prefilter(&self.storage, pod);
                kept(
                    found.map(|zones| (!zones.is_empty()).then_some(zones)),
                    &mut cycle.zones,
                )
            }
        }
    }

    /// Filter of one plugin on one node; none means the node passes.
    ///
    /// To be called when the plugin's PreFilter continued. Where a configuration turns off the PreFilter of a plugin
    /// but not its Filter, it is to be called as well, and gives the real answer (mostly a failure).
    pub fn filter(
        &self,
        plugin: VolumePlugin,
        cycle: &VolumeCycle,
        nodes: &impl VolumeNodes,
        node: u32,
    ) -> Option<Rejection> {
        let pod = self.pod(cycle.pod);
        match plugin {
            VolumePlugin::VolumeRestrictions => {
                restrictions::filter(self, pod, cycle.restrictions.as_ref(), node)
            }
            VolumePlugin::NodeVolumeLimits => match &cycle.limits {
                Some(limits) => limits::filter(self, limits, nodes, node),
                None => limits::filter(self, &LimitsCycle::new(&self.storage, pod?), nodes, node),
            },
            VolumePlugin::VolumeBinding => match &cycle.binding {
                Some(binding) => binding::filter(self, binding, nodes, node),
                None => Some(Rejection::error("not found")),
            },
            VolumePlugin::VolumeZone => match &cycle.zones {
                Some(zones) => zone::filter(zones, nodes, node),
                None => match zone::prefilter(&self.storage, pod?) {
                    Ok(zones) => zone::filter(&zones, nodes, node),
                    Err(rejection) => Some(rejection),
                },
            },
        }
    }

    /// Score of VolumeBinding for a feasible node, 0 to 100; there is no normalisation, and PreScore never skips.
    /// `shape` is that of `VolumeBindingArgs`. 0 without claims to bind. Where a profile turns off VolumeBinding's
    /// Filter but not its Score, the real score is always 0 and this one is not to be asked for.
    pub fn score(
        &self,
        cycle: &VolumeCycle,
        nodes: &impl VolumeNodes,
        node: u32,
        shape: &[ShapePoint],
    ) -> i64 {
        let bindings = cycle
            .binding
            .as_ref()
            .and_then(|binding| binding::bindings(self, binding, nodes, node));
        bindings.map_or(0, |bindings| score(self, &bindings, shape))
    }
}
