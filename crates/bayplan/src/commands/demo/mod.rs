//! `bayplan demo`: the built-in example from end to end.
//!
//! Nothing about the outcome is written down here: both placements are simulated when the command runs.

mod measures;

use std::fs;
use std::path::Path;

use anyhow::Context;
use bayplan_analysis::capacity::{Amounts, CapacityBuilder, NodeCapacity};
use bayplan_analysis::domains::Level;
use bayplan_analysis::gpu::is_gpu;
use bayplan_api::{Demo, Document, Placement};
use bayplan_manifest::{Diagnostic, Input, load_cluster};
use bayplan_model::object::Object;

use super::place::{name_part, place_all};
use super::show;
use crate::args::demo::DemoArguments;
use crate::diagnostics::{issues, tell};
use crate::exit::Exit;
use crate::input::{ClusterReader, Found, Keep, read_manifests};
use crate::plan::{Plan, Request, Source, build};
use crate::printer::{Cell, Column, Output, Table};

const CLUSTER: (&str, &str) = ("cluster.yaml", include_str!("cluster.yaml"));
const NAIVE: (&str, &str) = ("naive.yaml", include_str!("naive.yaml"));
const LAYERED: (&str, &str) = ("layered.yaml", include_str!("layered.yaml"));

/// Runs the example, or writes its files.
///
/// # Errors
/// Files cannot be written, or standard output cannot be written to.
pub fn run(arguments: &DemoArguments) -> anyhow::Result<Exit> {
    if let Some(directory) = &arguments.export {
        return export(directory);
    }
    let naive = plan(NAIVE);
    let layered = plan(LAYERED);
    let bodies = [&naive, &layered].map(place_all);
    let [naive_body, layered_body] = bodies;
    let measures = measures::compare(&naive, &naive_body, &layered_body);
    let mut document = Document::new(Demo {
        naive: naive_body,
        layered: layered_body,
        measures,
    });
    let diagnostics: Vec<Diagnostic> = naive
        .diagnostics
        .iter()
        .chain(&layered.diagnostics)
        .cloned()
        .collect();
    document.issues = issues(&diagnostics);
    document.uncertain = naive
        .uncertain
        .iter()
        .chain(&layered.uncertain)
        .cloned()
        .collect();
    tell(&diagnostics, &document.uncertain, &arguments.output)?;
    let tables = vec![
        landing(&naive, &document.body, cluster_in_words()),
        comparison(&document.body),
    ];
    let names = document
        .body
        .layered
        .pods
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
    Ok(Exit::Clean)
}

