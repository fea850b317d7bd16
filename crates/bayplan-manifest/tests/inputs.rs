//! Where objects may come from: files, folders, dumps, lists, and the public cases when they are at hand.
#![allow(missing_docs)]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use bayplan_manifest::diagnostic::{RenderStyle, render_concise, render_full};
use bayplan_manifest::{Input, LoadReport, load_cluster, load_manifests};

/// A folder that is removed when the test ends.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str, files: &[(&str, &str)]) -> Self {
        let root = std::env::temp_dir().join(format!("bayplan-manifest-{name}-{}", std::process::id()));
        for (path, text) in files {
            let path = root.join(path);
            let written = path
                .parent()
                .map_or(Ok(()), fs::create_dir_all)
                .and_then(|()| fs::write(&path, text));
            assert!(written.is_ok(), "cannot write {}: {written:?}", path.display());
        }
        Self(root)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn cluster(inputs: Vec<Input>) -> (Vec<String>, LoadReport) {
    let mut names = Vec::new();
    let report = load_cluster(inputs, 0, &mut |located| {
        names.push(located.object.reference().to_string())
    });
    (names, report)
}

#[test]
fn a_dump_folder_is_read_with_all_its_namespaces() {
    let folder = Folder::new(
        "dump",
        &[
            (
                "nodes.json",
                r#"{"kind":"NodeList","apiVersion":"v1","metadata":{},"items":[{"metadata":{"name":"n1"},"spec":{}}]}"#,
            ),
            (
                "web/pods.json",
                r#"{"kind":"PodList","apiVersion":"v1","metadata":{},"items":[{"metadata":{"name":"p","namespace":"web"}}]}"#,
            ),
            (
                "web/events.json",
                r#"{"kind":"EventList","apiVersion":"v1","metadata":{},"items":[{"metadata":{"name":"e"}},{}]}"#,
            ),
            (
                "web/replicasets.yaml",
                "apiVersion: apps/v1\nitems:\n- metadata:\n    name: r\n    namespace: web\n  spec:\n    replicas: 2\nkind: ReplicaSetList\nmetadata: {}\n",
            ),
            ("web/p/logs.txt", "==== START logs\n{{{{\n"),
        ],
    );
    let (names, report) = cluster(vec![Input::path(&folder.0, false)]);
    assert_eq!(names, ["Node/n1", "web/Pod/p", "web/ReplicaSet/r"]);
    assert_eq!(
        report.counts,
        BTreeMap::from([("Node", 1), ("Pod", 1), ("ReplicaSet", 1)])
    );
    assert_eq!(
        render_concise(&report.diagnostics),
        "info[BP913] 2 objects of kind Event (v1) passed over: scheduling does not read it\n"
    );
}

#[test]
fn folders_of_manifests_are_searched_below_only_when_asked() {
    let pod = |name: &str| format!("apiVersion: v1\nkind: Pod\nmetadata:\n  name: {name}\n");
    let folder = Folder::new(
        "manifests",
        &[
            ("b.yaml", &pod("b")),
            ("a.yml", &pod("a")),
            ("sub/c.yaml", &pod("c")),
            ("notes.txt", "- x"),
        ],
    );
    let names = |recursive| {
        let (manifests, diagnostics) = load_manifests(vec![Input::path(&folder.0, recursive)]);
        assert_eq!(diagnostics, []);
        manifests
            .iter()
            .map(|manifest| manifest.name())
            .collect::<Vec<_>>()
    };
    assert_eq!(names(false), ["Pod/a", "Pod/b"]);
    assert_eq!(names(true), ["Pod/a", "Pod/b", "Pod/c"]);

    let empty = Folder::new("empty", &[("sub/c.yaml", &pod("c"))]);
    let (_, diagnostics) = load_manifests(vec![Input::path(&empty.0, false)]);
    assert!(render_concise(&diagnostics).contains("use -R"), "{diagnostics:?}");
}

#[test]
fn lists_in_manifests_keep_the_place_of_each_item() {
    let text = "apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: Pod\n  metadata:\n    name: a\n- apiVersion: apps/v1\n  kind: Deployment\n  metadata:\n    name: b\n    namespace: web\n  spec:\n    template:\n      spec:\n        containers:\n        - name: c\n          resources:\n            limits:\n              nvidia.com/gpu: 2\n";
    let (manifests, diagnostics) = load_manifests(vec![Input::bytes("l.yaml", text.as_bytes())]);
    assert_eq!(diagnostics, []);
    assert_eq!(manifests[1].name(), "web/Deployment/b");
    let place = |path: &str| manifests[1].locate(path).display_short();
    assert_eq!(
        place("spec.template.spec.containers[0].resources.limits[nvidia.com/gpu]"),
        "l.yaml:20:31"
    );
    assert_eq!(
        place("spec.template.spec.containers[0].resources.limits.nvidia.com/gpu"),
        "l.yaml:20:31"
    );
    assert_eq!(
        place("spec.template.spec.containers[0].resources.requests"),
        "l.yaml:18:11"
    );
    assert_eq!(place("spec.template.spec.containers[0]"), "l.yaml:17:11");
    assert_eq!(place("spec.selector"), "l.yaml:13:3");
    assert_eq!(manifests[0].locate("spec").display_short(), "l.yaml:4:3");
    assert!(manifests[1].has("spec.template") && !manifests[1].has("spec.replicas"));
}

