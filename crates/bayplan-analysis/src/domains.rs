//! Failure domains: which nodes fail together, read from node labels.
//!
//! Hosts, zones and regions have well-known labels. Racks have none, so the keys in use are tried. A level may use
//! several keys, because clusters mix node groups of different origin.

use std::collections::BTreeMap;

use bayplan_model::object::{Labels, Node};

/// Well-known label of zones and its deprecated form.
const ZONE_KEYS: [&str; 2] = [
    "topology.kubernetes.io/zone",
    "failure-domain.beta.kubernetes.io/zone",
];
/// Well-known label of regions and its deprecated form.
const REGION_KEYS: [&str; 2] = [
    "topology.kubernetes.io/region",
    "failure-domain.beta.kubernetes.io/region",
];
/// Labels that name a rack, or the nearest network switch as a stand-in for one; the most telling ones first.
const RACK_KEYS: [&str; 10] = [
    "topology.kubernetes.io/rack",
    "cloud.provider.com/topology-rack",
    "oci.oraclecloud.com/host.rack_id",
    "fabric.topograph.run/tier-0",
    "network.topology.nvidia.com/leaf",
    "topology.k8s.aws/network-node-layer-4",
    "topology.k8s.aws/network-node-layer-3",
    "cloud.google.com/gce-topology-subblock",
    "backend.coreweave.cloud/leafgroup-name",
    "backend.coreweave.cloud/leafgroup",
];

/// Labels that name an NVLink domain, the nodes whose GPUs share NVLink switches.
const NVLINK_KEYS: [&str; 3] = [
    NVLINK_CLIQUE,
    "accelerator.topograph.run/domain",
    "network.topology.nvidia.com/accelerator",
];
/// Its value is `ClusterUUID.CliqueID`; the switches are shared by the cluster, cliques are partitions of it.
const NVLINK_CLIQUE: &str = "nvidia.com/gpu.clique";

/// A level of failure domains; [`Domains::name`] is the word for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Level(u8);

/// The levels that are looked for in every cluster, the narrowest first.
const STANDARD: [(Level, &str); 5] = [
    (Level::NODE, "node"),
    (Level::NVLINK, "nvlink"),
    (Level::RACK, "rack"),
    (Level::ZONE, "zone"),
    (Level::REGION, "region"),
];

impl Level {
    /// One node.
    pub const NODE: Level = Level(0);
    /// Nodes whose GPUs share NVLink switches.
    pub const NVLINK: Level = Level(1);
    /// Nodes that share a rack or its switch.
    pub const RACK: Level = Level(2);
    /// Nodes that share a zone.
    pub const ZONE: Level = Level(3);
    /// Nodes that share a region.
    pub const REGION: Level = Level(4);
}

/// A level and the label of nodes that names its domains, given by the user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LevelKey {
    /// `nvlink`, `rack`, `zone`, `region`, or a name of the user's own.
    pub name: String,
    /// Label key.
    pub key: String,
}

/// The domains of a set of nodes.
#[derive(Debug, Clone, Default)]
pub struct Domains {
    /// Levels that have domains, the narrowest first.
    order: Vec<Level>,
    /// Names of the levels that are the user's own, in the order of their numbers after the standard ones.
    own: Vec<String>,
    keys: BTreeMap<Level, Vec<String>>,
    absent: Vec<LevelKey>,
    by_node: BTreeMap<String, BTreeMap<Level, String>>,
}

