//! Admits what is to be created, finds what runs already, and lays out the cluster.

use std::collections::{BTreeMap, BTreeSet};

use bayplan_admission::{Admitted, ExpandedWorkload, Fault, Membership, Stage, admit, follow_leader};
use bayplan_analysis::domains::Domains;
use bayplan_api::Uncertainty;
use bayplan_manifest::Diagnostic;
use bayplan_model::object::{Object, ObjectRef, Pod};
use bayplan_scheduler::{BuildIssue, PodId};
use bayplan_sim::placement::{Candidate, Leader};

use super::uncertain::Known;
use super::{Plan, Pods, Request, Source, Workload, workload_of};
use crate::input::{ClusterReader, Found, KnownPod, code};

/// Builds the plan. `found` is what reading the cluster found besides its objects.
pub fn build(mut reader: ClusterReader<'_>, found: &Found, request: Request) -> Plan {
    let mut diagnostics = Vec::new();
    let objects: Vec<Object> = request
        .sources
        .iter()
        .map(|source| match source {
            Source::Manifest(manifest) => manifest.object.clone(),
            Source::Cluster(object) => (**object).clone(),
        })
        .collect();
    let admitted = admit(objects, &reader.context, &reader.nodes);
    report(&admitted, &request.sources, &mut diagnostics);
    let Admitted {
        workloads: expanded,
        others,
        uncertain,
        ..
    } = admitted;

    let mut members = Members::new(&reader, request.fresh);
    for workload in &expanded {
        members.add_workload(workload);
    }
    if request.pods != Pods::None {
        members.add_pods(request.pods);
    }
    let Members {
        candidates,
        workloads,
        removed,
        ..
    } = members;

    add_objects(&mut reader, others, &expanded);
    let mut uncertain: Vec<Uncertainty> = uncertain
        .into_iter()
        .map(|entry| Uncertainty {
            reason: entry.reason,
            objects: entry.objects.iter().map(ToString::to_string).collect(),
        })
        .collect();
    let known = Known {
        counts: &found.counts,
        unknown_kinds: &found.unknown_kinds,
        new: expanded.iter().map(|workload| &workload.object),
        selects_namespaces: reader.selects_namespaces,
        unreadable: found
            .diagnostics
            .iter()
            .filter(|diagnostic| diagnostic.is_error())
            .count(),
    };
    uncertain.extend(super::uncertain::of(
        known,
        &candidates,
        &workloads,
        &request.configuration,
    ));
    for workload in &expanded {
        uncertain.extend(workload.notes.iter().map(|note| Uncertainty {
            reason: note.clone(),
            objects: vec![workload.workload.to_string()],
        }));
    }
    let domains = Domains::of(&reader.nodes, &request.levels);
    let (world, issues) = reader.builder.finish();
    diagnostics.extend(issues.into_iter().map(build_issue));
    if world.node_count() == 0 {
        diagnostics.push(
            Diagnostic::error(code::NO_NODES, "there is no node in the cluster's input")
                .hint("capture the nodes as well: kubectl get nodes,pods,... -A -o yaml"),
        );
    }
    Plan {
        world,
        configuration: request.configuration,
        candidates,
        workloads,
        removed,
        has_budgets: found.counts.contains_key("PodDisruptionBudget"),
        domains,
        nodes: reader.nodes,
        diagnostics,
        uncertain,
    }
}

/// Adds what is created together with the workloads; objects that the cluster has already are not added again.
fn add_objects(reader: &mut ClusterReader<'_>, others: Vec<Object>, expanded: &[ExpandedWorkload]) {
    let existing: BTreeSet<ObjectRef> = reader.controllers.iter().map(Object::reference).collect();
    let nodes: BTreeSet<String> = reader
        .nodes
        .iter()
        .map(|node| node.metadata.name.clone())
        .collect();
    for mut object in others {
        // What is bound stays bound when a manifest is applied again.
        let reference = object.reference();
        if reader.storage.contains(&reference) {
            continue;
        }
        if let Object::PodDisruptionBudget(budget) = &mut object
            && let Some(status) = reader.budget_status.remove(&reference)
        {
            budget.status = status;
        }
        if let Object::Node(node) = &object
            && !nodes.contains(&node.metadata.name)
        {
            reader.nodes.push(node.clone());
        }
        reader.builder.add(object);
    }
    for workload in expanded {
        if !existing.contains(&workload.workload) && !matches!(workload.object, Object::Pod(_)) {
            reader.builder.add(workload.object.clone());
        }
        for object in &workload.created {
            if !existing.contains(&object.reference()) {
                reader.builder.add(object.clone());
            }
        }
        for claim in &workload.claims {
            reader.builder.add(Object::PersistentVolumeClaim(claim.clone()));
        }
    }
}

/// Candidates and workloads while they are found.
struct Members<'a> {
    reader: &'a ClusterReader<'a>,
    fresh: bool,
    candidates: Vec<Candidate>,
    workloads: Vec<Workload>,
    removed: Vec<PodId>,
    /// Pods that are accounted for.
    taken: BTreeSet<PodId>,
}

impl<'a> Members<'a> {
    fn new(reader: &'a ClusterReader<'a>, fresh: bool) -> Self {
        Members {
            reader,
            fresh,
            candidates: Vec::new(),
            workloads: Vec::new(),
            removed: Vec::new(),
            taken: BTreeSet::new(),
        }
    }

