//! In-tree volumes as the CSI drivers that superseded them see them (`k8s.io/csi-translation-lib`, v0.37.2).
//!
//! Only what can be observed is kept: driver, handle and node affinity. Azure File and vSphere are left out because
//! the scheduler does not treat them as migrated.

use std::collections::BTreeSet;
use std::sync::Arc;

use bayplan_model::object::{
    AwsElasticBlockStore, AzureDisk, Labels, NodeSelectorRequirement, NodeSelectorTerm, PersistentVolume,
    Volume, VolumeNodeAffinity,
};

use super::storage_parts::VolumeAffinity;

const BETA_ZONE: &str = "failure-domain.beta.kubernetes.io/zone";
const BETA_REGION: &str = "failure-domain.beta.kubernetes.io/region";
const ZONE: &str = "topology.kubernetes.io/zone";
const REGION: &str = "topology.kubernetes.io/region";
/// Separates the zones in a volume's label.
pub(super) const ZONE_DELIMITER: &str = "__";

/// An in-tree plugin and its CSI driver.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct InTreePlugin {
    pub name: &'static str,
    pub driver: &'static str,
    /// Node label of the driver's zones, if the driver's topology is translated.
    zone_key: Option<&'static str>,
}

const AWS: InTreePlugin = InTreePlugin {
    name: "kubernetes.io/aws-ebs",
    driver: "ebs.csi.aws.com",
    zone_key: Some("topology.ebs.csi.aws.com/zone"),
};
const GCE: InTreePlugin = InTreePlugin {
    name: "kubernetes.io/gce-pd",
    driver: "pd.csi.storage.gke.io",
    zone_key: Some("topology.gke.io/zone"),
};
const AZURE: InTreePlugin = InTreePlugin {
    name: "kubernetes.io/azure-disk",
    driver: "disk.csi.azure.com",
    zone_key: None,
};
const CINDER: InTreePlugin = InTreePlugin {
    name: "kubernetes.io/cinder",
    driver: "cinder.csi.openstack.org",
    zone_key: Some("topology.cinder.csi.openstack.org/zone"),
};
const PORTWORX: InTreePlugin = InTreePlugin {
    name: "kubernetes.io/portworx-volume",
    driver: "pxd.portworx.com",
    zone_key: None,
};

/// What becomes of a storage class's provisioner.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Provisioner {
    /// Replaced by the plugin's driver on nodes with a CSINode.
    Migrated(InTreePlugin),
    /// In-tree, and not counted as CSI.
    InTree,
    /// A driver in its own right.
    Own,
}

impl Provisioner {
    pub fn of(name: &str) -> Provisioner {
        match name {
            "kubernetes.io/azure-file" | "kubernetes.io/vsphere-volume" => Provisioner::InTree,
            _ => [AWS, GCE, AZURE, CINDER, PORTWORX]
                .into_iter()
                .find(|plugin| plugin.name == name)
                .map_or(Provisioner::Own, Provisioner::Migrated),
        }
    }
}

/// The handle in the CSI driver, or why there is none.
pub(super) type Handle = Result<String, String>;

/// A translated persistent volume.
#[derive(Debug)]
pub(super) struct Migrated {
    pub plugin: InTreePlugin,
    pub driver: Arc<str>,
    /// Handle and affinity, or why the volume cannot be translated.
    pub translated: Result<(String, VolumeAffinity), String>,
}

/// Translates an in-tree persistent volume; none when it is not one.
pub(super) fn migrate(volume: &PersistentVolume) -> Option<Migrated> {
    let spec = &volume.spec;
    let labels = &volume.metadata.labels;
    let (plugin, handle) = if let Some(source) = &spec.aws_elastic_block_store {
        (AWS, aws_handle(source))
    } else if let Some(source) = &spec.gce_persistent_disk {
        (GCE, gce_handle(&source.pd_name, labels))
    } else if let Some(source) = &spec.azure_disk {
        (AZURE, azure_handle(source))
    } else if let Some(source) = &spec.cinder {
        (CINDER, Ok(source.volume_id.clone()))
    } else if let Some(source) = &spec.portworx_volume {
        (PORTWORX, Ok(source.volume_id.clone()))
    } else {
        return None;
    };
    let affinity = match plugin.zone_key {
        Some(key) => translate_topology(spec.node_affinity.clone(), labels, key),
        None => spec.node_affinity.clone(),
    };
    Some(Migrated {
        plugin,
        driver: plugin.driver.into(),
        translated: handle.map(|handle| (handle, VolumeAffinity::new(affinity.as_ref()))),
    })
}

/// Translates a pod's inline volume; none when no migrated plugin handles it.
pub(super) fn migrate_inline(volume: &Volume) -> Option<(InTreePlugin, Handle)> {
    if let Some(source) = &volume.aws_elastic_block_store {
        Some((AWS, aws_handle(source)))
    } else if let Some(source) = &volume.gce_persistent_disk {
        Some((GCE, gce_handle(&source.pd_name, &Labels::new())))
    } else if let Some(source) = &volume.azure_disk {
        Some((AZURE, azure_handle(source)))
    } else if let Some(source) = &volume.cinder {
        Some((CINDER, Ok(source.volume_id.clone())))
    } else {
        volume
            .portworx_volume
            .as_ref()
            .map(|source| (PORTWORX, Ok(source.volume_id.clone())))
    }
}

