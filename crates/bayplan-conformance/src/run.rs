//! Answering cases in full.

use std::collections::BTreeMap;
use std::io::{BufRead, Write};
use std::path::Path;

use anyhow::{Context, Result};
use bayplan_scheduler::{NodeId, PodId, Rejection, Scheduler, Ties, Unschedulable};

use crate::case::{Answer, Case, PodAnswer, RejectionAnswer, ScoreAnswer};
use crate::load::{open, prepare};

/// Answers every case of a file, one line each.
pub fn run(path: &Path, output: &mut impl Write) -> Result<()> {
    for (number, line) in open(path)?.lines().enumerate() {
        let line = line.with_context(|| format!("reading {}", path.display()))?;
        if line.trim().is_empty() {
            continue;
        }
        let case: Case = serde_json::from_str(&line)
            .with_context(|| format!("decoding line {} of {}", number + 1, path.display()))?;
        serde_json::to_writer(&mut *output, &answer(&case))?;
        output.write_all(b"\n")?;
    }
    Ok(())
}

/// Answers one case.
pub fn answer(case: &Case) -> Answer {
    let mut answer = Answer {
        name: case.name.clone(),
        ..Answer::default()
    };
    match prepare(case, Ties::First, Some(100)) {
        Err(error) => answer.error = Some(format!("{error:#}")),
        Ok(mut prepared) => {
            for (name, pod) in &prepared.pending {
                answer
                    .pods
                    .push(answer_pod(&mut prepared.scheduler, case.preempt, name, *pod));
            }
        }
    }
    answer
}

fn rejection(rejection: &Rejection) -> RejectionAnswer {
    let mut reasons = rejection.reasons.clone();
    reasons.sort();
    RejectionAnswer {
        plugin: rejection
            .plugin
            .map_or(String::new(), |plugin| plugin.name().to_owned()),
        code: rejection.code.name(),
        reasons,
    }
}

fn answer_pod(scheduler: &mut Scheduler, preempt: bool, name: &str, pod: PodId) -> PodAnswer {
    let evaluation = scheduler.evaluate(pod);
    let names = |nodes: &[NodeId]| {
        let mut names: Vec<String> = nodes
            .iter()
            .map(|node| scheduler.world().node_name(*node).to_owned())
            .collect();
        names.sort();
        names
    };
    let mut answer = PodAnswer {
        pod: name.to_owned(),
        prefilter: evaluation
            .pre_filter
            .as_ref()
            .map(|rejected| rejection(&rejected.rejection)),
        feasible: names(&evaluation.feasible),
        best: names(&evaluation.best()),
        ..PodAnswer::default()
    };
    for (node, why) in &evaluation.rejected {
        answer
            .rejected
            .insert(scheduler.world().node_name(*node).to_owned(), rejection(why));
    }
    for scores in &evaluation.scores {
        let by = |value: fn(&(bayplan_scheduler::config::Plugin, i64, i64)) -> i64| -> BTreeMap<&'static str, i64> {
            scores.plugins.iter().map(|entry| (entry.0.name(), value(entry))).collect()
        };
        answer.scores.insert(
            scheduler.world().node_name(scores.node).to_owned(),
            ScoreAnswer {
                raw: by(|entry| entry.1),
                weighted: by(|entry| entry.2),
                total: scores.total,
            },
        );
    }
    if let Some(error) = &evaluation.error {
        if !evaluation.filtered {
            // As far as the filters came, in the order of the search.
            answer.feasible = evaluation
                .feasible
                .iter()
                .map(|node| scheduler.world().node_name(*node).to_owned())
                .collect();
        }
        answer.best.clear();
        answer.message = Some(error.clone());
        return answer;
    }
    if evaluation.feasible.is_empty() {
        fail(scheduler, preempt, pod, &evaluation, &mut answer);
        return answer;
    }
    let chosen = scheduler
        .nominated_node(pod)
        .filter(|node| evaluation.feasible.contains(node))
        .or_else(|| {
            let first = answer.best.first()?;
            evaluation
                .feasible
                .iter()
                .copied()
                .find(|node| scheduler.world().node_name(*node) == first)
        });
    if let Some(node) = chosen {
        answer.chosen = Some(scheduler.world().node_name(node).to_owned());
        scheduler.assume(pod, node);
    }
    answer
}

/// Message of a pod that fits nowhere. Pods that are evicted for it are taken away, without recording a nomination.
fn fail(
    scheduler: &mut Scheduler,
    preempt: bool,
    pod: PodId,
    evaluation: &bayplan_scheduler::Evaluation,
    answer: &mut PodAnswer,
) {
    let diagnosis = evaluation.diagnosis(scheduler.world().node_count());
    let mut post_filter = None;
    if preempt {
        let failed = Unschedulable {
            diagnosis: diagnosis.clone(),
            statuses: evaluation.statuses(),
            pre_filter: evaluation
                .pre_filter
                .as_ref()
                .map(|rejected| rejected.rejection.clone()),
            post_filter_fails: evaluation
                .pre_filter
                .as_ref()
                .is_some_and(|rejected| rejected.post_filter_fails),
        };
        let preemption = scheduler.preempt(pod, &failed);
        if let Some(node) = preemption.nominated {
            answer.nominated = Some(scheduler.world().node_name(node).to_owned());
            for victim in &preemption.victims {
                // No second delete is sent for a pod that is terminating already.
                if !scheduler.world().is_terminating(*victim) {
                    answer.victims.push(scheduler.world().pod_name(*victim));
                    scheduler.remove(*victim);
                }
            }
            answer.victims.sort();
        }
        post_filter = Some(preemption.message);
    }
    answer.message = Some(diagnosis.message(post_filter.as_deref()));
}
