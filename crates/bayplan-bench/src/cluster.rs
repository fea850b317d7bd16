//! A cluster of GPU nodes with running pods, the same for the same numbers.

use std::io::{self, Write};

use fastrand::Rng;
use serde_json::{Map, Value, json};

use crate::pod::{RunningPod, fnv, hex, uid};
use crate::text::{Format, ListWriter};

/// Models that are served; their pods take a GPU.
const MODELS: usize = 400;
/// Services without a GPU.
const SERVICES: usize = 200;
/// Six pods of ten take a GPU, so that eight GPUs a node leave room.
const GPU_PODS_OF_TEN: usize = 6;
/// Nodes of a rack.
const RACK: usize = 16;
/// What the nodes hold.
const ACCELERATORS: [&str; 3] = ["a100", "l40", "t4"];

/// Writes nodes, the workloads' ReplicaSets and Services, and running pods spread evenly over the nodes.
pub fn write(output: &mut impl Write, nodes: usize, pods: usize, format: Format) -> io::Result<()> {
    let mut random = Rng::with_seed(1);
    let mut list = ListWriter::new(output, format)?;
    list.item(&json!({
        "apiVersion": "v1", "kind": "Namespace",
        "metadata": {"labels": {"kubernetes.io/metadata.name": "inference"}, "name": "inference"},
    }))?;
    for number in 0..nodes {
        list.item(&node(number, &mut random))?;
    }
    for app in (0..MODELS)
        .map(|number| format!("model-{number}"))
        .chain((0..SERVICES).map(|number| format!("service-{number}")))
    {
        list.item(&replica_set(&app, pods / (MODELS + SERVICES)))?;
        list.item(&service(&app))?;
    }
    for number in 0..pods {
        let on_node = number / nodes.max(1);
        let (app, gpus) = if on_node % 10 < GPU_PODS_OF_TEN {
            (format!("model-{}", random.usize(0..MODELS)), 1)
        } else {
            (format!("service-{}", random.usize(0..SERVICES)), 0)
        };
        let node = node_name(number % nodes.max(1));
        list.item(
            &RunningPod {
                number,
                app: &app,
                gpus,
                node: &node,
            }
            .object(&mut random),
        )?;
    }
    list.finish()
}

fn node_name(number: usize) -> String {
    format!("gpu-{number:05}.cluster.example")
}

/// A node with fifty images, as a kubelet reports at most.
fn node(number: usize, random: &mut Rng) -> Value {
    let name = node_name(number);
    let capacity = json!({
        "cpu": "128", "ephemeral-storage": "3750Gi", "hugepages-1Gi": "0", "hugepages-2Mi": "0", "memory": "1056270332Ki",
        "nvidia.com/gpu": "8", "pods": "110",
    });
    let mut labels = Map::new();
    for (key, value) in [
        (
            "accelerator",
            ACCELERATORS[number % ACCELERATORS.len()].to_owned(),
        ),
        ("beta.kubernetes.io/arch", "amd64".to_owned()),
        ("example.com/rack", format!("rack-{}", number / RACK)),
        ("kubernetes.io/arch", "amd64".to_owned()),
        ("kubernetes.io/hostname", name.clone()),
        ("kubernetes.io/os", "linux".to_owned()),
        ("node.kubernetes.io/instance-type", "gpu.8x".to_owned()),
        ("topology.kubernetes.io/region", "region-1".to_owned()),
        (
            "topology.kubernetes.io/zone",
            format!("zone-{}", number / RACK % 3),
        ),
    ] {
        labels.insert(key.to_owned(), value.into());
    }
    let images: Vec<Value> = (0..50)
        .map(|image| {
            let name = format!("models.example/image-{image}");
            json!({"names": [format!("{name}@sha256:{:064x}", image + 1), format!("{name}:1.{image}")], "sizeBytes": 50_000_000 + image * 7_000_000})
        })
        .collect();
    let healthy = |kind: &str, status: &str, reason: &str| {
        json!({
            "lastHeartbeatTime": "2026-02-01T00:00:00Z", "lastTransitionTime": "2026-01-01T00:00:00Z",
            "message": "kubelet reports what it should", "reason": reason, "status": status, "type": kind,
        })
    };
    json!({
        "apiVersion": "v1", "kind": "Node",
        "metadata": {
            "annotations": {"node.alpha.kubernetes.io/ttl": "0", "volumes.kubernetes.io/controller-managed-attach-detach": "true"},
            "creationTimestamp": "2026-01-01T00:00:00Z", "labels": labels, "name": name,
            "resourceVersion": (80_000_000 + number).to_string(), "uid": uid(number as u64 + (2 << 40)),
        },
        "spec": {"podCIDR": "10.0.0.0/24", "providerID": format!("example:///{}", hex(random, 16))},
        "status": {
            "addresses": [{"address": "192.0.2.10", "type": "InternalIP"}, {"address": name, "type": "Hostname"}],
            "allocatable": capacity, "capacity": capacity,
            "conditions": [
                healthy("MemoryPressure", "False", "KubeletHasSufficientMemory"),
                healthy("DiskPressure", "False", "KubeletHasNoDiskPressure"),
                healthy("PIDPressure", "False", "KubeletHasSufficientPID"),
                healthy("Ready", "True", "KubeletReady"),
            ],
            "daemonEndpoints": {"kubeletEndpoint": {"Port": 10250}},
            "images": images,
            "nodeInfo": {
                "architecture": "amd64", "bootID": hex(random, 32), "containerRuntimeVersion": "containerd://2.1.4",
                "kernelVersion": "6.12.0", "kubeletVersion": "v1.37.2", "machineID": hex(random, 32),
                "operatingSystem": "linux", "osImage": "Linux", "systemUUID": hex(random, 32),
            },
        },
    })
}

