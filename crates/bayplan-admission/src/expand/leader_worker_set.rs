//! LeaderWorkerSets (kubernetes-sigs/lws `pkg/controllers/leaderworkerset_controller.go`,
//! `pkg/controllers/pod_controller.go`, `pkg/webhooks/pod_webhook.go`, commit 060ab4d).
//!
//! The leaders are the pods of one StatefulSet; each leader owns a StatefulSet of its workers.

use bayplan_model::object::{
    Affinity, LabelSelector, LabelSelectorRequirement, Labels, LeaderWorkerSet, Object, ObjectMeta,
    ObjectRef, Pod, PodAffinity, PodAffinityTerm, PodTemplateSpec, Service, ServiceSpec, StatefulSet,
    StatefulSetOrdinals, StatefulSetSpec,
};
use sha1::{Digest, Sha1};

use super::{AfterLeader, Expansion, stateful_set};
use crate::defaults::apply_defaults;
use crate::identity::{controller_reference, synthetic_uid, template_hash};

/// Annotation that gives every group a topology domain of its own; its value is a node label.
pub const EXCLUSIVE_ANNOTATION: &str = "leaderworkerset.sigs.k8s.io/exclusive-topology";
/// The same for subgroups.
pub const SUB_GROUP_EXCLUSIVE_ANNOTATION: &str = "leaderworkerset.sigs.k8s.io/subgroup-exclusive-topology";

const API_VERSION: &str = "leaderworkerset.x-k8s.io/v1";
const NAME_LABEL: &str = "leaderworkerset.sigs.k8s.io/name";
const GROUP_INDEX_LABEL: &str = "leaderworkerset.sigs.k8s.io/group-index";
const WORKER_INDEX_LABEL: &str = "leaderworkerset.sigs.k8s.io/worker-index";
const GROUP_KEY_LABEL: &str = "leaderworkerset.sigs.k8s.io/group-key";
const SUB_GROUP_INDEX_LABEL: &str = "leaderworkerset.sigs.k8s.io/subgroup-index";
const SUB_GROUP_KEY_LABEL: &str = "leaderworkerset.sigs.k8s.io/subgroup-key";
const REVISION_LABEL: &str = "leaderworkerset.sigs.k8s.io/template-revision-hash";
const SIZE_ANNOTATION: &str = "leaderworkerset.sigs.k8s.io/size";
const LEADER_NAME_ANNOTATION: &str = "leaderworkerset.sigs.k8s.io/leader-name";
const SUB_GROUP_SIZE_ANNOTATION: &str = "leaderworkerset.sigs.k8s.io/subgroup-size";
const SUB_GROUP_TYPE_ANNOTATION: &str = "leaderworkerset.sigs.k8s.io/subgroup-policy-type";
const SUBDOMAIN_ANNOTATION: &str = "leaderworkerset.sigs.k8s.io/subdomainPolicy";

/// What of the set concerns every pod.
struct Group<'a> {
    set: &'a LeaderWorkerSet,
    size: i32,
    revision: String,
    exclusive: Option<&'a str>,
    sub_group_exclusive: Option<&'a str>,
    sub_group_size: Option<i32>,
    leader_excluded: bool,
    own_subdomains: bool,
}

/// All leaders, then the workers group by group.
pub(super) fn leader_worker_set(made: &mut Expansion, set: &LeaderWorkerSet) {
    let template = &set.spec.leader_worker_template;
    let annotation = |key: &str| {
        set.metadata
            .annotations
            .get(key)
            .map(String::as_str)
            .filter(|value| !value.is_empty())
    };
    let policy = template.sub_group_policy.as_ref();
    let group = Group {
        set,
        size: template.size.unwrap_or(1),
        revision: template_hash(template),
        exclusive: annotation(EXCLUSIVE_ANNOTATION),
        sub_group_exclusive: policy.and(annotation(SUB_GROUP_EXCLUSIVE_ANNOTATION)),
        sub_group_size: policy
            .and_then(|policy| policy.sub_group_size)
            .filter(|size| *size > 0),
        leader_excluded: policy.is_some_and(|policy| policy.kind.as_deref() == Some("LeaderExcluded")),
        own_subdomains: set
            .spec
            .network_config
            .as_ref()
            .is_some_and(|config| config.subdomain_policy.as_deref() == Some("UniquePerReplica")),
    };
    let leaders = leader_set(&group);
    let replicas = made.room_for(leaders.spec.replicas.unwrap_or(1));
    for (index, (mut leader, claims)) in stateful_set::pods(&leaders, replicas).enumerate() {
        finish_leader(&group, &mut leader, index);
        leader.metadata.uid = synthetic_uid(&ObjectRef {
            namespace: leader.metadata.namespace.clone(),
            kind: "Pod".to_owned(),
            name: leader.metadata.name.clone(),
        });
        made.replicas.push(leader);
        made.claims.extend(claims);
    }
    made.created.push(Object::StatefulSet(leaders));
    if !group.own_subdomains {
        made.created
            .push(headless_service(&group, &set.metadata.name, None));
    }
    add_workers(made, &group);
}

