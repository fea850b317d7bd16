//! Situations with known answers: `tests/fixtures/<topic>/` holds a cluster, what is applied to it, and what the real
//! scheduler and the real API server make of it (`expect.json`).

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on fails")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures")
}

/// Runs `place` and gives its exit code and document.
fn place(folder: &Path, file: &str, arguments: &[&str]) -> (i32, Value) {
    let output = Command::new(env!("CARGO_BIN_EXE_bayplan"))
        .args(["place", "--explain", "-o", "json", "--cluster"])
        .arg(folder.join("cluster.yaml"))
        .arg("-f")
        .arg(folder.join(file))
        .args(arguments)
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let document = serde_json::from_str(&text).unwrap_or_else(|error| {
        panic!(
            "{file}: {error}: {text}{}",
            String::from_utf8_lossy(&output.stderr)
        )
    });
    (output.status.code().unwrap(), document)
}

/// What the document says about one aspect of an expectation.
fn found(document: &Value, aspect: &str, wanted: &Value) -> Value {
    let pods = document["pods"].as_array().unwrap();
    let nodes = || pods.iter().filter_map(|pod| pod["node"].as_str());
    let scores = |pod: usize, plugin: &str| -> Value {
        let scores = pods[pod]["scores"].as_object().unwrap();
        scores
            .iter()
            .map(|(node, points)| (node.clone(), points.get(plugin).cloned().unwrap_or(json!(0))))
            .collect()
    };
    let points = |pod: usize| -> Value {
        wanted
            .as_object()
            .unwrap()
            .keys()
            .map(|plugin| (plugin.clone(), scores(pod, plugin)))
            .collect()
    };
    let sorted = |list: &Value| {
        let mut list: Vec<&str> = list
            .as_array()
            .unwrap()
            .iter()
            .filter_map(Value::as_str)
            .collect();
        list.sort_unstable();
        json!(list)
    };
    match aspect {
        "pods" => pods.iter().map(|pod| pod["node"].clone()).collect(),
        "pending" => json!(pods.iter().filter(|pod| pod["node"].is_null()).count()),
        "perNode" => {
            let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
            nodes().for_each(|node| *counts.entry(node).or_default() += 1);
            json!(counts)
        }
        "message" => {
            let texts: Vec<&Value> = pods.iter().map(|pod| &pod["message"]).collect();
            if texts.contains(&wanted) {
                wanted.clone()
            } else {
                json!(texts)
            }
        }
        "feasible" => sorted(&pods[0]["feasible"]),
        "points" => points(0),
        "pointsOfSecond" => points(1),
        "totalsOfSecond" => {
            let total = |points: &Value| {
                json!(
                    points
                        .as_object()
                        .unwrap()
                        .values()
                        .filter_map(Value::as_i64)
                        .sum::<i64>()
                )
            };
            pods[1]["scores"]
                .as_object()
                .unwrap()
                .iter()
                .map(|(node, points)| (node.clone(), total(points)))
                .collect()
        }
        "nominated" => pods[0]["nominatedNode"].clone(),
        "victims" => pods[0]["victims"].clone(),
        "warnings" => json!(issues(document, "warning").len()),
        "errors" => errors(document, wanted),
        other => panic!("unknown aspect {other}"),
    }
}

fn issues<'a>(document: &'a Value, severity: &str) -> Vec<&'a Value> {
    document["issues"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|issue| issue["severity"] == severity)
        .collect()
}

/// The expected texts where each error has its text (and line, if one is expected), else what was found.
fn errors(document: &Value, wanted: &Value) -> Value {
    let found = issues(document, "error");
    let expected = wanted.as_array().unwrap();
    let fits = |issue: &Value, expected: &Value| {
        let text = expected.as_str().unwrap();
        let (line, text) = match text.split_once(": ") {
            Some((line, text)) if line.parse::<u64>().is_ok() => (line.parse().ok(), text),
            _ => (None, text),
        };
        issue["line"].is_u64()
            && issue["column"].is_u64()
            && line.is_none_or(|line: u64| issue["line"] == line)
            && issue["message"].as_str().unwrap().contains(text)
    };
    let all_fit = found.len() == expected.len()
        && found
            .iter()
            .zip(expected)
            .all(|(issue, expected)| fits(issue, expected));
    if all_fit { wanted.clone() } else { json!(found) }
}

#[test]
fn situations_come_out_as_in_a_real_cluster() {
    let mut folders: Vec<PathBuf> = fs::read_dir(fixtures())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    folders.sort();
    assert!(folders.len() >= 31, "fixtures are missing");
    let mut wrong = Vec::new();
    for folder in folders {
        let topic = folder.file_name().unwrap().to_string_lossy().into_owned();
        let expectations: Vec<Value> =
            serde_json::from_str(&fs::read_to_string(folder.join("expect.json")).unwrap()).unwrap();
        for expected in expectations {
            let file = expected["file"].as_str().unwrap();
            let arguments: Vec<&str> = expected["args"]
                .as_array()
                .into_iter()
                .flatten()
                .map(|argument| argument.as_str().unwrap())
                .collect();
            let (exit, document) = place(&folder, file, &arguments);
            let mut check = |aspect: &str, wanted: &Value, found: &Value| {
                if wanted != found {
                    wrong.push(format!(
                        "{topic}/{file} {aspect}: expected {wanted}, found {found}"
                    ));
                }
            };
            check("exit", &expected["exit"], &json!(exit));
            for (aspect, wanted) in expected.as_object().unwrap() {
                if !matches!(aspect.as_str(), "file" | "args" | "exit") {
                    check(aspect, wanted, &found(&document, aspect, wanted));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
