//! Compares defaulting with the real API server's.
//!
//! `defaults/objects.jsonl` holds the answers of `conformance default objects.yaml`: each object as it reaches
//! admission, after the strategy of its kind has prepared it.

// Helpers of tests stop at what should not be, as tests do.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout)]

use std::fs;
use std::path::Path;

use bayplan_admission::{AdmissionContext, admit_pod, apply_defaults};
use bayplan_model::object::Object;
use serde_json::Value;

const UID: &str = "00000000-0000-4000-8000-000000000000";

fn decode(document: &Value) -> Object {
    let text = |key: &str| document[key].as_str().unwrap_or_default().to_owned();
    Object::decode(&text("apiVersion"), &text("kind"), document)
        .unwrap()
        .unwrap()
}

/// What the model keeps, as JSON, so that amounts compare as they are shown.
fn shown(object: &Object) -> Value {
    let mut value = match object {
        Object::Pod(it) => serde_json::to_value(it),
        Object::Node(it) => serde_json::to_value(it),
        Object::Namespace(it) => serde_json::to_value(it),
        Object::Service(it) => serde_json::to_value(it),
        Object::ReplicationController(it) => serde_json::to_value(it),
        Object::LimitRange(it) => serde_json::to_value(it),
        Object::PersistentVolume(it) => serde_json::to_value(it),
        Object::PersistentVolumeClaim(it) => serde_json::to_value(it),
        Object::Deployment(it) => serde_json::to_value(it),
        Object::ReplicaSet(it) => serde_json::to_value(it),
        Object::StatefulSet(it) => serde_json::to_value(it),
        Object::DaemonSet(it) => serde_json::to_value(it),
        Object::Job(it) => serde_json::to_value(it),
        Object::CronJob(it) => serde_json::to_value(it),
        Object::PodDisruptionBudget(it) => serde_json::to_value(it),
        Object::PriorityClass(it) => serde_json::to_value(it),
        Object::RuntimeClass(it) => serde_json::to_value(it),
        Object::StorageClass(it) => serde_json::to_value(it),
        other => panic!("{} is not compared", other.kind()),
    }
    .unwrap();
    value["metadata"]["generation"] = Value::Null;
    if object.kind() == "PersistentVolumeClaim" {
        // The strategy takes the phase away; it is filled in again when the claim is read.
        value["status"] = Value::Null;
    }
    value
}

fn ours(document: &Value) -> Value {
    let mut object = decode(document);
    UID.clone_into(&mut object.metadata_mut().uid);
    apply_defaults(&mut object);
    if let Object::Pod(pod) = &mut object {
        // Admission does what the strategy does, and more; the rest is taken off again.
        let (priority, policy) = (pod.spec.priority, pod.spec.preemption_policy.clone());
        let tolerations = pod.spec.tolerations.clone();
        admit_pod(pod, &AdmissionContext::new()).unwrap();
        (
            pod.spec.priority,
            pod.spec.preemption_policy,
            pod.spec.tolerations,
        ) = (priority, policy, tolerations);
    }
    shown(&object)
}

#[test]
fn defaults_are_those_of_the_api_server() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/defaults");
    let yaml = fs::read_to_string(folder.join("objects.yaml")).unwrap();
    let documents: Vec<Value> = serde_saphyr::from_multiple(&yaml).unwrap();
    let answers: Vec<Value> = fs::read_to_string(folder.join("objects.jsonl"))
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(documents.len(), answers.len());
    for (document, answer) in documents.iter().zip(&answers) {
        let place = format!("{} {}", document["kind"], document["metadata"]["name"]);
        assert!(!answer.is_null(), "{place}: the API server could not read it");
        assert_eq!(ours(document), shown(&decode(answer)), "{place}");
    }
}

#[test]
fn filling_in_twice_changes_nothing_more() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/defaults");
    let yaml = fs::read_to_string(folder.join("objects.yaml")).unwrap();
    let documents: Vec<Value> = serde_saphyr::from_multiple(&yaml).unwrap();
    for document in &documents {
        let mut once = decode(document);
        apply_defaults(&mut once);
        let mut twice = once.clone();
        apply_defaults(&mut twice);
        assert_eq!(once, twice);
    }
}