fn replica_set(app: &str, replicas: usize) -> Value {
    let hash = format!("{:08x}", fnv(app));
    json!({
        "apiVersion": "apps/v1", "kind": "ReplicaSet",
        "metadata": {
            "creationTimestamp": "2026-01-01T00:00:00Z", "labels": {"app": app, "pod-template-hash": hash},
            "name": format!("{app}-{hash}"), "namespace": "inference", "uid": uid(u64::from(fnv(app))),
        },
        "spec": {
            "replicas": replicas,
            "selector": {"matchLabels": {"app": app, "pod-template-hash": hash}},
            "template": {
                "metadata": {"labels": {"app": app, "pod-template-hash": hash}},
                "spec": {"containers": [{"image": "models.example/server:1.8.2", "name": "server"}]},
            },
        },
    })
}

fn service(app: &str) -> Value {
    json!({
        "apiVersion": "v1", "kind": "Service",
        "metadata": {"creationTimestamp": "2026-01-01T00:00:00Z", "name": app, "namespace": "inference"},
        "spec": {"clusterIP": "None", "ports": [{"port": 80, "targetPort": "http"}], "selector": {"app": app}},
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(format: Format) -> String {
        let mut text = Vec::new();
        write(&mut text, 3, 40, format).unwrap();
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn pods_are_as_large_as_real_ones() {
        let list: Value = serde_json::from_str(&text(Format::Json)).unwrap();
        let pods: Vec<&Value> = list["items"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|item| item["kind"] == "Pod")
            .collect();
        assert_eq!(pods.len(), 40);
        for pod in pods {
            let mut list = Vec::new();
            let mut writer = ListWriter::new(&mut list, Format::Json).unwrap();
            writer.item(pod).unwrap();
            assert!((6_000..10_000).contains(&list.len()), "{} bytes", list.len());
        }
    }

    #[test]
    fn all_formats_hold_the_same_and_nothing_is_wrong_with_it() {
        let read = |format| {
            let mut objects = Vec::new();
            let input = bayplan_manifest::Input::bytes("cluster", text(format).into_bytes());
            let report =
                bayplan_manifest::load_cluster(vec![input], 1, &mut |located| objects.push(located.object));
            assert_eq!(report.diagnostics, []);
            objects
        };
        assert_eq!(read(Format::Json), read(Format::Indented));
        assert_eq!(read(Format::Json), read(Format::Yaml));
    }
}
