//! Which running pods belong to a workload.

use std::collections::BTreeSet;

use bayplan_model::object::{Object, ObjectRef, OwnerReference, Pod};
use bayplan_model::selector::Selector;

use super::ExpandedWorkload;
use super::deployment::TEMPLATE_HASH_LABEL;

/// Tells whether a pod belongs to a workload: by the chain of its controllers, and by the selector for pods that have
/// no controller or whose controller is not among the objects of the cluster.
#[derive(Debug, Clone)]
pub struct Membership {
    workload: ObjectRef,
    selector: Selector,
    /// Kind and name of the workload and of its controllers in between, in the same namespace.
    chain: BTreeSet<(&'static str, String)>,
    /// Kind and name of controllers of the same kinds that belong elsewhere.
    others: BTreeSet<(&'static str, String)>,
}

/// Kinds that stand between a workload and its pods.
const BETWEEN: [&str; 4] = ["ReplicaSet", "StatefulSet", "Job", "Pod"];

impl Membership {
    /// Prepares the question for a workload; `controllers` are the cluster's ReplicaSets, StatefulSets and Jobs, and
    /// for a LeaderWorkerSet also its leader pods. Other objects are passed over.
    pub fn new<'a>(workload: &Object, controllers: impl IntoIterator<Item = &'a Object>) -> Membership {
        let reference = workload.reference();
        let mut membership = Membership {
            selector: selector_of(workload),
            chain: BTreeSet::from([(workload.kind(), reference.name.clone())]),
            others: BTreeSet::new(),
            workload: reference,
        };
        let mut candidates: Vec<(&'static str, &str, &OwnerReference)> = controllers
            .into_iter()
            .filter(|object| object.metadata().namespace == membership.workload.namespace)
            .filter_map(|object| {
                let kind = BETWEEN.into_iter().find(|kind| *kind == object.kind())?;
                Some((
                    kind,
                    object.metadata().name.as_str(),
                    object.metadata().controller()?,
                ))
            })
            .collect();
        // Owners can come in any order, so go on until nobody joins any more; cycles end here as well.
        loop {
            let before = candidates.len();
            candidates.retain(|(kind, name, owner)| {
                let joins = membership
                    .chain
                    .iter()
                    .any(|(chain_kind, chain_name)| *chain_kind == owner.kind && *chain_name == owner.name);
                if joins {
                    membership.chain.insert((kind, (*name).to_owned()));
                }
                !joins
            });
            if candidates.len() == before {
                break;
            }
        }
        for (kind, name, _) in candidates {
            membership.others.insert((kind, name.to_owned()));
        }
        membership
    }

    /// True when the pod is one of the workload's replicas and still counts as such: it has not ended, and it is not
    /// being deleted (a terminating pod counts where its name has to be free first, in StatefulSets and the like).
    pub fn counts(&self, pod: &Pod) -> bool {
        let holds_name = matches!(
            self.workload.kind.as_str(),
            "StatefulSet" | "LeaderWorkerSet" | "Pod"
        );
        self.belongs(pod) && !pod.is_terminal() && (holds_name || !pod.is_terminating())
    }

    /// True when the pod belongs to the workload, whatever its state.
    pub fn belongs(&self, pod: &Pod) -> bool {
        if pod.metadata.namespace != self.workload.namespace {
            return false;
        }
        if self.workload.kind == "Pod" {
            return pod.metadata.name == self.workload.name;
        }
        let Some(owner) = pod.metadata.controller() else {
            return self.selects(pod);
        };
        let is = |(kind, name): &(&'static str, String)| *kind == owner.kind && *name == owner.name;
        if self.chain.iter().any(is) {
            return true;
        }
        if self.others.iter().any(is) {
            return false;
        }
        // The controller is not among the objects of the cluster.
        match (self.workload.kind.as_str(), owner.kind.as_str()) {
            ("Deployment", "ReplicaSet") => match pod.metadata.labels.get(TEMPLATE_HASH_LABEL) {
                Some(hash) => owner.name == format!("{}-{hash}", self.workload.name),
                None => self.selects(pod),
            },
            ("CronJob", "Job") => owner.name.rsplit_once('-').is_some_and(|(name, time)| {
                name == self.workload.name && time.bytes().all(|byte| byte.is_ascii_digit())
            }),
            ("LeaderWorkerSet", "StatefulSet") => self.selects(pod),
            _ => false,
        }
    }

    /// False when the pod cannot belong to the workload, whatever the cluster's controllers turn out to be. Every pod
    /// that `belongs` to a membership of the same workload with more controllers `may_belong` to this one: a controller
    /// in between has the workload's selector, or the workload's name in front of its own.
    pub fn may_belong(&self, pod: &Pod) -> bool {
        if pod.metadata.namespace != self.workload.namespace {
            return false;
        }
        if self.workload.kind == "Pod" {
            return pod.metadata.name == self.workload.name;
        }
        self.selects(pod)
            || pod
                .metadata
                .controller()
                .is_some_and(|owner| owner.name.starts_with(&self.workload.name))
    }

    fn selects(&self, pod: &Pod) -> bool {
        // An empty selector is invalid for workloads; it must not claim every pod.
        !self.selector.is_empty() && self.selector.matches(&pod.metadata.labels)
    }
}

fn selector_of(workload: &Object) -> Selector {
    let selector = match workload {
        Object::Deployment(it) => it.spec.selector.as_ref(),
        Object::ReplicaSet(it) => it.spec.selector.as_ref(),
        Object::StatefulSet(it) => it.spec.selector.as_ref(),
        Object::DaemonSet(it) => it.spec.selector.as_ref(),
        Object::Job(it) => it.spec.selector.as_ref(),
        Object::ReplicationController(it) => return Selector::from_labels(&it.spec.selector),
        Object::LeaderWorkerSet(it) => {
            return Selector::All(Vec::new())
                .and_exact("leaderworkerset.sigs.k8s.io/name", &it.metadata.name);
        }
        _ => None,
    };
    Selector::from_label_selector(selector).unwrap_or(Selector::Nothing)
}

impl ExpandedWorkload {
    /// Positions of the replicas that are still to be created when `running` are there already.
    ///
    /// Pods with names or nodes of their own (StatefulSet, LeaderWorkerSet, Indexed Job, DaemonSet, Pod) are missing
    /// one by one; of the others the last ones are, as many as the number falls short.
    pub fn missing(&self, running: &[&Pod]) -> Vec<usize> {
        let identity: fn(&Pod) -> Option<String> = match self.object.kind() {
            "StatefulSet" | "LeaderWorkerSet" | "Pod" => |pod| Some(pod.metadata.name.clone()),
            "DaemonSet" => target_node,
            "Job" | "CronJob" => |pod| {
                pod.metadata
                    .annotations
                    .get("batch.kubernetes.io/job-completion-index")
                    .cloned()
            },
            _ => |_| None,
        };
        let taken: BTreeSet<String> = running.iter().filter_map(|pod| identity(pod)).collect();
        let names: BTreeSet<&str> = running.iter().map(|pod| pod.metadata.name.as_str()).collect();
        let is_running = |pod: &Pod| match identity(pod) {
            Some(own) => taken.contains(&own),
            None => names.contains(pod.metadata.name.as_str()),
        };
        let mut missing: Vec<usize> = (0..self.replicas.len())
            .filter(|index| !is_running(&self.replicas[*index]))
            .collect();
        // Running pods without an identity of their own each stand for one replica, also under another name.
        let anonymous = running.iter().filter(|pod| identity(pod).is_none()).count();
        let same_name = self
            .replicas
            .iter()
            .filter(|pod| identity(pod).is_none() && is_running(pod))
            .count();
        let mut surplus = anonymous.saturating_sub(same_name);
        missing.retain(|index| {
            let stands_for = surplus > 0 && identity(&self.replicas[*index]).is_none();
            surplus -= usize::from(stands_for);
            !stands_for
        });
        missing
    }
}

/// The node that a DaemonSet's pod is on or meant for (`GetTargetNodeName`).
fn target_node(pod: &Pod) -> Option<String> {
    if !pod.spec.node_name.is_empty() {
        return Some(pod.spec.node_name.clone());
    }
    pod.spec
        .affinity
        .as_ref()?
        .node_affinity
        .as_ref()?
        .required_during_scheduling_ignored_during_execution
        .as_ref()?
        .node_selector_terms
        .iter()
        .flat_map(|term| &term.match_fields)
        .find(|requirement| requirement.key == "metadata.name" && requirement.operator == "In")
        .and_then(|requirement| requirement.values.first().cloned())
}
