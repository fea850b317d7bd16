//! `bayplan explain`.

use bayplan_admission::DEFAULT_NAMESPACE;
use bayplan_analysis::domains::Level;
use bayplan_api::{Document, Explanation, PodExplanation, PodState};
use bayplan_manifest::Diagnostic;
use bayplan_model::object::Pod;
use bayplan_scheduler::Scheduler;
use bayplan_sim::placement::{Candidate, Outcome, judge};

use super::place::{FEASIBLE_LISTED, name_part, pod_placement, point_tables, ties};
use super::show;
use crate::args::explain::ExplainArguments;
use crate::diagnostics::{issues, tell};
use crate::exit::{Advised, Exit};
use crate::input::{
    ClusterReader, InputHash, missing_cluster, parse_selector, read_configuration, read_objects,
};
use crate::plan::{Plan, PodSelection, Pods, Request, Wanted, build};
use crate::printer::{Cell, Column, Output, Table, Tone};

/// Explains pods of the cluster.
///
/// # Errors
/// The pod is not there, the usage is wrong, or standard output cannot be written to.
pub fn run(arguments: &ExplainArguments) -> anyhow::Result<Exit> {
    let name = arguments.pod.as_deref().map(pod_name).transpose()?;
    if arguments.cluster.cluster.is_empty() {
        return Err(missing_cluster(&arguments.cluster.live, &[], &usage(arguments)).into());
    }
    let all = arguments.selection.all_namespaces;
    let namespace = arguments
        .selection
        .namespace
        .as_deref()
        .unwrap_or(DEFAULT_NAMESPACE);
    let selection = PodSelection {
        namespace: (!all).then(|| namespace.to_owned()),
        name: name.map(str::to_owned),
        selector: arguments
            .selection
            .selector
            .as_deref()
            .map(parse_selector)
            .transpose()?,
    };
    let wanted = Wanted {
        pending: Some(selection),
        ..Wanted::default()
    };
    let (keep_pod, keep_workload) = (|pod: &_| wanted.keeps_pod(pod), |_: &_| false);
    let mut reader = ClusterReader::new(&keep_pod, &keep_workload);
    let mut hash = InputHash::default();
    let mut diagnostics = Vec::new();
    let configuration = match &arguments.scheduler.scheduler_config {
        None => Some(Default::default()),
        Some(path) => read_configuration(path, &mut hash)
            .map_err(|errors| diagnostics.extend(errors))
            .ok(),
    };
    let found = read_objects(&arguments.cluster, &mut hash, &mut false, &mut |object| {
        reader.add(object)
    })?;
    diagnostics.extend(found.diagnostics.iter().cloned());
    let Some(configuration) = configuration else {
        return finish(arguments, None, &[], diagnostics, hash.finish());
    };
    if let (Some(name), true) = (name, reader.pods.is_empty()) {
        tell(&diagnostics, &[], &arguments.output)?;
        return Err(missing_pod(name, (!all).then_some(namespace)).into());
    }
    let pods = if name.is_some() { Pods::All } else { Pods::Pending };
    let plan = build(
        reader,
        &found,
        Request {
            levels: Vec::new(),
            sources: Vec::new(),
            fresh: false,
            pods,
            configuration,
        },
    );
    diagnostics.extend(plan.diagnostics.iter().cloned());
    if plan.world.node_count() == 0 {
        return finish(arguments, None, &[], diagnostics, hash.finish());
    }
    let scheduling = &arguments.scheduler;
    let mut scheduler = plan.scheduler(
        ties(scheduling.ties),
        scheduling.seed,
        scheduling.percentage_of_nodes_to_score,
    );
    let explained: Vec<PodExplanation> = plan
        .candidates
        .iter()
        .map(|candidate| explain(&plan, &mut scheduler, candidate))
        .collect();
    finish(arguments, Some(&plan), &explained, diagnostics, hash.finish())
}

