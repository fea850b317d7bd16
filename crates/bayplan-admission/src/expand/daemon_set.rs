//! DaemonSets (`pkg/controller/daemon/daemon_controller.go:nodeShouldRunDaemonPod`,
//! `pkg/controller/daemon/util/daemonset_util.go`, v1.37.2).

use bayplan_model::object::{
    Affinity, DaemonSet, Node, NodeAffinity, NodeSelector, NodeSelectorRequirement, NodeSelectorTerm,
    PodSpec, Toleration,
};
use bayplan_model::selector::{node_matches, parse_node_selector};
use bayplan_model::taint::blocks;

use super::stateful_set::REVISION_LABEL;
use super::{Expansion, numbered_name, pod_from_template};
use crate::defaults::TEMPLATE_GENERATION_ANNOTATION;
use crate::identity::{controller_reference, template_hash};

const GENERATION_LABEL: &str = "pod-template-generation";

/// Taints that pods of DaemonSets tolerate without a limit: key and effect.
const TOLERATED: [(&str, &str); 6] = [
    ("node.kubernetes.io/not-ready", "NoExecute"),
    ("node.kubernetes.io/unreachable", "NoExecute"),
    ("node.kubernetes.io/disk-pressure", "NoSchedule"),
    ("node.kubernetes.io/memory-pressure", "NoSchedule"),
    ("node.kubernetes.io/pid-pressure", "NoSchedule"),
    ("node.kubernetes.io/unschedulable", "NoSchedule"),
];
const TOLERATED_ON_HOST_NETWORK: (&str, &str) = ("node.kubernetes.io/network-unavailable", "NoSchedule");

/// A pod for every node that should run one, pinned to it.
pub(super) fn daemon_set(made: &mut Expansion, set: &DaemonSet, nodes: &[Node]) {
    let mut template = set.spec.template.clone();
    let hash = template_hash(&template);
    add_tolerations(&mut template.spec);
    let generation = set
        .metadata
        .annotations
        .get(TEMPLATE_GENERATION_ANNOTATION)
        .map_or("1", String::as_str);
    let labels = &mut template.metadata.labels;
    labels.insert(GENERATION_LABEL.to_owned(), generation.to_owned());
    labels.insert(REVISION_LABEL.to_owned(), hash);
    let owner = controller_reference("apps/v1", "DaemonSet", &set.metadata);
    let terms = template
        .spec
        .affinity
        .as_ref()
        .and_then(|affinity| affinity.node_affinity.as_ref())
        .and_then(|affinity| {
            affinity
                .required_during_scheduling_ignored_during_execution
                .as_ref()
        })
        .map(parse_node_selector);
    for (index, node) in (0_u64..).zip(nodes) {
        let spec = &template.spec;
        let wanted = (spec.node_name.is_empty() || spec.node_name == node.metadata.name)
            && node_matches(
                spec.node_selector.as_ref(),
                terms.as_deref(),
                &node.metadata.name,
                |key| node.metadata.labels.get(key).map(String::as_str),
            )
            && !node
                .spec
                .taints
                .iter()
                .any(|taint| blocks(taint, &spec.tolerations));
        if wanted {
            let name = numbered_name(&set.metadata.name, index);
            let mut pod = pod_from_template(&template, &set.metadata.namespace, name, &owner);
            pin(&mut pod.spec, &node.metadata.name);
            made.replicas.push(pod);
        }
    }
    if made.replicas.is_empty() {
        made.note("no node of the cluster should run a pod of this DaemonSet");
    }
}

/// Required node affinity becomes the node's name alone.
fn pin(spec: &mut PodSpec, node_name: &str) {
    let affinity = spec.affinity.get_or_insert_with(Affinity::default);
    let node_affinity = affinity.node_affinity.get_or_insert_with(NodeAffinity::default);
    node_affinity.required_during_scheduling_ignored_during_execution = Some(NodeSelector {
        node_selector_terms: vec![NodeSelectorTerm {
            match_fields: vec![NodeSelectorRequirement {
                key: "metadata.name".to_owned(),
                operator: "In".to_owned(),
                values: vec![node_name.to_owned()],
            }],
            ..Default::default()
        }],
    });
}

fn add_tolerations(spec: &mut PodSpec) {
    let host_network = spec.host_network.then_some(TOLERATED_ON_HOST_NETWORK);
    for (key, effect) in TOLERATED.into_iter().chain(host_network) {
        let toleration = Toleration {
            key: key.to_owned(),
            operator: "Exists".to_owned(),
            effect: effect.to_owned(),
            ..Default::default()
        };
        let same = |other: &&mut Toleration| {
            other.key == toleration.key
                && other.effect == toleration.effect
                && other.operator == toleration.operator
                && other.value == toleration.value
        };
        // One of the same meaning loses its time limit, and stays where it is.
        match spec.tolerations.iter_mut().find(same) {
            Some(other) => *other = toleration,
            None => spec.tolerations.push(toleration),
        }
    }
}
