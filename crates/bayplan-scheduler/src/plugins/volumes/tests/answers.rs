//! Cases and the real scheduler's answers to them, in the format of the conformance data.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use bayplan_model::object::{Node, Object, Pod};
use serde::Deserialize;

use super::super::{Rejection, StorageObjects, VolumeNodes, VolumePlugin, VolumeState};

/// A case: objects, and pods to schedule in order.
#[derive(Debug, Deserialize)]
pub struct Case {
    pub name: String,
    pub objects: Vec<serde_json::Value>,
    pub pending: Vec<String>,
    #[serde(default)]
    pub preempt: bool,
}

/// The answer to a case.
#[derive(Debug, Deserialize)]
pub struct Answer {
    pub name: String,
    #[serde(default)]
    pub error: String,
    #[serde(default)]
    pub pods: Vec<PodAnswer>,
}

/// The answer for one pod.
#[derive(Debug, Deserialize)]
pub struct PodAnswer {
    pub pod: String,
    pub prefilter: Option<Verdict>,
    #[serde(default)]
    pub rejected: BTreeMap<String, Verdict>,
    #[serde(default)]
    pub feasible: Vec<String>,
    #[serde(default)]
    pub scores: BTreeMap<String, NodeScore>,
    #[serde(default)]
    pub chosen: String,
    #[serde(default)]
    pub message: String,
    #[serde(default)]
    pub nominated: String,
    #[serde(default)]
    pub victims: Vec<String>,
}

/// A rejection by a plugin.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Verdict {
    pub plugin: String,
    pub code: String,
    pub reasons: Vec<String>,
}

impl Verdict {
    /// The same with the reasons in order of text: messages show them so, and answers may have them either way.
    pub fn sorted(&self) -> Verdict {
        let mut sorted = self.clone();
        sorted.reasons.sort();
        sorted
    }
}

/// The plugins, in default order, and their names.
pub const PLUGINS: [(VolumePlugin, &str); 4] = [
    (VolumePlugin::VolumeRestrictions, "VolumeRestrictions"),
    (VolumePlugin::NodeVolumeLimits, "NodeVolumeLimits"),
    (VolumePlugin::VolumeBinding, "VolumeBinding"),
    (VolumePlugin::VolumeZone, "VolumeZone"),
];

/// The verdict that a rejection amounts to, its reasons sorted.
pub fn verdict(plugin: VolumePlugin, rejection: Rejection) -> Verdict {
    let verdict = Verdict {
        plugin: PLUGINS
            .iter()
            .find(|(other, _)| *other == plugin)
            .unwrap()
            .1
            .to_owned(),
        code: format!("{:?}", rejection.code),
        reasons: rejection.reasons.into_iter().map(Into::into).collect(),
    };
    verdict.sorted()
}

/// Scores of a node.
#[derive(Debug, Deserialize)]
pub struct NodeScore {
    pub raw: BTreeMap<String, i64>,
}

/// The lines of a file, decompressed.
pub fn read_lines<T: for<'de> Deserialize<'de>>(path: &Path) -> Vec<T> {
    let file = std::fs::File::open(path).unwrap();
    BufReader::new(flate2::read::GzDecoder::new(file))
        .lines()
        .map(|line| serde_json::from_str(&line.unwrap()).unwrap())
        .collect()
}

/// The folder of shared conformance data, if it is there.
pub fn shared_folder() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/conformance");
    if folder.is_dir() {
        return Some(folder);
    }
    println!("skipped: no ../shared/conformance next to the repository");
    None
}

/// The nodes of a case.
#[derive(Default)]
pub struct Nodes(pub Vec<Node>);

impl Nodes {
    pub fn number(&self, name: &str) -> Option<u32> {
        self.0
            .iter()
            .position(|node| node.metadata.name == name)
            .map(|number| number as u32)
    }
}

impl VolumeNodes for Nodes {
    fn name(&self, node: u32) -> &str {
        &self.0[node as usize].metadata.name
    }

    fn label(&self, node: u32, key: &str) -> Option<&str> {
        self.0[node as usize].metadata.labels.get(key).map(String::as_str)
    }
}

/// A cluster filled from a case; pods have the numbers of their places in `pods`.
pub struct Cluster {
    pub nodes: Nodes,
    pub pods: Vec<Pod>,
    /// Nodes of placed pods, also of those without volumes.
    pub placed: BTreeMap<u32, u32>,
    pub state: VolumeState,
}

impl Cluster {
    pub fn new(objects: &[serde_json::Value]) -> Cluster {
        let text = |value: &serde_json::Value, key: &str| value[key].as_str().unwrap().to_owned();
        let objects: Vec<Object> = objects
            .iter()
            .map(|value| {
                Object::decode(&text(value, "apiVersion"), &text(value, "kind"), value)
                    .unwrap()
                    .unwrap()
            })
            .collect();
        let mut storage = StorageObjects::default();
        let mut nodes = Nodes::default();
        let mut pods = Vec::new();
        for object in &objects {
            match object {
                Object::Node(node) => nodes.0.push(node.clone()),
                Object::Pod(pod) => pods.push(pod.clone()),
                _ => {
                    storage.add(object);
                }
            }
        }
        let mut cluster = Cluster {
            nodes,
            pods,
            placed: BTreeMap::new(),
            state: VolumeState::new(&storage),
        };
        for number in 0..cluster.pods.len() {
            let pod = &cluster.pods[number];
            let number = number as u32;
            cluster.state.add_pod(number, pod);
            let node = cluster.nodes.number(&pod.spec.node_name);
            if let Some(node) = node.filter(|_| !pod.is_terminal()) {
                cluster.place(number, node);
            }
        }
        cluster
    }

    pub fn place(&mut self, pod: u32, node: u32) {
        self.placed.insert(pod, node);
        self.state.place(pod, node);
    }

    pub fn remove(&mut self, pod: u32) {
        self.placed.remove(&pod);
        self.state.remove(pod);
    }

    pub fn pod(&self, full_name: &str) -> u32 {
        self.pods
            .iter()
            .position(|pod| pod.metadata.full_name() == full_name)
            .unwrap() as u32
    }
}
