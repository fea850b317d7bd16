//! The cluster, as the commands that schedule need it.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use bayplan_admission::{AdmissionContext, apply_defaults};
use bayplan_manifest::{Diagnostic, load_cluster};
use bayplan_model::object::{
    Job, Node, Object, ObjectRef, Pod, PodAffinityTerm, PodDisruptionBudgetStatus, PodSpec, ReplicaSet,
    StatefulSet, UnknownKind,
};
use bayplan_scheduler::{PodId, WorldBuilder};

use super::{InputHash, code, open};
use crate::args::ClusterArguments;
use crate::diagnostics::some;
use crate::exit::Advised;

/// Streams the objects of `--cluster` to `sink` and gives what was found besides them.
///
/// # Errors
/// Standard input is wanted twice.
pub fn read_objects(
    arguments: &ClusterArguments,
    hash: &mut InputHash,
    stdin_is_taken: &mut bool,
    sink: &mut dyn FnMut(Object),
) -> Result<Found, Advised> {
    let (inputs, mut diagnostics) = open(&arguments.cluster, true, hash, stdin_is_taken)?;
    let mut seen = Seen::default();
    let report = load_cluster(inputs, 0, &mut |located| {
        if seen.is_new(&located.object) {
            sink(located.object);
        }
    });
    diagnostics.extend(report.diagnostics);
    diagnostics.extend(seen.finish());
    Ok(Found {
        diagnostics,
        counts: report.counts,
        unknown_kinds: report.unknown_kinds,
    })
}

/// Objects that were read, so that those in two of the files count once.
#[derive(Default)]
struct Seen {
    names: HashSet<(&'static str, String, String)>,
    twice: Vec<String>,
}

impl Seen {
    /// Whether no object of this kind and name came before.
    fn is_new(&mut self, object: &Object) -> bool {
        let metadata = object.metadata();
        let new = metadata.name.is_empty()
            || self
                .names
                .insert((object.kind(), metadata.namespace.clone(), metadata.name.clone()));
        if !new {
            self.twice.push(object.reference().to_string());
        }
        new
    }

    fn finish(self) -> Option<Diagnostic> {
        let count = self.twice.len();
        (count > 0).then(|| {
            let text = format!("{count} objects were read before: {}", some(&self.twice));
            Diagnostic::warning(code::TWICE, text)
                .hint("the first one of each is used; pass every object once")
        })
    }
}

/// What was found besides the objects.
#[derive(Debug, Default)]
pub struct Found {
    /// What is wrong with the input, or worth knowing.
    pub diagnostics: Vec<Diagnostic>,
    /// Objects by kind.
    pub counts: BTreeMap<&'static str, usize>,
    /// Kinds that are not read, with the number of objects.
    pub unknown_kinds: BTreeMap<UnknownKind, usize>,
}

/// A pod of the cluster that the command has to know by itself.
#[derive(Debug)]
pub struct KnownPod {
    /// Its number in the scheduler.
    pub id: PodId,
    /// The pod.
    pub pod: Pod,
}

/// How much of a pod of the cluster is kept besides what the scheduler has of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keep {
    /// Nothing.
    Nothing,
    /// Whose it is, where it runs and in which state: enough to count it as a replica.
    Identity,
    /// All of it, so that it can be placed again.
    Whole,
}

impl Keep {
    fn of(self, pod: &Pod) -> Option<Pod> {
        match self {
            Keep::Nothing => None,
            Keep::Identity => Some(Pod {
                metadata: pod.metadata.clone(),
                spec: PodSpec {
                    node_name: pod.spec.node_name.clone(),
                    ..PodSpec::default()
                },
                status: pod.status.clone(),
            }),
            Keep::Whole => Some(pod.clone()),
        }
    }
}

/// Collects the cluster object by object, and keeps only what is asked for.
pub struct ClusterReader<'a> {
    /// Decides which pods are kept as objects.
    pub keep_pod: &'a dyn Fn(&Pod) -> Keep,
    /// Decides which workloads are kept as objects.
    pub keep_workload: &'a dyn Fn(&Object) -> bool,
    /// Objects that manifests replace.
    pub replaced: BTreeSet<ObjectRef>,
    /// What the cluster says of the budgets among them.
    pub budget_status: BTreeMap<ObjectRef, PodDisruptionBudgetStatus>,
    /// The scheduler's cluster.
    pub builder: WorldBuilder,
    /// What admission looks up.
    pub context: AdmissionContext,
    /// Nodes, without their images.
    pub nodes: Vec<Node>,
    /// Pods that were kept.
    pub pods: Vec<KnownPod>,
    /// ReplicaSets, StatefulSets and Jobs: what stands between workloads and pods.
    pub controllers: Vec<Object>,
    /// Workloads that were kept.
    pub workloads: Vec<Object>,
    /// Claims and volumes by name.
    pub storage: BTreeSet<ObjectRef>,
    /// Whether any pod selects namespaces by label.
    pub selects_namespaces: bool,
}

