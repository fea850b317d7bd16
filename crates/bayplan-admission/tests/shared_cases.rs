//! The cases from public reports, when they are there: what the API server accepts and refuses.

// Helpers of tests stop at what should not be, as tests do.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout)]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use bayplan_admission::{AdmissionContext, Stage, admit};
use bayplan_model::object::{Node, Object};
use serde_json::Value;

fn cases() -> Option<Vec<PathBuf>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/cases");
    let Ok(entries) = fs::read_dir(&folder) else {
        println!("skipped: no cases at {}", folder.display());
        return None;
    };
    let mut folders: Vec<PathBuf> = entries
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.join("expect.json").exists())
        .collect();
    folders.sort();
    Some(folders)
}

/// The objects of a file; `None` when one of them does not decode.
fn read(path: &Path) -> Option<Vec<Object>> {
    let documents: Vec<Value> = serde_saphyr::from_multiple(&fs::read_to_string(path).unwrap()).unwrap();
    let mut objects = Vec::new();
    for document in documents.iter().filter(|document| !document.is_null()) {
        let items = match document["items"].as_array() {
            Some(items) => items.clone(),
            None => vec![document.clone()],
        };
        for item in items {
            let text = |key: &str| item[key].as_str().unwrap_or_default().to_owned();
            match Object::decode(&text("apiVersion"), &text("kind"), item.clone()) {
                Ok(Ok(object)) => objects.push(object),
                Ok(Err(_)) => {}
                Err(_) => return None,
            }
        }
    }
    Some(objects)
}

#[test]
fn faults_and_warnings_are_the_expected_ones() {
    let Some(cases) = cases() else { return };
    let mut manifests = 0;
    for case in cases {
        let expect: Value =
            serde_json::from_str(&fs::read_to_string(case.join("expect.json")).unwrap()).unwrap();
        let texts = |part: &str| -> BTreeMap<String, Vec<String>> {
            serde_json::from_value(expect[part].clone()).unwrap_or_default()
        };
        let (errors, warnings) = (texts("apiErrors"), texts("apiWarnings"));
        let cluster = read(&case.join("cluster.yaml")).unwrap_or_default();
        let context: AdmissionContext = cluster.iter().collect();
        let nodes: Vec<Node> = cluster
            .iter()
            .filter_map(|object| match object {
                Object::Node(node) => Some(node.clone()),
                _ => None,
            })
            .collect();
        for entry in fs::read_dir(&case).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if !name.ends_with(".yaml") || name == "cluster.yaml" {
                continue;
            }
            let place = format!("{} {name}", case.file_name().unwrap().to_string_lossy());
            let Some(objects) = read(&path) else {
                assert!(errors.contains_key(&name), "{place} does not decode");
                continue;
            };
            manifests += 1;
            let admitted = admit(objects, &context, &nodes);
            let found: Vec<String> = admitted.faults.iter().map(|fault| fault.text()).collect();
            let mut expected = errors.get(&name).cloned().unwrap_or_default();
            expected.sort();
            let mut sorted = found.clone();
            sorted.sort();
            assert_eq!(sorted, expected, "{place}");
            assert!(
                admitted.faults.iter().all(|fault| fault.stage == Stage::Object),
                "{place}"
            );
            // The answers name warnings of refused objects, too; we give only those of accepted ones.
            if let Some(expected) = warnings.get(&name).filter(|_| found.is_empty()) {
                let given: Vec<String> = admitted
                    .warnings
                    .iter()
                    .map(|warning| format!("{}: {}", warning.path, warning.text))
                    .collect();
                assert_eq!(&given, expected, "{place}");
            }
        }
    }
    assert!(manifests > 50, "only {manifests} manifests");
}
