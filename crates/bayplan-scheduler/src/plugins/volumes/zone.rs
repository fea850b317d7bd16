//! VolumeZone: zone and region labels of bound volumes against those of nodes
//! (`pkg/scheduler/framework/plugins/volumezone/volume_zone.go`, v1.37.2).

use bayplan_model::object::Labels;

use super::migration::ZONE_DELIMITER;
use super::pod::{PodVolumes, Use};
use super::storage::Storage;
use super::{Rejection, VolumeNodes};

/// Labels that count, with the label of a node that stands in where the node lacks the first.
const TOPOLOGY_LABELS: [(&str, &str); 4] = [
    (
        "failure-domain.beta.kubernetes.io/zone",
        "topology.kubernetes.io/zone",
    ),
    (
        "failure-domain.beta.kubernetes.io/region",
        "topology.kubernetes.io/region",
    ),
    ("topology.kubernetes.io/zone", "topology.kubernetes.io/zone"),
    ("topology.kubernetes.io/region", "topology.kubernetes.io/region"),
];

/// A label of a volume and the values it allows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ZoneLabel {
    /// Index into the labels that count.
    label: usize,
    values: Vec<String>,
}

/// The labels of a volume that bind it to zones; a value with an empty part is ignored.
pub(super) fn zone_labels(labels: &Labels) -> Vec<ZoneLabel> {
    let allowed = |value: &String| {
        let values: Vec<String> = value
            .split(ZONE_DELIMITER)
            .map(|zone| zone.trim().to_owned())
            .collect();
        values.iter().all(|zone| !zone.is_empty()).then_some(values)
    };
    (0..TOPOLOGY_LABELS.len())
        .filter_map(|label| {
            let values = labels.get(TOPOLOGY_LABELS[label].0).and_then(allowed)?;
            Some(ZoneLabel { label, values })
        })
        .collect()
}

/// The zones a pod's bound volumes allow; none of them means Skip.
pub(super) fn prefilter(storage: &Storage, pod: &PodVolumes) -> Result<Vec<ZoneLabel>, Rejection> {
    let mut zones = Vec::new();
    for used in &pod.uses {
        let Use::Claim(used) = used else { continue };
        if used.ephemeral {
            continue;
        }
        if used.name.is_empty() {
            return Err(Rejection::unresolvable("PersistentVolumeClaim had no name"));
        }
        let Some(claim) = used.claim.map(|number| storage.claim(number)) else {
            return Err(Rejection::unresolvable(used.not_found()));
        };
        if !claim.volume_name.is_empty() {
            let Some(volume) = storage.volume(&claim.volume_name) else {
                let text = format!("persistentvolume {:?} not found", claim.volume_name);
                return Err(Rejection::unresolvable(text));
            };
            zones.extend_from_slice(&volume.zones);
            continue;
        }
        if claim.class.is_empty() {
            let text = "PersistentVolumeClaim had no pv name and storageClass name";
            return Err(Rejection::unresolvable(text));
        }
        let Some(class) = storage.classes.get(&claim.class) else {
            let text = format!("storageclass.storage.k8s.io {:?} not found", claim.class);
            return Err(Rejection::unresolvable(text));
        };
        if !class.delays_binding {
            return Err(Rejection::unresolvable("PersistentVolume had no name"));
        }
    }
    Ok(zones)
}

/// Compares the zones with the node's; a node without any zone or region label passes.
pub(super) fn filter(zones: &[ZoneLabel], nodes: &impl VolumeNodes, node: u32) -> Option<Rejection> {
    if TOPOLOGY_LABELS
        .iter()
        .all(|(key, _)| nodes.label(node, key).is_none())
    {
        return None;
    }
    let allowed = |zone: &ZoneLabel| {
        let (key, stand_in) = TOPOLOGY_LABELS[zone.label];
        let value = nodes.label(node, key).or_else(|| nodes.label(node, stand_in));
        value.is_some_and(|value| zone.values.iter().any(|allowed| allowed == value))
    };
    (!zones.iter().all(allowed)).then(|| Rejection::unresolvable("node(s) had no available volume zone"))
}
