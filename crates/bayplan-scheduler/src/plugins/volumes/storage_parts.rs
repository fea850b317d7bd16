//! What the plugins read of each storage object.

use std::sync::Arc;

use bayplan_model::Quantity;
use bayplan_model::object::{
    CSIDriver, CSINode, CSIStorageCapacity, ClaimRef, Labels, PersistentVolume, PersistentVolumeClaim,
    StorageClass,
};
use bayplan_model::selector::{NodeTerm, Operator, ParsedTerm, Requirement, Selector, parse_node_selector};
use rustc_hash::{FxHashMap, FxHashSet};

use super::VolumeNodes;
use super::migration::{Migrated, migrate};
use super::zone::{ZoneLabel, zone_labels};

/// Takes precedence over the class in the specification (`k8s.io/api/core/v1/types.go:BetaStorageClassAnnotation`).
const CLASS_ANNOTATION: &str = "volume.beta.kubernetes.io/storage-class";
/// Set once a claim has been bound completely (`component-helpers/storage/volume/pv_helpers.go:AnnBindCompleted`).
const BIND_COMPLETED_ANNOTATION: &str = "pv.kubernetes.io/bind-completed";
/// Node for which a volume is being made (`component-helpers/storage/volume/pv_helpers.go:AnnSelectedNode`).
const SELECTED_NODE_ANNOTATION: &str = "volume.kubernetes.io/selected-node";
/// In-tree plugins that use CSI on a node (`k8s.io/api/core/v1/annotation_key_constants.go`).
const MIGRATED_PLUGINS_ANNOTATION: &str = "storage.alpha.kubernetes.io/migrated-plugins";

/// A claim.
#[derive(Debug)]
pub(super) struct Claim {
    pub namespace: String,
    pub name: String,
    pub uid: String,
    /// Class by annotation or specification; empty for none.
    pub class: String,
    /// Class that scores are grouped by.
    pub score_class: String,
    /// Volume it is bound to, or empty.
    pub volume_name: String,
    /// Bound by both sides.
    pub fully_bound: bool,
    pub selected_node: Option<Arc<str>>,
    /// Its volume is gone.
    pub lost: bool,
    pub deleting: bool,
    /// Uid of the managing owner.
    pub controller_uid: Option<String>,
    pub access_modes: Vec<String>,
    /// Only one pod at a time may use it.
    pub read_write_once_pod: bool,
    /// `spec.resources.requests.storage`.
    pub requested: Option<Quantity>,
    pub volume_mode: String,
    pub attributes_class: String,
    /// Volumes by label; none means any.
    pub selector: Option<Result<Selector, String>>,
}

impl Claim {
    pub fn new(claim: &PersistentVolumeClaim) -> Claim {
        let metadata = &claim.metadata;
        let spec = &claim.spec;
        let annotation = |key: &str| metadata.annotations.get(key);
        let class = annotation(CLASS_ANNOTATION)
            .or(spec.storage_class_name.as_ref())
            .cloned()
            .unwrap_or_default();
        Claim {
            namespace: metadata.namespace.clone(),
            name: metadata.name.clone(),
            uid: metadata.uid.clone(),
            score_class: spec.storage_class_name.clone().unwrap_or_else(|| class.clone()),
            class,
            volume_name: spec.volume_name.clone(),
            fully_bound: !spec.volume_name.is_empty() && annotation(BIND_COMPLETED_ANNOTATION).is_some(),
            selected_node: annotation(SELECTED_NODE_ANNOTATION).map(|node| node.as_str().into()),
            lost: claim.status.phase == "Lost",
            deleting: metadata.deletion_timestamp.is_some(),
            controller_uid: metadata.controller().map(|owner| owner.uid.clone()),
            access_modes: spec.access_modes.clone(),
            read_write_once_pod: spec.access_modes.iter().any(|mode| mode == "ReadWriteOncePod"),
            requested: spec.resources.requests.get("storage").copied(),
            volume_mode: volume_mode(spec.volume_mode.as_ref()),
            attributes_class: spec.volume_attributes_class_name.clone().unwrap_or_default(),
            selector: spec.selector.as_ref().map(|selector| {
                Selector::from_label_selector(Some(selector)).map_err(|error| error.to_string())
            }),
        }
    }

