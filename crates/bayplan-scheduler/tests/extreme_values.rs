//! Values that no cluster has, but a file may: they are counted as the real scheduler's integers count them.
#![allow(missing_docs, clippy::unwrap_used)]

use bayplan_model::object::{Object, Pod};
use bayplan_scheduler::config::{SchedulerConfiguration, UnknownPlugins, parse};
use bayplan_scheduler::{Options, Outcome, Scheduler, WorldBuilder};
use serde_json::{Value, json};

fn node(name: &str, memory: &str) -> Value {
    json!({
        "apiVersion": "v1", "kind": "Node", "metadata": {"name": name},
        "status": {"allocatable": {"cpu": "8", "memory": memory, "pods": "10"}},
    })
}

fn pod(name: &str, node: &str, memory: &str) -> Value {
    json!({
        "apiVersion": "v1", "kind": "Pod",
        "metadata": {"name": name, "namespace": "default", "labels": {"app": "a"}},
        "spec": {
            "nodeName": node, "schedulerName": "default-scheduler",
            "containers": [{"name": "c", "resources": {"requests": {"memory": memory}}}],
        },
    })
}

fn scheduler(objects: &[Value], configuration: &SchedulerConfiguration) -> Scheduler {
    let mut builder = WorldBuilder::new();
    for value in objects {
        let text = |field: &str| value[field].as_str().unwrap_or_default();
        builder.add(
            Object::decode(text("apiVersion"), text("kind"), value)
                .unwrap()
                .unwrap(),
        );
    }
    Scheduler::new(builder.finish().0, configuration, Options::default())
}

/// The node that is chosen; the slow evaluation must agree.
fn place(scheduler: &mut Scheduler, pod: Value) -> Option<String> {
    let pod: Pod = serde_json::from_value(pod).unwrap();
    let id = scheduler.add_pending(&pod);
    let node = scheduler.schedule(id).node();
    let best = scheduler.evaluate(id).best();
    assert!(
        node.is_none_or(|node| best.contains(&node)),
        "{node:?} is not among {best:?}"
    );
    node.map(|node| scheduler.world().node_name(node).to_owned())
}

#[test]
fn sums_beyond_64_bits_wrap_around() {
    let most = i64::MAX.to_string();
    let objects = [node("n", "1Gi"), pod("a", "n", &most), pod("b", "n", &most)];
    let mut scheduler = scheduler(&objects, &SchedulerConfiguration::default());
    // Twice the largest number is minus two, so there is room.
    assert_eq!(
        place(&mut scheduler, pod("new", "", "512Mi")).as_deref(),
        Some("n")
    );
    assert_eq!(place(&mut scheduler, pod("large", "", "2Gi")), None);
}

#[test]
fn amounts_below_zero_are_scored() {
    let objects = [
        node("n", "-1"),
        node("o", "-8Ei"),
        pod("a", "n", "8Ei"),
        pod("b", "o", "-8Ei"),
    ];
    let mut scheduler = scheduler(&objects, &SchedulerConfiguration::default());
    assert!(place(&mut scheduler, pod("new", "", "-8Ei")).is_some());
}

#[test]
fn the_largest_weights_do_not_turn_the_order_around() {
    let configuration = json!({
        "apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration",
        "profiles": [{
            "schedulerName": "default-scheduler",
            "plugins": {"score": {
                "disabled": [{"name": "*"}],
                "enabled": [{"name": "NodeResourcesFit", "weight": i32::MAX}],
            }},
        }],
    });
    let configuration = parse(&configuration, UnknownPlugins::Refuse).unwrap();
    let objects = [node("empty", "8Gi"), node("full", "8Gi"), pod("a", "full", "7Gi")];
    let mut scheduler = scheduler(&objects, &configuration);
    assert_eq!(
        place(&mut scheduler, pod("new", "", "1Gi")).as_deref(),
        Some("empty")
    );
}

#[test]
fn a_budget_far_below_zero_is_charged() {
    let mut victim = pod("a", "n", "8Gi");
    victim["spec"]["priority"] = json!(-1);
    let budget = json!({
        "apiVersion": "policy/v1", "kind": "PodDisruptionBudget",
        "metadata": {"name": "b", "namespace": "default"},
        "spec": {"selector": {"matchLabels": {"app": "a"}}},
        "status": {"disruptionsAllowed": i32::MIN},
    });
    let mut scheduler = scheduler(
        &[node("n", "8Gi"), victim, budget],
        &SchedulerConfiguration::default(),
    );
    let pod: Pod = serde_json::from_value(pod("new", "", "8Gi")).unwrap();
    let id = scheduler.add_pending(&pod);
    let Outcome::Unschedulable(failed) = scheduler.schedule(id).outcome else {
        panic!("the node is full");
    };
    assert_eq!(scheduler.preempt(id, &failed).victims.len(), 1);
}
