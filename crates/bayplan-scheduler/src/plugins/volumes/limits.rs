//! NodeVolumeLimits: numbers of CSI volumes a node can attach
//! (`pkg/scheduler/framework/plugins/nodevolumelimits/csi.go`, v1.37.2).

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::migration::Provisioner;
use super::pod::{InlineVolume, PodVolumes, Use};
use super::state::VolumeState;
use super::storage::{Attachable, Storage};
use super::storage_parts::{Claim, Source};
use super::{Rejection, RejectionCode, VolumeNodes};

const LIMIT_EXCEEDED: &str = "node(s) exceed max volume count";
/// Starts the handles of volumes that are yet to be made; the real plugin uses 32 random characters.
const UNBOUND_PREFIX: &str = "\u{0}-";

/// Why a pod's volumes cannot be counted.
#[derive(Debug, Clone)]
pub(super) struct Failure {
    pub text: String,
    /// An object is missing, which makes the pod unschedulable instead of failing the cycle.
    not_found: bool,
}

impl Failure {
    fn new(text: String) -> Failure {
        Failure {
            text,
            not_found: false,
        }
    }

    fn rejection(&self) -> Rejection {
        let code = if self.not_found {
            RejectionCode::UnschedulableAndUnresolvable
        } else {
            RejectionCode::Error
        };
        Rejection::new(code, self.text.clone())
    }
}

/// The new pod's volumes as counted on nodes with and without a CSINode.
#[derive(Debug, Clone)]
pub(super) struct LimitsCycle {
    with_csi_node: Result<Vec<Attachable>, Failure>,
    without_csi_node: Result<Vec<Attachable>, Failure>,
}

impl LimitsCycle {
    pub fn new(storage: &Storage, pod: &PodVolumes) -> LimitsCycle {
        LimitsCycle {
            with_csi_node: attachable_of_pod(storage, pod, true, true),
            without_csi_node: attachable_of_pod(storage, pod, false, true),
        }
    }
}

/// True when the plugin looks at the pod at all.
pub(super) fn applies(pod: &PodVolumes) -> bool {
    pod.uses.iter().any(|used| match used {
        Use::Claim(_) => true,
        Use::Inline(volume) => volume.migrated.is_some(),
    })
}

/// Checks drivers and limits of one node.
pub(super) fn filter(
    state: &VolumeState,
    cycle: &LimitsCycle,
    nodes: &impl VolumeNodes,
    node: u32,
) -> Option<Rejection> {
    let storage = &state.storage;
    let csi_node = storage.csi_nodes.get(nodes.name(node));
    let counted = if csi_node.is_some() {
        &cycle.with_csi_node
    } else {
        &cycle.without_csi_node
    };
    let wanted = match counted {
        Ok(wanted) => wanted,
        Err(failure) => return Some(failure.rejection()),
    };
    let missing = |volume: &&Attachable| {
        storage
            .drivers
            .get(&*volume.driver)
            .is_some_and(|driver| driver.must_be_installed)
            && !csi_node.is_some_and(|csi_node| csi_node.drivers.contains(&*volume.driver))
    };
    if let Some(volume) = wanted.iter().find(missing) {
        let text = format!("{} CSI driver is not installed on the node", volume.driver);
        return Some(Rejection::unschedulable(text));
    }
    let limits = csi_node.map(|csi_node| &csi_node.limits)?;
    if wanted.is_empty() || limits.is_empty() {
        return None;
    }

    let mut used: FxHashSet<&str> = FxHashSet::default();
    let mut counts: FxHashMap<&str, i64> = FxHashMap::default();
    for pod in state.pods_on(node) {
        match &pod.attached {
            Ok(attached) => {
                for volume in attached {
                    if used.insert(&volume.unique_name) {
                        *counts.entry(&volume.driver).or_default() += 1;
                    }
                }
            }
            Err(text) => return Some(Rejection::error(text.clone())),
        }
    }
    // Only the volumes of pods are shared: one that is attached and wanted but not in use counts twice.
    let is_new = |volume: &&Attachable| !used.contains(&*volume.unique_name);
    let new: Vec<&Attachable> = wanted.iter().filter(is_new).collect();
    for volume in storage
        .attached
        .get(nodes.name(node))
        .into_iter()
        .flatten()
        .filter(is_new)
    {
        *counts.entry(&volume.driver).or_default() += 1;
    }
    for volume in &new {
        *counts.entry(&volume.driver).or_default() += 1;
    }
    let exceeded = |volume: &&Attachable| {
        let count = counts.get(&*volume.driver).copied().unwrap_or_default();
        limits.get(&*volume.driver).is_some_and(|limit| count > *limit)
    };
    new.iter()
        .any(exceeded)
        .then(|| Rejection::unschedulable(LIMIT_EXCEEDED))
}