    /// Requested size; none counts as 0.
    pub fn requested_size(&self) -> Quantity {
        self.requested.unwrap_or(Quantity::ZERO)
    }
}

fn volume_mode(mode: Option<&String>) -> String {
    mode.map_or("Filesystem", String::as_str).to_owned()
}

/// Where a persistent volume comes from.
#[derive(Debug)]
pub(super) enum Source {
    /// CSI.
    Csi { driver: Arc<str>, handle: String },
    /// An in-tree plugin that a CSI driver has superseded.
    InTree(Migrated),
    /// Anything else.
    Other,
}

/// A persistent volume.
#[derive(Debug)]
pub(super) struct PersistentVolumeParts {
    /// Class by annotation or specification; empty for none.
    pub class: String,
    /// Class that scores are grouped by.
    pub score_class: String,
    pub capacity: Quantity,
    pub claim_ref: Option<ClaimRef>,
    pub affinity: VolumeAffinity,
    pub volume_mode: String,
    pub attributes_class: String,
    pub deleting: bool,
    /// In phase `Available`.
    pub available: bool,
    pub labels: Labels,
    pub access_modes: Vec<String>,
    pub source: Source,
    pub zones: Vec<ZoneLabel>,
}

impl PersistentVolumeParts {
    pub fn new(volume: &PersistentVolume) -> PersistentVolumeParts {
        let metadata = &volume.metadata;
        let spec = &volume.spec;
        let source = match (migrate(volume), &spec.csi) {
            (_, Some(csi)) => Source::Csi {
                driver: csi.driver.as_str().into(),
                handle: csi.volume_handle.clone(),
            },
            (Some(migrated), None) => Source::InTree(migrated),
            (None, None) => Source::Other,
        };
        PersistentVolumeParts {
            class: metadata
                .annotations
                .get(CLASS_ANNOTATION)
                .unwrap_or(&spec.storage_class_name)
                .clone(),
            score_class: spec.storage_class_name.clone(),
            capacity: spec.capacity.get("storage").copied().unwrap_or(Quantity::ZERO),
            claim_ref: spec.claim_ref.clone(),
            affinity: VolumeAffinity::new(spec.node_affinity.as_ref()),
            volume_mode: volume_mode(spec.volume_mode.as_ref()),
            attributes_class: spec.volume_attributes_class_name.clone().unwrap_or_default(),
            deleting: metadata.deletion_timestamp.is_some(),
            available: volume.status.phase == "Available",
            labels: metadata.labels.clone(),
            access_modes: spec.access_modes.clone(),
            source,
            zones: zone_labels(&metadata.labels),
        }
    }
}

/// Nodes that can reach a volume (`component-helpers/storage/volume/helpers.go:CheckNodeAffinity`).
#[derive(Debug, PartialEq, Eq)]
pub(super) struct VolumeAffinity(Option<Vec<ParsedTerm>>);

impl VolumeAffinity {
    pub fn new(affinity: Option<&bayplan_model::object::VolumeNodeAffinity>) -> VolumeAffinity {
        VolumeAffinity(
            affinity
                .and_then(|affinity| affinity.required.as_ref())
                .map(parse_node_selector),
        )
    }

    /// True when the volume can be used on the node. Only labels count: the node's name is not known here.
    pub fn matches(&self, nodes: &impl VolumeNodes, node: u32) -> bool {
        self.0.as_ref().is_none_or(|terms| {
            terms
                .iter()
                .flatten()
                .any(|term| term.matches("", |key| nodes.label(node, key)))
        })
    }

    /// The single label and values that decide, if that is all there is to it.
    pub fn single_label(&self) -> Option<(&str, &[String])> {
        match self.0.as_deref() {
            Some([Ok(NodeTerm { labels, .. })]) => match labels.as_slice() {
                [
                    Requirement {
                        key,
                        operator: Operator::In,
                        values,
                    },
                ] => Some((key, values)),
                _ => None,
            },
            _ => None,
        }
    }
}

/// A storage class.
#[derive(Debug)]
pub(super) struct Class {
    pub provisioner: Arc<str>,
    /// `WaitForFirstConsumer`; a class without a mode has the API server's default, `Immediate`.
    pub delays_binding: bool,
    /// Alternatives of topologies; none means anywhere.
    allowed_topologies: Option<Vec<Vec<Requirement>>>,
}