    /// Adds the replicas of a workload that are missing; those that have no node yet are placed as they are.
    fn add_workload(&mut self, workload: &ExpandedWorkload) {
        let group = self.workloads.len();
        let leaders: Vec<Object> = if matches!(workload.object, Object::LeaderWorkerSet(_)) {
            self.reader
                .pods
                .iter()
                .map(|known| Object::Pod(known.pod.clone()))
                .collect()
        } else {
            Vec::new()
        };
        let membership = Membership::new(&workload.object, self.reader.controllers.iter().chain(&leaders));
        let members: Vec<&KnownPod> = self
            .reader
            .pods
            .iter()
            .filter(|known| membership.counts(&known.pod))
            .collect();
        self.taken.extend(members.iter().map(|known| known.id));
        let has_node = |known: &&&KnownPod| !known.pod.spec.node_name.is_empty();
        let mut running = Vec::new();
        let present: Vec<&Pod> = if self.fresh {
            self.removed
                .extend(members.iter().filter(has_node).map(|known| known.id));
            Vec::new()
        } else {
            running.extend(
                members
                    .iter()
                    .filter(has_node)
                    .map(|known| known.pod.spec.node_name.clone()),
            );
            let waiting = members.iter().filter(|known| known.pod.spec.node_name.is_empty());
            self.candidates.extend(waiting.map(|known| Candidate {
                pod: known.pod.clone(),
                group,
                existing: Some(known.id),
                leader: None,
            }));
            members.iter().map(|known| &known.pod).collect()
        };
        let missing = workload.missing(&present);
        let first = self.candidates.len();
        let places: BTreeMap<usize, usize> = missing
            .iter()
            .enumerate()
            .map(|(offset, replica)| (*replica, first + offset))
            .collect();
        for replica in &missing {
            let mut pod = workload.replicas[*replica].clone();
            let waits = workload
                .after_leader
                .iter()
                .find(|entry| entry.replica == *replica);
            let leader = waits.and_then(|entry| {
                if let Some(candidate) = places.get(&entry.leader) {
                    return Some(Leader {
                        candidate: *candidate,
                        topology_key: entry.topology_key.clone(),
                    });
                }
                // A leader that runs already holds nobody up, but tells where to follow.
                let name = &workload.replicas[entry.leader].metadata.name;
                let running = members.iter().find(|known| known.pod.metadata.name == *name)?;
                let key = entry.topology_key.as_ref()?;
                follow_leader(&mut pod, key, self.node_label(&running.pod.spec.node_name, key)?);
                None
            });
            self.candidates.push(Candidate {
                pod,
                group,
                existing: None,
                leader,
            });
        }
        self.workloads.push(Workload {
            reference: workload.workload.clone(),
            replicas: workload.replicas.len().max(running.len()),
            running,
        });
    }

    fn node_label(&self, node: &str, key: &str) -> Option<&str> {
        let node = self
            .reader
            .nodes
            .iter()
            .find(|known| known.metadata.name == node)?;
        node.metadata.labels.get(key).map(String::as_str)
    }

    /// Adds pods of the cluster that no workload accounts for, each to its own workload.
    fn add_pods(&mut self, pods: Pods) {
        let mut groups: BTreeMap<ObjectRef, usize> = BTreeMap::new();
        for known in &self.reader.pods {
            let waits = known.pod.spec.node_name.is_empty() && !known.pod.is_terminating();
            if !(waits || pods == Pods::All) || self.taken.contains(&known.id) {
                continue;
            }
            let reference = workload_of(&known.pod, &self.reader.controllers);
            let group = *groups.entry(reference.clone()).or_insert_with(|| {
                self.workloads.push(Workload {
                    reference,
                    replicas: 0,
                    running: Vec::new(),
                });
                self.workloads.len() - 1
            });
            self.workloads[group].replicas += 1;
            self.candidates.push(Candidate {
                pod: known.pod.clone(),
                group,
                existing: Some(known.id),
                leader: None,
            });
        }
    }
}

/// Faults and warnings of admission, at their places in the manifests.
fn report(admitted: &Admitted, sources: &[Source], diagnostics: &mut Vec<Diagnostic>) {
    let place = |mut diagnostic: Diagnostic, index: usize, path: &str, object: &ObjectRef| {
        diagnostic = diagnostic.object(Some(object.to_string()));
        match sources.get(index) {
            Some(Source::Manifest(manifest)) => diagnostic.at(manifest.locate(path)),
            _ => diagnostic,
        }
    };
    for fault in &admitted.faults {
        let Fault {
            object,
            index,
            stage,
            error,
        } = fault;
        let code = match stage {
            Stage::Object => code::REFUSED_OBJECT,
            Stage::Pods => code::REFUSED_PODS,
        };
        let mut diagnostic = place(
            Diagnostic::error(code, fault.text()),
            *index,
            &error.path.to_string(),
            object,
        );
        if *stage == Stage::Pods {
            diagnostic =
                diagnostic.note("the object itself is accepted, but none of its pods would be created");
        }
        diagnostics.push(diagnostic);
    }
    for warning in &admitted.warnings {
        let path = warning.path.to_string();
        let text = format!("{path}: {}", warning.text);
        diagnostics.push(place(
            Diagnostic::warning(code::API_WARNING, text),
            warning.index,
            &path,
            &warning.object,
        ));
    }
}

fn build_issue(issue: BuildIssue) -> Diagnostic {
    let diagnostic = Diagnostic::warning(code::UNUSED_OBJECT, issue.message).object(Some(issue.object));
    if issue.left_out {
        diagnostic.hint("capture all kinds at the same time")
    } else {
        diagnostic
    }
}
