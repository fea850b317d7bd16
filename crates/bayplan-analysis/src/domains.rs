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

/// A level of failure domains.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// One node.
    Node,
    /// Nodes that share a rack or its switch.
    Rack,
    /// Nodes that share a zone.
    Zone,
    /// Nodes that share a region.
    Region,
}

impl Level {
    /// All levels, the narrowest first.
    pub const ALL: [Level; 4] = [Level::Node, Level::Rack, Level::Zone, Level::Region];

    /// The word for it in every output.
    pub const fn name(self) -> &'static str {
        match self {
            Level::Node => "node",
            Level::Rack => "rack",
            Level::Zone => "zone",
            Level::Region => "region",
        }
    }
}

/// The domains of a set of nodes.
#[derive(Debug, Clone, Default)]
pub struct Domains {
    keys: BTreeMap<Level, Vec<String>>,
    by_node: BTreeMap<String, BTreeMap<Level, String>>,
}

impl Domains {
    /// Reads the domains of `nodes`. `rack_key` names the label of racks; without it the keys in use are tried, those
    /// that cover most nodes first.
    pub fn of<'a>(nodes: impl IntoIterator<Item = &'a Node>, rack_key: Option<&str>) -> Domains {
        let nodes: Vec<&Node> = nodes.into_iter().collect();
        let mut domains = Domains::default();
        for node in &nodes {
            let own = BTreeMap::from([(Level::Node, node.metadata.name.clone())]);
            domains.by_node.insert(node.metadata.name.clone(), own);
        }
        let racks: Vec<String> = match rack_key {
            Some(key) => vec![key.to_owned()],
            None => rack_candidates(&nodes),
        };
        domains.assign(Level::Rack, &nodes, racks);
        domains.assign(Level::Zone, &nodes, ZONE_KEYS.map(str::to_owned).into());
        domains.assign(Level::Region, &nodes, REGION_KEYS.map(str::to_owned).into());
        domains
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

    /// The label keys that were used for a level, the one that covers most nodes first.
    pub fn keys(&self, level: Level) -> &[String] {
        self.keys.get(&level).map_or(&[], Vec::as_slice)
    }

    /// Whether any node has a domain of that level.
    pub fn has(&self, level: Level) -> bool {
        level == Level::Node || self.keys.contains_key(&level)
    }

    /// The domain of a node; `None` for an unknown node or one without such a label.
    pub fn get(&self, node: &str, level: Level) -> Option<&str> {
        self.by_node.get(node)?.get(&level).map(String::as_str)
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
    (level != Level::Zone || !is_no_zone(node, value)).then_some(value)
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
        let domains = Domains::of(&nodes, None);
        let racks = ["a", "b", "c", "d"].map(|node| domains.get(node, Level::Rack));
        assert_eq!(racks, [Some("9"), Some("9"), Some("nn-1"), None]);
        assert_eq!(
            domains.keys(Level::Rack),
            ["dc.example.com/rack", "topology.k8s.aws/network-node-layer-3"]
        );
        assert!(!domains.has(Level::Zone));
    }

    #[test]
    fn a_given_key_is_the_only_one() {
        let nodes = [
            node("a", "", &[("topology.kubernetes.io/rack", "r1"), ("row", "x")]),
            node("b", "", &[]),
        ];
        let domains = Domains::of(&nodes, Some("row"));
        assert_eq!(domains.get("a", Level::Rack), Some("x"));
        assert_eq!(domains.get("b", Level::Rack), None);
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
        let domains = Domains::of(&nodes, None);
        let zones = ["old", "azure", "azure-zoned", "bare"].map(|node| domains.get(node, Level::Zone));
        assert_eq!(zones, [Some("z1"), None, Some("westeurope-1"), Some("0")]);
    }
}
