//! What `nodes` counted, as the document says it.

use std::collections::BTreeMap;

use bayplan_analysis::capacity::{Amount, Amounts, Capacity, Group, NodeCapacity};
use bayplan_analysis::domains::Level as Domain;
use bayplan_analysis::gpu;
use bayplan_api as api;
use bayplan_model::object::Node;

/// The document's body.
pub fn body(capacity: &Capacity, model_label: &str) -> api::Capacity {
    let name = |level: Domain| capacity.domains.name(level).to_owned();
    let levels = group_levels(capacity);
    let mut domains: BTreeMap<String, Vec<api::DomainUse>> = BTreeMap::new();
    for level in levels.iter().copied() {
        let groups = capacity.group_by(|node| domain(capacity, node, level));
        if !groups.is_empty() {
            domains.insert(name(level), groups.iter().map(domain_use).collect());
        }
    }
    let types = capacity.group_by(|node| gpu::gpu_type(&node.node).map(str::to_owned));
    if !types.is_empty() {
        domains.insert("gpu".to_owned(), types.iter().map(domain_use).collect());
    }
    let total = capacity.group_by(|_| Some("*".to_owned()));
    api::Capacity {
        domain_keys: levels
            .iter()
            .map(|level| (name(*level), capacity.domains.keys(*level).to_vec()))
            .collect(),
        model_label: model_label.to_owned(),
        total: domain_use((&"*".to_owned(), &total.get("*").cloned().unwrap_or_default())),
        nodes: capacity
            .nodes
            .iter()
            .map(|node| node_use(capacity, node))
            .collect(),
        domains,
        models: capacity
            .models
            .iter()
            .map(|model| api::ModelUse {
                model: model.model.clone(),
                pods: model.pods_by_node.values().sum(),
                domains: capacity
                    .domains
                    .levels()
                    .iter()
                    .map(|level| (name(*level), capacity.model_domains(model, *level)))
                    .collect(),
                requests: requests(&model.requests),
            })
            .collect(),
        pending: api::PendingUse {
            pods: capacity.pending.pods,
            requests: requests(&capacity.pending.requests),
        },
    }
}

fn requests(amounts: &Amounts) -> BTreeMap<String, String> {
    let exact = |name: &str| {
        Amount {
            resource: name,
            value: amounts.get(name),
        }
        .exact()
    };
    amounts
        .names()
        .map(|name| (name.to_owned(), exact(name)))
        .collect()
}

/// Levels whose domains hold several nodes, the narrowest first.
pub fn group_levels(capacity: &Capacity) -> Vec<Domain> {
    let all = capacity.domains.levels().iter().copied();
    all.filter(|level| *level != Domain::NODE).collect()
}

/// The domain of a node.
pub fn domain(capacity: &Capacity, node: &NodeCapacity, level: Domain) -> Option<String> {
    capacity
        .domains
        .get(&node.node.metadata.name, level)
        .map(str::to_owned)
}

fn domain_use((name, group): (&String, &Group)) -> api::DomainUse {
    api::DomainUse {
        domain: name.clone(),
        nodes: group.nodes,
        resources: resources(&group.allocatable, &group.used),
    }
}

fn resources(allocatable: &Amounts, used: &Amounts) -> BTreeMap<String, api::ResourceUse> {
    let mut names: Vec<&str> = allocatable.names().chain(used.names()).collect();
    names.sort_unstable();
    names.dedup();
    let entry = |resource| {
        let exact = |value| Amount { resource, value }.exact();
        let (all, taken) = (allocatable.get(resource), used.get(resource));
        api::ResourceUse {
            allocatable: exact(all),
            used: exact(taken),
            free: exact(all.saturating_sub(taken)),
        }
    };
    names
        .into_iter()
        .map(|name| (name.to_owned(), entry(name)))
        .collect()
}

fn node_use(capacity: &Capacity, node: &NodeCapacity) -> api::NodeUse {
    api::NodeUse {
        node: node.node.metadata.name.clone(),
        domains: group_levels(capacity)
            .iter()
            .filter_map(|level| {
                let name = capacity.domains.name(*level).to_owned();
                Some((name, domain(capacity, node, *level)?))
            })
            .collect(),
        gpu: gpu::gpu_type(&node.node).map(str::to_owned),
        status: status(&node.node),
        taints: taints(&node.node),
        models: node.models.clone(),
        resources: resources(&node.allocatable, &node.used),
    }
}

/// The words of kubectl's STATUS column.
fn status(node: &Node) -> String {
    let ready = node
        .status
        .conditions
        .iter()
        .find(|condition| condition.kind == "Ready");
    let mut text = match ready.map(|condition| condition.status.as_str()) {
        Some("True") => "Ready".to_owned(),
        Some("False") => "NotReady".to_owned(),
        _ => "Unknown".to_owned(),
    };
    if node.spec.unschedulable {
        text.push_str(",SchedulingDisabled");
    }
    text
}

fn taints(node: &Node) -> Vec<String> {
    let text = |taint: &bayplan_model::object::Taint| {
        let value = if taint.value.is_empty() {
            String::new()
        } else {
            format!("={}", taint.value)
        };
        format!("{}{value}:{}", taint.key, taint.effect)
    };
    let blocks = |taint: &&bayplan_model::object::Taint| taint.effect != "PreferNoSchedule";
    node.spec.taints.iter().filter(blocks).map(text).collect()
}
