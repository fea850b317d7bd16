//! What becomes of manifests, told as text.
//!
//! A fixture holds the `cluster` as it is, the objects to `apply`, the fields of pods to `show`, and what to `expect`.

// Helpers of tests stop at what should not be, as tests do.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout)]

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use bayplan_admission::{AdmissionContext, Admitted, ExpandedWorkload, Membership, Stage, admit};
use bayplan_model::object::{Node, Object, Pod};
use serde::Deserialize;
use serde_json::Value;

#[derive(Deserialize)]
struct Fixture {
    #[serde(default)]
    cluster: Vec<Value>,
    apply: Vec<Value>,
    /// Dotted paths into a pod.
    #[serde(default)]
    show: Vec<String>,
    expect: String,
}

fn decode(document: &Value) -> Object {
    let text = |key: &str| document[key].as_str().unwrap_or_default().to_owned();
    let mut object = Object::decode(&text("apiVersion"), &text("kind"), document)
        .unwrap()
        .unwrap();
    if object.is_namespaced() && object.metadata().namespace.is_empty() {
        "default".clone_into(&mut object.metadata_mut().namespace);
    }
    object
}

fn show_pod(text: &mut String, pod: &Pod, fields: &[String]) {
    let value = serde_json::to_value(pod).unwrap();
    for field in fields {
        let mut shown = &value;
        for step in field.split('.') {
            shown = match step.parse::<usize>() {
                Ok(index) => &shown[index],
                Err(_) => &shown[step],
            };
        }
        if !shown.is_null() {
            writeln!(text, "    {field}: {shown}").unwrap();
        }
    }
}

fn show_workload(text: &mut String, workload: &ExpandedWorkload, cluster: &[Object], fields: &[String]) {
    writeln!(text, "{}", workload.workload).unwrap();
    for object in &workload.created {
        writeln!(text, "  creates {}", object.reference()).unwrap();
    }
    for (index, pod) in workload.replicas.iter().enumerate() {
        write!(text, "  pod {}", pod.metadata.name).unwrap();
        if let Some(wait) = workload.after_leader.iter().find(|wait| wait.replica == index) {
            let leader = &workload.replicas[wait.leader].metadata.name;
            write!(
                text,
                " after {leader} in its {}",
                wait.topology_key.as_deref().unwrap_or("own time")
            )
            .unwrap();
        }
        writeln!(text).unwrap();
        show_pod(text, pod, fields);
    }
    for claim in &workload.claims {
        let class = &claim.spec.storage_class_name;
        writeln!(text, "  claim {} of class {class:?}", claim.metadata.name).unwrap();
    }
    let membership = Membership::new(&workload.object, cluster);
    let unknown_controllers = Membership::new(&workload.object, []);
    for object in cluster {
        if let Object::Pod(pod) = object {
            let name = &pod.metadata.name;
            assert!(
                !membership.belongs(pod) || unknown_controllers.may_belong(pod),
                "{name} belongs, but was passed over before its controllers were known"
            );
        }
    }
    let running: Vec<&Pod> = cluster
        .iter()
        .filter_map(|object| match object {
            Object::Pod(pod) if membership.counts(pod) => Some(pod),
            _ => None,
        })
        .collect();
    if !running.is_empty() {
        let names: Vec<&str> = running.iter().map(|pod| pod.metadata.name.as_str()).collect();
        writeln!(
            text,
            "  running {}, missing {:?}",
            names.join(" "),
            workload.missing(&running)
        )
        .unwrap();
    }
    for note in &workload.notes {
        writeln!(text, "  note: {note}").unwrap();
    }
}

fn show(admitted: &Admitted, cluster: &[Object], fields: &[String]) -> String {
    let mut text = String::new();
    for workload in &admitted.workloads {
        show_workload(&mut text, workload, cluster, fields);
    }
    for fault in &admitted.faults {
        let who = if fault.stage == Stage::Pods {
            "pods of "
        } else {
            ""
        };
        let path = &fault.error.path;
        writeln!(text, "fault of {who}{} at {path}: {}", fault.object, fault.text()).unwrap();
    }
    for uncertainty in &admitted.uncertain {
        let objects: Vec<String> = uncertainty.objects.iter().map(ToString::to_string).collect();
        writeln!(text, "uncertain: {} ({})", uncertainty.reason, objects.join(", ")).unwrap();
    }
    text
}

#[test]
fn manifests_become_what_is_expected() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/admission");
    let mut files: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    let mut differences = String::new();
    for path in files {
        let fixture: Fixture = serde_saphyr::from_str(&fs::read_to_string(&path).unwrap())
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let cluster: Vec<Object> = fixture.cluster.iter().map(decode).collect();
        let context: AdmissionContext = cluster.iter().collect();
        let nodes: Vec<Node> = cluster
            .iter()
            .filter_map(|object| match object {
                Object::Node(node) => Some(node.clone()),
                _ => None,
            })
            .collect();
        let admitted = admit(fixture.apply.iter().map(decode).collect(), &context, &nodes);
        let text = show(&admitted, &cluster, &fixture.show);
        if text != fixture.expect {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            write!(
                differences,
                "{name}\n--- expected\n{}--- got\n{text}\n",
                fixture.expect
            )
            .unwrap();
        }
    }
    assert!(differences.is_empty(), "{differences}");
}
