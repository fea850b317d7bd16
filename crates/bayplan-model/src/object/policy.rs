//! Namespace, Service, PodDisruptionBudget, PriorityClass, LimitRange and RuntimeClass.

use std::collections::BTreeMap;

use jiff::Timestamp;

use crate::object::{IntOrString, LabelSelector, Labels, ObjectMeta, ResourceList, Toleration, api};

api! {
    /// Namespace; its labels are read by namespace selectors.
    pub struct Namespace {
        /// Metadata.
        pub metadata: ObjectMeta,
    }

    /// Service; its selector takes part in default spreading and in routing.
    pub struct Service {
        /// Metadata.
        pub metadata: ObjectMeta,
        /// Specification.
        pub spec: ServiceSpec,
    }

    /// Specification of a service.
    pub struct ServiceSpec {
        /// Pods behind the service; absent means none are selected.
        pub selector: Option<Labels>,
        /// Ports.
        pub ports: Vec<ServicePort>,
        /// `Cluster` or `Local` for traffic from inside the cluster.
        pub internal_traffic_policy: Option<String>,
        /// `Cluster` or `Local` for traffic from outside.
        pub external_traffic_policy: Option<String>,
        /// `PreferClose`, `PreferSameZone` or `PreferSameNode`.
        pub traffic_distribution: Option<String>,
        /// `None` makes a headless service.
        #[serde(rename = "clusterIP")]
        pub cluster_ip: String,
        /// `ClusterIP`, `NodePort`, `LoadBalancer` or `ExternalName`.
        #[serde(rename = "type")]
        pub kind: String,
        /// `ClientIP` or `None`.
        pub session_affinity: String,
        /// Ready or not, endpoints are published.
        pub publish_not_ready_addresses: bool,
    }

    /// A port of a service.
    pub struct ServicePort {
        /// Name.
        pub name: String,
        /// `TCP` (default), `UDP` or `SCTP`.
        pub protocol: String,
        /// Port of the service.
        pub port: i32,
        /// Port of the pods by number or name; default `port`.
        pub target_port: Option<IntOrString>,
        /// Port on every node; 0 means none.
        pub node_port: i32,
    }

    /// Limits on voluntary disruption.
    pub struct PodDisruptionBudget {
        /// Metadata.
        pub metadata: ObjectMeta,
        /// Specification.
        pub spec: PodDisruptionBudgetSpec,
        /// Reported state.
        pub status: PodDisruptionBudgetStatus,
    }

    /// Specification of a budget.
    pub struct PodDisruptionBudgetSpec {
        /// Pods that stay.
        pub min_available: Option<IntOrString>,
        /// Pods that may go.
        pub max_unavailable: Option<IntOrString>,
        /// Pods under the budget.
        pub selector: Option<LabelSelector>,
        /// `IfHealthyBudget` (default) or `AlwaysAllow`.
        pub unhealthy_pod_eviction_policy: Option<String>,
    }

    /// Reported state of a budget.
    pub struct PodDisruptionBudgetStatus {
        /// Evictions allowed now.
        pub disruptions_allowed: i32,
        /// Healthy pods now.
        pub current_healthy: i32,
        /// Healthy pods wanted.
        pub desired_healthy: i32,
        /// Pods counted.
        pub expected_pods: i32,
        /// Pods whose eviction is under way.
        pub disrupted_pods: BTreeMap<String, Option<Timestamp>>,
    }

    /// A named priority.
    pub struct PriorityClass {
        /// Metadata.
        pub metadata: ObjectMeta,
        /// The priority.
        pub value: i32,
        /// Used for pods that name no class.
        pub global_default: bool,
        /// `PreemptLowerPriority` (default) or `Never`.
        pub preemption_policy: Option<String>,
    }

    /// Defaults and bounds of a namespace.
    pub struct LimitRange {
        /// Metadata.
        pub metadata: ObjectMeta,
        /// Specification.
        pub spec: LimitRangeSpec,
    }

    /// Specification of a limit range.
    pub struct LimitRangeSpec {
        /// Its items.
        pub limits: Vec<LimitRangeItem>,
    }

    /// Defaults and bounds for one type.
    pub struct LimitRangeItem {
        /// `Container`, `Pod` or `PersistentVolumeClaim`.
        #[serde(rename = "type")]
        pub kind: String,
        /// Upper bounds.
        pub max: ResourceList,
        /// Lower bounds.
        pub min: ResourceList,
        /// Default limits.
        pub default: ResourceList,
        /// Default requests.
        pub default_request: ResourceList,
        /// Largest limit/request ratio.
        pub max_limit_request_ratio: ResourceList,
    }

    /// A container runtime, its overhead and its nodes.
    pub struct RuntimeClass {
        /// Metadata.
        pub metadata: ObjectMeta,
        /// Name the kubelet knows it by.
        pub handler: String,
        /// Resources it adds.
        pub overhead: Option<RuntimeClassOverhead>,
        /// Where it can run.
        pub scheduling: Option<RuntimeClassScheduling>,
    }

    /// Resources that a runtime adds.
    pub struct RuntimeClassOverhead {
        /// Per pod.
        pub pod_fixed: ResourceList,
    }

    /// Where a runtime can run.
    pub struct RuntimeClassScheduling {
        /// Merged into the pod's node selector.
        pub node_selector: Labels,
        /// Merged into the pod's tolerations.
        pub tolerations: Vec<Toleration>,
    }
}
