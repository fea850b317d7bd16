//! Everything that can be wrong with an input: text in, the lines a user sees out.
#![allow(missing_docs)]

use std::io::Write as _;

use bayplan_manifest::diagnostic::{Diagnostic, render_concise};
use bayplan_manifest::{Input, load_cluster, load_manifests};

/// Reads `text` as manifests; the objects' names and the diagnostics, one a line.
fn manifests(text: &[u8]) -> (Vec<String>, String) {
    let (manifests, diagnostics) = load_manifests(vec![Input::bytes("m.yaml", text)]);
    let names = manifests.iter().map(|manifest| manifest.name()).collect();
    (names, render_concise(&diagnostics))
}

/// Reads `text` as a cluster's state.
fn cluster(text: &[u8]) -> (Vec<String>, String) {
    let mut names = Vec::new();
    let inputs = vec![Input::bytes("c.yaml", text)];
    let report = load_cluster(inputs, 2, &mut |located| {
        names.push(located.object.reference().to_string())
    });
    (names, render_concise(&report.diagnostics))
}

#[track_caller]
fn expect(text: &str, names: &[&str], diagnostics: &str) {
    let (found_names, found) = manifests(text.as_bytes());
    assert_eq!(found.trim_end(), diagnostics.trim());
    assert_eq!(found_names, names);
}

const POD: &str =
    "apiVersion: v1\nkind: Pod\nmetadata:\n  name: good\nspec:\n  containers:\n  - name: a\n    image: a\n";

#[test]
fn wrong_indentation_names_the_indentations_that_would_fit() {
    expect(
        "apiVersion: v1\nkind: Pod\nmetadata:\n  name: a\nspec:\n  containers:\n  - name: a\n     image: b\n",
        &[],
        "m.yaml:8:11: error[BP907] a mapping is not allowed here (this line is indented by 5 spaces, the lines above it by 4)",
    );
    expect(
        "apiVersion: v1\nkind: Pod\nmetadata:\n    name: a\n  namespace: b\n",
        &[],
        "m.yaml:5:3: error[BP907] expected a key here (this line is indented by 2 spaces, the lines above it by 0 or 4)",
    );
    expect(
        "apiVersion: v1\nkind: Pod\nmetadata:\n\tname: a\n",
        &[],
        "m.yaml:4:2: error[BP907] tabs disallowed within this context (block indentation) (indent with spaces: YAML does not allow tabs)",
    );
}

#[test]
fn a_faulty_document_does_not_take_the_others_with_it() {
    let text = format!(
        "{POD}---\napiVersion: v1\nkind: [\n---\n{}",
        POD.replace("good", "second")
    );
    let (names, found) = manifests(text.as_bytes());
    assert_eq!(names, ["Pod/good", "Pod/second"]);
    assert_eq!(
        found.trim_end(),
        "m.yaml:11:7: error[BP907] unclosed bracket '[' (close it, or check whether the file is cut off)"
    );
    let (_, found) = manifests(b"apiVersion: v1\nkind: [\n");
    assert!(found.starts_with("m.yaml:2:7: error[BP908]"), "{found}");
}

#[test]
fn duplicate_keys_are_shown_with_both_places() {
    let text = "apiVersion: v1\nkind: Pod\nmetadata:\n  name: a\n  name: b\n";
    let (manifests, diagnostics) = load_manifests(vec![Input::bytes("m.yaml", text.as_bytes())]);
    assert!(manifests.is_empty());
    let [found]: &[Diagnostic] = &diagnostics else {
        panic!("{diagnostics:?}");
    };
    assert_eq!(found.code.id(), "BP902");
    assert_eq!(
        found.location.as_ref().map(|at| (at.line, at.column)),
        Some((5, 3))
    );
    assert_eq!(
        (found.labels[0].location.line, found.labels[0].location.column),
        (4, 3)
    );
}

#[test]
fn unknown_and_misplaced_fields() {
    expect(
        "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: a\nspec:\n  replcias: 2\n  nodeSelector:\n    a: b\n  template:\n    spec:\n      replicas: 3\n",
        &[],
        r#"m.yaml:6:3: error[BP901] unknown field "spec.replcias" (did you mean "replicas"?)
m.yaml:7:3: error[BP901] unknown field "spec.nodeSelector" (it belongs further down: spec.template.spec.nodeSelector)
m.yaml:11:7: error[BP901] unknown field "spec.template.spec.replicas" (it belongs further up, at spec.replicas: check the indentation)"#,
    );
}

