//! VolumeBinding: bound claims' node affinity, existing volumes for unbound claims, capacity for new volumes
//! (`pkg/scheduler/framework/plugins/volumebinding/{volume_binding,binder}.go`, v1.37.2).

use std::borrow::Cow;
use std::sync::Arc;

use smallvec::SmallVec;

use super::matching::{Candidates, Taken};
use super::pod::{PodVolumes, Use};
use super::state::VolumeState;
use super::storage_parts::{Claim, PersistentVolumeParts, Source};
use super::{Rejection, RejectionCode, VolumeNodes};

const NODE_CONFLICT: &str = "node(s) didn't match PersistentVolume's node affinity";
const BIND_CONFLICT: &str = "node(s) didn't find available persistent volumes to bind";
const NOT_ENOUGH_SPACE: &str = "node(s) did not have enough free storage";
const VOLUME_MISSING: &str = "node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)";
const UNBOUND_IMMEDIATE: &str = "pod has unbound immediate PersistentVolumeClaims";
/// Provisioner of classes that make no volumes (`component-helpers/storage/volume/pv_helpers.go`).
const NO_PROVISIONER: &str = "kubernetes.io/no-provisioner";

/// A pod's claims, sorted out.
#[derive(Debug, Clone, Default)]
pub(super) struct BindingCycle {
    /// Fully bound claims.
    bound: Vec<u32>,
    /// Claims whose volume is being made for a node already.
    selected: Vec<u32>,
    /// Claims for which a volume is looked for, smallest first.
    unbound: Vec<(u32, Arc<Result<Candidates, String>>)>,
}

/// How a pod's claims can be met on a node.
#[derive(Debug, Default)]
pub(super) struct PodBindings {
    /// Claims and the existing volumes for them.
    pub matches: Vec<(u32, u32)>,
    /// Claims for which volumes are made, with the capacity they come from, if it is known.
    pub provisions: Vec<(u32, Option<u32>)>,
}

/// Why a node is no good for the unbound claims, or at all.
enum Refusal<Reasons> {
    Reasons(Reasons),
    Error(String),
}

