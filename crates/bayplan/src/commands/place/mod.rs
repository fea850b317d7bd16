//! `bayplan place`.

mod document;
mod inputs;
mod points;
mod tables;
mod trials;

use std::io::Write;

use bayplan_api::{Document, Placement};
use bayplan_manifest::Diagnostic;
use bayplan_scheduler::Scheduler;
use bayplan_sim::placement::{Detail, Run, place};

use super::show;
use crate::args::place::PlaceArguments;
use crate::args::{OutputArguments, OutputFormat, SchedulerArguments, Ties};
use crate::diagnostics::{issues, tell};
use crate::exit::Exit;
use crate::input::missing_cluster;
use crate::plan::Plan;
use crate::printer::{Output, diagnostics_on_stderr};

pub use document::{FEASIBLE_LISTED, name_part, pod_placement, run_uncertainties};
pub use points::point_tables;

/// Places pods and prints where they land.
///
/// # Errors
/// The usage is wrong, or standard output cannot be written to; faults of the input are part of the output.
pub fn run(arguments: &PlaceArguments) -> anyhow::Result<Exit> {
    if arguments.cluster.cluster.is_empty() {
        return Err(missing_cluster(&arguments.cluster.live, &[], &inputs::usage(arguments)).into());
    }
    let inputs = inputs::read(arguments)?;
    let Some(plan) = inputs.plan else {
        return refuse(arguments, &inputs.diagnostics, inputs.hash);
    };
    let simulated = simulate(&plan, &arguments.scheduler, detail(arguments));
    let mut body = document::placement(&plan, &simulated);
    if let Some(count) = arguments.trials {
        body.trials = Some(trials::report(&plan, count, &arguments.scheduler));
    }
    let mut document = Document::new(body);
    document.input_hash = inputs.hash;
    document.seed = seed(arguments);
    document.uncertain.clone_from(&plan.uncertain);
    document
        .uncertain
        .extend(run_uncertainties(&plan, &simulated.run));
    document.issues = issues(&inputs.diagnostics);
    tell(&inputs.diagnostics, &document.uncertain, &arguments.output)?;
    tell_seed(document.seed, &arguments.output)?;

    let tables = tables::tables(&plan, &document.body, arguments);
    let names: Vec<String> = document
        .body
        .pods
        .iter()
        .map(|pod| format!("pod/{}", name_part(&pod.pod)))
        .collect();
    let pending = document.body.summary.pending;
    if names.is_empty() && !inputs.refused && diagnostics_on_stderr(&arguments.output) {
        writeln!(
            std::io::stderr(),
            "nothing to place: {}",
            nothing(&plan, arguments)
        )?;
    }
    show(
        Output {
            document: &document,
            tables,
            names,
        },
        &arguments.output,
    )?;
    Ok(match (inputs.refused, pending) {
        (true, _) => Exit::Failure,
        (false, 0) => Exit::Clean,
        (false, _) => Exit::Findings,
    })
}

/// Where the pods of a plan landed, and the scheduler in the state that resulted.
pub struct Simulated {
    /// The scheduler.
    pub scheduler: Scheduler,
    /// What became of the pods.
    pub run: Run,
}

/// Places the candidates in their order.
pub fn simulate(plan: &Plan, arguments: &SchedulerArguments, detail: Detail) -> Simulated {
    let mut scheduler = plan.scheduler(
        ties(arguments.ties),
        arguments.seed,
        arguments.percentage_of_nodes_to_score,
    );
    let labels = plan.node_labels(&scheduler);
    let order: Vec<usize> = (0..plan.candidates.len()).collect();
    let run = place(&mut scheduler, &plan.candidates, &order, &labels, detail);
    Simulated { scheduler, run }
}

/// Places the candidates of a plan as a live scheduler with `parallelism: 1` would, every node scored.
pub fn place_all(plan: &Plan) -> Placement {
    let mut scheduler = plan.scheduler(bayplan_scheduler::Ties::Exact, 0, None);
    let labels = plan.node_labels(&scheduler);
    let order: Vec<usize> = (0..plan.candidates.len()).collect();
    let run = place(&mut scheduler, &plan.candidates, &order, &labels, Detail::Ranking);
    document::placement(plan, &Simulated { scheduler, run })
}

/// The engine's word for a way to break ties.
pub fn ties(ties: Ties) -> bayplan_scheduler::Ties {
    match ties {
        Ties::Exact => bayplan_scheduler::Ties::Exact,
        Ties::First => bayplan_scheduler::Ties::First,
        Ties::Random => bayplan_scheduler::Ties::Random,
    }
}

/// Judging every node for every pod takes far longer than placing them, so it is done only where it is shown.
fn detail(arguments: &PlaceArguments) -> Detail {
    match arguments.output.output {
        _ if arguments.explain => Detail::Everything,
        OutputFormat::Wide | OutputFormat::Json | OutputFormat::Yaml | OutputFormat::Csv => Detail::Ranking,
        OutputFormat::Table | OutputFormat::Name | OutputFormat::Markdown => Detail::Nothing,
    }
}

/// Why there is nothing to place.
fn nothing(plan: &Plan, arguments: &PlaceArguments) -> &'static str {
    match (plan.workloads.is_empty(), arguments.filename.is_empty()) {
        (true, true) => {
            "no pod of the selection is pending; name manifests with -f, or look into all namespaces with -A"
        }
        (true, false) => "the manifests hold nothing that makes pods",
        (false, _) => "all replicas run already; --fresh takes them away first",
    }
}

fn seed(arguments: &PlaceArguments) -> Option<u64> {
    let random = arguments.scheduler.ties == Ties::Random || arguments.trials.is_some();
    random.then_some(arguments.scheduler.seed)
}

fn tell_seed(seed: Option<u64>, output: &OutputArguments) -> std::io::Result<()> {
    match seed {
        Some(seed) if diagnostics_on_stderr(output) => writeln!(std::io::stderr(), "seed: {seed}"),
        _ => Ok(()),
    }
}

/// Nothing can be said: prints what is wrong.
fn refuse(
    arguments: &PlaceArguments,
    diagnostics: &[Diagnostic],
    hash: Option<String>,
) -> anyhow::Result<Exit> {
    let mut document = Document::new(Placement::default());
    document.input_hash = hash;
    document.seed = seed(arguments);
    document.issues = issues(diagnostics);
    tell(diagnostics, &[], &arguments.output)?;
    show(
        Output {
            document: &document,
            tables: Vec::new(),
            names: Vec::new(),
        },
        &arguments.output,
    )?;
    Ok(Exit::Failure)
}