fn add_workers(made: &mut Expansion, group: &Group<'_>) {
    let ready_first = group.set.spec.startup_policy == "LeaderReady";
    for leader_index in 0..made.replicas.len() {
        let leader = made.replicas[leader_index].clone();
        if group.own_subdomains {
            let index = leader.metadata.labels.get(GROUP_INDEX_LABEL).map(String::as_str);
            made.created
                .push(headless_service(group, &leader.metadata.name, index));
        }
        if group.size <= 1 {
            continue;
        }
        let workers = worker_set(group, &leader);
        let replicas = made.room_for(group.size - 1);
        for (mut worker, claims) in stateful_set::pods(&workers, replicas) {
            finish_worker(group, &mut worker, &leader.metadata.name);
            if group.exclusive.is_some() || ready_first {
                made.after_leader.push(AfterLeader {
                    replica: made.replicas.len(),
                    leader: leader_index,
                    topology_key: group.exclusive.map(str::to_owned),
                });
            }
            made.replicas.push(worker);
            made.claims.extend(claims);
        }
        made.created.push(Object::StatefulSet(workers));
    }
    if ready_first && group.size > 1 {
        made.note(
            "startupPolicy LeaderReady: workers are created when their leader is ready, taken here as placed",
        );
    }
}

fn leader_set(group: &Group<'_>) -> StatefulSet {
    let set = group.set;
    let source = &set.spec.leader_worker_template;
    let mut template = source
        .leader_template
        .clone()
        .unwrap_or_else(|| source.worker_template.clone());
    let labels = &mut template.metadata.labels;
    labels.insert(WORKER_INDEX_LABEL.to_owned(), "0".to_owned());
    labels.insert(NAME_LABEL.to_owned(), set.metadata.name.clone());
    labels.insert(REVISION_LABEL.to_owned(), group.revision.clone());
    annotate(group, &mut template);
    if group.own_subdomains {
        template
            .metadata
            .annotations
            .insert(SUBDOMAIN_ANNOTATION.to_owned(), "UniquePerReplica".to_owned());
    }
    let selector = Labels::from([
        (NAME_LABEL.to_owned(), set.metadata.name.clone()),
        (WORKER_INDEX_LABEL.to_owned(), "0".to_owned()),
    ]);
    let mut leaders = StatefulSet {
        metadata: ObjectMeta {
            name: set.metadata.name.clone(),
            namespace: set.metadata.namespace.clone(),
            labels: set.metadata.labels.clone(),
            annotations: set.metadata.annotations.clone(),
            owner_references: vec![controller_reference(
                API_VERSION,
                "LeaderWorkerSet",
                &set.metadata,
            )],
            ..Default::default()
        },
        spec: StatefulSetSpec {
            replicas: set.spec.replicas,
            ..parallel_set(group, template, selector, &set.metadata.name)
        },
    };
    leaders
        .metadata
        .labels
        .insert(NAME_LABEL.to_owned(), set.metadata.name.clone());
    leaders
        .metadata
        .labels
        .insert(REVISION_LABEL.to_owned(), group.revision.clone());
    with_defaults(leaders)
}

