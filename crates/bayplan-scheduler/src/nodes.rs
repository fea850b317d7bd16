//! Nodes in columns, in the order of the scheduler's node list.

use bayplan_model::object::Node;
use rustc_hash::FxHashMap;

use crate::catalog::{Catalog, FEATURES, is_scalar};
use crate::ids::{NodeId, ResourceId};
use crate::symbol::{Symbol, SymbolLabels, intern_labels, lookup};

/// Effect of a taint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// Keeps pods away.
    NoSchedule,
    /// Scores lower.
    PreferNoSchedule,
    /// Keeps pods away and evicts running ones.
    NoExecute,
    /// Anything else; no plugin acts on it.
    Other,
}

/// A taint on interned strings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NodeTaint {
    /// Key.
    pub key: Symbol,
    /// Value.
    pub value: Symbol,
    /// Effect as text.
    pub effect: Symbol,
    /// Effect.
    pub kind: Effect,
}

/// An image and the nodes that have it.
#[derive(Debug, Clone, Default)]
pub struct NodeImage {
    /// Bytes, as the first node that has it reports.
    pub size_bytes: i64,
    /// Nodes, ascending.
    pub nodes: Vec<NodeId>,
}

/// All nodes; index = [`NodeId`].
#[derive(Debug, Clone, Default)]
pub struct Nodes {
    /// Names.
    pub names: Vec<Symbol>,
    /// Labels.
    pub labels: Vec<SymbolLabels>,
    /// Taints in the order of the object.
    pub taints: Vec<Box<[NodeTaint]>>,
    /// `spec.unschedulable`.
    pub unschedulable: Vec<bool>,
    /// Allocatable cpu in millicores.
    pub milli_cpu: Vec<i64>,
    /// Allocatable memory in bytes.
    pub memory: Vec<i64>,
    /// Allocatable ephemeral storage in bytes.
    pub ephemeral_storage: Vec<i64>,
    /// Allocatable pods.
    pub pods: Vec<i64>,
    /// Allocatable amounts of other resources, by resource and node; a missing resource is on no node.
    pub scalars: Vec<Vec<i64>>,
    /// Declared kubelet features, bits in the order of [`FEATURES`].
    pub features: Vec<u8>,
    /// Images by name.
    pub images: FxHashMap<Symbol, NodeImage>,
    /// Nodes by name.
    pub by_name: FxHashMap<Symbol, NodeId>,
    /// Place of each node when sorted by name.
    pub name_rank: Vec<u32>,
}

impl Nodes {
    /// Lays out `nodes`, given in the order in which they entered the scheduler's cache.
    pub fn new(catalog: &mut Catalog, nodes: &[Node]) -> Nodes {
        let mut columns = Nodes::default();
        let arrival: Vec<&Node> = nodes.iter().collect();
        let order = list_order(&arrival);
        for index in &order {
            columns.push(catalog, arrival[*index]);
        }
        let mut by_rank: Vec<usize> = (0..order.len()).collect();
        by_rank.sort_by_key(|index| &arrival[order[*index]].metadata.name);
        columns.name_rank = vec![0; order.len()];
        for (rank, index) in by_rank.into_iter().enumerate() {
            columns.name_rank[index] = rank as u32;
        }
        // Image sizes come from the first node by arrival, not by list order.
        for (index, node) in arrival.iter().enumerate() {
            let place = order
                .iter()
                .position(|at| *at == index)
                .filter(|_| !node.status.images.is_empty());
            let Some(place) = place else { continue };
            for image in &node.status.images {
                for name in &image.names {
                    let name = catalog.interner.intern(name);
                    let entry = columns.images.entry(name).or_insert_with(|| NodeImage {
                        size_bytes: image.size_bytes,
                        nodes: Vec::new(),
                    });
                    entry.nodes.push(NodeId(place as u32));
                }
            }
        }
        #[allow(clippy::iter_over_hash_type, reason = "each entry is sorted on its own")]
        for image in columns.images.values_mut() {
            image.nodes.sort_unstable();
            image.nodes.dedup();
        }
        columns
    }

