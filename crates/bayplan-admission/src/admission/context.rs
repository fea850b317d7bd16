//! What a cluster holds that decides on the pods it is asked to create.

use std::collections::{BTreeMap, BTreeSet};

use bayplan_model::object::{LimitRange, Object, PriorityClass, ReplicaSet, RuntimeClass, StorageClass};

use crate::defaults::limit_range_item;

/// Name and value of the priority classes that every cluster has (`pkg/apis/scheduling/v1/helpers.go`, v1.37.2).
pub const SYSTEM_PRIORITY_CLASSES: [(&str, i32); 2] = [
    ("system-node-critical", 2_000_001_000),
    ("system-cluster-critical", 2_000_000_000),
];

/// The objects of a cluster that admission and the controllers look up.
///
/// Built once from a cluster's objects and then only read. Kinds of which nothing was given are remembered as unknown:
/// a reference to one of them is then no fault but an uncertainty.
#[derive(Debug, Clone, Default)]
pub struct AdmissionContext {
    pub(crate) priority_classes: BTreeMap<String, PriorityClass>,
    pub(crate) runtime_classes: BTreeMap<String, RuntimeClass>,
    pub(crate) storage_classes: BTreeMap<String, StorageClass>,
    limit_ranges: BTreeMap<String, Vec<LimitRange>>,
    namespaces: BTreeSet<String>,
    replica_sets: BTreeMap<(String, String), Vec<ReplicaSet>>,
    claims: BTreeSet<(String, String)>,
    known_kinds: BTreeSet<&'static str>,
}

impl AdmissionContext {
    /// A cluster of which nothing is known.
    pub fn new() -> AdmissionContext {
        AdmissionContext::default()
    }

    /// Takes in an object of the cluster; kinds that admission does not read are passed over.
    pub fn add(&mut self, object: &Object) {
        self.known_kinds.insert(object.kind());
        self.add_new(object);
    }

    /// True when the cluster's objects of this kind are known, so that a name that is not among them does not exist.
    pub(crate) fn knows(&self, kind: &str) -> bool {
        self.known_kinds.contains(kind)
    }

    /// True when an object of this kind can change what admission or a controller does.
    pub(crate) fn reads(object: &Object) -> bool {
        matches!(
            object,
            Object::PriorityClass(_)
                | Object::RuntimeClass(_)
                | Object::StorageClass(_)
                | Object::LimitRange(_)
                | Object::Namespace(_)
                | Object::PersistentVolumeClaim(_)
        )
    }

    /// Takes in an object that is about to be created; it says nothing about the others of its kind.
    pub(crate) fn add_new(&mut self, object: &Object) {
        match object {
            Object::PriorityClass(class) => {
                let mut class = class.clone();
                class
                    .preemption_policy
                    .get_or_insert_with(|| "PreemptLowerPriority".to_owned());
                self.priority_classes.insert(class.metadata.name.clone(), class);
            }
            Object::RuntimeClass(class) => {
                self.runtime_classes
                    .insert(class.metadata.name.clone(), class.clone());
            }
            Object::StorageClass(class) => {
                self.storage_classes
                    .insert(class.metadata.name.clone(), class.clone());
            }
            Object::LimitRange(range) => self.add_limit_range(range),
            Object::Namespace(namespace) => {
                self.namespaces.insert(namespace.metadata.name.clone());
            }
            Object::ReplicaSet(set) => {
                if let Some(owner) = set.metadata.controller()
                    && owner.kind == "Deployment"
                {
                    self.replica_sets
                        .entry((set.metadata.namespace.clone(), owner.name.clone()))
                        .or_default()
                        .push(set.clone());
                }
            }
            Object::PersistentVolumeClaim(claim) => {
                self.claims
                    .insert((claim.metadata.namespace.clone(), claim.metadata.name.clone()));
            }
            _ => {}
        }
    }

    fn add_limit_range(&mut self, range: &LimitRange) {
        let mut range = range.clone();
        range.spec.limits.iter_mut().for_each(limit_range_item);
        let ranges = self
            .limit_ranges
            .entry(range.metadata.namespace.clone())
            .or_default();
        ranges.retain(|other| other.metadata.name != range.metadata.name);
        ranges.push(range);
        ranges.sort_by(|one, other| one.metadata.name.cmp(&other.metadata.name));
    }

    /// True unless namespaces are known and this one is not among them; four of them always exist.
    pub(crate) fn may_have_namespace(&self, name: &str) -> bool {
        !self.knows("Namespace")
            || self.namespaces.contains(name)
            || matches!(
                name,
                "default" | "kube-system" | "kube-public" | "kube-node-lease"
            )
    }

    /// The limit ranges of a namespace, by name.
    pub(crate) fn limit_ranges_of(&self, namespace: &str) -> &[LimitRange] {
        self.limit_ranges.get(namespace).map_or(&[], Vec::as_slice)
    }

    /// The ReplicaSets of a Deployment.
    pub(crate) fn replica_sets_of(&self, namespace: &str, deployment: &str) -> &[ReplicaSet] {
        self.replica_sets
            .get(&(namespace.to_owned(), deployment.to_owned()))
            .map_or(&[], Vec::as_slice)
    }

    /// True when the claim is already there.
    pub(crate) fn has_claim(&self, namespace: &str, name: &str) -> bool {
        self.claims.contains(&(namespace.to_owned(), name.to_owned()))
    }

    /// The class for claims that name none: the newest of those marked as default, then by name
    /// (`pkg/volume/util/storageclass.go:GetDefaultClass`, v1.37.2).
    pub(crate) fn default_storage_class(&self) -> Option<&StorageClass> {
        self.storage_classes
            .values()
            .filter(|class| {
                [
                    "storageclass.kubernetes.io/is-default-class",
                    "storageclass.beta.kubernetes.io/is-default-class",
                ]
                .iter()
                .any(|key| {
                    class
                        .metadata
                        .annotations
                        .get(*key)
                        .is_some_and(|value| value == "true")
                })
            })
            // Names come in ascending order, so of equally old ones the first has to win.
            .reduce(|best, class| {
                if class.metadata.creation_timestamp > best.metadata.creation_timestamp {
                    class
                } else {
                    best
                }
            })
    }
}

impl<'a> FromIterator<&'a Object> for AdmissionContext {
    fn from_iter<T: IntoIterator<Item = &'a Object>>(objects: T) -> Self {
        let mut context = AdmissionContext::new();
        for object in objects {
            context.add(object);
        }
        context
    }
}