#[test]
fn every_wrong_type_of_a_document_is_reported() {
    expect(
        "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: a\n  labels:\n    version: 2\n    enabled: yes\nspec:\n  replicas: \"3\"\n  minReadySeconds: 1.5\n  paused: 1\n  template:\n    spec:\n      containers:\n        name: a\n",
        &[],
        r#"m.yaml:6:14: error[BP905] metadata.labels[version]: a string is wanted, this is a number (quote it: "2")
m.yaml:7:14: error[BP905] metadata.labels[enabled]: a string is wanted, this is a boolean (YAML reads yes as a boolean; quote it: "yes")
m.yaml:9:13: error[BP905] spec.replicas: a whole number of 32 bits is wanted, this is a string (write it without quotes: 3)
m.yaml:10:20: error[BP905] spec.minReadySeconds: a whole number of 32 bits is wanted, this is a fraction
m.yaml:11:11: error[BP905] spec.paused: true or false is wanted, this is a number
m.yaml:15:9: error[BP905] spec.template.spec.containers: a list is wanted, this is a mapping (put `- ` before its first key)"#,
    );
}

#[test]
fn what_the_server_would_say_is_quoted_word_for_word() {
    let text = "apiVersion: apps/v1\nkind: Deployment\nspec:\n  replicas: 3000000000\n  strategy:\n    rollingUpdate:\n      maxSurge: true\n";
    let (_, diagnostics) = load_manifests(vec![Input::bytes("m.yaml", text.as_bytes())]);
    let notes: Vec<&str> = diagnostics
        .iter()
        .flat_map(|found| &found.notes)
        .map(String::as_str)
        .collect();
    assert_eq!(
        notes,
        [
            "the API server reports: Deployment in version \"v1\" cannot be handled as a Deployment: json: cannot unmarshal number 3000000000 into Go struct field DeploymentSpec.spec.replicas of type int32",
            "the API server reports: Deployment in version \"v1\" cannot be handled as a Deployment: json: cannot unmarshal bool into Go value of type int32",
        ]
    );
}

#[test]
fn quantities_and_times_are_checked() {
    expect(
        "apiVersion: v1\nkind: Pod\nmetadata:\n  name: a\n  creationTimestamp: yesterday\nspec:\n  overhead:\n    cpu: 1 core\n    memory: 1e3\n    a: true\n    b: 12XB\n    c: .inf\n",
        &[],
        r#"m.yaml:5:22: error[BP906] metadata.creationTimestamp: `yesterday` is no time (times look like 2026-01-31T12:00:00Z)
m.yaml:8:10: error[BP906] spec.overhead[cpu]: `1 core` is no quantity (quantities are a number and perhaps one suffix, for example 500m, 2, 4Gi (1024-based) or 4G)
m.yaml:10:8: error[BP906] spec.overhead[a]: `true` is no quantity (quantities are a number and perhaps one suffix, for example 500m, 2, 4Gi (1024-based) or 4G)
m.yaml:11:8: error[BP906] spec.overhead[b]: `12XB` is no quantity (quantities are a number and perhaps one suffix, for example 500m, 2, 4Gi (1024-based) or 4G)
m.yaml:12:8: error[BP905] spec.overhead[c]: `.inf` cannot be sent to a server (quote it if the text .inf is meant)"#,
    );
}

#[test]
fn null_fits_every_field() {
    expect(
        "apiVersion: v1\nkind: Pod\nmetadata:\n  name: a\n  labels:\n  creationTimestamp: null\nspec:\n  containers: ~\n  priority:\n",
        &["Pod/a"],
        "",
    );
}

#[test]
fn documents_that_are_no_objects() {
    expect(
        "- a\n- b\n",
        &[],
        "m.yaml:1:1: error[BP914] a Kubernetes object is wanted, this is of type array (an object has apiVersion, kind and metadata)",
    );
    expect(
        "kind: Pod\nmetadata:\n  name: a\n",
        &[],
        "m.yaml:1:1: error[BP914] apiVersion is not set (every object names its apiVersion; for example: apiVersion: apps/v1, kind: Deployment)",
    );
    expect(
        "# nothing\n---\n\n---\n",
        &[],
        "m.yaml:1:1: warning[BP915] there is no object in this input (check that the command that wrote it succeeded)",
    );
}