impl Domains {
    /// Reads the domains of `nodes`. Levels in `given` are read from the labels that are given; for the others the keys
    /// in use are tried, those that cover most nodes first. A level of the user's own is taken to be wider than the
    /// standard levels that have more domains.
    pub fn of<'a>(nodes: impl IntoIterator<Item = &'a Node>, given: &[LevelKey]) -> Domains {
        let nodes: Vec<&Node> = nodes.into_iter().collect();
        let mut domains = Domains::default();
        for node in &nodes {
            let own = BTreeMap::from([(Level::NODE, node.metadata.name.clone())]);
            domains.by_node.insert(node.metadata.name.clone(), own);
        }
        for (level, name) in STANDARD.into_iter().skip(1) {
            let keys: Vec<String> = given
                .iter()
                .filter(|given| given.name == name)
                .map(|given| given.key.clone())
                .collect();
            let keys = if keys.is_empty() {
                candidates(level, &nodes)
            } else {
                keys
            };
            domains.assign(level, &nodes, keys);
        }
        domains.order = STANDARD
            .into_iter()
            .map(|(level, _)| level)
            .filter(|level| domains.has(*level))
            .collect();
        for given in given {
            domains.assign_own(&nodes, given);
        }
        let absent = |given: &&LevelKey| {
            !nodes
                .iter()
                .any(|node| node.metadata.labels.contains_key(&given.key))
        };
        domains.absent = given.iter().filter(absent).cloned().collect();
        domains
    }

    fn assign_own(&mut self, nodes: &[&Node], given: &LevelKey) {
        if STANDARD.iter().any(|(_, name)| *name == given.name) {
            return;
        }
        let level = self.level(&given.name);
        let level = level.unwrap_or(Level((STANDARD.len() + self.own.len()) as u8));
        if level.0 as usize == STANDARD.len() + self.own.len() {
            self.own.push(given.name.clone());
        }
        self.assign(level, nodes, vec![given.key.clone()]);
        if self.has(level) && !self.order.contains(&level) {
            let size = self.size(level);
            let wider = |other: &Level| *other != Level::NODE && self.size(*other) <= size;
            let place = self.order.iter().position(wider).unwrap_or(self.order.len());
            self.order.insert(place, level);
        }
    }

    /// Number of domains of a level.
    fn size(&self, level: Level) -> usize {
        let mut names: Vec<&str> = self
            .by_node
            .values()
            .filter_map(|levels| levels.get(&level).map(String::as_str))
            .collect();
        names.sort_unstable();
        names.dedup();
        names.len()
    }

    /// Gives every node a domain of `level` by the candidate key that covers most nodes; nodes that lack it get theirs
    /// by the next one, so that all nodes under one key are named alike.
    fn assign(&mut self, level: Level, nodes: &[&Node], mut candidates: Vec<String>) {
        let mut open: Vec<&Node> = nodes.to_vec();
        while !open.is_empty() {
            let covered = |key: &String| {
                open.iter()
                    .filter(|node| value(node, level, key).is_some())
                    .count()
            };
            // The first of equals wins, so the order of the candidates decides.
            let best = candidates
                .iter()
                .enumerate()
                .rev()
                .max_by_key(|(_, key)| covered(key));
            let Some((index, _)) = best.filter(|(_, key)| covered(key) > 0) else {
                break;
            };
            let key = candidates.remove(index);
            open.retain(|node| {
                let Some(domain) = value(node, level, &key) else {
                    return true;
                };
                if let Some(levels) = self.by_node.get_mut(&node.metadata.name) {
                    levels.insert(level, domain.to_owned());
                }
                false
            });
            self.keys.entry(level).or_default().push(key);
        }
    }

    /// Levels that any node has a domain of, the narrowest first; nodes themselves always are one.
    pub fn levels(&self) -> &[Level] {
        &self.order
    }

    /// The word for a level in every output.
    pub fn name(&self, level: Level) -> &str {
        let own = || {
            self.own
                .get((level.0 as usize).checked_sub(STANDARD.len())?)
                .map(String::as_str)
        };
        STANDARD
            .iter()
            .find(|(standard, _)| *standard == level)
            .map(|(_, name)| *name)
            .or_else(own)
            .unwrap_or_default()
    }

    /// The level of that name; `None` for one that is neither standard nor given.
    pub fn level(&self, name: &str) -> Option<Level> {
        let standard = STANDARD.iter().find(|(_, standard)| *standard == name);
        let own = || self.own.iter().position(|own| own == name);
        standard
            .map(|(level, _)| *level)
            .or_else(|| Some(Level((STANDARD.len() + own()?) as u8)))
    }

    /// The label keys that were used for a level, the one that covers most nodes first.
    pub fn keys(&self, level: Level) -> &[String] {
        self.keys.get(&level).map_or(&[], Vec::as_slice)
    }

    /// What the user gave and no node has a label for.
    pub fn absent(&self) -> &[LevelKey] {
        &self.absent
    }

    /// Whether any node has a domain of that level.
    pub fn has(&self, level: Level) -> bool {
        level == Level::NODE || self.keys.contains_key(&level)
    }

    /// The domain of a node; `None` for an unknown node or one without such a label.
    pub fn get(&self, node: &str, level: Level) -> Option<&str> {
        self.by_node.get(node)?.get(&level).map(String::as_str)
    }

    /// Nodes that have no domain of a level, in order of their names.
    pub fn missing(&self, level: Level) -> impl Iterator<Item = &str> {
        self.by_node
            .iter()
            .filter(move |(_, levels)| !levels.contains_key(&level))
            .map(|(node, _)| node.as_str())
    }

    /// Counts items by the domain of their node; nodes without a domain of that level are left out.
    pub fn count<'a>(
        &self,
        level: Level,
        nodes: impl IntoIterator<Item = &'a str>,
    ) -> BTreeMap<String, usize> {
        let mut counts = BTreeMap::new();
        for node in nodes {
            if let Some(domain) = self.get(node, level) {
                *counts.entry(domain.to_owned()).or_default() += 1;
            }
        }
        counts
    }
}

