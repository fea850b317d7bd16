//! From API objects to a [`World`].

use std::sync::Arc;

use bayplan_model::object::{Node, Object, Pod, PodDisruptionBudget};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::catalog::{Catalog, ControllerKind, Spec};
use crate::ids::{NONE, NodeId, PodId};
use crate::matcher::{LabelMatch, LabelSet};
use crate::nodes::Nodes;
use crate::plugins::volumes::{StorageObjects, VolumeState};
use crate::state::{PodRecord, State};
use crate::symbol::{Symbol, intern_labels};
use crate::world::{Budget, World};

/// Something about the input that may make answers uncertain or that was left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BuildIssue {
    /// What is the matter.
    pub message: String,
    /// Objects concerned, as `Kind namespace/name`.
    pub object: String,
    /// The object could not be used at all.
    pub left_out: bool,
}

/// Collects objects in the order in which they would enter the scheduler's caches.
///
/// Pods are compacted as they come, so that their objects can be dropped; nodes are laid out at the end.
#[derive(Debug, Default)]
pub struct WorldBuilder {
    catalog: Catalog,
    nodes: Vec<Node>,
    node_names: FxHashSet<String>,
    pods: Vec<(PodRecord, Option<Symbol>, Option<Symbol>)>,
    volume_pods: Vec<(u32, Box<Pod>)>,
    storage: Vec<Object>,
    budgets: Vec<Budget>,
    issues: Vec<BuildIssue>,
}

impl WorldBuilder {
    /// An empty cluster.
    pub fn new() -> WorldBuilder {
        WorldBuilder::default()
    }

    /// Adds an object; kinds that do not take part in scheduling are ignored. Returns the number of a pod.
    pub fn add(&mut self, object: Object) -> Option<PodId> {
        match object {
            Object::Node(node) => self.add_node(node),
            Object::Pod(pod) => return self.add_pod(&pod),
            Object::Namespace(namespace) => {
                let name = self.catalog.interner.intern(&namespace.metadata.name);
                let labels = intern_labels(&mut self.catalog.interner, &namespace.metadata.labels);
                self.catalog.namespaces.insert(name, labels);
            }
            Object::Service(service) => {
                if let Some(selector) = &service.spec.selector {
                    let namespace = self.catalog.interner.intern(&service.metadata.namespace);
                    let labels = intern_labels(&mut self.catalog.interner, selector);
                    self.catalog.services.entry(namespace).or_default().push(labels);
                }
            }
            Object::ReplicaSet(set) => {
                let selector = LabelMatch::parse(&mut self.catalog.interner, set.spec.selector.as_ref());
                self.add_controller(ControllerKind::ReplicaSet, &set.metadata, selector.ok());
            }
            Object::StatefulSet(set) => {
                let selector = LabelMatch::parse(&mut self.catalog.interner, set.spec.selector.as_ref());
                self.add_controller(ControllerKind::StatefulSet, &set.metadata, selector.ok());
            }
            Object::ReplicationController(controller) => {
                let selector = bayplan_model::selector::Selector::from_labels(&controller.spec.selector);
                let selector = LabelMatch::intern(&mut self.catalog.interner, &selector);
                self.add_controller(
                    ControllerKind::ReplicationController,
                    &controller.metadata,
                    Some(selector),
                );
            }
            Object::PodDisruptionBudget(budget) => self.add_budget(&budget),
            object @ (Object::PersistentVolume(_)
            | Object::PersistentVolumeClaim(_)
            | Object::StorageClass(_)
            | Object::CSINode(_)
            | Object::CSIDriver(_)
            | Object::CSIStorageCapacity(_)
            | Object::VolumeAttachment(_)) => self.storage.push(object),
            _ => {}
        }
        None
    }

    fn add_node(&mut self, mut node: Node) {
        if !self.node_names.insert(node.metadata.name.clone()) {
            self.issues.push(BuildIssue {
                message: "a node of this name was already read; the first one is used".to_owned(),
                object: format!("Node {}", node.metadata.name),
                left_out: true,
            });
            return;
        }
        node.metadata.annotations.clear();
        node.status.conditions.clear();
        self.nodes.push(node);
    }

    fn add_pod(&mut self, pod: &Pod) -> Option<PodId> {
        if pod.is_terminal() {
            return None;
        }
        let id = PodId(self.pods.len() as u32);
        let has_volumes = pod.spec.volumes.iter().any(may_matter);
        let record = record_of(&mut self.catalog, &Nodes::default(), pod, has_volumes);
        let mut named = |name: &str| (!name.is_empty()).then(|| self.catalog.interner.intern(name));
        let node = named(&pod.spec.node_name);
        let nominated = named(&pod.status.nominated_node_name);
        if has_volumes {
            self.volume_pods.push((id.0, Box::new(pod.clone())));
        }
        self.pods.push((record, node, nominated));
        Some(id)
    }

