//! What `place` found out, as the document says it.

use std::collections::BTreeMap;

use bayplan_analysis::spread::Spread;
use bayplan_api::{
    NodeReport, Placement, PlacementSummary, PluginScore, PodPlacement, RunnerUp, Uncertainty,
    WorkloadPlacement, WorstShare,
};
use bayplan_scheduler::{Code, Evaluation, NodeId, NodeScores, Scheduler};
use bayplan_sim::placement::{Candidate, Outcome, Run};

use super::Simulated;
use crate::plan::{Plan, Workload};

/// Names of feasible nodes that one document lists; beyond that there are only their numbers.
pub const FEASIBLE_LISTED: usize = 1_000_000;

/// The document's body.
pub fn placement(plan: &Plan, simulated: &Simulated) -> Placement {
    let Simulated { scheduler, run } = simulated;
    let mut room = FEASIBLE_LISTED;
    let pods: Vec<PodPlacement> = run
        .order
        .iter()
        .map(|index| {
            let candidate = &plan.candidates[*index];
            pod_placement(plan, scheduler, candidate, &run.outcomes[*index], &mut room)
        })
        .collect();
    let mut summary = PlacementSummary::default();
    for pod in &pods {
        match &pod.node {
            Some(node) => {
                summary.placed += 1;
                *summary.by_node.entry(node.clone()).or_default() += 1;
            }
            None => summary.pending += 1,
        }
    }
    let workloads = plan
        .workloads
        .iter()
        .enumerate()
        .map(|(group, workload)| workload_placement(plan, scheduler, run, group, workload))
        .collect();
    Placement {
        pods,
        workloads,
        summary,
        trials: None,
    }
}

/// What became of one pod. `room` is how many more names of feasible nodes the document has room for.
pub fn pod_placement(
    plan: &Plan,
    scheduler: &Scheduler,
    candidate: &Candidate,
    outcome: &Outcome,
    room: &mut usize,
) -> PodPlacement {
    let name = |node: NodeId| scheduler.world().node_name(node).to_owned();
    let mut placement = PodPlacement {
        pod: candidate.pod.metadata.full_name(),
        workload: plan.workloads[candidate.group].reference.to_string(),
        node: outcome.node.map(name),
        message: outcome.message.clone(),
        error: outcome.error.clone(),
        nominated_node: outcome.nominated.map(name),
        victims: outcome.victims.clone(),
        waits_for: candidate
            .leader
            .as_ref()
            .filter(|_| outcome.waits_for_leader)
            .map(|leader| plan.candidates[leader.candidate].pod.metadata.full_name()),
        ..PodPlacement::default()
    };
    if let Some(ranking) = &outcome.ranking {
        let names = |nodes: &[NodeId]| nodes.iter().copied().map(name).collect();
        placement.feasible_count = Some(ranking.feasible.len());
        placement.feasible = (ranking.feasible.len() <= *room).then(|| names(&ranking.feasible));
        *room = room.saturating_sub(ranking.feasible.len());
        placement.best = names(&ranking.best);
        placement.score = ranking.score;
        if let (Some(score), Some((node, total))) = (ranking.score, ranking.runner_up) {
            placement.runner_up = Some(RunnerUp {
                node: name(node),
                score: total,
                margin: score - total,
            });
        }
    }
    if let Some(evaluation) = &outcome.evaluation {
        let weights = Weights::of(plan, candidate);
        placement.scores = Some(
            evaluation
                .scores
                .iter()
                .map(|scores| {
                    let points = scores
                        .plugins
                        .iter()
                        .map(|(plugin, _, points)| (plugin.name().to_owned(), *points));
                    (name(scores.node), points.collect())
                })
                .collect(),
        );
        placement.nodes = Some(node_reports(scheduler, evaluation, &weights));
    }
    placement
}