fn candidates(level: Level, nodes: &[&Node]) -> Vec<String> {
    match level {
        Level::NVLINK => NVLINK_KEYS.map(str::to_owned).into(),
        Level::RACK => rack_candidates(nodes),
        Level::ZONE => ZONE_KEYS.map(str::to_owned).into(),
        _ => REGION_KEYS.map(str::to_owned).into(),
    }
}

fn rack_candidates(nodes: &[&Node]) -> Vec<String> {
    let mut candidates: Vec<String> = RACK_KEYS.map(str::to_owned).into();
    for key in nodes.iter().flat_map(|node| node.metadata.labels.keys()) {
        let name = key.rsplit_once('/').map_or(key.as_str(), |(_, name)| name);
        if matches!(name, "rack" | "rack-id" | "rack_id" | "rack-name") && !candidates.contains(key) {
            candidates.push(key.clone());
        }
    }
    candidates
}

fn value<'a>(node: &'a Node, level: Level, key: &str) -> Option<&'a str> {
    let value = node.metadata.labels.get(key).filter(|value| !value.is_empty())?;
    if key == NVLINK_CLIQUE {
        return Some(value.rsplit_once('.').map_or(value, |(cluster, _)| cluster));
    }
    (level != Level::ZONE || !is_no_zone(node, value)).then_some(value)
}

/// Azure labels nodes outside of zones with the number of their fault domain, most often `0`, where others have a zone
/// name. The scheduler takes it for a zone like any other; it says nothing about what fails together.
fn is_no_zone(node: &Node, zone: &str) -> bool {
    let azure = node.spec.provider_id.starts_with("azure://")
        || has_prefix(&node.metadata.labels, "kubernetes.azure.com/");
    azure && !zone.is_empty() && zone.bytes().all(|byte| byte.is_ascii_digit())
}

