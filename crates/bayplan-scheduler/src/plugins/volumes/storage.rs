//! Storage objects, prepared once and then immutable.

use std::sync::Arc;

use bayplan_model::object::{
    CSIDriver, CSINode, CSIStorageCapacity, Object, PersistentVolume, PersistentVolumeClaim, StorageClass,
    VolumeAttachment,
};
use rustc_hash::FxHashMap;

use super::storage_parts::{Capacity, Claim, Class, CsiNode, Driver, PersistentVolumeParts, Source};

/// The storage objects of a cluster, by reference. Of two objects of one kind and name the later one counts.
#[derive(Debug, Clone, Default)]
pub struct StorageObjects<'a> {
    /// Persistent volumes.
    pub volumes: Vec<&'a PersistentVolume>,
    /// Claims.
    pub claims: Vec<&'a PersistentVolumeClaim>,
    /// Storage classes.
    pub classes: Vec<&'a StorageClass>,
    /// CSI drivers on nodes.
    pub csi_nodes: Vec<&'a CSINode>,
    /// CSI drivers.
    pub csi_drivers: Vec<&'a CSIDriver>,
    /// Free capacities.
    pub capacities: Vec<&'a CSIStorageCapacity>,
    /// Attached volumes.
    pub attachments: Vec<&'a VolumeAttachment>,
}

impl<'a> StorageObjects<'a> {
    /// Takes the object if it is of a storage kind; says whether it did.
    pub fn add(&mut self, object: &'a Object) -> bool {
        match object {
            Object::PersistentVolume(volume) => self.volumes.push(volume),
            Object::PersistentVolumeClaim(claim) => self.claims.push(claim),
            Object::StorageClass(class) => self.classes.push(class),
            Object::CSINode(node) => self.csi_nodes.push(node),
            Object::CSIDriver(driver) => self.csi_drivers.push(driver),
            Object::CSIStorageCapacity(capacity) => self.capacities.push(capacity),
            Object::VolumeAttachment(attachment) => self.attachments.push(attachment),
            _ => return false,
        }
        true
    }
}

/// A CSI volume as NodeVolumeLimits counts it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Attachable {
    /// `driver/handle`, which tells volumes apart.
    pub unique_name: Arc<str>,
    /// Driver.
    pub driver: Arc<str>,
}

impl Attachable {
    pub fn new(driver: &Arc<str>, handle: &str) -> Attachable {
        Attachable {
            unique_name: format!("{driver}/{handle}").into(),
            driver: Arc::clone(driver),
        }
    }
}

/// Everything that cycles only read.
#[derive(Debug, Default)]
pub(super) struct Storage {
    /// Claims by dense number.
    pub claims: Vec<Claim>,
    /// Numbers of claims by `namespace/name`.
    pub claim_numbers: FxHashMap<String, u32>,
    /// Volumes by dense number, in order of name.
    pub volumes: Vec<PersistentVolumeParts>,
    /// Numbers of volumes by name.
    pub volume_numbers: FxHashMap<String, u32>,
    /// Numbers of the volumes of a class, in order of name.
    pub volumes_by_class: FxHashMap<String, Vec<u32>>,
    /// Classes by name.
    pub classes: FxHashMap<String, Class>,
    /// CSI nodes by name.
    pub csi_nodes: FxHashMap<String, CsiNode>,
    /// CSI drivers by name.
    pub drivers: FxHashMap<String, Driver>,
    /// Capacities in order of namespace and name.
    pub capacities: Vec<Capacity>,
    /// Numbers of the capacities of a class, in order of namespace and name.
    pub capacities_by_class: FxHashMap<String, Vec<u32>>,
    /// Volumes attached to a node, by the node's name.
    pub attached: FxHashMap<String, Vec<Attachable>>,
}

/// `namespace/name`, the key of a claim.
pub(super) fn claim_key(namespace: &str, name: &str) -> String {
    format!("{namespace}/{name}")
}

