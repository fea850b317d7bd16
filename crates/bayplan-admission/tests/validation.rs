//! Compares validation with the real API server's answers.
//!
//! Every `validation/NAME.yaml` has its answers beside it in `NAME.jsonl`, as `conformance validate NAME.yaml` (run in
//! that folder) prints them: one line a document, in order.

// Helpers of tests stop at what should not be, as tests do.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout)]

use std::fs;
use std::path::{Path, PathBuf};

use bayplan_admission::{AdmissionContext, admit_pod, apply_defaults, validate, warnings};
use bayplan_model::object::Object;
use serde_json::Value;

/// Parts of the warnings that we give; the API server has more, which do not concern scheduling.
const WARNINGS: [&str; 5] = [
    "a null labelSelector",
    "deprecated since",
    "use \"node-role.kubernetes.io/control-plane\"",
    "is invalid, a valid label",
    "fractional byte value",
];

/// The uid that the conformance program gives every object.
const UID: &str = "00000000-0000-4000-8000-000000000000";

fn fixtures() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/validation");
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "yaml"))
        .collect();
    files.sort();
    files
}

fn decode(document: &Value) -> Object {
    let text = |key: &str| document[key].as_str().unwrap_or_default().to_owned();
    Object::decode(&text("apiVersion"), &text("kind"), document)
        .unwrap()
        .unwrap()
}

/// What we say about a document: faults and warnings, sorted, because the API server's maps have no order.
fn ours(document: &Value) -> (Vec<String>, Vec<String>) {
    let mut object = decode(document);
    UID.clone_into(&mut object.metadata_mut().uid);
    apply_defaults(&mut object);
    if let Object::Pod(pod) = &mut object {
        admit_pod(pod, &AdmissionContext::new()).unwrap();
    }
    let mut errors: Vec<String> = validate(&object).iter().map(ToString::to_string).collect();
    let mut warned: Vec<String> = warnings(&object)
        .into_iter()
        .map(|(path, text)| format!("{path}: {text}"))
        .collect();
    errors.sort();
    warned.sort();
    (errors, warned)
}

fn theirs(answer: &Value) -> (Vec<String>, Vec<String>) {
    let list = |key: &str| answer[key].as_array().cloned().unwrap_or_default();
    let mut errors: Vec<String> = list("errors")
        .iter()
        .map(|error| error["message"].as_str().unwrap().to_owned())
        .collect();
    let mut warned: Vec<String> = list("warnings")
        .iter()
        .map(|text| text.as_str().unwrap().to_owned())
        .filter(|text| WARNINGS.iter().any(|part| text.contains(part)))
        .collect();
    errors.sort();
    warned.sort();
    (errors, warned)
}

#[test]
fn faults_are_those_of_the_api_server() {
    let mut differences = Vec::new();
    let mut documents_seen = 0;
    for path in fixtures() {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let documents: Vec<Value> = serde_saphyr::from_multiple(&fs::read_to_string(&path).unwrap()).unwrap();
        let answers: Vec<Value> = fs::read_to_string(path.with_extension("jsonl"))
            .unwrap()
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        assert_eq!(documents.len(), answers.len(), "{name}: one answer a document");
        for (document, answer) in documents.iter().zip(&answers) {
            documents_seen += 1;
            let place = format!(
                "{name} document {} {}",
                answer["document"], document["metadata"]["name"]
            );
            assert!(answer["decode"].is_null(), "{place}: {}", answer["decode"]);
            let (our_errors, our_warnings) = ours(document);
            let (their_errors, their_warnings) = theirs(answer);
            if our_errors != their_errors {
                differences.push(format!(
                    "{place}\n  ours:   {our_errors:#?}\n  theirs: {their_errors:#?}"
                ));
            }
            if our_warnings != their_warnings {
                differences.push(format!(
                    "{place}\n  our warnings:   {our_warnings:#?}\n  their warnings: {their_warnings:#?}"
                ));
            }
        }
    }
    assert!(documents_seen > 0);
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}