fn export(directory: &Path) -> anyhow::Result<Exit> {
    fs::create_dir_all(directory).with_context(|| format!("cannot create {}", directory.display()))?;
    for (name, text) in [CLUSTER, NAIVE, LAYERED] {
        let path = directory.join(name);
        fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(Exit::Clean)
}

fn plan((name, manifests): (&str, &str)) -> Plan {
    let manifests = read_manifests(vec![Input::bytes(name, manifests.as_bytes())], None, None);
    let (keep_pod, keep_workload) = (|_: &_| Keep::Nothing, |_: &_| false);
    let mut reader = ClusterReader::new(&keep_pod, &keep_workload);
    let cluster = vec![Input::bytes(CLUSTER.0, CLUSTER.1.as_bytes())];
    let report = load_cluster(cluster, 1, &mut |located| reader.add(located.object));
    let found = Found {
        counts: report.counts,
        ..Found::default()
    };
    let sources = manifests
        .list
        .into_iter()
        .map(|manifest| Source::Manifest(Box::new(manifest)))
        .collect();
    let request = Request {
        sources,
        fresh: false,
        pods: Default::default(),
        configuration: Default::default(),
        levels: Vec::new(),
    };
    let mut plan = build(reader, &found, request);
    plan.diagnostics
        .extend(report.diagnostics.into_iter().chain(manifests.diagnostics));
    plan
}

/// The size of the built-in cluster, for the first line.
fn cluster_in_words() -> String {
    let mut builder = CapacityBuilder::new("model");
    let cluster = vec![Input::bytes(CLUSTER.0, CLUSTER.1.as_bytes())];
    // Its faults, if it had any, come with the plans.
    let _ = load_cluster(cluster, 1, &mut |located| match located.object {
        Object::Node(node) => builder.add_node(node),
        Object::Pod(pod) => builder.add_pod(&pod),
        _ => {}
    });
    let capacity = builder.finish(&[], |_| true);
    let domains = |level| {
        let domain = |node: &NodeCapacity| {
            capacity
                .domains
                .get(&node.node.metadata.name, level)
                .map(str::to_owned)
        };
        capacity.group_by(domain).len()
    };
    let total = capacity
        .group_by(|_| Some(String::new()))
        .remove("")
        .unwrap_or_default();
    let gpus = |amounts: &Amounts| -> i64 {
        amounts
            .names()
            .filter(|name| is_gpu(name))
            .map(|name| amounts.get(name))
            .sum()
    };
    format!(
        "{} nodes in {} zones and {} racks, {} of {} GPUs in use: where replicas land without and with a policy",
        capacity.nodes.len(),
        domains(Level::ZONE),
        domains(Level::RACK),
        gpus(&total.used),
        gpus(&total.allocatable)
    )
}

/// Node by node, replica by replica, side by side.
fn landing(plan: &Plan, demo: &Demo, title: String) -> Table {
    let nodes = |body: &Placement, workload: &str| -> Vec<String> {
        let pods = body.pods.iter().filter(|pod| pod.workload == workload);
        pods.map(|pod| pod.node.clone().unwrap_or_else(|| "<pending>".to_owned()))
            .collect()
    };
    let mut rows = Vec::new();
    for workload in &demo.naive.workloads {
        let (naive, layered) = (
            nodes(&demo.naive, &workload.workload),
            nodes(&demo.layered, &workload.workload),
        );
        for (number, (naive, layered)) in naive.iter().zip(&layered).enumerate() {
            rows.push(vec![
                Cell::from(format!("{}-{number}", name_part(&workload.workload))),
                Cell::from(naive.as_str()),
                Cell::or_none(place_of(plan, naive)),
                Cell::from(layered.as_str()),
                Cell::or_none(place_of(plan, layered)),
            ]);
        }
    }
    Table {
        title,
        columns: ["REPLICA", "NAIVE", "RACK/ZONE", "THREE-LAYERS", "RACK/ZONE"]
            .map(Column::text)
            .into(),
        rows,
        ..Table::default()
    }
}

fn place_of(plan: &Plan, node: &str) -> Option<String> {
    let domain = |level| plan.domains.get(node, level);
    Some(format!("{}/{}", domain(Level::RACK)?, domain(Level::ZONE)?))
}

fn comparison(demo: &Demo) -> Table {
    let row = |measure: &bayplan_api::Measure| {
        vec![
            Cell::from(format!(
                "{}: {}",
                measure.measure,
                measure.workloads.join(" and ")
            )),
            super::percent(measure.naive).into(),
            super::percent(measure.layered).into(),
        ]
    };
    Table {
        title: "what that means".to_owned(),
        columns: vec![Column::text("MEASURE"), Column::number("NAIVE"), Column::number("THREE-LAYERS")],
        rows: demo.measures.iter().map(row).collect(),
        notes: [
            "",
            "Without a policy the scheduler fills the emptiest node, and the gateways go where CPUs are idle, away from",
            "the models. The three layers keep models on the GPUs they need, near a gateway, and apart from each other.",
            "",
            "Try it on your own cluster:",
            "  kubectl get nodes,pods,services,replicasets -A -o yaml > cluster.yaml",
            "  bayplan nodes --cluster cluster.yaml",
            "  bayplan place --cluster cluster.yaml -f your-model.yaml",
            "  bayplan place --cluster cluster.yaml -f your-model.yaml --explain",
            "  bayplan place --cluster cluster.yaml -f your-model.yaml --trials 1000",
            "  bayplan explain pod/NAME -n NAMESPACE --cluster cluster.yaml",
            "The files of this example: bayplan demo --export DIR",
        ]
        .map(str::to_owned)
        .into(),
        ..Table::default()
    }
}
