//! Existing volumes for an unbound claim (`component-helpers/storage/volume/pv_helpers.go:FindMatchingVolume`, v0.37.2).

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::VolumeNodes;
use super::state::VolumeState;
use super::storage_parts::{Claim, PersistentVolumeParts};

/// Volumes that could be bound to a claim as far as that does not depend on the node.
#[derive(Debug, Clone, Default)]
pub(super) struct Candidates {
    /// Reserved for this very claim, in order of name. The first one decides alone.
    reserved: Vec<u32>,
    /// Free ones, smallest first.
    free: Vec<u32>,
    /// Positions in `free` of volumes that one label decides about: by key, then by value.
    by_label: Vec<(String, FxHashMap<String, Vec<u32>>)>,
    /// Positions in `free` of all the others.
    others: Vec<u32>,
}

/// Volumes already taken for other claims of the same pod.
pub(super) type Taken = SmallVec<[u32; 4]>;

impl Candidates {
    /// Looks through the volumes of the claim's class.
    ///
    /// # Errors
    /// The claim's selector is not valid.
    pub fn new(state: &VolumeState, claim_number: u32) -> Result<Candidates, String> {
        let storage = &state.storage;
        let claim = storage.claim(claim_number);
        let selector = match &claim.selector {
            Some(Ok(selector)) => Some(selector),
            Some(Err(error)) => {
                return Err(format!(
                    "error creating internal label selector for claim: {}/{}: {error}",
                    claim.namespace, claim.name
                ));
            }
            None => None,
        };
        let mut candidates = Candidates::default();
        for number in storage
            .volumes_by_class
            .get(&claim.class)
            .into_iter()
            .flatten()
            .copied()
        {
            let volume = &storage.volumes[number as usize];
            if !suits(claim, volume) {
                continue;
            }
            match state.reserved_for(number, claim_number) {
                Some(true) => candidates.reserved.push(number),
                Some(false) => {}
                None => {
                    if volume.available
                        && selector.is_none_or(|selector| selector.matches(&volume.labels))
                        && claim
                            .access_modes
                            .iter()
                            .all(|mode| volume.access_modes.contains(mode))
                    {
                        candidates.free.push(number);
                    }
                }
            }
        }
        candidates
            .free
            .sort_by_key(|number| storage.volumes[*number as usize].capacity.nanos());
        candidates.index(state);
        Ok(candidates)
    }

    fn index(&mut self, state: &VolumeState) {
        for (position, number) in self.free.iter().enumerate() {
            let position = position as u32;
            let Some((key, values)) = state.storage.volumes[*number as usize].affinity.single_label() else {
                self.others.push(position);
                continue;
            };
            let slot = self
                .by_label
                .iter()
                .position(|(other, _)| other == key)
                .unwrap_or_else(|| {
                    self.by_label.push((key.to_owned(), FxHashMap::default()));
                    self.by_label.len() - 1
                });
            for value in values {
                let list = self.by_label[slot].1.entry(value.clone()).or_default();
                if list.last() != Some(&position) {
                    list.push(position);
                }
            }
        }
    }

    /// The volume to bind on the node: the reserved one or nothing, else the smallest free one.
    pub fn find(
        &self,
        state: &VolumeState,
        taken: &[u32],
        nodes: &impl VolumeNodes,
        node: u32,
    ) -> Option<u32> {
        let reaches = |number: u32| {
            state.storage.volumes[number as usize]
                .affinity
                .matches(nodes, node)
        };
        if let Some(number) = self
            .reserved
            .iter()
            .copied()
            .find(|number| !taken.contains(number))
        {
            return reaches(number).then_some(number);
        }
        let is_left = |position: &&u32| !taken.contains(&self.free[**position as usize]);
        let mut best = self
            .others
            .iter()
            .filter(is_left)
            .find(|position| reaches(self.free[**position as usize]));
        for (key, by_value) in &self.by_label {
            let positions = nodes.label(node, key).and_then(|value| by_value.get(value));
            let first = positions.and_then(|positions| positions.iter().find(is_left));
            best = match (best, first) {
                (Some(best), Some(first)) => Some(best.min(first)),
                (best, first) => best.or(first),
            };
        }
        best.map(|position| self.free[*position as usize])
    }
}

/// Conditions that hold for reserved volumes as well.
fn suits(claim: &Claim, volume: &PersistentVolumeParts) -> bool {
    volume.capacity.nanos() >= claim.requested_size().nanos()
        && volume.volume_mode == claim.volume_mode
        && volume.attributes_class == claim.attributes_class
        && !volume.deleting
}
