//! Which resources are GPUs, and what kind of GPU a node has.

use bayplan_model::object::Node;

/// Labels that tell the type of a node's GPUs, the most precise ones first.
const TYPE_KEYS: [&str; 7] = [
    "nvidia.com/gpu.product",
    "cloud.google.com/gke-accelerator",
    "karpenter.k8s.aws/instance-gpu-name",
    "eks.amazonaws.com/instance-gpu-name",
    "gpu.intel.com/product",
    "amd.com/gpu.product-name",
    "gpu-type",
];

/// Whether a resource stands for GPUs or slices of them.
///
/// Device plugins choose the names: `nvidia.com/gpu` (also `.shared`), `nvidia.com/mig-*`, `amd.com/gpu`,
/// `gpu.intel.com/*`; any other extended resource counts when its name has `gpu` in it.
pub fn is_gpu(resource: &str) -> bool {
    let Some((domain, name)) = resource.split_once('/') else {
        return false;
    };
    if domain.ends_with("kubernetes.io") {
        return false;
    }
    (domain == "nvidia.com" && name.starts_with("mig-"))
        || domain == "gpu.intel.com"
        || name.to_ascii_lowercase().contains("gpu")
}

/// The type of a node's GPUs by its labels; `None` when no label tells it.
pub fn gpu_type(node: &Node) -> Option<&str> {
    TYPE_KEYS
        .iter()
        .find_map(|key| node.metadata.labels.get(*key))
        .map(String::as_str)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn device_plugins_name_gpus_in_many_ways() {
        for gpu in [
            "nvidia.com/gpu",
            "nvidia.com/gpu.shared",
            "nvidia.com/mig-1g.10gb",
            "amd.com/gpu",
            "gpu.intel.com/i915",
            "x.example/vgpu-memory",
        ] {
            assert!(is_gpu(gpu), "{gpu}");
        }
        for other in [
            "cpu",
            "memory",
            "nvidia.com/mlnxnics",
            "vpc.amazonaws.com/efa",
            "gpu",
            "hugepages-2Mi",
        ] {
            assert!(!is_gpu(other), "{other}");
        }
    }
}