#[test]
fn diagnostics_look_like_a_compilers() {
    let text = "apiVersion: v1\nkind: Pod\nmetadata:\n  name: a\n  namespace: web\n  labels:\n    app: a\n    app: b\n";
    let (_, diagnostics) = load_manifests(vec![Input::bytes("pod.yaml", text.as_bytes())]);
    assert_eq!(
        render_full(&diagnostics, RenderStyle::Plain),
        r#"error[BP902]: the key "app" is written twice
 --> pod.yaml:8:5
  |
8 |     app: b
  |     ^^^ second here
  |
 ::: pod.yaml:7:5
  |
7 |     app: a
  |     --- first here
  |
  = note: kubectl silently keeps the last one; a server that is sent the YAML refuses it
  = help: remove one of the two
"#
    );
}

/// More than fits into one piece, so that it is read as a stream.
#[test]
fn large_inputs_stream_in_order_and_survive_a_faulty_item() {
    let pad = "x".repeat(2000);
    let mut text = String::from("apiVersion: v1\nitems:\n");
    for index in 0..3000 {
        let priority = if index == 1500 {
            "high".to_owned()
        } else {
            index.to_string()
        };
        text.push_str(&format!(
            "- apiVersion: v1\n  kind: Pod\n  metadata:\n    name: p{index}\n    namespace: web\n  spec:\n    priority: {priority}\n  status:\n    message: {pad}\n"
        ));
    }
    text.push_str("kind: List\n");
    let mut lines = Vec::new();
    let inputs = vec![Input::reader("-", Box::new(std::io::Cursor::new(text)))];
    let report = load_cluster(inputs, 2, &mut |located| {
        lines.push((located.object.metadata().name.clone(), located.line))
    });
    let expected: Vec<(String, u32)> = (0..3000)
        .filter(|&index| index != 1500)
        .map(|index| (format!("p{index}"), 3 + 9 * index))
        .collect();
    let differs = lines
        .iter()
        .zip(&expected)
        .position(|(found, wanted)| found != wanted);
    assert_eq!((lines.len(), differs), (expected.len(), None));
    let found = render_concise(&report.diagnostics);
    assert!(
        found.starts_with("-:13509:15: error[BP906] this Pod cannot be read"),
        "{found}"
    );
}

/// The public cases, when they lie beside the repository.
#[test]
fn public_cases_load() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    if !root.join("cases").is_dir() {
        println!("skipped: no public cases beside the repository");
        return;
    }
    let mut folders: Vec<PathBuf> = fs::read_dir(root.join("cases"))
        .expect("readable")
        .flatten()
        .map(|entry| entry.path())
        .collect();
    folders.sort();
    let mut read = 0;
    for folder in folders.iter().filter(|folder| folder.is_dir()) {
        let (names, report) = cluster(vec![Input::path(folder.join("cluster.yaml"), false)]);
        assert!(
            !report.has_errors() && !names.is_empty(),
            "{}: {:?}",
            folder.display(),
            report.diagnostics
        );
        let mut files: Vec<PathBuf> = fs::read_dir(folder)
            .expect("readable")
            .flatten()
            .map(|entry| entry.path())
            .collect();
        files.sort();
        for file in files
            .iter()
            .filter(|file| file.extension().is_some_and(|extension| extension == "yaml"))
        {
            if file.ends_with("cluster.yaml") {
                continue;
            }
            let (manifests, diagnostics) = load_manifests(vec![Input::path(file, false)]);
            let errors = diagnostics.iter().filter(|found| found.is_error()).count();
            let expected = if file.ends_with("25-unquoted-scalars/workload.yaml") {
                3
            } else {
                0
            };
            assert_eq!(errors, expected, "{}: {diagnostics:?}", file.display());
            assert!(expected > 0 || !manifests.is_empty(), "{}", file.display());
            read += 1;
        }
    }
    assert!(read > 40, "{read} files");
    let (names, report) = cluster(vec![Input::path(root.join("data/nodes/all-list.json"), false)]);
    assert_eq!((names.len(), report.diagnostics.len()), (6, 0));
}
