//! What `place` found out, for people.

use std::collections::{BTreeMap, BTreeSet};

use bayplan_analysis::domains::Level;
use bayplan_api::{Placement, PodPlacement, TrialReport, WorkloadTrials};

use super::{name_part, point_tables};
use crate::args::OutputFormat;
use crate::args::place::PlaceArguments;
use crate::commands::percent;
use crate::diagnostics::some;
use crate::plan::Plan;
use crate::printer::{Cell, Column, Table, Tone};

/// Levels that have columns of their own; the node is always shown.
const SHOWN: [Level; 2] = [Level::RACK, Level::ZONE];

/// Nodes listed for each workload over trials.
const NODES_LISTED: usize = 5;

/// All tables, the one of pods first.
pub fn tables(plan: &Plan, body: &Placement, arguments: &PlaceArguments) -> Vec<Table> {
    let csv = arguments.output.output == OutputFormat::Csv;
    if plan.world.node_count() == 0 && !csv {
        return Vec::new();
    }
    let mut tables = Vec::new();
    if !body.pods.is_empty() || csv {
        tables.push(pods(plan, body, arguments.selection.all_namespaces));
    }
    if !body.workloads.is_empty() {
        tables.push(workloads(plan, body));
    }
    if let Some(report) = &body.trials {
        tables.extend([
            trials(plan, report),
            worst_shares(plan, body, report),
            busiest_nodes(report),
        ]);
    }
    tables.extend(body.pods.iter().filter_map(point_tables));
    tables
}

fn pods(plan: &Plan, body: &Placement, all_namespaces: bool) -> Table {
    let namespaces: BTreeSet<&str> = body
        .pods
        .iter()
        .filter_map(|pod| pod.pod.split_once('/'))
        .map(|(namespace, _)| namespace)
        .collect();
    let with_namespace = all_namespaces || namespaces.len() > 1;
    let levels: Vec<Level> = SHOWN
        .into_iter()
        .filter(|level| plan.domains.has(*level))
        .collect();
    let mut columns = Vec::new();
    columns.extend(with_namespace.then(|| Column::text("NAMESPACE")));
    columns.extend([
        Column::text("NAME"),
        Column::text("WORKLOAD").wide(),
        Column::text("NODE"),
    ]);
    columns.extend(
        levels
            .iter()
            .map(|level| Column::text(plan.domains.name(*level).to_ascii_uppercase())),
    );
    columns.extend([
        Column::text("STATUS"),
        Column::number("FEASIBLE").wide(),
        Column::number("SCORE").wide(),
        Column::text("RUNNER-UP").wide(),
        Column::number("MARGIN").wide(),
        Column::text("VICTIMS").data(),
        Column::text("MESSAGE").data(),
    ]);
    let row =
        |pod: &PodPlacement| {
            let (status, tone) = status(pod);
            let mut row: Vec<Cell> = Vec::new();
            let namespace = pod.pod.split_once('/').map(|(namespace, _)| namespace);
            row.extend(with_namespace.then(|| Cell::or_none(namespace)));
            row.extend([
                name_part(&pod.pod).into(),
                pod.workload
                    .split_once('/')
                    .map_or(pod.workload.as_str(), |(_, rest)| rest)
                    .into(),
                Cell::or_none(pod.node.as_ref()),
            ]);
            row.extend(levels.iter().map(|level| {
                Cell::or_none(pod.node.as_ref().and_then(|node| plan.domains.get(node, *level)))
            }));
            let number = |value: Option<i64>| Cell::or_none(value.map(|value| value.to_string()));
            row.extend([
                Cell::from(status).toned(tone),
                Cell::or_none(pod.feasible_count.map(|count| count.to_string())),
                number(pod.score),
                Cell::or_none(pod.runner_up.as_ref().map(|second| second.node.as_str())),
                number(pod.runner_up.as_ref().map(|second| second.margin)),
                pod.victims.join(" ").into(),
                pod.error
                    .as_deref()
                    .or(pod.message.as_deref())
                    .unwrap_or_default()
                    .into(),
            ]);
            row
        };
    Table {
        columns,
        rows: body.pods.iter().map(row).collect(),
        notes: notes(body),
        ..Table::default()
    }
}

fn status(pod: &PodPlacement) -> (&'static str, Tone) {
    match pod {
        PodPlacement {
            node: Some(_),
            victims,
            ..
        } if !victims.is_empty() => ("Preempting", Tone::Warn),
        PodPlacement { node: Some(_), .. } => ("Placed", Tone::Good),
        PodPlacement {
            waits_for: Some(_), ..
        } => ("Waiting", Tone::Warn),
        PodPlacement { error: Some(_), .. } => ("Error", Tone::Bad),
        _ => ("Pending", Tone::Bad),
    }
}

/// What is to be said of pods that did not simply land, equal messages together.
fn notes(body: &Placement) -> Vec<String> {
    let mut texts: Vec<((&str, &str), Vec<String>)> = Vec::new();
    for pod in &body.pods {
        let (what, text, name) = if let Some(error) = &pod.error {
            ("Error", error, pod.pod.clone())
        } else if let Some(leader) = &pod.waits_for {
            ("Waiting for a node of their leader", leader, pod.pod.clone())
        } else if let Some(message) = &pod.message {
            match (&pod.node, pod.victims.is_empty()) {
                (Some(_), false) => (
                    "Preempting",
                    message,
                    format!("{} evicts {}", pod.pod, some(&pod.victims)),
                ),
                (Some(_), true) => ("Placed at a later attempt", message, pod.pod.clone()),
                (None, _) => ("Pending", message, pod.pod.clone()),
            }
        } else {
            continue;
        };
        match texts.iter_mut().find(|(known, _)| *known == (what, text)) {
            Some((_, names)) => names.push(name),
            None => texts.push(((what, text), vec![name])),
        }
    }
    let mut notes: Vec<String> = Vec::new();
    for ((what, text), names) in texts {
        notes.extend([
            String::new(),
            format!("{what}: {}", some(&names)),
            format!("  {text}"),
        ]);
    }
    notes
}