fn finish(
    arguments: &ExplainArguments,
    plan: Option<&Plan>,
    pods: &[PodExplanation],
    diagnostics: Vec<Diagnostic>,
    input_hash: Option<String>,
) -> anyhow::Result<Exit> {
    let mut document = Document::new(Explanation { pods: pods.to_vec() });
    document.input_hash = input_hash;
    document.issues = issues(&diagnostics);
    document.uncertain = plan.map(|plan| plan.uncertain.clone()).unwrap_or_default();
    if arguments.scheduler.ties == crate::args::Ties::Random {
        document.seed = Some(arguments.scheduler.seed);
    }
    tell(&diagnostics, &document.uncertain, &arguments.output)?;
    let mut tables: Vec<Table> = plan.map(|plan| summary(plan, pods)).into_iter().collect();
    tables.extend(pods.iter().filter_map(|pod| point_tables(&pod.now)));
    let names = pods
        .iter()
        .map(|pod| format!("pod/{}", name_part(&pod.pod)))
        .collect();
    show(
        Output {
            document: &document,
            tables,
            names,
        },
        &arguments.output,
    )?;
    Ok(if plan.is_some() {
        Exit::Clean
    } else {
        Exit::Failure
    })
}

/// Judges a pod as it would be now; a running one is taken off its node for the time.
fn explain(plan: &Plan, scheduler: &mut Scheduler, candidate: &Candidate) -> PodExplanation {
    let pod = &candidate.pod;
    let bound = scheduler.world().node_by_name(&pod.spec.node_name);
    let outcome = match (candidate.existing, bound) {
        (Some(id), Some(node)) => {
            scheduler.remove(id);
            let again = scheduler.add_pending(&unbound(pod));
            let outcome = judge(scheduler, again);
            scheduler.assume(id, node);
            outcome
        }
        (Some(id), None) => judge(scheduler, id),
        (None, _) => Outcome::default(),
    };
    let evaluation = outcome.evaluation.as_ref();
    let total = |node| {
        evaluation?
            .scores
            .iter()
            .find(|scores| scores.node == node)
            .map(|scores| scores.total)
    };
    let rank = bound.and_then(total).and_then(|own| {
        Some(
            evaluation?
                .scores
                .iter()
                .filter(|scores| scores.total > own)
                .count()
                + 1,
        )
    });
    PodExplanation {
        pod: pod.metadata.full_name(),
        workload: plan.workloads[candidate.group].reference.to_string(),
        state: state(pod),
        node: (!pod.spec.node_name.is_empty()).then(|| pod.spec.node_name.clone()),
        rank,
        recorded_message: recorded(pod),
        now: pod_placement(plan, scheduler, candidate, &outcome, &mut { FEASIBLE_LISTED }),
    }
}

/// The pod as it was before it was bound.
fn unbound(pod: &Pod) -> Pod {
    let mut pod = pod.clone();
    pod.spec.node_name.clear();
    pod.status = Default::default();
    pod.metadata.deletion_timestamp = None;
    pod
}

fn state(pod: &Pod) -> PodState {
    match (pod.spec.node_name.is_empty(), pod.is_terminating()) {
        (false, true) => PodState::Terminating,
        (false, false) => PodState::Bound,
        (true, _) if !pod.spec.scheduling_gates.is_empty() => PodState::Gated,
        (true, _) => PodState::Pending,
    }
}

fn recorded(pod: &Pod) -> Option<String> {
    let conditions = pod.status.conditions.iter();
    let unscheduled = conditions.filter(|it| it.kind == "PodScheduled" && it.status == "False");
    unscheduled
        .map(|condition| condition.message.clone())
        .find(|message| !message.is_empty())
}

