//! Which pods of the cluster have to be known by name.

use std::collections::{BTreeMap, BTreeSet};

use bayplan_admission::Membership;
use bayplan_model::object::{Object, Pod};
use bayplan_model::selector::Selector;

use super::WorkloadName;
use crate::input::Keep;

/// What a command wants to know of the cluster besides what the scheduler keeps.
#[derive(Debug, Clone, Default)]
pub struct Wanted {
    /// Workloads of manifests to be placed, by namespace: some of its pods may be replicas already.
    pub members: BTreeMap<String, Vec<Membership>>,
    /// Workloads of the cluster to be placed.
    pub workloads: BTreeSet<WorkloadName>,
    /// Pending pods to be placed; `None` for none.
    pub pending: Option<PodSelection>,
}

/// A choice of pods.
#[derive(Debug, Clone, Default)]
pub struct PodSelection {
    /// Only of this namespace.
    pub namespace: Option<String>,
    /// Only of this name.
    pub name: Option<String>,
    /// Only with these labels.
    pub selector: Option<Selector>,
}

impl PodSelection {
    /// Whether a pod is chosen.
    pub fn covers(&self, pod: &Pod) -> bool {
        self.namespace
            .as_ref()
            .is_none_or(|namespace| *namespace == pod.metadata.namespace)
            && self.name.as_ref().is_none_or(|name| *name == pod.metadata.name)
            && self
                .selector
                .as_ref()
                .is_none_or(|selector| selector.matches(&pod.metadata.labels))
    }
}

impl Wanted {
    /// How much of a pod has to be kept as an object.
    pub fn keeps_pod(&self, pod: &Pod) -> Keep {
        let namespace = &pod.metadata.namespace;
        let member = self
            .members
            .get(namespace)
            .is_some_and(|members| members.iter().any(|membership| membership.may_belong(pod)))
            || self
                .workloads
                .iter()
                .any(|workload| workload.namespace == *namespace);
        let chosen = |selection: &PodSelection| {
            // A pod that is asked for by name is explained wherever it is.
            (pod.spec.node_name.is_empty() || selection.name.is_some()) && selection.covers(pod)
        };
        if self.pending.as_ref().is_some_and(chosen) || (member && pod.spec.node_name.is_empty()) {
            Keep::Whole
        } else if member {
            Keep::Identity
        } else {
            Keep::Nothing
        }
    }

    /// Whether a workload has to be kept as an object.
    pub fn keeps_workload(&self, object: &Object) -> bool {
        self.workloads.iter().any(|workload| workload.is(object))
    }
}