fn has_prefix(labels: &Labels, prefix: &str) -> bool {
    labels.keys().any(|key| key.starts_with(prefix))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(name: &str, provider: &str, labels: &[(&str, &str)]) -> Node {
        let mut node = Node::default();
        node.metadata.name = name.to_owned();
        node.spec.provider_id = provider.to_owned();
        node.metadata.labels = labels
            .iter()
            .map(|(key, value)| ((*key).to_owned(), (*value).to_owned()))
            .collect();
        node
    }

    fn given(name: &str, key: &str) -> [LevelKey; 1] {
        [LevelKey {
            name: name.to_owned(),
            key: key.to_owned(),
        }]
    }

    #[test]
    fn a_level_of_ones_own_stands_by_its_size() {
        let labels = |rack, row, clique| {
            [
                ("topology.kubernetes.io/rack", rack),
                ("dc/row", row),
                ("topology.kubernetes.io/zone", "z"),
                ("nvidia.com/gpu.clique", clique),
            ]
        };
        let nodes = [
            node("a", "", &labels("r1", "w1", "aa.0")),
            node("b", "", &labels("r2", "w1", "aa.1")),
            node("c", "", &labels("r3", "w2", "bb.0")),
            node("d", "", &labels("r4", "w2", "cc.0")),
        ];
        let domains = Domains::of(&nodes, &given("row", "dc/row"));
        let names: Vec<&str> = domains
            .levels()
            .iter()
            .map(|level| domains.name(*level))
            .collect();
        assert_eq!(names, ["node", "nvlink", "rack", "row", "zone"]);
        let row = domains.level("row").unwrap();
        assert_eq!(domains.get("c", row), Some("w2"));
        assert_eq!(
            domains.get("b", Level::NVLINK),
            Some("aa"),
            "one NVLink cluster in two cliques"
        );
        assert_eq!(domains.missing(row).count(), 0);
        assert_eq!(domains.level("aisle"), None);
        let none = Domains::of(&nodes, &given("aisle", "dc/aisle"));
        assert!(!none.has(none.level("aisle").unwrap()));
        assert_eq!(none.absent(), given("aisle", "dc/aisle"));
        assert_eq!(none.levels().len(), 4);
    }

    #[test]
    fn one_key_names_all_racks_it_can() {
        let nodes = [
            node(
                "a",
                "",
                &[
                    ("topology.kubernetes.io/rack", "r1"),
                    ("dc.example.com/rack", "9"),
                ],
            ),
            node("b", "", &[("dc.example.com/rack", "9")]),
            node("c", "", &[("topology.k8s.aws/network-node-layer-3", "nn-1")]),
            node("d", "", &[]),
        ];
        let domains = Domains::of(&nodes, &[]);
        let racks = ["a", "b", "c", "d"].map(|node| domains.get(node, Level::RACK));
        assert_eq!(racks, [Some("9"), Some("9"), Some("nn-1"), None]);
        assert_eq!(
            domains.keys(Level::RACK),
            ["dc.example.com/rack", "topology.k8s.aws/network-node-layer-3"]
        );
        assert!(!domains.has(Level::ZONE));
    }

    #[test]
    fn a_given_key_is_the_only_one() {
        let nodes = [
            node("a", "", &[("topology.kubernetes.io/rack", "r1"), ("row", "x")]),
            node("b", "", &[]),
        ];
        let domains = Domains::of(&nodes, &given("rack", "row"));
        assert_eq!(domains.get("a", Level::RACK), Some("x"));
        assert_eq!(domains.get("b", Level::RACK), None);
    }

    #[test]
    fn old_zone_labels_count_and_azure_fault_domains_do_not() {
        let nodes = [
            node("old", "", &[("failure-domain.beta.kubernetes.io/zone", "z1")]),
            node("azure", "azure:///x", &[("topology.kubernetes.io/zone", "0")]),
            node(
                "azure-zoned",
                "azure:///x",
                &[("topology.kubernetes.io/zone", "westeurope-1")],
            ),
            node("bare", "", &[("topology.kubernetes.io/zone", "0")]),
        ];
        let domains = Domains::of(&nodes, &[]);
        let zones = ["old", "azure", "azure-zoned", "bare"].map(|node| domains.get(node, Level::ZONE));
        assert_eq!(zones, [Some("z1"), None, Some("westeurope-1"), Some("0")]);
    }
}
