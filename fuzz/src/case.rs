//! A whole case: any configuration, any objects, every pod through admission, filters, scores and preemption.

use bayplan_admission::{AdmissionContext, admit, apply_defaults, validate, warnings};
use bayplan_model::object::{Node, Object, Pod};
use bayplan_scheduler::config::{SchedulerConfiguration, UnknownPlugins, parse};
use bayplan_scheduler::{Options, Outcome, PodId, Scheduler, Ties, WorldBuilder};
use bayplan_sim::placement::{Candidate, Detail, Leader, NodeLabels, place};
use serde_json::Value;

/// Fields that say how many pods there are; large numbers only take time.
const COUNTS: [&str; 4] = ["replicas", "parallelism", "completions", "size"];
const COUNT_MAX: i64 = 6;
const PODS_MAX: usize = 40;

/// Runs a case: `{"config": ..., "objects": [...]}`; pods without a node are to be scheduled.
pub fn run(case: &Value) {
    let configuration = configuration(case.get("config"));
    let objects: Vec<Object> = case
        .get("objects")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(decode)
        .collect();
    for object in &objects {
        let _ = (validate(object), warnings(object));
    }
    cluster(&objects, &configuration);
    manifests(objects, &configuration);
}

fn configuration(value: Option<&Value>) -> SchedulerConfiguration {
    let Some(value) = value.filter(|value| !value.is_null()) else {
        return SchedulerConfiguration::default();
    };
    let _ = parse(value, UnknownPlugins::Refuse).map_err(|errors| errors.to_string());
    parse(value, UnknownPlugins::LeaveOut).unwrap_or_default()
}

fn decode(value: &Value) -> Option<Object> {
    let mut value = value.clone();
    bound_counts(&mut value);
    let text = |field: &str| value.get(field).and_then(Value::as_str).unwrap_or_default();
    Object::decode(text("apiVersion"), text("kind"), &value)
        .ok()?
        .ok()
}

fn bound_counts(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(bound_counts),
        Value::Object(fields) => {
            for (key, field) in fields {
                if COUNTS.contains(&key.as_str()) && field.as_i64().is_some_and(|count| count > COUNT_MAX) {
                    *field = Value::from(COUNT_MAX);
                }
                bound_counts(field);
            }
        }
        _ => {}
    }
}

/// The objects as they stand in a cluster: nobody validates them.
fn cluster(objects: &[Object], configuration: &SchedulerConfiguration) {
    let mut builder = WorldBuilder::new();
    let mut pending = Vec::new();
    for object in objects {
        let mut object = object.clone();
        apply_defaults(&mut object);
        match object {
            Object::Pod(pod)
                if pod.spec.node_name.is_empty() && pod.status.nominated_node_name.is_empty() =>
            {
                pending.push(pod);
            }
            object => drop(builder.add(object)),
        }
    }
    pending.truncate(PODS_MAX);
    let (world, _) = builder.finish();
    // One of them for each case: more cases are worth more than each case in every way.
    let ways = [
        (Ties::Exact, None),
        (Ties::First, Some(100)),
        (Ties::Random, Some(0)),
    ];
    let (ties, percentage) = ways[objects.len() % ways.len()];
    let options = Options {
        ties,
        seed: 7,
        percentage_of_nodes_to_score: percentage,
    };
    let mut scheduler = Scheduler::new(world.clone(), configuration, options);
    let ids: Vec<PodId> = pending.iter().map(|pod| scheduler.add_pending(pod)).collect();
    for pod in &ids {
        step(&mut scheduler, *pod);
    }
    // Everything can be taken back, and placed again.
    for pod in &ids {
        scheduler.remove(*pod);
    }
    for pod in &ids {
        let _ = scheduler.evaluate(*pod);
    }
}

fn step(scheduler: &mut Scheduler, pod: PodId) {
    let evaluation = scheduler.evaluate(pod);
    let _ = (
        evaluation.best(),
        evaluation.diagnosis(scheduler.world().node_count()).message(None),
    );
    match scheduler.schedule(pod).outcome {
        Outcome::Placed(node) => {
            scheduler.reserve_volumes(pod, node);
            scheduler.assume(pod, node);
        }
        Outcome::Unschedulable(failed) => {
            let preemption = scheduler.preempt(pod, &failed);
            let _ = failed.diagnosis.message(Some(&preemption.message));
            if let Some(node) = preemption.nominated {
                for victim in preemption.victims {
                    let _ = scheduler.world().pod_name(victim);
                    scheduler.remove(victim);
                }
                scheduler.nominate(pod, node);
                if let Some(node) = scheduler.schedule(pod).node() {
                    scheduler.assume(pod, node);
                }
            }
        }
        Outcome::Gated(_) | Outcome::OtherScheduler(_) | Outcome::Error(_) => {}
    }
}

/// The same objects as manifests: admitted, expanded, and placed until nothing moves.
fn manifests(objects: Vec<Object>, configuration: &SchedulerConfiguration) {
    let mut context = AdmissionContext::new();
    let mut nodes: Vec<Node> = Vec::new();
    let mut builder = WorldBuilder::new();
    let mut created = Vec::new();
    for object in objects {
        match object {
            Object::Pod(pod) if pod.spec.node_name.is_empty() => created.push(Object::Pod(pod)),
            Object::Node(_) | Object::Pod(_) | Object::Namespace(_) => {
                let mut object = object;
                apply_defaults(&mut object);
                context.add(&object);
                if let Object::Node(node) = &object {
                    nodes.push(node.clone());
                }
                builder.add(object);
            }
            object => created.push(object),
        }
    }
    let admitted = admit(created, &context, &nodes);
    for fault in &admitted.faults {
        let _ = fault.error.to_string();
    }
    for object in admitted.others {
        builder.add(object);
    }
    let mut candidates = Vec::new();
    for (group, workload) in admitted.workloads.iter().enumerate() {
        builder.add(workload.object.clone());
        for object in workload.created.iter().cloned() {
            builder.add(object);
        }
        for claim in workload.claims.iter().cloned() {
            builder.add(Object::PersistentVolumeClaim(claim));
        }
        let first = candidates.len();
        candidates.extend(
            workload
                .replicas
                .iter()
                .enumerate()
                .map(|(index, pod): (usize, &Pod)| {
                    let leader = workload.after_leader.iter().find(|after| after.replica == index);
                    Candidate {
                        pod: pod.clone(),
                        group,
                        existing: None,
                        leader: leader.map(|after| Leader {
                            candidate: first + after.leader,
                            topology_key: after.topology_key.clone(),
                        }),
                    }
                }),
        );
    }
    candidates.truncate(PODS_MAX);
    let (world, _) = builder.finish();
    let mut scheduler = Scheduler::new(world, configuration, Options::default());
    let labels = NodeLabels::of(&scheduler, &nodes);
    let order: Vec<usize> = (0..candidates.len()).collect();
    let run = place(&mut scheduler, &candidates, &order, &labels, Detail::Everything);
    assert_eq!(run.outcomes.len(), candidates.len(), "one outcome a pod");
}