/// The distinct CSI volumes of a pod (`filterAttachableVolumes`). A running pod's missing claims are left out.
pub(super) fn attachable_of_pod(
    storage: &Storage,
    pod: &PodVolumes,
    has_csi_node: bool,
    is_new: bool,
) -> Result<Vec<Attachable>, Failure> {
    let mut attachable: Vec<Attachable> = Vec::new();
    for used in &pod.uses {
        let volume = match used {
            Use::Inline(volume) => attachable_inline(volume, has_csi_node)?,
            Use::Claim(used) => {
                if used.name.is_empty() {
                    return Err(Failure::new("PersistentVolumeClaim had no name".to_owned()));
                }
                let Some(claim) = used.claim.map(|number| storage.claim(number)) else {
                    if is_new {
                        let text = format!(
                            "looking up PVC {}/{}: {}",
                            pod.namespace,
                            used.name,
                            used.not_found()
                        );
                        return Err(Failure {
                            text,
                            not_found: true,
                        });
                    }
                    continue;
                };
                if used.ephemeral {
                    pod.check_owner(claim).map_err(Failure::new)?;
                }
                attachable_claim(storage, claim, has_csi_node)
            }
        };
        if let Some(volume) = volume.filter(|volume| !attachable.contains(volume)) {
            attachable.push(volume);
        }
    }
    Ok(attachable)
}

/// `checkAttachableInlineVolume`.
fn attachable_inline(volume: &InlineVolume, has_csi_node: bool) -> Result<Option<Attachable>, Failure> {
    match &volume.migrated {
        Some((plugin, handle)) if has_csi_node => match handle {
            Ok(handle) => Ok(Some(Attachable::new(&Arc::from(plugin.driver), handle))),
            Err(error) => {
                let text = format!("converting volume({}) from inline to csi: {error}", volume.name);
                Err(Failure::new(text))
            }
        },
        _ => Ok(None),
    }
}

/// `getCSIDriverInfo`.
fn attachable_claim(storage: &Storage, claim: &Claim, has_csi_node: bool) -> Option<Attachable> {
    let Some(volume) = storage.volume(&claim.volume_name) else {
        return attachable_of_class(storage, claim, has_csi_node);
    };
    match &volume.source {
        Source::Csi { driver, handle } if !driver.is_empty() && !handle.is_empty() => {
            Some(Attachable::new(driver, handle))
        }
        Source::InTree(migrated) if has_csi_node => match &migrated.translated {
            Ok((handle, _)) if !handle.is_empty() => Some(Attachable::new(&migrated.driver, handle)),
            _ => None,
        },
        _ => None,
    }
}

/// `getCSIDriverInfoFromSC`: a volume that the class would make.
fn attachable_of_class(storage: &Storage, claim: &Claim, has_csi_node: bool) -> Option<Attachable> {
    let class = storage
        .classes
        .get(&claim.class)
        .filter(|_| !claim.class.is_empty())?;
    let handle = format!("{UNBOUND_PREFIX}{}/{}", claim.namespace, claim.name);
    match Provisioner::of(&class.provisioner) {
        Provisioner::Own if class.provisioner.is_empty() => None,
        Provisioner::Own => Some(Attachable::new(&class.provisioner, &handle)),
        Provisioner::Migrated(plugin) if has_csi_node => {
            Some(Attachable::new(&Arc::from(plugin.driver), &handle))
        }
        Provisioner::Migrated(_) | Provisioner::InTree => None,
    }
}