#[test]
fn kinds_are_looked_up_as_the_server_would() {
    expect(
        "apiVersion: v1\nkind: Deployment\n---\napiVersion: apps/v1\nkind: deployment\n---\napiVersion: extensions/v1beta1\nkind: Deployment\n---\napiVersion: v1\nkind: ConfigMap\n---\napiVersion: v1\nkind: ConfigMap\n---\napiVersion: serving.knative.dev/v1\nkind: Service\n",
        &[],
        r#"m.yaml:1:13: error[BP913] no matches for kind "Deployment" in version "v1" (write apiVersion: apps/v1)
m.yaml:5:7: error[BP913] no matches for kind "deployment" in version "apps/v1" (write kind: Deployment)
m.yaml:7:13: error[BP913] no matches for kind "Deployment" in version "extensions/v1beta1" (write apiVersion: apps/v1)
m.yaml:17:7: info[BP913] 1 object of kind Service (serving.knative.dev/v1) passed over: scheduling does not read it
m.yaml:11:7: info[BP913] 2 objects of kind ConfigMap (v1) passed over: scheduling does not read it"#,
    );
}

#[test]
fn alias_bombs_are_refused_and_aliases_used_sensibly_are_not() {
    let mut bomb = String::from("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
    for level in 1..12 {
        let uses = vec![format!("*a{}", level - 1); 10].join(", ");
        bomb.push_str(&format!("a{level}: &a{level} [{uses}]\n"));
    }
    let (names, found) = manifests(bomb.as_bytes());
    assert!(names.is_empty());
    assert!(
        found.contains("error[BP911] aliases expand this document to far more than it holds"),
        "{found}"
    );

    let mut merges = String::from("base: &base {a: 1, b: 2, c: 3}\n");
    for index in 0..200_000 {
        merges.push_str(&format!("k{index}: {{<<: *base}}\n"));
    }
    assert!(manifests(merges.as_bytes()).1.contains("BP911"));

    expect(
        "apiVersion: v1\nkind: Pod\nmetadata:\n  name: a\n  labels: &l {a: b}\n  annotations:\n    <<: *l\n    c: d\n",
        &["Pod/a"],
        "",
    );
}

#[test]
fn cyclic_and_unknown_aliases() {
    expect(
        "a: &x [*x]\n",
        &[],
        "m.yaml:1:8: error[BP907] the value of this anchor contains itself",
    );
    expect(
        "apiVersion: v1\nkind: Pod\nimage: *star\n",
        &[],
        "m.yaml:3:8: error[BP907] no anchor of this name above (a value that starts with `*` must be quoted)",
    );
}

#[test]
fn deep_nesting_is_refused_in_yaml_and_json() {
    let deep_yaml = format!("a: {}{}", "[".repeat(5000), "]".repeat(5000));
    assert!(manifests(deep_yaml.as_bytes()).1.contains("error[BP912]"));
    let deep_json = format!("{}1{}", "{\"a\":".repeat(100_000), "}".repeat(100_000));
    let found = manifests(deep_json.as_bytes()).1;
    assert!(found.contains("BP912"), "{found}");
    assert!(!cluster(deep_json.as_bytes()).1.is_empty());
}

#[test]
fn binary_utf16_and_damaged_text() {
    let (_, found) = manifests(b"\x7fELF\x02\x01\x01\0\0\0");
    assert_eq!(
        found.trim_end(),
        "m.yaml:1:1: error[BP909] this is no text: byte 7 is zero (pass YAML or JSON, plain or as .gz)"
    );
    let (_, found) = manifests(b"\xff\xfea\0:\0");
    assert!(
        found.starts_with("m.yaml:1:1: error[BP909] the text is in UTF-16"),
        "{found}"
    );
    let mut text = POD.as_bytes().to_vec();
    text.extend_from_slice(b"---\napiVersion: v1\nkind: Pod\nmetadata:\n  name: caf\xe9\n");
    let (names, found) = manifests(&text);
    assert_eq!(names, ["Pod/good"]);
    assert!(
        found.starts_with("m.yaml:13:12: error[BP909] bytes that are not UTF-8"),
        "{found}"
    );
    let (names, found) = cluster(&text);
    assert_eq!(names, ["Pod/good"]);
    assert!(found.starts_with("c.yaml:13:12: error[BP909]"), "{found}");
}

#[test]
fn gzip_is_unpacked_and_a_cut_archive_gives_what_it_holds() {
    let mut text = String::new();
    for index in 0..2000 {
        text.push_str(&POD.replace("good", &format!("pod-{index}")));
        text.push_str("---\n");
    }
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(text.as_bytes()).expect("memory");
    let packed = encoder.finish().expect("memory");
    assert_eq!(cluster(&packed).0.len(), 2000);
    assert_eq!(manifests(&packed).0.len(), 2000);

    let (names, found) = cluster(&packed[..packed.len() / 2]);
    assert!(names.len() > 500 && names.len() < 1500, "{}", names.len());
    assert!(
        found.contains("error[BP908] the gzip archive ends early"),
        "{found}"
    );
    let (names, found) = manifests(&packed[..packed.len() / 2]);
    assert!(names.len() > 500, "{}", names.len());
    assert!(found.contains("error[BP908]"), "{found}");
}

#[test]
fn json_faults_have_places_and_hints() {
    expect(
        "{\n  \"apiVersion\": \"v1\"\n  \"kind\": \"Pod\"\n}",
        &[],
        "m.yaml:3:3: error[BP907] expected `,` or `}`",
    );
    expect(
        "{\"apiVersion\": \"v1\", \"kind\": \"Pod\", \"metadata\": {\"name\": \"a",
        &[],
        "m.yaml:1:58: error[BP908] this string is never closed (check whether the file is cut off)",
    );
    // Like kubectl: what is no JSON may still be YAML in flow style, which takes a comma at the end.
    expect(
        "{apiVersion: v1, kind: Pod, metadata: {name: flow},}",
        &["Pod/flow"],
        "",
    );
}

#[test]
fn a_cut_dump_gives_the_objects_before_the_cut() {
    let whole = r#"{
    "apiVersion": "v1",
    "items": [
        {
            "apiVersion": "v1",
            "kind": "Node",
            "metadata": {
                "name": "n1"
            }
        },
        {
            "apiVersion": "v1",
            "kind": "Node",
            "metadata": {
                "name": "n2"
            }
        }
    ],
    "kind": "List"
}
"#;
    assert_eq!(
        cluster(whole.as_bytes()),
        (vec!["Node/n1".to_owned(), "Node/n2".to_owned()], String::new())
    );
    let cut = &whole[..whole.find("n2").expect("there")];
    let (_, found) = cluster(cut.as_bytes());
    assert!(found.contains("error[BP908]"), "{found}");
}

