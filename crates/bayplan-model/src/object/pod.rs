//! Pod and everything inside its specification that scheduling reads.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::object::{LabelSelector, Labels, ObjectMeta, ResourceList, api};

api! {
    /// A pod, pending or bound.
    pub struct Pod {
        /// Metadata.
        pub metadata: ObjectMeta,
        /// Desired state.
        pub spec: PodSpec,
        /// Reported state.
        pub status: PodStatus,
    }

    /// A pod without identity, inside a workload.
    pub struct PodTemplateSpec {
        /// Labels and annotations of the pods to be made.
        pub metadata: ObjectMeta,
        /// Specification of the pods to be made.
        pub spec: PodSpec,
    }

    /// Desired state of a pod.
    pub struct PodSpec {
        /// Node that the pod is bound to; empty while pending.
        pub node_name: String,
        /// Profile that schedules the pod; empty means `default-scheduler`.
        pub scheduler_name: String,
        /// Required node labels.
        pub node_selector: Option<Labels>,
        /// Node and inter-pod affinity.
        pub affinity: Option<Affinity>,
        /// Tolerated taints.
        pub tolerations: Vec<Toleration>,
        /// Even spreading over domains.
        pub topology_spread_constraints: Vec<TopologySpreadConstraint>,
        /// Run one after the other before the containers; restartable ones are sidecars.
        pub init_containers: Vec<Container>,
        /// Containers.
        pub containers: Vec<Container>,
        /// Resources of the pod as a whole (cpu, memory and huge pages only).
        pub resources: Option<ResourceRequirements>,
        /// What the runtime adds, from the RuntimeClass.
        pub overhead: ResourceList,
        /// Volumes.
        pub volumes: Vec<Volume>,
        /// Names the RuntimeClass.
        pub runtime_class_name: Option<String>,
        /// Names the PriorityClass.
        pub priority_class_name: String,
        /// Priority as a number, filled in by admission.
        pub priority: Option<i32>,
        /// `PreemptLowerPriority` (default) or `Never`.
        pub preemption_policy: Option<String>,
        /// While any is left, the pod is not scheduled.
        pub scheduling_gates: Vec<PodSchedulingGate>,
        /// Uses the node's network.
        pub host_network: bool,
        /// Uses the node's user namespace; `false` asks for one of its own.
        pub host_users: Option<bool>,
        /// Dynamic resource allocation claims.
        pub resource_claims: Vec<PodResourceClaim>,
        /// `Always`, `OnFailure` or `Never`.
        pub restart_policy: String,
        /// Seconds between the stop signal and the kill; default 30.
        pub termination_grace_period_seconds: Option<i64>,
        /// Membership in a pod group (off by default in 1.37).
        pub scheduling_group: Option<SchedulingGroup>,
    }

    /// Names the pod group of a pod.
    pub struct SchedulingGroup {
        /// Name of the group.
        pub pod_group_name: String,
    }

    /// A container, an init container or a sidecar.
    pub struct Container {
        /// Name.
        pub name: String,
        /// Image reference.
        pub image: String,
        /// Requests and limits.
        pub resources: ResourceRequirements,
        /// Ports.
        pub ports: Vec<ContainerPort>,
        /// `Always` on an init container makes it a sidecar.
        pub restart_policy: Option<String>,
        /// Rules that restart containers on certain exit codes.
        pub restart_policy_rules: Vec<ContainerRestartRule>,
        /// Volume mounts, read for required node features.
        pub volume_mounts: Vec<VolumeMount>,
        /// How readiness is probed.
        pub readiness_probe: Option<Probe>,
        /// How start-up is probed.
        pub startup_probe: Option<Probe>,
    }

    /// A rule that restarts containers.
    pub struct ContainerRestartRule {
        /// What happens, for example `Restart` or `RestartAllContainers`.
        pub action: String,
    }

    /// Where a volume is mounted.
    pub struct VolumeMount {
        /// Name of the volume.
        pub name: String,
        /// Options passed to the bind mount.
        pub bind_mount_options: Vec<String>,
    }

    /// Timing of a probe, in seconds.
    pub struct Probe {
        /// Delay before the first probe.
        pub initial_delay_seconds: i32,
        /// Time between probes; default 10.
        pub period_seconds: i32,
        /// Successes needed; default 1.
        pub success_threshold: i32,
        /// Failures needed; default 3.
        pub failure_threshold: i32,
    }

    /// Requests and limits.
    pub struct ResourceRequirements {
        /// What the scheduler reserves.
        pub requests: ResourceList,
        /// What the container may use at most.
        pub limits: ResourceList,
        /// Claims of dynamic resource allocation.
        pub claims: Vec<ContainerResourceClaim>,
    }

    /// A container's use of a pod's claim.
    pub struct ContainerResourceClaim {
        /// Name of the claim in the pod.
        pub name: String,
        /// Request inside the claim.
        pub request: String,
    }

    /// A port of a container.
    pub struct ContainerPort {
        /// Name.
        pub name: String,
        /// Port inside the container.
        pub container_port: i32,
        /// Port on the node; 0 means none.
        pub host_port: i32,
        /// `TCP` (default), `UDP` or `SCTP`.
        pub protocol: String,
        /// Address on the node; empty means all.
        #[serde(rename = "hostIP")]
        pub host_ip: String,
    }

    /// A scheduling gate.
    pub struct PodSchedulingGate {
        /// Name.
        pub name: String,
    }

    /// A claim of dynamic resource allocation.
    pub struct PodResourceClaim {
        /// Name inside the pod.
        pub name: String,
        /// Existing claim.
        pub resource_claim_name: Option<String>,
        /// Template from which a claim is made.
        pub resource_claim_template_name: Option<String>,
    }

    /// Tolerates matching taints.
    pub struct Toleration {
        /// Taint key; empty with `Exists` matches all.
        pub key: String,
        /// `Equal` (default) or `Exists`.
        pub operator: String,
        /// Taint value.
        pub value: String,
        /// Taint effect; empty matches all.
        pub effect: String,
        /// How long a `NoExecute` taint is tolerated, in seconds.
        pub toleration_seconds: Option<i64>,
    }

    /// Affinity of a pod.
    pub struct Affinity {
        /// To nodes.
        pub node_affinity: Option<NodeAffinity>,
        /// To other pods.
        pub pod_affinity: Option<PodAffinity>,
        /// Away from other pods.
        pub pod_anti_affinity: Option<PodAffinity>,
    }

    /// Affinity to nodes.
    pub struct NodeAffinity {
        /// Must hold when the pod is scheduled.
        pub required_during_scheduling_ignored_during_execution: Option<NodeSelector>,
        /// Adds to the score where it holds.
        pub preferred_during_scheduling_ignored_during_execution: Vec<PreferredSchedulingTerm>,
    }

    /// Alternatives of node selector terms.
    pub struct NodeSelector {
        /// At least one must match.
        pub node_selector_terms: Vec<NodeSelectorTerm>,
    }

    /// A conjunction of requirements.
    pub struct NodeSelectorTerm {
        /// On labels.
        pub match_expressions: Vec<NodeSelectorRequirement>,
        /// On fields (`metadata.name` only).
        pub match_fields: Vec<NodeSelectorRequirement>,
    }

    /// One requirement on a node.
    pub struct NodeSelectorRequirement {
        /// Label key or field name.
        pub key: String,
        /// `In`, `NotIn`, `Exists`, `DoesNotExist`, `Gt` or `Lt`.
        pub operator: String,
        /// Values.
        pub values: Vec<String>,
    }

    /// A weighted node selector term.
    pub struct PreferredSchedulingTerm {
        /// 1-100.
        pub weight: i32,
        /// The term.
        pub preference: NodeSelectorTerm,
    }

    /// Affinity or anti-affinity to pods.
    pub struct PodAffinity {
        /// Must hold when the pod is scheduled.
        pub required_during_scheduling_ignored_during_execution: Vec<PodAffinityTerm>,
        /// Adds to (or takes from) the score where it holds.
        pub preferred_during_scheduling_ignored_during_execution: Vec<WeightedPodAffinityTerm>,
    }

    /// A set of pods and the domain they are looked for in.
    pub struct PodAffinityTerm {
        /// Pods by label; none matches nothing.
        pub label_selector: Option<LabelSelector>,
        /// Namespaces by name.
        pub namespaces: Vec<String>,
        /// Node label whose value is the domain.
        pub topology_key: String,
        /// Namespaces by label; an empty selector means all.
        pub namespace_selector: Option<LabelSelector>,
        /// Keys whose value on the pod is required of the others too.
        pub match_label_keys: Vec<String>,
        /// Keys whose value on the pod the others must not have.
        pub mismatch_label_keys: Vec<String>,
    }

    /// A weighted term.
    pub struct WeightedPodAffinityTerm {
        /// 1-100.
        pub weight: i32,
        /// The term.
        pub pod_affinity_term: PodAffinityTerm,
    }

    /// Even spreading over the values of a node label.
    pub struct TopologySpreadConstraint {
        /// Largest allowed difference between a domain and the emptiest one.
        pub max_skew: i32,
        /// Node label whose value is the domain.
        pub topology_key: String,
        /// `DoNotSchedule` or `ScheduleAnyway`.
        pub when_unsatisfiable: String,
        /// Pods that are counted.
        pub label_selector: Option<LabelSelector>,
        /// With fewer eligible domains the smallest count is taken as 0.
        pub min_domains: Option<i32>,
        /// `Honor` (default) or `Ignore`.
        pub node_affinity_policy: Option<String>,
        /// `Honor` or `Ignore` (default).
        pub node_taints_policy: Option<String>,
        /// Keys whose value on the pod is required of the counted pods too.
        pub match_label_keys: Vec<String>,
    }

    /// A volume; exactly one source is set.
    pub struct Volume {
        /// Name inside the pod.
        pub name: String,
        /// A claim.
        pub persistent_volume_claim: Option<PersistentVolumeClaimVolumeSource>,
        /// A claim made with the pod, named `<pod>-<volume>`.
        pub ephemeral: Option<EphemeralVolumeSource>,
        /// GCE persistent disk.
        pub gce_persistent_disk: Option<GcePersistentDisk>,
        /// AWS elastic block store.
        pub aws_elastic_block_store: Option<AwsElasticBlockStore>,
        /// iSCSI.
        pub iscsi: Option<Iscsi>,
        /// Ceph RBD.
        pub rbd: Option<Rbd>,
        /// Azure managed disk (in-tree, migrated).
        pub azure_disk: Option<AzureDisk>,
        /// OpenStack Cinder volume (in-tree, migrated).
        pub cinder: Option<Cinder>,
        /// Portworx volume (in-tree, migrated).
        pub portworx_volume: Option<PortworxVolume>,
        /// An inline CSI volume.
        pub csi: Option<CsiVolumeSource>,
        /// An image used as a volume.
        pub image: Option<ImageVolumeSource>,
        /// Local scratch space, read by drain.
        pub empty_dir: Option<Opaque>,
    }

    /// Use of a claim.
    pub struct PersistentVolumeClaimVolumeSource {
        /// Name of the claim in the pod's namespace.
        pub claim_name: String,
        /// Read only.
        pub read_only: bool,
    }

    /// A claim that lives as long as the pod.
    pub struct EphemeralVolumeSource {
        /// What is claimed.
        pub volume_claim_template: Option<PersistentVolumeClaimTemplate>,
    }

    /// Template of an ephemeral claim.
    pub struct PersistentVolumeClaimTemplate {
        /// Metadata.
        pub metadata: ObjectMeta,
        /// Specification.
        pub spec: crate::object::PersistentVolumeClaimSpec,
    }

    /// GCE persistent disk.
    pub struct GcePersistentDisk {
        /// Disk name.
        pub pd_name: String,
        /// Read only.
        pub read_only: bool,
    }

    /// AWS elastic block store volume.
    pub struct AwsElasticBlockStore {
        /// Volume id.
        #[serde(rename = "volumeID")]
        pub volume_id: String,
        /// Read only.
        pub read_only: bool,
    }

    /// iSCSI disk.
    pub struct Iscsi {
        /// Portal.
        pub target_portal: String,
        /// Qualified name.
        pub iqn: String,
        /// Logical unit.
        pub lun: i32,
        /// Read only.
        pub read_only: bool,
    }

    /// Ceph RBD image.
    pub struct Rbd {
        /// Monitors.
        pub monitors: Vec<String>,
        /// Image name.
        pub image: String,
        /// Pool, default `rbd`.
        pub pool: String,
        /// Read only.
        pub read_only: bool,
    }

    /// Azure managed disk.
    pub struct AzureDisk {
        /// Path of the disk in the cloud.
        #[serde(rename = "diskURI")]
        pub disk_uri: String,
        /// `Shared` (default), `Dedicated` or `Managed`.
        pub kind: Option<String>,
    }

    /// OpenStack Cinder volume.
    pub struct Cinder {
        /// Volume id.
        #[serde(rename = "volumeID")]
        pub volume_id: String,
    }

    /// Portworx volume.
    pub struct PortworxVolume {
        /// Volume id.
        #[serde(rename = "volumeID")]
        pub volume_id: String,
    }

    /// Inline CSI volume.
    pub struct CsiVolumeSource {
        /// Driver name.
        pub driver: String,
    }

    /// An image used as a volume.
    pub struct ImageVolumeSource {
        /// Image reference.
        pub reference: String,
    }

    /// Reported state of a pod.
    pub struct PodStatus {
        /// `Pending`, `Running`, `Succeeded`, `Failed` or `Unknown`.
        pub phase: String,
        /// Conditions.
        pub conditions: Vec<PodCondition>,
        /// Node reserved for the pod after a preemption.
        pub nominated_node_name: String,
        /// When the kubelet acknowledged the pod.
        pub start_time: Option<Timestamp>,
        /// State of containers.
        pub container_statuses: Vec<ContainerStatus>,
        /// State of init containers.
        pub init_container_statuses: Vec<ContainerStatus>,
        /// Pod-level resources admitted by the node.
        pub allocated_resources: ResourceList,
        /// Pod-level resources in effect.
        pub resources: Option<ResourceRequirements>,
    }

    /// One condition of a pod.
    pub struct PodCondition {
        /// Type, for example `PodScheduled`.
        #[serde(rename = "type")]
        pub kind: String,
        /// `True`, `False` or `Unknown`.
        pub status: String,
        /// Machine-readable reason.
        pub reason: String,
        /// Text for people.
        pub message: String,
        /// When the status last changed.
        pub last_transition_time: Option<Timestamp>,
    }

    /// State of one container.
    pub struct ContainerStatus {
        /// Container name.
        pub name: String,
        /// Passes its readiness probe.
        pub ready: bool,
        /// Number of restarts.
        pub restart_count: i32,
        /// Resources admitted by the node.
        pub allocated_resources: ResourceList,
        /// Resources in effect.
        pub resources: Option<ResourceRequirements>,
    }
}

/// A value that only matters by being there.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Opaque {}

impl<'de> Deserialize<'de> for Opaque {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        serde::de::IgnoredAny::deserialize(deserializer).map(|_| Opaque {})
    }
}

impl Pod {
    /// True for a pod that has ended and holds nothing any more.
    pub fn is_terminal(&self) -> bool {
        matches!(self.status.phase.as_str(), "Succeeded" | "Failed")
    }

    /// True for a pod that is being deleted.
    pub fn is_terminating(&self) -> bool {
        self.metadata.deletion_timestamp.is_some()
    }
}