    fn add_controller(
        &mut self,
        kind: ControllerKind,
        metadata: &bayplan_model::object::ObjectMeta,
        selector: Option<LabelMatch>,
    ) {
        let namespace = self.catalog.interner.intern(&metadata.namespace);
        let name = self.catalog.interner.intern(&metadata.name);
        if let Some(selector) = selector {
            self.catalog.controllers.insert((kind, namespace, name), selector);
        }
    }

    fn add_budget(&mut self, budget: &PodDisruptionBudget) {
        let interner = &mut self.catalog.interner;
        // A budget with an invalid selector matches no pod in preemption.
        let selector =
            LabelMatch::parse(interner, budget.spec.selector.as_ref()).unwrap_or(LabelMatch::Nothing);
        self.budgets.push(Budget {
            name: budget.metadata.full_name(),
            namespace: interner.intern(&budget.metadata.namespace),
            selector,
            disruptions_allowed: budget.status.disruptions_allowed,
            disrupted: budget
                .status
                .disrupted_pods
                .keys()
                .map(|name| interner.intern(name))
                .collect(),
        });
    }

    /// Lays out the cluster.
    pub fn finish(mut self) -> (World, Vec<BuildIssue>) {
        let nodes = Nodes::new(&mut self.catalog, &self.nodes);
        // The real scheduler has no order; by name the answer does not depend on the input's.
        self.budgets.sort_by(|a, b| a.name.cmp(&b.name));
        let mut objects = StorageObjects::default();
        for object in &self.storage {
            objects.add(object);
        }
        let mut volumes = VolumeState::new(&objects);
        for (number, pod) in &self.volume_pods {
            volumes.add_pod(*number, pod);
        }
        let mut state = State::new(&nodes);
        let mut orphans: FxHashMap<Symbol, usize> = FxHashMap::default();
        let mut placements = Vec::new();
        for (mut record, node, nominated) in self.pods {
            record.nominated = nominated
                .and_then(|name| nodes.by_name.get(&name))
                .map_or(NONE, |node: &NodeId| node.0);
            let id = state.add_pod(&self.catalog, &nodes, record);
            if let Some(name) = node {
                match nodes.by_name.get(&name) {
                    Some(node) => placements.push((id, *node)),
                    None => *orphans.entry(name).or_default() += 1,
                }
            }
        }
        let mut world = World {
            catalog: Arc::new(self.catalog),
            nodes: Arc::new(nodes),
            budgets: Arc::new(self.budgets),
            state,
            volumes,
        };
        for (pod, node) in placements {
            world.place(pod, node);
        }
        let mut orphans: Vec<(&str, usize)> = orphans
            .iter()
            .map(|(name, count)| (world.catalog.interner.text(*name), *count))
            .collect();
        orphans.sort_unstable();
        for (name, count) in orphans {
            self.issues.push(BuildIssue {
                message: format!(
                    "{count} pods are bound to a node that is not in the input; they are left out"
                ),
                object: format!("Node {name}"),
                left_out: true,
            });
        }
        (world, self.issues)
    }
}

/// True for volumes that a volume plugin may look at.
fn may_matter(volume: &bayplan_model::object::Volume) -> bool {
    volume.empty_dir.is_none()
        && volume.image.is_none()
        && *volume
            != bayplan_model::object::Volume {
                name: volume.name.clone(),
                ..Default::default()
            }
}

/// The engine's record of a pod that is on no node yet.
pub(crate) fn record_of(catalog: &mut Catalog, nodes: &Nodes, pod: &Pod, has_volumes: bool) -> PodRecord {
    let spec = Spec::of(catalog, pod, has_volumes);
    let namespace = catalog.interner.intern(&pod.metadata.namespace);
    let labels = intern_labels(&mut catalog.interner, &pod.metadata.labels);
    let controller = pod.metadata.controller().and_then(|owner| {
        let kind = match (owner.api_version.as_str(), owner.kind.as_str()) {
            ("v1", "ReplicationController") => ControllerKind::ReplicationController,
            ("apps/v1", "ReplicaSet") => ControllerKind::ReplicaSet,
            ("apps/v1", "StatefulSet") => ControllerKind::StatefulSet,
            _ => return None,
        };
        Some((kind, catalog.interner.intern(&owner.name)))
    });
    let nominated = catalog
        .interner
        .find(&pod.status.nominated_node_name)
        .and_then(|name| nodes.by_name.get(&name))
        .map_or(NONE, |node| node.0);
    let preempted = pod.is_terminating()
        && pod.status.conditions.iter().any(|condition| {
            condition.kind == "DisruptionTarget"
                && condition.status == "True"
                && condition.reason == "PreemptionByScheduler"
        });
    PodRecord {
        name: catalog.interner.intern(&pod.metadata.name),
        labels: catalog.label_set_id(LabelSet { namespace, labels }),
        spec: catalog.spec_id(spec),
        node: NONE,
        nominated,
        start_time_seconds: pod.status.start_time.map_or(i64::MAX, |time| time.as_second()),
        terminating: pod.is_terminating(),
        preempted,
        controller,
    }
}