fn worker_set(group: &Group<'_>, leader: &Pod) -> StatefulSet {
    let set = group.set;
    let mut template = set.spec.leader_worker_template.worker_template.clone();
    let of_leader = |key: &str| leader.metadata.labels.get(key).cloned().unwrap_or_default();
    let selector = Labels::from([
        (GROUP_INDEX_LABEL.to_owned(), of_leader(GROUP_INDEX_LABEL)),
        (NAME_LABEL.to_owned(), set.metadata.name.clone()),
        (GROUP_KEY_LABEL.to_owned(), of_leader(GROUP_KEY_LABEL)),
    ]);
    let mut labels = selector.clone();
    labels.insert(REVISION_LABEL.to_owned(), of_leader(REVISION_LABEL));
    template.metadata.labels.extend(labels.clone());
    annotate(group, &mut template);
    template
        .metadata
        .annotations
        .insert(LEADER_NAME_ANNOTATION.to_owned(), leader.metadata.name.clone());
    let service = if group.own_subdomains {
        &leader.metadata.name
    } else {
        &set.metadata.name
    };
    let mut metadata_labels = set.metadata.labels.clone();
    metadata_labels.extend(labels);
    with_defaults(StatefulSet {
        metadata: ObjectMeta {
            name: leader.metadata.name.clone(),
            namespace: leader.metadata.namespace.clone(),
            labels: metadata_labels,
            annotations: set.metadata.annotations.clone(),
            owner_references: vec![controller_reference("v1", "Pod", &leader.metadata)],
            ..Default::default()
        },
        spec: StatefulSetSpec {
            replicas: Some(group.size - 1),
            ordinals: Some(StatefulSetOrdinals { start: 1 }),
            ..parallel_set(group, template, selector, service)
        },
    })
}

fn parallel_set(
    group: &Group<'_>,
    template: PodTemplateSpec,
    selector: Labels,
    service: &str,
) -> StatefulSetSpec {
    StatefulSetSpec {
        selector: Some(LabelSelector {
            match_labels: selector,
            ..Default::default()
        }),
        template,
        service_name: service.to_owned(),
        pod_management_policy: "Parallel".to_owned(),
        volume_claim_templates: group
            .set
            .spec
            .leader_worker_template
            .volume_claim_templates
            .clone(),
        ..Default::default()
    }
}

fn with_defaults(set: StatefulSet) -> StatefulSet {
    let mut object = Object::StatefulSet(set.clone());
    apply_defaults(&mut object);
    match object {
        Object::StatefulSet(set) => set,
        _ => set,
    }
}

fn annotate(group: &Group<'_>, template: &mut PodTemplateSpec) {
    let annotations = &mut template.metadata.annotations;
    annotations.insert(SIZE_ANNOTATION.to_owned(), group.size.to_string());
    if let Some(key) = group.exclusive {
        annotations.insert(EXCLUSIVE_ANNOTATION.to_owned(), key.to_owned());
    }
    if let Some(size) = group.sub_group_size {
        let kind = if group.leader_excluded {
            "LeaderExcluded"
        } else {
            "LeaderWorker"
        };
        annotations.insert(SUB_GROUP_TYPE_ANNOTATION.to_owned(), kind.to_owned());
        annotations.insert(SUB_GROUP_SIZE_ANNOTATION.to_owned(), size.to_string());
        if let Some(key) = group.sub_group_exclusive {
            annotations.insert(SUB_GROUP_EXCLUSIVE_ANNOTATION.to_owned(), key.to_owned());
        }
    }
}

fn headless_service(group: &Group<'_>, name: &str, group_index: Option<&str>) -> Object {
    let set = &group.set.metadata;
    let mut selector = Labels::from([(NAME_LABEL.to_owned(), set.name.clone())]);
    if let Some(index) = group_index {
        selector.insert(GROUP_INDEX_LABEL.to_owned(), index.to_owned());
    }
    let mut service = Object::Service(Service {
        metadata: ObjectMeta {
            name: name.to_owned(),
            namespace: set.namespace.clone(),
            owner_references: vec![controller_reference(API_VERSION, "LeaderWorkerSet", set)],
            ..Default::default()
        },
        spec: ServiceSpec {
            selector: Some(selector),
            cluster_ip: "None".to_owned(),
            publish_not_ready_addresses: true,
            ..Default::default()
        },
    });
    apply_defaults(&mut service);
    service
}

