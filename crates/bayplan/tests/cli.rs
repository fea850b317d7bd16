//! What a user sees: exit code, standard output and standard error of whole commands, as snapshots.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on fails")]

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Output, Stdio};

const BINARY: &str = env!("CARGO_BIN_EXE_bayplan");

fn command(arguments: &str) -> Command {
    let mut command = Command::new(BINARY);
    command
        .args(arguments.split(' ').filter(|word| !word.is_empty()))
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures"))
        .env_remove("CLICOLOR_FORCE")
        .env_remove("NO_COLOR")
        .stdin(Stdio::null());
    command
}

fn shown(arguments: &str, output: &Output) -> String {
    let code = output
        .status
        .code()
        .map_or_else(|| "signal".to_owned(), |code| code.to_string());
    let part = |name: &str, bytes: &[u8]| {
        let text = String::from_utf8_lossy(bytes);
        if text.is_empty() {
            String::new()
        } else {
            format!("--- {name}\n{text}")
        }
    };
    format!(
        "bayplan {arguments}\nexit code {code}\n{}{}",
        part("standard output", &output.stdout),
        part("standard error", &output.stderr)
    )
}

fn run(arguments: &str) -> String {
    shown(arguments, &command(arguments).output().unwrap())
}

fn run_with_input(arguments: &str, input: &str) -> String {
    let mut child = command(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    shown(arguments, &child.wait_with_output().unwrap())
}

fn fixture(path: &str) -> String {
    fs::read_to_string(
        Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("tests/fixtures")
            .join(path),
    )
    .unwrap()
}

/// One snapshot for each command line.
macro_rules! snapshots {
    ($($name:ident: $arguments:expr;)*) => {$(
        #[test]
        fn $name() {
            insta::assert_snapshot!(run($arguments));
        }
    )*};
}

snapshots! {
    help: "--help";
    help_of_place: "place -h";
    version_as_yaml: "version -o yaml";
    demo: "demo";
    place_table: "place --cluster gpu-slices/cluster.yaml -f gpu-slices/workload.yaml";
    place_wide: "place --cluster preference-is-outvoted/cluster.yaml -f preference-is-outvoted/workload.yaml -o wide";
    place_json: "place --cluster priority-class-decides/cluster.yaml -f priority-class-decides/workload.yaml -o json";
    place_yaml: "place --cluster volume-holds-zone/cluster.yaml -f volume-holds-zone/workload.yaml -o yaml";
    place_name: "place --cluster gpu-slices/cluster.yaml -f gpu-slices/workload.yaml -o name";
    place_csv: "place --cluster gpu-slices/cluster.yaml -f gpu-slices/workload.yaml -o csv";
    place_markdown: "place --cluster gpu-slices/cluster.yaml -f gpu-slices/workload.yaml -o markdown";
    place_without_headers: "place --cluster gpu-slices/cluster.yaml -f gpu-slices/workload.yaml --no-headers --sort-by node";
    place_explained: "place --cluster preference-is-outvoted/cluster.yaml -f preference-is-outvoted/workload.yaml --explain";
    place_preempts: "place --cluster preemption-for-anti-affinity/cluster.yaml -f preemption-for-anti-affinity/workload.yaml";
    place_missing_replica: "place --cluster spread-counts-cordoned-node/cluster.yaml -f spread-counts-cordoned-node/fix.yaml";
    place_fresh: "place --cluster spread-counts-cordoned-node/cluster.yaml -f spread-counts-cordoned-node/fix.yaml --fresh";
    place_trials: "place --cluster soft-anti-affinity-fills-up/cluster.yaml -f soft-anti-affinity-fills-up/workload.yaml --trials 20 --seed 7";
    place_random: "place --cluster soft-anti-affinity-fills-up/cluster.yaml -f soft-anti-affinity-fills-up/workload.yaml --ties random --seed 3 -o name";
    place_refused: "place --cluster weight-out-of-range/cluster.yaml -f weight-out-of-range/workload.yaml";
    place_wrong_type: "place --cluster unquoted-scalars/cluster.yaml -f unquoted-scalars/workload.yaml";
    place_refused_json: "place --cluster weight-out-of-range/cluster.yaml -f weight-out-of-range/workload.yaml -o json";
    place_warned: "place --cluster selector-left-out/cluster.yaml -f selector-left-out/plain.yaml";
    place_other_namespace: "place --cluster gpu-slices/cluster.yaml -f gpu-slices/workload.yaml -n other";
    place_selected: "place --cluster gpu-slices/cluster.yaml -f gpu-slices/workload.yaml -l tier=none";
    place_nothing_pending: "place --cluster gpu-slices/cluster.yaml";
    place_without_cluster: "place -f model.yaml --context prod -n serving";
    place_missing_file: "place --cluster gpu-slices/cluster.yaml -f no-such-file.yaml";
    place_missing_cluster_file: "place --cluster no-such-file.yaml -f gpu-slices/workload.yaml";
    place_unknown_workload: "place --cluster gpu-slices/cluster.yaml deployment/nobody";
    place_standard_input_twice: "place --cluster - -f -";
    place_unknown_column: "place --cluster gpu-slices/cluster.yaml -f gpu-slices/workload.yaml --sort-by color";
    usage_error: "place --cluster";
    live_flags_with_cluster: "place --cluster x --context prod";
    nodes_table: "nodes --cluster gpu-slices/cluster.yaml";
    nodes_json: "nodes --cluster toleration-of-everything/cluster.yaml -o json";
    nodes_selected: "nodes --cluster toleration-of-everything/cluster.yaml --by node,zone -l kubernetes.io/hostname=anvil-2 -o wide";
    nodes_without_nodes: "nodes --cluster gpu-slices/workload.yaml";
    nodes_twice: "nodes --cluster gpu-slices/cluster.yaml --cluster gpu-slices/cluster.yaml --by node";
    explain_running: "explain pod/cedar-0 -n serving --cluster toleration-of-everything/cluster.yaml";
    explain_missing: "explain pod/nobody -n serving --cluster toleration-of-everything/cluster.yaml";
    explain_no_pod: "explain deployment/x --cluster toleration-of-everything/cluster.yaml";
}

const PENDING: &str = "
---
apiVersion: v1
kind: Pod
metadata: {name: waiting, namespace: serving}
spec:
  containers: [{name: main, image: images.example.net/app:1, resources: {limits: {nvidia.com/mig-3g.40gb: 1}}}]
status:
  phase: Pending
  conditions:
  - {type: PodScheduled, status: 'False', reason: Unschedulable, message: an older text}
---
apiVersion: v1
kind: Pod
metadata: {name: gated, namespace: serving}
spec:
  schedulingGates: [{name: example.net/quota}]
  containers: [{name: main, image: images.example.net/app:1}]
status: {phase: Pending}
";

#[test]
fn explain_pending_pods_from_standard_input() {
    let input = fixture("gpu-slices/cluster.yaml") + PENDING;
    insta::assert_snapshot!(run_with_input("explain -n serving --cluster -", &input));
}

#[test]
fn place_pending_pods_from_standard_input() {
    let input = fixture("gpu-slices/cluster.yaml") + PENDING;
    insta::assert_snapshot!(run_with_input("place -A --cluster -", &input));
}

#[test]
fn place_manifest_from_standard_input() {
    let manifest = fixture("gpu-shared-name/fix.yaml");
    insta::assert_snapshot!(run_with_input(
        "place --cluster gpu-shared-name/cluster.yaml -f - -o name",
        &manifest
    ));
}

#[test]
fn scheduler_configuration_changes_the_answer() {
    let folder = tempfile("configuration");
    let path = folder.join("packing.yaml");
    fs::write(
        &path,
        "apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
profiles:
- plugins:
    multiPoint:
      enabled: [{name: InterPodAffinity, weight: 100}]
    score:
      disabled: [{name: NodeResourcesBalancedAllocation}]
  pluginConfig:
  - name: NodeResourcesFit
    args: {scoringStrategy: {type: MostAllocated, resources: [{name: nvidia.com/gpu, weight: 1}]}}
",
    )
    .unwrap();
    let arguments = format!(
        "place --cluster toleration-of-everything/cluster.yaml -f toleration-of-everything/workload.yaml --scheduler-config {} -o name",
        path.display()
    );
    let packed = run(&(arguments.clone() + " --explain").replace("-o name", "-o csv"));
    assert!(
        packed.contains("anvil-1"),
        "the fuller node is preferred now: {packed}"
    );
    fs::write(
        &path,
        "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\nparallelism: 0\n",
    )
    .unwrap();
    let refused = run(&arguments).replace(&path.display().to_string(), "FILE");
    insta::assert_snapshot!(refused.replacen(&folder.display().to_string(), "DIR", 9));
}

fn tempfile(name: &str) -> std::path::PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn colour_comes_only_when_forced() {
    let arguments = "place --cluster gpu-slices/cluster.yaml -f gpu-slices/workload.yaml";
    let escapes = |output: Output| String::from_utf8(output.stdout).unwrap().contains('\u{1b}');
    assert!(!escapes(command(arguments).output().unwrap()));
    assert!(escapes(
        command(arguments).env("CLICOLOR_FORCE", "1").output().unwrap()
    ));
    assert!(!escapes(
        command(arguments)
            .env("CLICOLOR_FORCE", "1")
            .env("NO_COLOR", "1")
            .output()
            .unwrap()
    ));
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let arguments = "place --cluster sampling-misses-preferred-node/cluster.yaml -f sampling-misses-preferred-node/workload.yaml --explain -o json";
    let mut child = command(arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::with_capacity(16, child.stdout.take().unwrap())
        .read_line(&mut line)
        .unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(line, "{\n");
    assert_eq!(
        output.status.code(),
        Some(0),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[test]
fn the_same_seed_gives_the_same_bytes() {
    let arguments = "place --cluster soft-anti-affinity-fills-up/cluster.yaml -f soft-anti-affinity-fills-up/workload.yaml --trials 50 --seed 11 -o json";
    let once = command(arguments).output().unwrap().stdout;
    let again = command(arguments)
        .env("RAYON_NUM_THREADS", "1")
        .output()
        .unwrap()
        .stdout;
    assert_eq!(
        String::from_utf8(once).unwrap(),
        String::from_utf8(again).unwrap()
    );
}

#[test]
fn sampling_leaves_the_preferred_node_out_now_and_then() {
    let folder = "sampling-misses-preferred-node";
    let share = |sampling: &str| {
        let arguments = format!(
            "place --cluster {folder}/cluster.yaml -f {folder}/workload.yaml --trials 600 -o json{sampling}"
        );
        let document: serde_json::Value =
            serde_json::from_slice(&command(&arguments).output().unwrap().stdout).unwrap();
        document["trials"]["workloads"][0]["nodes"]["plain-120"]
            .as_f64()
            .unwrap()
    };
    // 100 of 120 nodes are looked at, from a random one on.
    let sampled = share(" --percentage-of-nodes-to-score 0");
    assert!((sampled - 100.0 / 120.0).abs() < 0.05, "{sampled}");
    assert_eq!(share(""), 1.0);
}

#[test]
fn csv_has_as_many_fields_in_every_line() {
    let arguments =
        "place --cluster priority-class-decides/cluster.yaml -f priority-class-decides/no-class.yaml -o csv";
    let text = String::from_utf8(command(arguments).output().unwrap().stdout).unwrap();
    let mut quoted = false;
    let fields = |line: &str| {
        line.chars()
            .filter(|character| {
                quoted ^= *character == '"';
                *character == ',' && !quoted
            })
            .count()
    };
    let counts: Vec<usize> = text.lines().map(fields).collect();
    assert_eq!(counts.len(), 2, "{text}");
    assert_eq!(counts[0], counts[1], "{text}");
}

#[cfg(unix)]
#[test]
fn other_names_are_a_plugin_and_its_completion() {
    let folder = tempfile("names");
    let link = |name: &str| {
        let path = folder.join(name);
        let _ = fs::remove_file(&path);
        std::os::unix::fs::symlink(BINARY, &path).unwrap();
        path
    };
    let complete = |words: &[&str]| {
        let output = Command::new(link("kubectl_complete-bayplan"))
            .args(words)
            .output()
            .unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    insta::assert_snapshot!(complete(&[""]));
    assert_eq!(
        complete(&["place", "--ties", ""]),
        "exact\tWhat the scheduler does with `parallelism: 1`\nfirst\tThe first in the order of their names\nrandom\tAny of them, by the seed\n:4\n"
    );
    assert_eq!(complete(&["place", "-f", ""]), ":0\n");
    let help = Command::new(link("kubectl-bayplan"))
        .arg("nodes")
        .arg("-h")
        .output()
        .unwrap();
    assert!(
        String::from_utf8(help.stdout)
            .unwrap()
            .contains("Usage: kubectl bayplan nodes")
    );
}

#[cfg(unix)]
#[test]
fn interrupted_is_130() {
    let mut child = command("nodes --cluster -")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    // The first bytes are read once the handler is installed; the command then waits for more.
    child
        .stdin
        .as_mut()
        .unwrap()
        .write_all(&vec![b'#'; 1 << 20])
        .unwrap();
    let status = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status()
        .unwrap();
    assert!(status.success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

#[test]
fn completion_scripts_are_made_for_every_shell() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let output = command(&format!("completion {shell}")).output().unwrap();
        assert!(output.status.success());
        let script = String::from_utf8(output.stdout).unwrap();
        assert!(
            script.contains("percentage-of-nodes-to-score"),
            "{shell}: {script}"
        );
    }
}

#[test]
fn exported_demo_gives_the_demo() {
    let folder = tempfile("demo");
    let exported = command(&format!("demo --export {}", folder.display()))
        .output()
        .unwrap();
    assert!(exported.status.success());
    let document = |arguments: &str| -> serde_json::Value {
        serde_json::from_slice(&command(arguments).output().unwrap().stdout).unwrap()
    };
    let demo = document("demo -o json");
    for manifests in ["naive", "layered"] {
        let path = |name: &str| folder.join(name).display().to_string();
        let placed = document(&format!(
            "place --cluster {} -f {} -o json",
            path("cluster.yaml"),
            path(&format!("{manifests}.yaml"))
        ));
        assert_eq!(demo[manifests]["summary"], placed["summary"]);
    }
}

#[test]
fn demo_shows_that_policies_help() {
    let output = command("demo -o json").output().unwrap();
    let demo: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let measure = |wanted: &str, workload: &str| {
        let measures = demo["measures"].as_array().unwrap();
        let found = measures
            .iter()
            .find(|it| {
                it["measure"] == wanted
                    && it["workloads"]
                        .as_array()
                        .unwrap()
                        .iter()
                        .any(|name| name == workload)
            })
            .unwrap();
        (
            found["naive"].as_f64().unwrap(),
            found["layered"].as_f64().unwrap(),
        )
    };
    for model in ["qwen-7b", "llama-70b"] {
        let (naive, layered) = measure("worst node's share", model);
        assert!(naive >= 0.5 && layered < naive, "{model}: {naive} {layered}");
        let (naive, layered) = measure("pairs on the same node", model);
        assert!(layered > naive, "{model}: {naive} {layered}");
    }
    assert_eq!(demo["naive"]["summary"]["pending"], 0);
    assert_eq!(demo["layered"]["summary"]["pending"], 0);
    assert_eq!(demo["uncertain"].as_array().unwrap().len(), 0);
}