#[test]
fn a_faulty_item_costs_only_itself() {
    let item = |name: &str, extra: &str| {
        format!("- apiVersion: v1\n  kind: Node\n  metadata:\n    name: {name}\n{extra}")
    };
    let text = format!(
        "apiVersion: v1\nitems:\n{}{}{}kind: List\n",
        item("n1", ""),
        item("n2", "  spec:\n    unschedulable: perhaps\n"),
        item("n3", "")
    );
    let (names, found) = cluster(text.as_bytes());
    assert_eq!(names, ["Node/n1", "Node/n3"]);
    assert!(
        found.starts_with("c.yaml:12:20: error[BP906] this Node cannot be read"),
        "{found}"
    );

    let lines = "{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"metadata\":{\"name\":\"n1\"}}\n{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"metadata\":{\"name\":\"n2}}\n{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"metadata\":{\"name\":\"n3\"}}\n";
    let (names, found) = cluster(lines.as_bytes());
    assert!(names.contains(&"Node/n1".to_owned()), "{names:?}");
    assert!(found.contains("c.yaml:2:"), "{found}");
}

#[test]
fn empty_and_missing_inputs() {
    assert!(cluster(b"").1.contains("warning[BP915] this input is empty"));
    let (_, diagnostics) = load_manifests(vec![Input::path("/nonexistent/m.yaml", false)]);
    let found = render_concise(&diagnostics);
    assert!(
        found.contains("error[BP910] cannot read /nonexistent/m.yaml") && found.contains("check the path"),
        "{found}"
    );
}