impl<'a> ClusterReader<'a> {
    /// A reader that keeps what the two functions say.
    pub fn new(keep_pod: &'a dyn Fn(&Pod) -> Keep, keep_workload: &'a dyn Fn(&Object) -> bool) -> Self {
        ClusterReader {
            keep_pod,
            keep_workload,
            replaced: BTreeSet::new(),
            budget_status: BTreeMap::new(),
            builder: WorldBuilder::new(),
            context: AdmissionContext::new(),
            nodes: Vec::new(),
            pods: Vec::new(),
            controllers: Vec::new(),
            workloads: Vec::new(),
            storage: BTreeSet::new(),
            selects_namespaces: false,
        }
    }

    /// Takes in an object of the cluster.
    pub fn add(&mut self, mut object: Object) {
        apply_defaults(&mut object);
        match &mut object {
            Object::Pod(pod) => {
                self.selects_namespaces |= selects_namespaces(pod);
                let kept = (self.keep_pod)(pod).of(pod);
                if let (Some(id), Some(pod)) = (self.builder.add(object), kept) {
                    self.pods.push(KnownPod { id, pod });
                }
                return;
            }
            Object::Node(node) => {
                let mut kept = node.clone();
                kept.status.images.clear();
                self.nodes.push(kept);
            }
            Object::PersistentVolume(_) | Object::PersistentVolumeClaim(_) => {
                self.storage.insert(object.reference());
            }
            Object::PodDisruptionBudget(budget) => {
                // A manifest says what is wanted, the cluster what is allowed right now.
                let status = std::mem::take(&mut budget.status);
                let reference = object.reference();
                if self.replaced.contains(&reference) {
                    self.budget_status.insert(reference, status);
                } else if let Object::PodDisruptionBudget(budget) = &mut object {
                    budget.status = status;
                }
            }
            _ => {}
        }
        self.context.add(&object);
        if matches!(
            object,
            Object::ReplicaSet(_) | Object::StatefulSet(_) | Object::Job(_)
        ) {
            self.controllers.push(identity_only(&object));
        }
        if (self.keep_workload)(&object) {
            self.workloads.push(object.clone());
        }
        if !self.replaced.contains(&object.reference()) {
            self.builder.add(object);
        }
    }
}

/// Whether an object of a manifest takes the place of the cluster's own. Workloads and pods are matched with what runs,
/// and volumes stay bound as they are.
pub fn replaces(object: &Object) -> bool {
    matches!(
        object,
        Object::Namespace(_)
            | Object::Service(_)
            | Object::PodDisruptionBudget(_)
            | Object::PriorityClass(_)
            | Object::LimitRange(_)
            | Object::RuntimeClass(_)
            | Object::StorageClass(_)
            | Object::CSIDriver(_)
    )
}

/// A controller without its template: who owns it and what it owns is all that is asked later.
fn identity_only(object: &Object) -> Object {
    let metadata = object.metadata().clone();
    match object {
        Object::StatefulSet(_) => Object::StatefulSet(StatefulSet {
            metadata,
            ..StatefulSet::default()
        }),
        Object::Job(_) => Object::Job(Job {
            metadata,
            ..Job::default()
        }),
        _ => Object::ReplicaSet(ReplicaSet {
            metadata,
            ..ReplicaSet::default()
        }),
    }
}

/// Whether a pod's affinity selects namespaces by label, so that their labels must be known.
pub fn selects_namespaces(pod: &Pod) -> bool {
    let Some(affinity) = &pod.spec.affinity else {
        return false;
    };
    let terms = |term: &PodAffinityTerm| term.namespace_selector.is_some();
    [&affinity.pod_affinity, &affinity.pod_anti_affinity]
        .into_iter()
        .flatten()
        .any(|rules| {
            rules
                .required_during_scheduling_ignored_during_execution
                .iter()
                .any(terms)
                || rules
                    .preferred_during_scheduling_ignored_during_execution
                    .iter()
                    .any(|weighted| terms(&weighted.pod_affinity_term))
        })
}
