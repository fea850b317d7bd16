//! The volumes of a pod that the plugins look at.

use std::sync::Arc;

use bayplan_model::object::{GcePersistentDisk, Iscsi, Pod, Rbd, Volume};

use super::limits::attachable_of_pod;
use super::migration::{Handle, InTreePlugin, migrate_inline};
use super::storage::{Attachable, Storage, claim_key};
use super::storage_parts::Claim;

/// Volumes of one pod, in the order of its specification.
#[derive(Debug)]
pub(super) struct PodVolumes {
    pub namespace: String,
    pub name: String,
    pub uid: String,
    pub uses: Vec<Use>,
    /// CSI volumes as counted where the pod runs, or why counting fails.
    pub attached: Result<Vec<Attachable>, String>,
}

/// One volume of a pod.
#[derive(Debug)]
pub(super) enum Use {
    /// A claim.
    Claim(ClaimUse),
    /// A volume in the pod's own specification.
    Inline(InlineVolume),
}

/// Use of a claim.
#[derive(Debug)]
pub(super) struct ClaimUse {
    /// Name of the claim.
    pub name: String,
    /// The claim, if it exists.
    pub claim: Option<u32>,
    /// Made for the pod from a template.
    pub ephemeral: bool,
}

impl ClaimUse {
    /// The lister's text for a missing claim.
    pub fn not_found(&self) -> String {
        format!("persistentvolumeclaim {:?} not found", self.name)
    }
}

/// A volume without a claim.
#[derive(Debug)]
pub(super) struct InlineVolume {
    pub name: String,
    /// Present for disks that pods may have to keep for themselves.
    pub disk: Option<Disk>,
    /// Present for in-tree volumes that CSI drivers have taken over.
    pub migrated: Option<(InTreePlugin, Handle)>,
}

/// A disk that pods share only under conditions.
#[derive(Debug)]
pub(super) enum Disk {
    Gce(GcePersistentDisk),
    /// Volume id.
    Aws(String),
    Iscsi(Iscsi),
    Rbd(Rbd),
}

impl PodVolumes {
    /// None when the pod has no volume that any of the plugins looks at.
    pub fn new(storage: &Storage, pod: &Pod) -> Option<Arc<PodVolumes>> {
        let uses: Vec<Use> = pod
            .spec
            .volumes
            .iter()
            .filter_map(|volume| used(storage, pod, volume))
            .collect();
        if uses.is_empty() {
            return None;
        }
        let mut volumes = PodVolumes {
            namespace: pod.metadata.namespace.clone(),
            name: pod.metadata.name.clone(),
            uid: pod.metadata.uid.clone(),
            uses,
            attached: Ok(Vec::new()),
        };
        volumes.attached = attachable_of_pod(storage, &volumes, true, false).map_err(|failure| failure.text);
        Some(Arc::new(volumes))
    }

    /// Claims named in the specification, without ephemeral ones.
    pub fn named_claims(&self) -> impl Iterator<Item = &ClaimUse> {
        self.uses.iter().filter_map(|used| match used {
            Use::Claim(used) if !used.ephemeral => Some(used),
            _ => None,
        })
    }

    /// Disks that may conflict with another pod's.
    pub fn disks(&self) -> impl Iterator<Item = &Disk> {
        self.uses.iter().filter_map(|used| match used {
            Use::Inline(volume) => volume.disk.as_ref(),
            Use::Claim(_) => None,
        })
    }

    /// Checks that an ephemeral claim was made for this pod
    /// (`component-helpers/storage/ephemeral/ephemeral.go:VolumeIsForPod`).
    pub fn check_owner(&self, claim: &Claim) -> Result<(), String> {
        if claim.controller_uid.as_ref() == Some(&self.uid) {
            return Ok(());
        }
        Err(format!(
            "PVC {}/{} was not created for pod {}/{} (pod is not owner)",
            claim.namespace, claim.name, self.namespace, self.name
        ))
    }
}

fn used(storage: &Storage, pod: &Pod, volume: &Volume) -> Option<Use> {
    let claim = |name: String, ephemeral: bool| {
        let claim = storage
            .claim_numbers
            .get(&claim_key(&pod.metadata.namespace, &name))
            .copied();
        Some(Use::Claim(ClaimUse {
            name,
            claim,
            ephemeral,
        }))
    };
    if let Some(source) = &volume.persistent_volume_claim {
        return claim(source.claim_name.clone(), false);
    }
    if volume.ephemeral.is_some() {
        return claim(format!("{}-{}", pod.metadata.name, volume.name), true);
    }
    let disk = disk(volume);
    let migrated = migrate_inline(volume);
    (disk.is_some() || migrated.is_some()).then(|| {
        Use::Inline(InlineVolume {
            name: volume.name.clone(),
            disk,
            migrated,
        })
    })
}

fn disk(volume: &Volume) -> Option<Disk> {
    if let Some(disk) = &volume.gce_persistent_disk {
        Some(Disk::Gce(disk.clone()))
    } else if let Some(disk) = &volume.aws_elastic_block_store {
        Some(Disk::Aws(disk.volume_id.clone()))
    } else if let Some(disk) = &volume.iscsi {
        Some(Disk::Iscsi(disk.clone()))
    } else {
        volume.rbd.as_ref().map(|disk| {
            let mut disk = disk.clone();
            if disk.pool.is_empty() {
                "rbd".clone_into(&mut disk.pool);
            }
            Disk::Rbd(disk)
        })
    }
}
