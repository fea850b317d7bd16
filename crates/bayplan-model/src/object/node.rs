//! Node.

use jiff::Timestamp;

use crate::object::{ObjectMeta, ResourceList, api};

api! {
    /// A machine that runs pods.
    pub struct Node {
        /// Metadata; its labels are what topology keys and node affinity read.
        pub metadata: ObjectMeta,
        /// Desired state.
        pub spec: NodeSpec,
        /// Reported state.
        pub status: NodeStatus,
    }

    /// Desired state of a node.
    pub struct NodeSpec {
        /// Cordoned: no new pods unless they tolerate it.
        pub unschedulable: bool,
        /// Taints in the order of the object.
        pub taints: Vec<Taint>,
        /// Cloud identifier.
        #[serde(rename = "providerID")]
        pub provider_id: String,
    }

    /// A mark that repels pods which do not tolerate it.
    pub struct Taint {
        /// Key.
        pub key: String,
        /// Value, may be empty.
        pub value: String,
        /// `NoSchedule`, `PreferNoSchedule` or `NoExecute`.
        pub effect: String,
        /// When a `NoExecute` taint was added.
        pub time_added: Option<Timestamp>,
    }

    /// Reported state of a node.
    pub struct NodeStatus {
        /// Total amounts.
        pub capacity: ResourceList,
        /// Amounts that pods may use.
        pub allocatable: ResourceList,
        /// Conditions such as Ready; the scheduler does not read them.
        pub conditions: Vec<NodeCondition>,
        /// Images present on the node, as reported by the kubelet.
        pub images: Vec<ContainerImage>,
        /// Features that the kubelet declares.
        pub declared_features: Vec<String>,
    }

    /// One condition of a node.
    pub struct NodeCondition {
        /// Type, for example `Ready`.
        #[serde(rename = "type")]
        pub kind: String,
        /// `True`, `False` or `Unknown`.
        pub status: String,
        /// Machine-readable reason.
        pub reason: String,
    }

    /// An image on a node.
    pub struct ContainerImage {
        /// All names of the image, tags and digests.
        pub names: Vec<String>,
        /// Size in bytes.
        pub size_bytes: i64,
    }
}
