//! The volume plugins: VolumeRestrictions, NodeVolumeLimits, VolumeBinding and VolumeZone
//! (`pkg/scheduler/framework/plugins/{volumerestrictions,nodevolumelimits,volumebinding,volumezone}`, v1.37.2,
//! default feature gates).
//!
//! [`VolumeState`] holds the storage objects and which pods with volumes sit on which node. A scheduling cycle
//! makes a [`VolumeCycle`], runs [`VolumeState::prefilter`] of each plugin on it, then [`VolumeState::filter`] on
//! the nodes, [`VolumeState::score`] (VolumeBinding never skips PreScore) and [`VolumeState::reserve`].
//!
//! Where the real scheduler walks a Go map, and so decides at random, this module goes by name: among equally
//! small persistent volumes, several volumes reserved for one claim, and several sufficient storage capacities.

mod binding;
mod cycle;
mod limits;
mod matching;
mod migration;
mod pod;
mod restrictions;
mod score;
mod state;
mod storage;
mod storage_parts;
#[cfg(test)]
mod tests;
mod zone;

use std::borrow::Cow;

pub use cycle::VolumeCycle;
pub use state::VolumeState;
pub use storage::StorageObjects;

/// What the volume plugins read of a node; nodes are dense numbers.
pub trait VolumeNodes {
    /// Name of the node.
    fn name(&self, node: u32) -> &str;

    /// Value of a label of the node.
    fn label(&self, node: u32, key: &str) -> Option<&str>;
}

/// A volume plugin, in the order in which the default profile runs them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum VolumePlugin {
    /// Disks that only one pod may use, and claims with access mode `ReadWriteOncePod`.
    VolumeRestrictions,
    /// Numbers of CSI volumes a node can attach.
    NodeVolumeLimits,
    /// Bound claims' node affinity; volumes or capacity for unbound ones.
    VolumeBinding,
    /// Zone labels of bound volumes.
    VolumeZone,
}

/// How a plugin says no.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RejectionCode {
    /// Preemption may help.
    Unschedulable,
    /// Preemption does not help.
    UnschedulableAndUnresolvable,
    /// The plugin failed, and with it the whole cycle.
    Error,
}

/// A plugin's no, with its reasons in the plugin's order (for an error: its text, without the framework's prefix).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rejection {
    /// Kind of no.
    pub code: RejectionCode,
    /// At least one text.
    pub reasons: Vec<Cow<'static, str>>,
}

impl Rejection {
    fn new(code: RejectionCode, reason: impl Into<Cow<'static, str>>) -> Rejection {
        Rejection {
            code,
            reasons: vec![reason.into()],
        }
    }

    fn unschedulable(reason: impl Into<Cow<'static, str>>) -> Rejection {
        Rejection::new(RejectionCode::Unschedulable, reason)
    }

    fn unresolvable(reason: impl Into<Cow<'static, str>>) -> Rejection {
        Rejection::new(RejectionCode::UnschedulableAndUnresolvable, reason)
    }

    fn error(reason: impl Into<Cow<'static, str>>) -> Rejection {
        Rejection::new(RejectionCode::Error, reason)
    }
}

/// What PreFilter of a plugin decides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PreFilterOutcome {
    /// The plugin has nothing to do: its Filter and its reactions to added and removed pods are left out.
    Skip,
    /// Filter is to be run.
    Continue,
    /// The pod cannot be scheduled at all now.
    Reject(Rejection),
}
