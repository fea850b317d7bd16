//! VolumeRestrictions: disks and claims that only one pod may use
//! (`pkg/scheduler/framework/plugins/volumerestrictions/volume_restrictions.go`, v1.37.2).

use std::sync::Arc;

use smallvec::SmallVec;

use super::Rejection;
use super::pod::{Disk, PodVolumes};
use super::state::VolumeState;

const DISK_CONFLICT: &str = "node(s) had no available disk";
const READ_WRITE_ONCE_POD_CONFLICT: &str = "node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by another pod";
/// Text of the failure when Filter runs and PreFilter did not.
const NO_STATE: &str = "cannot read \"PreFilterVolumeRestrictions\" from cycleState";

/// What PreFilter finds out.
#[derive(Debug, Clone)]
pub(super) struct RestrictionsCycle {
    /// Names of the pod's claims with access mode `ReadWriteOncePod`.
    names: SmallVec<[Arc<str>; 1]>,
    /// References to these claims by other pods.
    conflicts: i64,
}

impl RestrictionsCycle {
    /// Reacts to a pod that appears (+1) or disappears (-1). As in the real plugin, namespaces are not compared.
    pub fn update(&mut self, pod: &PodVolumes, sign: i64) {
        let references = pod
            .named_claims()
            .filter(|used| self.names.iter().any(|name| **name == *used.name));
        self.conflicts += sign * references.count() as i64;
    }
}

/// Finds the claims that need the pod to be alone.
pub(super) fn prefilter(
    state: &VolumeState,
    pod: &PodVolumes,
) -> Result<Option<RestrictionsCycle>, Rejection> {
    let mut claims: SmallVec<[u32; 1]> = SmallVec::new();
    for used in pod.named_claims() {
        let Some(number) = used.claim else {
            return Err(Rejection::unresolvable(used.not_found()));
        };
        if state.storage.claim(number).read_write_once_pod && !claims.contains(&number) {
            claims.push(number);
        }
    }
    let conflicts = claims.iter().filter(|claim| state.is_claim_used(**claim)).count() as i64;
    if conflicts == 0 && pod.disks().next().is_none() {
        return Ok(None);
    }
    let names = claims
        .iter()
        .map(|claim| state.storage.claim(*claim).name.as_str().into())
        .collect();
    Ok(Some(RestrictionsCycle { names, conflicts }))
}

/// Compares with the pods on the node.
pub(super) fn filter(
    state: &VolumeState,
    pod: Option<&Arc<PodVolumes>>,
    cycle: Option<&RestrictionsCycle>,
    node: u32,
) -> Option<Rejection> {
    for disk in pod.into_iter().flat_map(|pod| pod.disks()) {
        let conflicts = |other: &PodVolumes| other.disks().any(|other| in_conflict(disk, other));
        if state.pods_on(node).any(conflicts) {
            return Some(Rejection::unschedulable(DISK_CONFLICT));
        }
    }
    match cycle {
        None => Some(Rejection::error(NO_STATE)),
        Some(cycle) if cycle.conflicts > 0 => Some(Rejection::unschedulable(READ_WRITE_ONCE_POD_CONFLICT)),
        Some(_) => None,
    }
}

/// `isVolumeConflict`.
fn in_conflict(disk: &Disk, other: &Disk) -> bool {
    match (disk, other) {
        (Disk::Gce(disk), Disk::Gce(other)) => {
            disk.pd_name == other.pd_name && !(disk.read_only && other.read_only)
        }
        (Disk::Aws(disk), Disk::Aws(other)) => disk == other,
        (Disk::Iscsi(disk), Disk::Iscsi(other)) => {
            disk.iqn == other.iqn && !(disk.read_only && other.read_only)
        }
        (Disk::Rbd(disk), Disk::Rbd(other)) => {
            disk.monitors
                .iter()
                .any(|monitor| other.monitors.contains(monitor))
                && disk.pool == other.pool
                && disk.image == other.image
                && !(disk.read_only && other.read_only)
        }
        _ => false,
    }
}