/// `genGroupUniqueKey`.
fn unique_key(one: &str, other: &str) -> String {
    use std::fmt::Write as _;
    let digest = Sha1::digest(format!("{one}/{other}").as_bytes());
    digest.iter().fold(String::with_capacity(40), |mut text, byte| {
        // Writing to a string does not fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// What the pod webhook does to a leader.
fn finish_leader(group: &Group<'_>, leader: &mut Pod, index: usize) {
    let key = unique_key(&leader.metadata.namespace, &leader.metadata.name);
    let labels = &mut leader.metadata.labels;
    labels
        .entry(GROUP_INDEX_LABEL.to_owned())
        .or_insert_with(|| index.to_string());
    let key = labels.entry(GROUP_KEY_LABEL.to_owned()).or_insert(key).clone();
    if let Some(topology_key) = group.exclusive {
        exclusive_affinity(leader, &key, topology_key, GROUP_KEY_LABEL);
    }
    if group.sub_group_size.is_some() && !group.leader_excluded {
        join_sub_group(group, leader, "0", &leader.metadata.name.clone());
    }
}

/// What the pod webhook does to a worker.
fn finish_worker(group: &Group<'_>, worker: &mut Pod, leader_name: &str) {
    let index: i32 = worker
        .metadata
        .name
        .rsplit_once('-')
        .and_then(|(_, ordinal)| ordinal.parse().ok())
        .unwrap_or(0);
    worker
        .metadata
        .labels
        .insert(WORKER_INDEX_LABEL.to_owned(), index.to_string());
    if let Some(size) = group.sub_group_size {
        // With one pod more than the subgroups hold, the leader is the extra one of the first subgroup.
        let leader_is_extra = (group.size - 1) % size == 0 && group.size % size != 0;
        let position = if leader_is_extra { index - 1 } else { index };
        join_sub_group(group, worker, &(position / size).to_string(), leader_name);
    }
}

fn join_sub_group(group: &Group<'_>, pod: &mut Pod, index: &str, leader_name: &str) {
    let labels = &mut pod.metadata.labels;
    if labels
        .get(SUB_GROUP_INDEX_LABEL)
        .is_some_and(|given| !given.is_empty())
    {
        return;
    }
    let key = unique_key(leader_name, index);
    labels.insert(SUB_GROUP_INDEX_LABEL.to_owned(), index.to_owned());
    labels.insert(SUB_GROUP_KEY_LABEL.to_owned(), key.clone());
    if let Some(topology_key) = group.sub_group_exclusive {
        exclusive_affinity(pod, &key, topology_key, SUB_GROUP_KEY_LABEL);
    }
}

/// Together with pods of the same key, away from pods of another (`SetExclusiveAffinities`).
fn exclusive_affinity(pod: &mut Pod, key: &str, topology_key: &str, label: &str) {
    let affinity = pod.spec.affinity.get_or_insert_with(Affinity::default);
    let together = affinity.pod_affinity.get_or_insert_with(PodAffinity::default);
    let apart = affinity
        .pod_anti_affinity
        .get_or_insert_with(PodAffinity::default);
    let has = |affinity: &PodAffinity| {
        affinity
            .required_during_scheduling_ignored_during_execution
            .iter()
            .any(|term| term.topology_key == topology_key)
    };
    if has(together) && has(apart) {
        return;
    }
    let requirement = |operator: &str, values: &[&str]| LabelSelectorRequirement {
        key: label.to_owned(),
        operator: operator.to_owned(),
        values: values.iter().map(|value| (*value).to_owned()).collect(),
    };
    let term = |match_expressions: Vec<LabelSelectorRequirement>| PodAffinityTerm {
        label_selector: Some(LabelSelector {
            match_expressions,
            ..Default::default()
        }),
        topology_key: topology_key.to_owned(),
        ..Default::default()
    };
    together
        .required_during_scheduling_ignored_during_execution
        .push(term(vec![requirement("In", &[key])]));
    apart
        .required_during_scheduling_ignored_during_execution
        .push(term(vec![
            requirement("Exists", &[]),
            requirement("NotIn", &[key]),
        ]));
}