fn summary(plan: &Plan, pods: &[PodExplanation]) -> Table {
    let state = |pod: &PodExplanation| match pod.state {
        PodState::Pending => Cell::from("Pending").toned(Tone::Bad),
        PodState::Gated => Cell::from("Gated").toned(Tone::Warn),
        PodState::Bound => Cell::from("Bound").toned(Tone::Good),
        PodState::Terminating => Cell::from("Terminating").toned(Tone::Warn),
    };
    let zone = |node: Option<&String>| {
        let node = node?;
        plan.domains.get(node, Level::ZONE)
    };
    let row = |pod: &PodExplanation| {
        vec![
            Cell::from(pod.pod.as_str()),
            state(pod),
            Cell::or_none(pod.node.as_ref()),
            Cell::or_none(pod.now.node.as_ref()),
            Cell::or_none(zone(pod.now.node.as_ref())),
            Cell::or_none(pod.rank.map(|rank| rank.to_string())),
            Cell::from(
                pod.now
                    .message
                    .as_deref()
                    .or(pod.now.error.as_deref())
                    .unwrap_or_default(),
            ),
        ]
    };
    let mut notes = Vec::new();
    for pod in pods {
        notes.extend(story(pod));
    }
    Table {
        columns: vec![
            Column::text("POD"),
            Column::text("STATE"),
            Column::text("NODE"),
            Column::text("NODE-NOW"),
            Column::text("ZONE-NOW").wide(),
            Column::number("RANK"),
            Column::text("MESSAGE").data(),
        ],
        rows: pods.iter().map(row).collect(),
        notes,
        ..Table::default()
    }
}

/// The explanation in sentences.
fn story(pod: &PodExplanation) -> Vec<String> {
    let mut lines = vec![String::new()];
    let now = &pod.now;
    match (&pod.node, &now.node) {
        (Some(node), Some(again)) if node == again => {
            lines.push(format!("{} is on {node}, and would go there again", pod.pod));
        }
        (Some(node), Some(again)) => lines.push(match pod.rank {
            Some(rank) => format!(
                "{} is on {node}; now it would go to {again}, {node} is number {rank}",
                pod.pod
            ),
            None => format!(
                "{} is on {node}; now it would go to {again}, and {node} would refuse it",
                pod.pod
            ),
        }),
        (Some(node), None) => lines.push(format!("{} is on {node}; now no node would take it", pod.pod)),
        (None, Some(again)) => lines.push(format!("{} has no node yet; {again} can take it", pod.pod)),
        (None, None) => lines.push(format!("{} has no node", pod.pod)),
    }
    if let Some(error) = &now.error {
        lines.push(format!("  error: {error}"));
    }
    if let Some(message) = &now.message {
        lines.push(format!("  now: {message}"));
    }
    if let Some(message) = pod
        .recorded_message
        .as_ref()
        .filter(|message| now.message.as_ref() != Some(message))
    {
        lines.push(format!("  the cluster recorded: {message}"));
    }
    if !now.victims.is_empty() {
        lines.push(format!("  preemption would evict {}", now.victims.join(", ")));
    }
    lines
}

fn pod_name(text: &str) -> Result<&str, Advised> {
    match text.split_once('/') {
        None => Ok(text),
        Some(("pod" | "pods" | "po", name)) => Ok(name),
        Some(_) => Err(Advised {
            message: format!("`{text}` is no pod"),
            help: vec![
                "name one pod, for example `pod/llama-70b-0`; for workloads use `bayplan place KIND/NAME`"
                    .to_owned(),
            ],
        }),
    }
}

fn missing_pod(name: &str, namespace: Option<&str>) -> Advised {
    let place = namespace
        .map(|namespace| format!(" in namespace {namespace:?}"))
        .unwrap_or_default();
    Advised {
        message: format!("the cluster's input has no pod {name:?}{place}, or it has ended"),
        help: vec!["name its namespace with -n, or look into all of them with -A".to_owned()],
    }
}

fn usage(arguments: &ExplainArguments) -> String {
    let mut words = vec!["explain".to_owned()];
    words.extend(arguments.pod.clone());
    words.extend(
        arguments
            .selection
            .namespace
            .as_ref()
            .map(|namespace| format!("-n {namespace}")),
    );
    words.join(" ")
}
