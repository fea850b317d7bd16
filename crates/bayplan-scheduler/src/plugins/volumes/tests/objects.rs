//! Small objects for the rules.

use serde_json::{Value, json};

/// A node.
pub fn node(name: &str, labels: Value) -> Value {
    json!({"apiVersion": "v1", "kind": "Node", "metadata": {"name": name, "labels": labels}})
}

/// A pod in namespace `ns` with these volume sources, on a node unless that is empty.
pub fn pod(name: &str, node: &str, sources: Value) -> Value {
    let mut volumes = sources;
    for (number, volume) in volumes.as_array_mut().unwrap().iter_mut().enumerate() {
        volume["name"] = format!("v{number}").into();
    }
    json!({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name, "namespace": "ns", "uid": name},
        "spec": {"nodeName": node, "volumes": volumes}})
}

/// A volume source: a claim.
pub fn uses(claim: &str) -> Value {
    json!({"persistentVolumeClaim": {"claimName": claim}})
}

/// A claim of 10Gi in namespace `ns`, changed by the specification given.
pub fn claim(name: &str, spec: Value) -> Value {
    let mut all = json!({"accessModes": ["ReadWriteOnce"], "storageClassName": "wait",
        "resources": {"requests": {"storage": "10Gi"}}});
    merge(&mut all, spec);
    let bound = all
        .get("volumeName")
        .map(|_| json!({"pv.kubernetes.io/bind-completed": "yes"}));
    json!({"apiVersion": "v1", "kind": "PersistentVolumeClaim",
        "metadata": {"name": name, "namespace": "ns", "uid": name, "annotations": bound}, "spec": all})
}

/// An available volume of class `wait`, changed by the specification given.
pub fn volume(name: &str, size: &str, labels: Value, spec: Value) -> Value {
    let mut all =
        json!({"accessModes": ["ReadWriteOnce"], "storageClassName": "wait", "capacity": {"storage": size}});
    merge(&mut all, spec);
    json!({"apiVersion": "v1", "kind": "PersistentVolume", "metadata": {"name": name, "labels": labels}, "spec": all,
        "status": {"phase": "Available"}})
}

/// Node affinity to one value of a label.
pub fn on(key: &str, value: &str) -> Value {
    json!({"required": {"nodeSelectorTerms": [
        {"matchExpressions": [{"key": key, "operator": "In", "values": [value]}]}]}})
}

/// A class that waits for the first consumer, changed by the fields given.
pub fn class(name: &str, provisioner: &str, more: Value) -> Value {
    let mut all = json!({"apiVersion": "storage.k8s.io/v1", "kind": "StorageClass", "metadata": {"name": name},
        "provisioner": provisioner, "volumeBindingMode": "WaitForFirstConsumer"});
    merge(&mut all, more);
    all
}

/// The drivers of a node.
pub fn csi_node(name: &str, drivers: Value) -> Value {
    json!({"apiVersion": "storage.k8s.io/v1", "kind": "CSINode", "metadata": {"name": name}, "spec": {"drivers": drivers}})
}

fn merge(all: &mut Value, more: Value) {
    if let Value::Object(more) = more {
        for (key, value) in more {
            all[key] = value;
        }
    }
}