type NodeReasons = SmallVec<[&'static str; 2]>;

/// Checks the pod's claims; none when it has no claims.
pub(super) fn prefilter(state: &VolumeState, pod: &PodVolumes) -> Result<Option<BindingCycle>, Rejection> {
    let mut claims: SmallVec<[u32; 4]> = SmallVec::new();
    for used in &pod.uses {
        let Use::Claim(used) = used else { continue };
        let Some(number) = used.claim else {
            let text = if used.ephemeral {
                let name = &used.name;
                format!(
                    "waiting for ephemeral volume controller to create the persistentvolumeclaim {name:?}"
                )
            } else {
                used.not_found()
            };
            return Err(Rejection::unresolvable(text));
        };
        let claim = state.storage.claim(number);
        if claim.lost {
            return Err(Rejection::unresolvable(format!(
                "persistentvolumeclaim {:?} bound to non-existent persistentvolume {:?}",
                claim.name, claim.volume_name
            )));
        }
        if claim.deleting {
            let text = format!("persistentvolumeclaim {:?} is being deleted", claim.name);
            return Err(Rejection::unresolvable(text));
        }
        if used.ephemeral {
            pod.check_owner(claim).map_err(Rejection::unresolvable)?;
        }
        claims.push(number);
    }
    if claims.is_empty() {
        return Ok(None);
    }
    sort_out(state, &claims).map(Some)
}

/// `GetPodVolumeClaims`.
fn sort_out(state: &VolumeState, claims: &[u32]) -> Result<BindingCycle, Rejection> {
    let mut cycle = BindingCycle::default();
    for number in claims.iter().copied() {
        let claim = state.storage.claim(number);
        if claim.fully_bound {
            cycle.bound.push(number);
            continue;
        }
        let delays = state
            .storage
            .classes
            .get(&claim.class)
            .is_some_and(|class| class.delays_binding);
        if !delays || claim.class.is_empty() || !claim.volume_name.is_empty() {
            return Err(Rejection::unresolvable(UNBOUND_IMMEDIATE));
        }
        if state.selected_node(number).is_some() {
            cycle.selected.push(number);
        } else {
            cycle
                .unbound
                .push((number, Arc::new(Candidates::new(state, number))));
        }
    }
    // Go's sort keeps the order of equal claims only up to 12 of them; here it is always kept.
    cycle
        .unbound
        .sort_by_key(|(number, _)| state.storage.claim(*number).requested_size().nanos());
    Ok(cycle)
}

/// Decides about one node.
pub(super) fn filter(
    state: &VolumeState,
    cycle: &BindingCycle,
    nodes: &impl VolumeNodes,
    node: u32,
) -> Option<Rejection> {
    match find_pod_volumes(state, cycle, nodes, node) {
        Ok(_) => None,
        Err(Refusal::Error(text)) => Some(Rejection::error(text)),
        Err(Refusal::Reasons(reasons)) => Some(Rejection {
            code: RejectionCode::UnschedulableAndUnresolvable,
            reasons: reasons.into_iter().map(Cow::Borrowed).collect(),
        }),
    }
}

/// The bindings on a node that passes the filter; none on others.
pub(super) fn bindings(
    state: &VolumeState,
    cycle: &BindingCycle,
    nodes: &impl VolumeNodes,
    node: u32,
) -> Option<PodBindings> {
    find_pod_volumes(state, cycle, nodes, node).ok()
}

/// `FindPodVolumes`.
fn find_pod_volumes(
    state: &VolumeState,
    cycle: &BindingCycle,
    nodes: &impl VolumeNodes,
    node: u32,
) -> Result<PodBindings, Refusal<NodeReasons>> {
    let mut reasons = NodeReasons::new();
    let mut volume_missing = false;
    for number in &cycle.bound {
        let Some(volume) = state.storage.volume(&state.storage.claim(*number).volume_name) else {
            volume_missing = true;
            break;
        };
        if !reaches(state, volume, nodes, node).map_err(Refusal::Error)? {
            reasons.push(NODE_CONFLICT);
            break;
        }
    }
    let mut bindings = PodBindings::default();
    match find_unbound(state, cycle, nodes, node) {
        Ok(found) => bindings = found,
        Err(Refusal::Reasons(reason)) => reasons.push(reason),
        Err(Refusal::Error(text)) => return Err(Refusal::Error(text)),
    }
    if volume_missing {
        reasons.push(VOLUME_MISSING);
    }
    if reasons.is_empty() {
        Ok(bindings)
    } else {
        Err(Refusal::Reasons(reasons))
    }
}

/// Node affinity of a bound volume, as its CSI driver sees it where the in-tree plugin has been replaced.
fn reaches(
    state: &VolumeState,
    volume: &PersistentVolumeParts,
    nodes: &impl VolumeNodes,
    node: u32,
) -> Result<bool, String> {
    if let Source::InTree(migrated) = &volume.source {
        let csi_node = state.storage.csi_nodes.get(nodes.name(node));
        if csi_node.is_some_and(|csi_node| csi_node.migrates(migrated.plugin.name)) {
            return match &migrated.translated {
                Ok((_, affinity)) => Ok(affinity.matches(nodes, node)),
                Err(error) => Err(format!("could not translate pv: {error}")),
            };
        }
    }
    Ok(volume.affinity.matches(nodes, node))
}

/// Volumes for the claims that wait for their first consumer.
fn find_unbound(
    state: &VolumeState,
    cycle: &BindingCycle,
    nodes: &impl VolumeNodes,
    node: u32,
) -> Result<PodBindings, Refusal<&'static str>> {
    let elsewhere = |claim: &u32| {
        state
            .selected_node(*claim)
            .is_some_and(|selected| selected != nodes.name(node))
    };
    if cycle.selected.iter().any(elsewhere) {
        return Err(Refusal::Reasons(BIND_CONFLICT));
    }
    let mut bindings = PodBindings::default();
    let mut to_provision: SmallVec<[u32; 4]> = cycle.selected.iter().copied().collect();
    let mut taken = Taken::new();
    for (claim, candidates) in &cycle.unbound {
        let candidates = candidates
            .as_ref()
            .as_ref()
            .map_err(|error| Refusal::Error(error.clone()))?;
        match candidates.find(state, &taken, nodes, node) {
            Some(volume) => {
                taken.push(volume);
                bindings.matches.push((*claim, volume));
            }
            None => to_provision.push(*claim),
        }
    }
    // `checkVolumeProvisions`.
    for number in to_provision {
        let claim = state.storage.claim(number);
        let Some(class) = state.storage.classes.get(&claim.class) else {
            return Err(Refusal::Error(format!(
                "failed to find storage class {:?}",
                claim.class
            )));
        };
        if class.provisioner.is_empty() || *class.provisioner == *NO_PROVISIONER || !class.allows(nodes, node)
        {
            return Err(Refusal::Reasons(BIND_CONFLICT));
        }
        match find_capacity(state, &class.provisioner, claim, nodes, node) {
            Ok(capacity) => bindings.provisions.push((number, capacity)),
            Err(NotEnough) => return Err(Refusal::Reasons(NOT_ENOUGH_SPACE)),
        }
    }
    Ok(bindings)
}

struct NotEnough;

/// `hasEnoughCapacity`: nothing to check when the driver does not publish capacity.
fn find_capacity(
    state: &VolumeState,
    provisioner: &str,
    claim: &Claim,
    nodes: &impl VolumeNodes,
    node: u32,
) -> Result<Option<u32>, NotEnough> {
    let storage = &state.storage;
    let tracks = storage
        .drivers
        .get(provisioner)
        .is_some_and(|driver| driver.tracks_capacity);
    let Some(requested) = claim.requested.filter(|_| tracks) else {
        return Ok(None);
    };
    let size_bytes = requested.value();
    let mut capacities = storage
        .capacities_by_class
        .get(&claim.class)
        .into_iter()
        .flatten()
        .copied();
    let enough = |number: &u32| {
        let capacity = &storage.capacities[*number as usize];
        capacity.limit_bytes.is_some_and(|limit| limit >= size_bytes) && capacity.reaches(nodes, node)
    };
    capacities.find(enough).map(Some).ok_or(NotEnough)
}
