//! Which pods with volumes sit where, and which volumes are promised to claims.

use std::sync::Arc;

use bayplan_model::object::Pod;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::binding::bindings;
use super::pod::PodVolumes;
use super::storage::{Storage, StorageObjects};
use super::{VolumeCycle, VolumeNodes};

/// Storage objects and the pods that use them.
///
/// A clone shares everything with the original until one of them changes. Pods and nodes are dense numbers of the
/// caller's choice.
#[derive(Debug, Clone)]
pub struct VolumeState {
    pub(super) storage: Arc<Storage>,
    pods: Arc<FxHashMap<u32, Arc<PodVolumes>>>,
    pub(super) placement: Arc<Placement>,
    promises: Arc<Promises>,
}

/// Where the pods with volumes are.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Placement {
    node_of: FxHashMap<u32, u32>,
    /// Pods on a node, sorted.
    pods_on: FxHashMap<u32, SmallVec<[u32; 4]>>,
    /// Number of uses of a claim by placed pods, ephemeral ones not counted.
    claim_uses: FxHashMap<u32, u32>,
}

/// What Reserve has assumed, as in the scheduler's assume caches.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Promises {
    /// Claim that a volume will be bound to.
    claim_of: FxHashMap<u32, u32>,
    /// Name of the node for which a claim's volume will be made.
    node_of: FxHashMap<u32, Arc<str>>,
    /// What to put back, by pod.
    undo: FxHashMap<u32, Vec<Undo>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Undo {
    Volume(u32, Option<u32>),
    Claim(u32, Option<Arc<str>>),
}

impl VolumeState {
    /// A state without pods.
    pub fn new(objects: &StorageObjects<'_>) -> VolumeState {
        VolumeState {
            storage: Arc::new(Storage::new(objects)),
            pods: Arc::default(),
            placement: Arc::default(),
            promises: Arc::default(),
        }
    }

    /// Makes a pod's volumes known, in place of what the number stood for before. False when none of the plugins
    /// looks at any of its volumes: then every call for this pod does nothing, PreFilter skips and the score is 0.
    pub fn add_pod(&mut self, pod_number: u32, pod: &Pod) -> bool {
        let volumes = PodVolumes::new(&self.storage, pod);
        if volumes.is_none() && !self.pods.contains_key(&pod_number) {
            return false;
        }
        self.remove(pod_number);
        let pods = Arc::make_mut(&mut self.pods);
        match volumes {
            Some(volumes) => {
                pods.insert(pod_number, volumes);
                true
            }
            None => {
                pods.remove(&pod_number);
                false
            }
        }
    }

    /// Gives a new pod the volumes of another one.
    pub fn copy_pod(&mut self, from: u32, to: u32) {
        if let Some(volumes) = self.pods.get(&from).cloned() {
            Arc::make_mut(&mut self.pods).insert(to, volumes);
        }
    }

    /// Puts the pod on a node, also if it was on another. [`VolumeState::remove`] undoes it exactly.
    pub fn place(&mut self, pod_number: u32, node: u32) {
        let Some(pod) = self.pods.get(&pod_number).cloned() else {
            return;
        };
        self.remove(pod_number);
        let placement = Arc::make_mut(&mut self.placement);
        placement.node_of.insert(pod_number, node);
        let pods = placement.pods_on.entry(node).or_default();
        let position = pods.partition_point(|other| *other < pod_number);
        pods.insert(position, pod_number);
        for claim in pod.named_claims().filter_map(|used| used.claim) {
            *placement.claim_uses.entry(claim).or_default() += 1;
        }
    }