/// `KubernetesVolumeIDToEBSVolumeID` (`plugins/aws_ebs.go`).
fn aws_handle(source: &AwsElasticBlockStore) -> Handle {
    let id = source.volume_id.as_str();
    let Some(rest) = id.strip_prefix("aws://") else {
        return Ok(id.to_owned());
    };
    let fail = |text: String| {
        Err(format!(
            "failed to translate Kubernetes ID to EBS Volume ID {text}"
        ))
    };
    let end = rest.find(['#', '?']).unwrap_or(rest.len());
    let path = rest[..end].find('/').map_or("", |start| &rest[start..end]);
    let path = match percent_decoded(path) {
        Ok(path) => path,
        Err(escape) => {
            return fail(format!(
                "Invalid disk name ({id}): parse {id:?}: invalid URL escape {escape:?}"
            ));
        }
    };
    let volume = path.trim_matches('/');
    if volume.starts_with("vol-") && !volume.contains('/') {
        Ok(volume.to_owned())
    } else {
        fail(format!("Invalid format for AWS volume ({id})"))
    }
}

/// Decodes `%xx`; the error is the faulty escape.
fn percent_decoded(text: &str) -> Result<String, String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('%') {
        bytes.extend_from_slice(&rest.as_bytes()[..at]);
        let digits = rest
            .get(at + 1..at + 3)
            .filter(|digits| digits.bytes().all(|b| b.is_ascii_hexdigit()));
        let Some(byte) = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) else {
            return Err(rest[at..].chars().take(3).collect());
        };
        bytes.push(byte);
        rest = &rest[at + 3..];
    }
    bytes.extend_from_slice(rest.as_bytes());
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// As `plugins/gce_pd.go`: zones come from the labels of the volume.
fn gce_handle(disk: &str, labels: &Labels) -> Handle {
    let label = |key: &str| labels.get(key).map_or("", String::as_str);
    let zones = if label(BETA_ZONE).is_empty() {
        label(ZONE)
    } else {
        label(BETA_ZONE)
    };
    if zones.is_empty() {
        return Ok(format!("projects/UNSPECIFIED/zones/UNSPECIFIED/disks/{disk}"));
    }
    if !zones.contains(ZONE_DELIMITER) {
        return Ok(format!("projects/UNSPECIFIED/zones/{zones}/disks/{disk}"));
    }
    let region = gce_region(zones).map_err(|error| format!("failed to get region from zones: {error}"))?;
    Ok(format!("projects/UNSPECIFIED/regions/{region}/disks/{disk}"))
}

fn gce_region(zones: &str) -> Result<String, String> {
    let mut regions = BTreeSet::new();
    for zone in zones.split(ZONE_DELIMITER) {
        let parts: Vec<&str> = zone.split('-').collect();
        let [locale, region, _] = parts.as_slice() else {
            return Err(format!(
                "zone in unexpected format, expected: {{locale}}-{{region}}-{{zone}}, got: {zone}"
            ));
        };
        regions.insert(format!("{locale}-{region}"));
    }
    match regions.pop_first() {
        Some(region) if regions.is_empty() => Ok(region),
        first => {
            let all: Vec<String> = first
                .into_iter()
                .chain(regions)
                .map(|region| format!("{region}:{{}}"))
                .collect();
            Err(format!(
                "multiple or no regions gotten from zones, got: map[{}]",
                all.join(" ")
            ))
        }
    }
}

/// As `plugins/azure_disk.go`; the API server's default for the kind is `Shared`.
fn azure_handle(source: &AzureDisk) -> Handle {
    let kind = source.kind.as_deref().unwrap_or("Shared");
    if kind.eq_ignore_ascii_case("Managed") {
        Ok(source.disk_uri.clone())
    } else {
        Err(format!("kind({kind}) is not supported in csi migration"))
    }
}

/// `translateTopologyFromInTreeToCSI` (`plugins/in_tree_volume.go`).
fn translate_topology(
    mut affinity: Option<VolumeNodeAffinity>,
    labels: &Labels,
    csi_zone: &str,
) -> Option<VolumeNodeAffinity> {
    let beta = if mentions(affinity.as_ref(), ZONE) {
        false
    } else if mentions(affinity.as_ref(), BETA_ZONE) {
        true
    } else {
        !labels.contains_key(ZONE) && labels.contains_key(BETA_ZONE)
    };
    let zone = if beta { BETA_ZONE } else { ZONE };
    if has_values(affinity.as_ref(), zone) {
        rename(affinity.as_mut(), zone, csi_zone);
    } else if let Some(zones) = labels.get(zone) {
        affinity = add_zones(affinity, zones, csi_zone);
    }
    if beta && has_values(affinity.as_ref(), BETA_REGION) {
        rename(affinity.as_mut(), BETA_REGION, REGION);
    }
    affinity
}