impl Class {
    pub fn new(class: &StorageClass) -> Class {
        let term = |term: &bayplan_model::object::TopologySelectorTerm| {
            let requirements: Option<Vec<Requirement>> = term
                .match_label_expressions
                .iter()
                .map(|wanted| Requirement::new(&wanted.key, Operator::In, wanted.values.clone()).ok())
                .collect();
            // A term without requirements, or with a faulty one, matches nothing.
            requirements.filter(|requirements| !requirements.is_empty())
        };
        Class {
            provisioner: class.provisioner.as_str().into(),
            delays_binding: class.volume_binding_mode.as_deref() == Some("WaitForFirstConsumer"),
            allowed_topologies: (!class.allowed_topologies.is_empty())
                .then(|| class.allowed_topologies.iter().filter_map(term).collect()),
        }
    }

    /// `MatchTopologySelectorTerms` (`pkg/apis/core/v1/helper/helpers.go`).
    pub fn allows(&self, nodes: &impl VolumeNodes, node: u32) -> bool {
        self.allowed_topologies.as_ref().is_none_or(|terms| {
            terms.iter().any(|term| {
                term.iter()
                    .all(|wanted| wanted.matches(nodes.label(node, &wanted.key)))
            })
        })
    }
}

/// What CSI can do on a node.
#[derive(Debug)]
pub(super) struct CsiNode {
    pub drivers: FxHashSet<String>,
    /// Largest number of volumes by driver; a driver without a number has no limit.
    pub limits: FxHashMap<String, i64>,
    migrated_plugins: FxHashSet<String>,
}

impl CsiNode {
    pub fn new(node: &CSINode) -> CsiNode {
        let limit = |driver: &bayplan_model::object::CSINodeDriver| {
            let count = driver.allocatable.as_ref()?.count?;
            Some((driver.name.clone(), i64::from(count)))
        };
        let plugins = node
            .metadata
            .annotations
            .get(MIGRATED_PLUGINS_ANNOTATION)
            .map_or("", String::as_str);
        CsiNode {
            drivers: node
                .spec
                .drivers
                .iter()
                .map(|driver| driver.name.clone())
                .collect(),
            limits: node.spec.drivers.iter().filter_map(limit).collect(),
            migrated_plugins: plugins.split(',').map(str::to_owned).collect(),
        }
    }

    /// True when the in-tree plugin's volumes are handled by CSI here.
    pub fn migrates(&self, plugin: &str) -> bool {
        self.migrated_plugins.contains(plugin)
    }
}

/// A CSI driver.
#[derive(Debug)]
pub(super) struct Driver {
    /// Free capacity counts.
    pub tracks_capacity: bool,
    /// Pods keep away from nodes without the driver.
    pub must_be_installed: bool,
}

impl Driver {
    pub fn new(driver: &CSIDriver) -> Driver {
        Driver {
            tracks_capacity: driver.spec.storage_capacity.unwrap_or(false),
            must_be_installed: driver.spec.prevent_pod_scheduling_if_missing.unwrap_or(false),
        }
    }
}

/// Free storage of a class for some nodes.
#[derive(Debug)]
pub(super) struct Capacity {
    /// Largest volume, in bytes; none means none can be made.
    pub limit_bytes: Option<i64>,
    /// Free, in bytes. The real scheduler crashes on a score when only the largest volume is published; here 0.
    pub free_bytes: i64,
    /// Nodes with access; none means none.
    topology: Option<Selector>,
}

impl Capacity {
    pub fn new(capacity: &CSIStorageCapacity) -> Capacity {
        let topology = capacity.node_topology.as_ref();
        Capacity {
            limit_bytes: capacity
                .maximum_volume_size
                .or(capacity.capacity)
                .map(Quantity::value),
            free_bytes: capacity.capacity.map_or(0, Quantity::value),
            topology: topology.and_then(|topology| Selector::from_label_selector(Some(topology)).ok()),
        }
    }

    /// True when the node can use it.
    pub fn reaches(&self, nodes: &impl VolumeNodes, node: u32) -> bool {
        match &self.topology {
            Some(Selector::All(requirements)) => requirements
                .iter()
                .all(|wanted| wanted.matches(nodes.label(node, &wanted.key))),
            Some(Selector::Nothing) | None => false,
        }
    }
}