    fn push(&mut self, catalog: &mut Catalog, node: &Node) {
        let id = NodeId(self.names.len() as u32);
        let name = catalog.interner.intern(&node.metadata.name);
        self.names.push(name);
        self.by_name.insert(name, id);
        self.labels
            .push(intern_labels(&mut catalog.interner, &node.metadata.labels));
        let taints = node.spec.taints.iter().map(|taint| NodeTaint {
            key: catalog.interner.intern(&taint.key),
            value: catalog.interner.intern(&taint.value),
            effect: catalog.interner.intern(&taint.effect),
            kind: match taint.effect.as_str() {
                "NoSchedule" => Effect::NoSchedule,
                "PreferNoSchedule" => Effect::PreferNoSchedule,
                "NoExecute" => Effect::NoExecute,
                _ => Effect::Other,
            },
        });
        self.taints.push(taints.collect());
        self.unschedulable.push(node.spec.unschedulable);
        let amount = |name: &str| node.status.allocatable.get(name);
        self.milli_cpu
            .push(amount("cpu").map_or(0, |amount| amount.milli_value()));
        self.memory
            .push(amount("memory").map_or(0, |amount| amount.value()));
        self.ephemeral_storage
            .push(amount("ephemeral-storage").map_or(0, |amount| amount.value()));
        self.pods.push(amount("pods").map_or(0, |amount| amount.value()));
        for (name, amount) in node.status.allocatable.iter().filter(|(name, _)| is_scalar(name)) {
            let resource = catalog.resource_id(name).index();
            if self.scalars.len() <= resource {
                self.scalars.resize(resource + 1, Vec::new());
            }
            let column = &mut self.scalars[resource];
            column.resize(id.index(), 0);
            column.push(amount.value());
        }
        self.features.push(feature_bits(&node.status.declared_features));
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// True when there is none.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// All nodes in list order.
    pub fn ids(&self) -> impl Iterator<Item = NodeId> + use<> {
        (0..self.names.len() as u32).map(NodeId)
    }

    /// The value of a label.
    pub fn label(&self, node: NodeId, key: Symbol) -> Option<Symbol> {
        lookup(&self.labels[node.index()], key)
    }

    /// Allocatable amount of a scalar resource; 0 where the node does not list it.
    pub fn scalar(&self, node: NodeId, resource: ResourceId) -> i64 {
        self.scalars
            .get(resource.index())
            .and_then(|column| column.get(node.index()))
            .copied()
            .unwrap_or(0)
    }
}

/// Features that kubelets of 1.37 can declare, sorted (`k8s.io/component-helpers/nodedeclaredfeatures/features/registry.go`).
const REGISTERED: [&str; 9] = [
    "DRANodeAllocatableResources",
    "DRAOptionalNodeOperations",
    "ExtendWebSocketsToKubelet",
    "InPlacePodLevelResourcesVerticalScaling",
    "InPlacePodVerticalScalingInitContainers",
    "InPlacePodVerticalScalingMemoryBackedVolumes",
    "RestartAllContainersOnContainerExits",
    "UserNamespacesHostNetworkSupport",
    "VolumeBindMountOptions",
];

/// Declared features as bits. The list is merged with the registered ones, so names out of order are passed over
/// (`nodedeclaredfeatures/featureset.go:mapSorted`).
fn feature_bits(declared: &[String]) -> u8 {
    let (mut bits, mut registered) = (0, REGISTERED.iter().peekable());
    for name in declared {
        while registered.next_if(|known| **known < name.as_str()).is_some() {}
        if registered.next_if(|known| **known == name.as_str()).is_some()
            && let Some(bit) = FEATURES.iter().position(|feature| feature == name)
        {
            bits |= 1 << bit;
        }
    }
    bits
}

/// Order of the scheduler's node list: round robin over the zones, which come in order of first appearance, in each
/// zone in order of arrival (`pkg/scheduler/backend/cache/node_tree.go:list`).
fn list_order(nodes: &[&Node]) -> Vec<usize> {
    let mut zones: Vec<(String, Vec<usize>)> = Vec::new();
    let mut places: FxHashMap<String, usize> = FxHashMap::default();
    for (index, node) in nodes.iter().enumerate() {
        let zone = zone_key(node);
        let place = *places.entry(zone.clone()).or_insert_with(|| {
            zones.push((zone, Vec::new()));
            zones.len() - 1
        });
        zones[place].1.push(index);
    }
    let longest = zones.iter().map(|(_, members)| members.len()).max().unwrap_or(0);
    let mut order = Vec::with_capacity(nodes.len());
    for row in 0..longest {
        order.extend(zones.iter().filter_map(|(_, members)| members.get(row)).copied());
    }
    order
}

/// Region and zone of a node (`k8s.io/component-helpers/node/topology/helpers.go:GetZoneKey`).
fn zone_key(node: &Node) -> String {
    let labels = &node.metadata.labels;
    let either = |old: &str, new: &str| {
        labels
            .get(old)
            .or_else(|| labels.get(new))
            .map_or("", String::as_str)
    };
    let zone = either(
        "failure-domain.beta.kubernetes.io/zone",
        "topology.kubernetes.io/zone",
    );
    let region = either(
        "failure-domain.beta.kubernetes.io/region",
        "topology.kubernetes.io/region",
    );
    if zone.is_empty() && region.is_empty() {
        String::new()
    } else {
        format!("{region}:\0:{zone}")
    }
}