fn requirements(affinity: Option<&VolumeNodeAffinity>) -> impl Iterator<Item = &NodeSelectorRequirement> {
    affinity
        .and_then(|affinity| affinity.required.as_ref())
        .into_iter()
        .flat_map(|required| &required.node_selector_terms)
        .flat_map(|term| &term.match_expressions)
}

fn mentions(affinity: Option<&VolumeNodeAffinity>, key: &str) -> bool {
    requirements(affinity).any(|requirement| requirement.key == key)
}

fn has_values(affinity: Option<&VolumeNodeAffinity>, key: &str) -> bool {
    requirements(affinity).any(|requirement| requirement.key == key && !requirement.values.is_empty())
}

fn rename(affinity: Option<&mut VolumeNodeAffinity>, from: &str, to: &str) {
    let terms = affinity
        .and_then(|affinity| affinity.required.as_mut())
        .into_iter()
        .flat_map(|required| &mut required.node_selector_terms);
    for requirement in terms.flat_map(|term| &mut term.match_expressions) {
        if requirement.key == from {
            to.clone_into(&mut requirement.key);
        }
    }
}

/// Requires one of the zones in every term; a label without any zone changes nothing.
fn add_zones(affinity: Option<VolumeNodeAffinity>, zones: &str, key: &str) -> Option<VolumeNodeAffinity> {
    let zones: BTreeSet<&str> = zones
        .split(ZONE_DELIMITER)
        .map(str::trim)
        .filter(|zone| !zone.is_empty())
        .collect();
    if zones.is_empty() {
        return affinity;
    }
    let wanted = NodeSelectorRequirement {
        key: key.to_owned(),
        operator: "In".to_owned(),
        values: zones.into_iter().map(str::to_owned).collect(),
    };
    let mut affinity = affinity.unwrap_or_default();
    let terms = &mut affinity.required.get_or_insert_default().node_selector_terms;
    if terms.is_empty() {
        terms.push(NodeSelectorTerm::default());
    }
    for term in terms {
        term.match_expressions.push(wanted.clone());
    }
    Some(affinity)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn aws(id: &str) -> Handle {
        aws_handle(&AwsElasticBlockStore {
            volume_id: id.to_owned(),
            read_only: false,
        })
    }

    #[test]
    fn aws_ids_are_urls_or_bare() {
        assert_eq!(aws("vol-1"), Ok("vol-1".to_owned()));
        assert_eq!(aws("anything/else"), Ok("anything/else".to_owned()));
        assert_eq!(aws("aws://us-east-1a/vol-1"), Ok("vol-1".to_owned()));
        assert_eq!(aws("aws:///vol%2D2?x=1#y"), Ok("vol-2".to_owned()));
        let start = "failed to translate Kubernetes ID to EBS Volume ID ";
        assert_eq!(
            aws("aws://a/b"),
            Err(format!("{start}Invalid format for AWS volume (aws://a/b)"))
        );
        assert_eq!(
            aws("aws:///vol-%zz"),
            Err(format!(
                "{start}Invalid disk name (aws:///vol-%zz): parse \"aws:///vol-%zz\": invalid URL escape \"%zz\""
            ))
        );
    }

    #[test]
    fn gce_zones_make_a_zonal_or_regional_handle() {
        let labels = |value: &str| Labels::from([(ZONE.to_owned(), value.to_owned())]);
        for (label, expected) in [
            ("", Ok("projects/UNSPECIFIED/zones/UNSPECIFIED/disks/d")),
            ("us-west1-a", Ok("projects/UNSPECIFIED/zones/us-west1-a/disks/d")),
            (
                "us-west1-a__us-west1-b",
                Ok("projects/UNSPECIFIED/regions/us-west1/disks/d"),
            ),
            (
                "us-west1-a__us-east1-b",
                Err(
                    "failed to get region from zones: multiple or no regions gotten from zones, got: map[us-east1:{} us-west1:{}]",
                ),
            ),
            (
                "a__b",
                Err(
                    "failed to get region from zones: zone in unexpected format, expected: {locale}-{region}-{zone}, got: a",
                ),
            ),
        ] {
            assert_eq!(
                gce_handle("d", &labels(label)),
                expected.map(str::to_owned).map_err(str::to_owned),
                "{label}"
            );
        }
    }

    #[test]
    fn beta_labels_become_the_drivers_key() {
        let labels = Labels::from([(BETA_ZONE.to_owned(), "b__ a".to_owned())]);
        let translated = translate_topology(None, &labels, "csi/zone").unwrap();
        let [wanted] = &translated.required.as_ref().unwrap().node_selector_terms[0].match_expressions[..]
        else {
            panic!("one requirement");
        };
        assert_eq!(
            (wanted.key.as_str(), wanted.values.join(",").as_str()),
            ("csi/zone", "a,b")
        );
    }
}
