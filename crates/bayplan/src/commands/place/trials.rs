//! `place --trials`: many arrival orders and ties.

use std::sync::atomic::{AtomicU32, Ordering};

use bayplan_analysis::domains::{Domains, Level};
use bayplan_analysis::trials::{Distribution, Probability, Trial};
use bayplan_api::{ShareOfTrials, TrialReport, WorkloadTrials};
use bayplan_scheduler::NodeId;
use bayplan_sim::placement::{Detail, arrival, place};
use rayon::prelude::*;

use crate::args::SchedulerArguments;
use crate::plan::Plan;
use crate::progress::Progress;

/// What came out of one trial: a node or none for each candidate.
type Nodes = Vec<Option<NodeId>>;

/// Runs the trials on all cores and sums them up. The seed alone decides the result, not the number of cores.
pub fn report(plan: &Plan, count: u32, arguments: &SchedulerArguments) -> TrialReport {
    let scheduler = plan.scheduler(
        bayplan_scheduler::Ties::Random,
        arguments.seed,
        arguments.percentage_of_nodes_to_score,
    );
    let labels = plan.node_labels(&scheduler);
    let nodes = scheduler.world().node_count().max(1);
    let mut random = fastrand::Rng::with_seed(arguments.seed);
    let seeds: Vec<(u64, u64, usize)> = (0..count)
        .map(|_| (random.u64(..), random.u64(..), random.usize(..nodes)))
        .collect();
    let (progress, done) = (Progress::new("trials", u64::from(count)), AtomicU32::new(0));
    let results: Vec<Nodes> = seeds
        .into_par_iter()
        .map(|(ties, order, start)| {
            let mut scheduler = scheduler.clone();
            scheduler.reseed(ties);
            scheduler.start_search_at(start);
            let order = arrival(&plan.candidates, order);
            let run = place(&mut scheduler, &plan.candidates, &order, &labels, Detail::Nothing);
            progress.show(u64::from(done.fetch_add(1, Ordering::Relaxed) + 1));
            run.outcomes.into_iter().map(|outcome| outcome.node).collect()
        })
        .collect();
    progress.finish();

    let name = |node: NodeId| scheduler.world().node_name(node);
    let share = |hits: usize| hits as f64 / results.len().max(1) as f64;
    let workloads = plan
        .workloads
        .iter()
        .enumerate()
        .map(|(group, workload)| {
            let mut distribution = Distribution::default();
            for nodes in &results {
                let members = plan
                    .candidates
                    .iter()
                    .zip(nodes)
                    .filter(|(candidate, _)| candidate.group == group);
                let mut trial = Trial {
                    nodes: workload.running.iter().map(String::as_str).collect(),
                    pending: 0,
                    running: workload.running.len(),
                };
                for (_, node) in members {
                    match node {
                        Some(node) => trial.nodes.push(name(*node)),
                        None => trial.pending += 1,
                    }
                }
                distribution.add(&plan.domains, &trial);
            }
            workload_trials(&plan.domains, workload.reference.to_string(), &distribution)
        })
        .collect();
    TrialReport {
        trials: count,
        any_pending: share(
            results
                .iter()
                .filter(|nodes| nodes.iter().any(Option::is_none))
                .count(),
        ),
        workloads,
    }
}

fn workload_trials(domains: &Domains, workload: String, distribution: &Distribution) -> WorkloadTrials {
    let name = |level: Level| domains.name(level).to_owned();
    let list = |values: Vec<Probability>| {
        values
            .into_iter()
            .map(|it| ShareOfTrials {
                value: it.value,
                probability: it.probability,
            })
            .collect()
    };
    WorkloadTrials {
        workload,
        any_pending: distribution.any_pending(),
        all_in_one: distribution
            .all_in_one()
            .into_iter()
            .map(|(level, share)| (name(level), share))
            .collect(),
        worst_share: distribution
            .worst_share()
            .into_iter()
            .map(|(level, it)| (name(level), list(it)))
            .collect(),
        pending: list(distribution.pending()),
        nodes: distribution.nodes(),
    }
}
