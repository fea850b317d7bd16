//! Volumes, claims, storage classes and CSI objects.

use crate::object::{LabelSelector, NodeSelector, ObjectMeta, ResourceList, api};
use crate::quantity::Quantity;

api! {
    /// A persistent volume.
    pub struct PersistentVolume {
        /// Metadata.
        pub metadata: ObjectMeta,
        /// Specification.
        pub spec: PersistentVolumeSpec,
        /// Reported state.
        pub status: PhaseStatus,
    }

    /// Specification of a volume.
    pub struct PersistentVolumeSpec {
        /// Size under `storage`.
        pub capacity: ResourceList,
        /// Ways of access.
        pub access_modes: Vec<String>,
        /// Class, empty for none.
        pub storage_class_name: String,
        /// Claim that the volume is bound to or reserved for.
        pub claim_ref: Option<ClaimRef>,
        /// Nodes that can reach it.
        pub node_affinity: Option<VolumeNodeAffinity>,
        /// `Filesystem` (default) or `Block`.
        pub volume_mode: Option<String>,
        /// CSI source.
        pub csi: Option<CsiPersistentVolumeSource>,
        /// Local path.
        pub local: Option<super::Opaque>,
        /// GCE disk (in-tree, migrated).
        pub gce_persistent_disk: Option<super::GcePersistentDisk>,
        /// AWS volume (in-tree, migrated).
        pub aws_elastic_block_store: Option<super::AwsElasticBlockStore>,
        /// Azure managed disk (in-tree, migrated).
        pub azure_disk: Option<super::AzureDisk>,
        /// OpenStack Cinder volume (in-tree, migrated).
        pub cinder: Option<super::Cinder>,
        /// Portworx volume (in-tree, migrated).
        pub portworx_volume: Option<super::PortworxVolume>,
        /// Class that changes volume attributes.
        pub volume_attributes_class_name: Option<String>,
    }

    /// The claim a volume belongs to.
    pub struct ClaimRef {
        /// Namespace.
        pub namespace: String,
        /// Name.
        pub name: String,
        /// Uid; empty while only reserved.
        pub uid: String,
    }

    /// Nodes that can reach a volume.
    pub struct VolumeNodeAffinity {
        /// Required terms.
        pub required: Option<NodeSelector>,
    }

    /// CSI source of a volume.
    pub struct CsiPersistentVolumeSource {
        /// Driver name.
        pub driver: String,
        /// Handle, unique in the driver.
        pub volume_handle: String,
    }

    /// A state with a phase.
    pub struct PhaseStatus {
        /// The phase, for example `Bound`.
        pub phase: String,
    }

    /// A claim on storage.
    pub struct PersistentVolumeClaim {
        /// Metadata.
        pub metadata: ObjectMeta,
        /// Specification.
        pub spec: PersistentVolumeClaimSpec,
        /// Reported state.
        pub status: PhaseStatus,
    }

    /// Specification of a claim.
    pub struct PersistentVolumeClaimSpec {
        /// Ways of access.
        pub access_modes: Vec<String>,
        /// Volumes by label.
        pub selector: Option<LabelSelector>,
        /// Size under `requests.storage`.
        pub resources: super::ResourceRequirements,
        /// Volume it is bound to.
        pub volume_name: String,
        /// Class; absent means the default class, empty means none.
        pub storage_class_name: Option<String>,
        /// `Filesystem` (default) or `Block`.
        pub volume_mode: Option<String>,
        /// Class that changes volume attributes.
        pub volume_attributes_class_name: Option<String>,
    }

    /// A class of storage.
    pub struct StorageClass {
        /// Metadata.
        pub metadata: ObjectMeta,
        /// Who makes the volumes.
        pub provisioner: String,
        /// `Immediate` (default) or `WaitForFirstConsumer`.
        pub volume_binding_mode: Option<String>,
        /// Topologies in which volumes may be made.
        pub allowed_topologies: Vec<TopologySelectorTerm>,
    }

    /// A conjunction of label requirements.
    pub struct TopologySelectorTerm {
        /// Requirements.
        pub match_label_expressions: Vec<TopologySelectorLabelRequirement>,
    }

    /// A label that must have one of some values.
    pub struct TopologySelectorLabelRequirement {
        /// Key.
        pub key: String,
        /// Values.
        pub values: Vec<String>,
    }

    /// CSI drivers on a node, named like the node.
    pub struct CSINode {
        /// Metadata.
        pub metadata: ObjectMeta,
        /// Specification.
        pub spec: CSINodeSpec,
    }

    /// Specification of a CSI node.
    pub struct CSINodeSpec {
        /// Drivers.
        pub drivers: Vec<CSINodeDriver>,
    }

    /// A driver on a node.
    pub struct CSINodeDriver {
        /// Driver name.
        pub name: String,
        /// Name of the node for the driver.
        #[serde(rename = "nodeID")]
        pub node_id: String,
        /// Node labels that the driver's topology uses.
        pub topology_keys: Vec<String>,
        /// Limits.
        pub allocatable: Option<VolumeNodeResources>,
    }

    /// Limits of a driver on a node.
    pub struct VolumeNodeResources {
        /// Largest number of volumes.
        pub count: Option<i32>,
    }

    /// A CSI driver.
    pub struct CSIDriver {
        /// Metadata.
        pub metadata: ObjectMeta,
        /// Specification.
        pub spec: CSIDriverSpec,
    }

    /// Specification of a CSI driver.
    pub struct CSIDriverSpec {
        /// The scheduler looks at published capacity.
        pub storage_capacity: Option<bool>,
        /// Keep pods away from nodes without the driver.
        pub prevent_pod_scheduling_if_missing: Option<bool>,
    }

    /// Free storage of a class in a topology.
    pub struct CSIStorageCapacity {
        /// Metadata.
        pub metadata: ObjectMeta,
        /// Nodes that have it; absent means none.
        pub node_topology: Option<LabelSelector>,
        /// Class.
        pub storage_class_name: String,
        /// Free amount.
        pub capacity: Option<Quantity>,
        /// Largest single volume.
        pub maximum_volume_size: Option<Quantity>,
    }

    /// A volume attached, or to be attached, to a node.
    pub struct VolumeAttachment {
        /// Metadata.
        pub metadata: ObjectMeta,
        /// Specification.
        pub spec: VolumeAttachmentSpec,
    }

    /// Specification of an attachment.
    pub struct VolumeAttachmentSpec {
        /// CSI driver that attaches.
        pub attacher: String,
        /// Node.
        pub node_name: String,
        /// Volume.
        pub source: VolumeAttachmentSource,
    }

    /// What is attached.
    pub struct VolumeAttachmentSource {
        /// Name of the persistent volume; absent for an inline volume.
        pub persistent_volume_name: Option<String>,
    }
}
