//! The plugins of kube-scheduler 1.37.

pub mod balanced_allocation;
pub mod column;
pub mod image_locality;
pub mod inter_pod_affinity;
pub mod node_ports;
pub mod node_resources_fit;
pub mod node_static;
pub mod node_texts;
pub mod normalize;
pub mod pod_topology_spread;
pub mod volumes;