    /// Takes the pod off its node. The bindings it caused stay: a claim outlives the pod.
    pub fn remove(&mut self, pod_number: u32) {
        let Some(pod) = self.pods.get(&pod_number) else {
            return;
        };
        if !self.placement.node_of.contains_key(&pod_number) {
            return;
        }
        let placement = Arc::make_mut(&mut self.placement);
        let Some(node) = placement.node_of.remove(&pod_number) else {
            return;
        };
        if let Some(pods) = placement.pods_on.get_mut(&node) {
            pods.retain(|other| *other != pod_number);
            if pods.is_empty() {
                placement.pods_on.remove(&node);
            }
        }
        for claim in pod.named_claims().filter_map(|used| used.claim) {
            if let Some(uses) = placement.claim_uses.get_mut(&claim) {
                *uses -= 1;
                if *uses == 0 {
                    placement.claim_uses.remove(&claim);
                }
            }
        }
    }

    /// Reserve of VolumeBinding: assumes the bindings that the filter found for the node, so that later cycles see
    /// the volumes as taken and the claims as being provisioned there. [`VolumeState::unreserve`] undoes it.
    pub fn reserve(&mut self, cycle: &VolumeCycle, nodes: &impl VolumeNodes, node: u32) {
        let Some(found) = cycle
            .binding()
            .and_then(|binding| bindings(self, binding, nodes, node))
        else {
            return;
        };
        if found.matches.is_empty() && found.provisions.is_empty() {
            return;
        }
        self.unreserve(cycle.pod());
        let promises = Arc::make_mut(&mut self.promises);
        let undo = promises.undo.entry(cycle.pod()).or_default();
        for (claim, volume) in found.matches {
            undo.push(Undo::Volume(volume, promises.claim_of.insert(volume, claim)));
        }
        for (claim, _) in found.provisions {
            let node = Arc::from(nodes.name(node));
            undo.push(Undo::Claim(claim, promises.node_of.insert(claim, node)));
        }
    }

    /// Takes back what [`VolumeState::reserve`] assumed for the pod. Undone in the reverse order of reserving, the
    /// state is exactly the one before.
    pub fn unreserve(&mut self, pod_number: u32) {
        if !self.promises.undo.contains_key(&pod_number) {
            return;
        }
        let promises = Arc::make_mut(&mut self.promises);
        for undo in promises.undo.remove(&pod_number).into_iter().flatten().rev() {
            match undo {
                Undo::Volume(volume, before) => restore(&mut promises.claim_of, volume, before),
                Undo::Claim(claim, before) => restore(&mut promises.node_of, claim, before),
            }
        }
    }

    pub(super) fn pod(&self, pod_number: u32) -> Option<&Arc<PodVolumes>> {
        self.pods.get(&pod_number)
    }

    /// Pods with volumes on a node, in order of number.
    pub(super) fn pods_on(&self, node: u32) -> impl Iterator<Item = &PodVolumes> {
        let numbers = self.placement.pods_on.get(&node).into_iter().flatten();
        numbers.filter_map(|number| self.pods.get(number).map(Arc::as_ref))
    }

    /// True when a placed pod names the claim.
    pub(super) fn is_claim_used(&self, claim: u32) -> bool {
        self.placement.claim_uses.contains_key(&claim)
    }

    /// Name of the node for which the claim's volume is being made.
    pub(super) fn selected_node(&self, claim: u32) -> Option<&str> {
        self.promises
            .node_of
            .get(&claim)
            .or(self.storage.claim(claim).selected_node.as_ref())
            .map(AsRef::as_ref)
    }

    /// Whether a volume is reserved for or bound to this claim (`IsVolumeBoundToClaim`); none when it is free.
    pub(super) fn reserved_for(&self, volume: u32, claim: u32) -> Option<bool> {
        if let Some(promised) = self.promises.claim_of.get(&volume) {
            return Some(*promised == claim);
        }
        let reference = self.storage.volumes[volume as usize].claim_ref.as_ref()?;
        let claim = self.storage.claim(claim);
        Some(
            reference.name == claim.name
                && reference.namespace == claim.namespace
                && (reference.uid.is_empty() || reference.uid == claim.uid),
        )
    }
}

fn restore<T>(map: &mut FxHashMap<u32, T>, key: u32, before: Option<T>) {
    match before {
        Some(before) => map.insert(key, before),
        None => map.remove(&key),
    };
}