/// Weights of the score plugins in the profile of a pod.
struct Weights(BTreeMap<&'static str, i64>);

impl Weights {
    fn of(plan: &Plan, candidate: &Candidate) -> Weights {
        let name = &candidate.pod.spec.scheduler_name;
        let profile = plan.configuration.profile(if name.is_empty() {
            "default-scheduler"
        } else {
            name
        });
        let weights = profile.iter().flat_map(|profile| &profile.score);
        Weights(
            weights
                .map(|weighted| (weighted.plugin.name(), weighted.weight))
                .collect(),
        )
    }

    fn scores(&self, scores: &NodeScores) -> Vec<PluginScore> {
        let score = |(plugin, raw, weighted): &(bayplan_scheduler::config::Plugin, i64, i64)| {
            let weight = self.0.get(plugin.name()).copied().unwrap_or(1);
            PluginScore {
                plugin: plugin.name().to_owned(),
                raw: *raw,
                normalized: weighted / weight,
                weight,
                weighted: *weighted,
            }
        };
        scores.plugins.iter().map(score).collect()
    }
}

/// Verdict and points of every node: the feasible ones by their points, then the others in the scheduler's order.
fn node_reports(scheduler: &Scheduler, evaluation: &Evaluation, weights: &Weights) -> Vec<NodeReport> {
    let world = scheduler.world();
    let name = |node: NodeId| world.node_name(node).to_owned();
    let mut scores: Vec<&NodeScores> = evaluation.scores.iter().collect();
    scores.sort_by_key(|scores| std::cmp::Reverse(scores.total));
    let mut reports: Vec<NodeReport> = scores
        .iter()
        .map(|scores| NodeReport {
            node: name(scores.node),
            feasible: true,
            total: Some(scores.total),
            scores: weights.scores(scores),
            ..NodeReport::default()
        })
        .collect();
    let unscored = evaluation
        .feasible
        .iter()
        .filter(|node| !scores.iter().any(|scores| scores.node == **node));
    reports.extend(unscored.map(|node| NodeReport {
        node: name(*node),
        feasible: true,
        ..NodeReport::default()
    }));
    let refused = |node: NodeId, rejection: &bayplan_scheduler::Rejection| NodeReport {
        node: name(node),
        plugin: rejection.plugin.map(|plugin| plugin.name().to_owned()),
        reasons: rejection.reasons.clone(),
        preemption_may_help: Some(rejection.code == Code::Unschedulable),
        ..NodeReport::default()
    };
    reports.extend(
        evaluation
            .rejected
            .iter()
            .map(|(node, rejection)| refused(*node, rejection)),
    );
    let everywhere = evaluation.pre_filter.as_ref().map(|rejected| &rejected.rejection);
    let elsewhere = evaluation.outside.as_ref().map(|(rejection, _)| rejection);
    if let Some(rejection) = everywhere.or(elsewhere) {
        let count = u32::try_from(world.node_count()).unwrap_or(u32::MAX);
        let known: std::collections::BTreeSet<NodeId> = evaluation
            .feasible
            .iter()
            .copied()
            .chain(evaluation.rejected.iter().map(|(node, _)| *node))
            .collect();
        let others = (0..count).map(NodeId).filter(|node| !known.contains(node));
        reports.extend(others.map(|node| refused(node, rejection)));
    }
    reports
}

fn workload_placement(
    plan: &Plan,
    scheduler: &Scheduler,
    run: &Run,
    group: usize,
    workload: &Workload,
) -> WorkloadPlacement {
    let members = || {
        plan.candidates
            .iter()
            .zip(&run.outcomes)
            .filter(|(candidate, _)| candidate.group == group)
    };
    let landed: Vec<&str> = members()
        .filter_map(|(_, outcome)| outcome.node)
        .map(|node| scheduler.world().node_name(node))
        .collect();
    let nodes: Vec<&str> = workload
        .running
        .iter()
        .map(String::as_str)
        .chain(landed.iter().copied())
        .collect();
    let spread = Spread::of(&plan.domains, nodes.iter().copied());
    WorkloadPlacement {
        workload: workload.reference.to_string(),
        replicas: workload.replicas,
        running: workload.running.len(),
        placed: landed.len(),
        pending: members().count() - landed.len(),
        domains: spread
            .counts
            .into_iter()
            .map(|(level, counts)| (plan.domains.name(level).to_owned(), counts))
            .collect(),
        worst: spread
            .worst
            .into_iter()
            .map(|(level, worst)| {
                (
                    plan.domains.name(level).to_owned(),
                    WorstShare {
                        domain: worst.domain,
                        share: worst.share,
                    },
                )
            })
            .collect(),
    }
}

/// What the run itself leaves open.
pub fn run_uncertainties(plan: &Plan, run: &Run) -> Vec<Uncertainty> {
    let mut list = Vec::new();
    for (candidate, outcome) in plan.candidates.iter().zip(&run.outcomes) {
        let pod = candidate.pod.metadata.full_name();
        if !outcome.equally_good.is_empty() {
            list.push(Uncertainty {
                reason: format!(
                    "preemption could as well choose {} other nodes for {pod}: a live scheduler starts its search anywhere",
                    outcome.equally_good.len()
                ),
                objects: vec![plan.workloads[candidate.group].reference.to_string()],
            });
        }
    }
    let victims: Vec<String> = run
        .outcomes
        .iter()
        .flat_map(|outcome| outcome.victims.iter().cloned())
        .collect();
    if !victims.is_empty() && !plan.has_budgets {
        list.push(Uncertainty {
            reason: "no PodDisruptionBudgets were given: with them preemption might choose other victims"
                .to_owned(),
            objects: victims,
        });
    }
    list
}

/// The name in `namespace/name`.
pub fn name_part(full_name: &str) -> &str {
    full_name.rsplit_once('/').map_or(full_name, |(_, name)| name)
}