fn workloads(plan: &Plan, body: &Placement) -> Table {
    let levels: Vec<Level> = plan
        .domains
        .levels()
        .iter()
        .copied()
        .filter(|level| *level != Level::REGION)
        .collect();
    let mut columns = vec![
        Column::text("WORKLOAD"),
        Column::number("REPLICAS"),
        Column::number("RUNNING"),
        Column::number("PLACED"),
        Column::number("PENDING"),
    ];
    columns.extend(
        levels
            .iter()
            .map(|level| Column::number(format!("{}S", plan.domains.name(*level).to_ascii_uppercase()))),
    );
    columns.extend(levels.iter().map(|level| {
        Column::number(format!(
            "WORST-{}",
            plan.domains.name(*level).to_ascii_uppercase()
        ))
    }));
    let mut rows = Vec::new();
    for workload in &body.workloads {
        let mut row: Vec<Cell> = vec![workload.workload.as_str().into()];
        row.extend(
            [workload.replicas, workload.running, workload.placed].map(|count| count.to_string().into()),
        );
        let tone = if workload.pending > 0 {
            Tone::Bad
        } else {
            Tone::Plain
        };
        row.push(Cell::from(workload.pending.to_string()).toned(tone));
        row.extend(levels.iter().map(|level| {
            workload
                .domains
                .get(plan.domains.name(*level))
                .map_or(0, BTreeMap::len)
                .to_string()
                .into()
        }));
        row.extend(
            levels
                .iter()
                .map(|level| match workload.worst.get(plan.domains.name(*level)) {
                    Some(worst) => {
                        let together = worst.share >= 1.0 && workload.running + workload.placed > 1;
                        Cell::from(percent(worst.share)).toned(if together {
                            Tone::Warn
                        } else {
                            Tone::Plain
                        })
                    }
                    None => Cell::from("-"),
                }),
        );
        rows.push(row);
    }
    Table {
        title: "workloads; WORST is the largest share of replicas in one domain".to_owned(),
        columns,
        rows,
        ..Table::default()
    }
}

fn trials(plan: &Plan, report: &TrialReport) -> Table {
    let levels: Vec<Level> = plan
        .domains
        .levels()
        .iter()
        .copied()
        .filter(|level| *level != Level::REGION)
        .collect();
    let mut columns = vec![Column::text("WORKLOAD")];
    columns.extend(levels.iter().map(|level| {
        Column::number(format!(
            "ALL-IN-ONE-{}",
            plan.domains.name(*level).to_ascii_uppercase()
        ))
    }));
    columns.push(Column::number("ANY-PENDING"));
    let row = |workload: &WorkloadTrials| {
        let mut row: Vec<Cell> = vec![workload.workload.as_str().into()];
        row.extend(levels.iter().map(|level| {
            Cell::or_none(
                workload
                    .all_in_one
                    .get(plan.domains.name(*level))
                    .map(|share| percent(*share)),
            )
        }));
        row.push(percent(workload.any_pending).into());
        row
    };
    Table {
        title: format!(
            "probability over {} trials with random arrival orders and ties",
            report.trials
        ),
        columns,
        rows: report.workloads.iter().map(row).collect(),
        ..Table::default()
    }
}

fn worst_shares(plan: &Plan, body: &Placement, report: &TrialReport) -> Table {
    let mut rows = Vec::new();
    // A single replica is always all in one place.
    let several = body
        .workloads
        .iter()
        .zip(&report.workloads)
        .filter(|(workload, _)| workload.replicas > 1);
    for (_, workload) in several {
        for level in plan.domains.levels() {
            for share in workload
                .worst_share
                .get(plan.domains.name(*level))
                .into_iter()
                .flatten()
            {
                rows.push(vec![
                    workload.workload.as_str().into(),
                    plan.domains.name(*level).into(),
                    percent(share.value).into(),
                    percent(share.probability).into(),
                ]);
            }
        }
    }
    Table {
        title: "how often the fullest domain holds which share of the replicas".to_owned(),
        columns: vec![
            Column::text("WORKLOAD"),
            Column::text("LEVEL"),
            Column::number("WORST-SHARE"),
            Column::number("TRIALS"),
        ],
        rows,
        ..Table::default()
    }
}

fn busiest_nodes(report: &TrialReport) -> Table {
    let mut rows = Vec::new();
    for workload in &report.workloads {
        let mut nodes: Vec<(&String, &f64)> = workload.nodes.iter().collect();
        nodes.sort_by(|one, other| other.1.total_cmp(one.1));
        rows.extend(nodes.into_iter().take(NODES_LISTED).map(|(node, share)| {
            vec![
                workload.workload.as_str().into(),
                node.as_str().into(),
                percent(*share).into(),
            ]
        }));
    }
    Table {
        title: format!(
            "how often a node gets one of the replicas; the first {NODES_LISTED} of each workload"
        ),
        columns: vec![
            Column::text("WORKLOAD"),
            Column::text("NODE"),
            Column::number("TRIALS"),
        ],
        rows,
        ..Table::default()
    }
}
