//! What is not known, or not modelled, and could change where the candidates land.

use std::collections::{BTreeMap, BTreeSet};

use bayplan_api::Uncertainty;
use bayplan_model::object::{Object, UnknownKind};
use bayplan_scheduler::config::{DefaultingType, SchedulerConfiguration};
use bayplan_scheduler::limits;
use bayplan_sim::placement::Candidate;

use super::Workload;
use crate::input::selects_namespaces;

/// What is known of the input.
pub struct Known<'a, New: Iterator<Item = &'a Object>> {
    /// Objects of the cluster by kind.
    pub counts: &'a BTreeMap<&'static str, usize>,
    /// Kinds that are not read.
    pub unknown_kinds: &'a BTreeMap<UnknownKind, usize>,
    /// Objects that are created.
    pub new: New,
    /// Whether any pod of the cluster selects namespaces by label.
    pub selects_namespaces: bool,
    /// Objects of the cluster that could not be read.
    pub unreadable: usize,
}

/// Names everything that could make the answer wrong.
pub fn of<'a>(
    known: Known<'a, impl Iterator<Item = &'a Object>>,
    candidates: &[Candidate],
    workloads: &[Workload],
    configuration: &SchedulerConfiguration,
) -> Vec<Uncertainty> {
    let mut list = List {
        workloads,
        entries: BTreeMap::new(),
    };
    let new_kinds: BTreeSet<&str> = known.new.map(Object::kind).collect();
    let missing = |kind: &str| !known.counts.contains_key(kind) && !new_kinds.contains(kind);
    if known.unreadable > 0 {
        let parts = known.unreadable;
        list.add_all(format!(
            "{parts} parts of the cluster's input could not be read; what they hold is not counted"
        ));
    }
    if !known.counts.contains_key("Pod") && !candidates.is_empty() {
        list.add_all("no running Pods were given: every node counts as empty".to_owned());
    }
    for candidate in candidates {
        for reason in limits::of_pod(&candidate.pod) {
            list.add(format!("a pod {reason}"), candidate);
        }
        default_spreading(&mut list, candidate, configuration, &missing);
        volumes(&mut list, candidate, &missing);
        if selects_namespaces(&candidate.pod) && missing("Namespace") {
            list.add(
                "no Namespaces were given: terms that select namespaces by label see none but by their names"
                    .to_owned(),
                candidate,
            );
        }
        let name = &candidate.pod.spec.scheduler_name;
        let profile = if name.is_empty() {
            "default-scheduler"
        } else {
            name
        };
        match configuration.profile(profile) {
            None => list.add(
                format!("the scheduler configuration has no profile {profile}: another scheduler would place the pods"),
                candidate,
            ),
            Some(profile) => {
                for sentence in &profile.not_modelled {
                    list.add(sentence.clone(), candidate);
                }
            }
        }
    }
    if known.selects_namespaces && missing("Namespace") {
        list.add_all(
            "no Namespaces were given: running pods have terms that select namespaces by label, which match none"
                .to_owned(),
        );
    }
    for sentence in &configuration.not_modelled {
        list.add_all(sentence.clone());
    }
    for (kind, effect) in [
        (
            "ResourceQuota",
            "quotas are not checked: pods beyond them would not be created",
        ),
        (
            "MutatingWebhookConfiguration",
            "webhooks of the cluster may change pods when they are created",
        ),
        (
            "MutatingAdmissionPolicy",
            "admission policies of the cluster may change pods when they are created",
        ),
    ] {
        if known.unknown_kinds.keys().any(|unknown| unknown.kind == kind) && !candidates.is_empty() {
            list.add_all(effect.to_owned());
        }
    }
    list.finish()
}

/// Uncertainties with the workloads they concern.
struct List<'a> {
    workloads: &'a [Workload],
    entries: BTreeMap<String, BTreeSet<String>>,
}

impl List<'_> {
    fn add(&mut self, reason: String, candidate: &Candidate) {
        let workload = self
            .workloads
            .get(candidate.group)
            .map(|workload| workload.reference.to_string());
        self.entries.entry(reason).or_default().extend(workload);
    }

    fn add_all(&mut self, reason: String) {
        self.entries.entry(reason).or_default();
    }

    fn finish(self) -> Vec<Uncertainty> {
        let entry = |(reason, objects): (String, BTreeSet<String>)| Uncertainty {
            reason,
            objects: objects.into_iter().collect(),
        };
        self.entries.into_iter().map(entry).collect()
    }
}

/// Pods without constraints of their own are spread by a selector made from the Services that select them and from
/// their controller (`pkg/scheduler/framework/plugins/helper/spread.go:DefaultSelector`, v1.37.2).
fn default_spreading(
    list: &mut List<'_>,
    candidate: &Candidate,
    configuration: &SchedulerConfiguration,
    missing: &impl Fn(&str) -> bool,
) {
    let spec = &candidate.pod.spec;
    let name = if spec.scheduler_name.is_empty() {
        "default-scheduler"
    } else {
        &spec.scheduler_name
    };
    let Some(profile) = configuration.profile(name) else {
        return;
    };
    let arguments = &profile.arguments.pod_topology_spread;
    let has_defaults =
        arguments.defaulting_type == DefaultingType::System || !arguments.default_constraints.is_empty();
    if !spec.topology_spread_constraints.is_empty() || !has_defaults {
        return;
    }
    if missing("Service") {
        list.add(
            "no Services were given: default spreading counts by the pods' controller alone; a Service that selects them would add to its selector"
                .to_owned(),
            candidate,
        );
    }
    // New workloads bring their controllers along; only pods of the cluster can lack theirs.
    let kind = candidate
        .pod
        .metadata
        .controller()
        .map(|owner| owner.kind.as_str());
    if let Some(kind @ ("ReplicaSet" | "StatefulSet" | "ReplicationController")) = kind
        && candidate.existing.is_some()
        && missing(kind)
    {
        list.add(
            format!("no {kind}s were given: default spreading of pods that exist already cannot be computed"),
            candidate,
        );
    }
}

fn volumes(list: &mut List<'_>, candidate: &Candidate, missing: &impl Fn(&str) -> bool) {
    let uses_claims = candidate
        .pod
        .spec
        .volumes
        .iter()
        .any(|volume| volume.persistent_volume_claim.is_some() || volume.ephemeral.is_some());
    if !uses_claims {
        return;
    }
    for (kind, effect) in [
        (
            "PersistentVolume",
            "volumes that exist are not known, so claims count as if none were bound to a zone",
        ),
        (
            "StorageClass",
            "claims without a known class cannot be bound or provisioned",
        ),
        (
            "CSINode",
            "limits on the number of volumes on a node are not known",
        ),
    ] {
        if missing(kind) {
            list.add(format!("no {kind}s were given: {effect}"), candidate);
        }
    }
}