impl Storage {
    pub fn new(objects: &StorageObjects<'_>) -> Storage {
        let mut storage = Storage::default();
        storage.add_claims(&objects.claims);
        storage.add_volumes(&objects.volumes);
        storage.classes = by_name(
            objects
                .classes
                .iter()
                .map(|class| (&class.metadata.name, Class::new(class))),
        );
        storage.csi_nodes = by_name(
            objects
                .csi_nodes
                .iter()
                .map(|node| (&node.metadata.name, CsiNode::new(node))),
        );
        storage.drivers = by_name(
            objects
                .csi_drivers
                .iter()
                .map(|driver| (&driver.metadata.name, Driver::new(driver))),
        );
        storage.add_capacities(&objects.capacities);
        storage.add_attachments(&objects.attachments);
        storage
    }

    fn add_claims(&mut self, claims: &[&PersistentVolumeClaim]) {
        for claim in claims {
            let key = claim_key(&claim.metadata.namespace, &claim.metadata.name);
            let parts = Claim::new(claim);
            if let Some(number) = self.claim_numbers.get(&key) {
                self.claims[*number as usize] = parts;
            } else {
                self.claim_numbers.insert(key, self.claims.len() as u32);
                self.claims.push(parts);
            }
        }
    }

    fn add_volumes(&mut self, volumes: &[&PersistentVolume]) {
        let latest: std::collections::BTreeMap<&str, &PersistentVolume> = volumes
            .iter()
            .map(|volume| (volume.metadata.name.as_str(), *volume))
            .collect();
        for (name, volume) in latest {
            let number = self.volumes.len() as u32;
            let parts = PersistentVolumeParts::new(volume);
            self.volume_numbers.insert(name.to_owned(), number);
            self.volumes_by_class
                .entry(parts.class.clone())
                .or_default()
                .push(number);
            self.volumes.push(parts);
        }
    }

    fn add_capacities(&mut self, capacities: &[&CSIStorageCapacity]) {
        let latest: std::collections::BTreeMap<(&str, &str), &CSIStorageCapacity> = capacities
            .iter()
            .map(|capacity| {
                (
                    (
                        capacity.metadata.namespace.as_str(),
                        capacity.metadata.name.as_str(),
                    ),
                    *capacity,
                )
            })
            .collect();
        for capacity in latest.into_values() {
            let number = self.capacities.len() as u32;
            self.capacities_by_class
                .entry(capacity.storage_class_name.clone())
                .or_default()
                .push(number);
            self.capacities.push(Capacity::new(capacity));
        }
    }

    /// As `getNodeVolumeAttachmentInfo` (`nodevolumelimits/csi.go`): only attachments of CSI volumes that exist.
    fn add_attachments(&mut self, attachments: &[&VolumeAttachment]) {
        let latest: std::collections::BTreeMap<&str, &VolumeAttachment> = attachments
            .iter()
            .map(|attachment| (attachment.metadata.name.as_str(), *attachment))
            .collect();
        for attachment in latest.into_values() {
            let spec = &attachment.spec;
            let volume = spec
                .source
                .persistent_volume_name
                .as_ref()
                .and_then(|name| self.volume(name));
            let Some(Source::Csi { handle, .. }) = volume.map(|volume| &volume.source) else {
                continue;
            };
            if spec.attacher.is_empty() {
                continue;
            }
            let attached = Attachable::new(&spec.attacher.as_str().into(), handle);
            let list = self.attached.entry(spec.node_name.clone()).or_default();
            if !list.contains(&attached) {
                list.push(attached);
            }
        }
    }

    /// The claim of this number.
    pub fn claim(&self, number: u32) -> &Claim {
        &self.claims[number as usize]
    }

    /// The volume of this name.
    pub fn volume(&self, name: &str) -> Option<&PersistentVolumeParts> {
        self.volume_numbers
            .get(name)
            .map(|number| &self.volumes[*number as usize])
    }
}

fn by_name<'a, T>(items: impl Iterator<Item = (&'a String, T)>) -> FxHashMap<String, T> {
    items.map(|(name, item)| (name.clone(), item)).collect()
}
