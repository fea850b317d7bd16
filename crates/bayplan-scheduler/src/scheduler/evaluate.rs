//! A cycle in full: every node's rejection or scores, as explanations and conformance tests need it.

use std::sync::Arc;

use crate::catalog::Spec;
use crate::class::Class;
use crate::config::Plugin;
use crate::cycle::{Facts, PreFilter, Scoring};
use crate::fit_error::Diagnosis;
use crate::ids::{NodeId, PodId};
use crate::scheduler::outcome::Statuses;
use crate::scheduler::search::restricted;
use crate::scheduler::{Scheduler, pre_score_error};
use crate::status::{Code, Rejection};

/// Scores of one node.
#[derive(Debug, Clone)]
pub struct NodeScores {
    /// The node.
    pub node: NodeId,
    /// Plugin, raw score, and weighted normalised score.
    pub plugins: Vec<(Plugin, i64, i64)>,
    /// Sum of the weighted scores.
    pub total: i64,
}

/// A pod that PreFilter turned down.
#[derive(Debug, Clone)]
pub struct PreFilterRejection {
    /// Why.
    pub rejection: Rejection,
    /// PostFilter will fail with `not found`.
    pub post_filter_fails: bool,
}

/// A scheduling cycle in full, over all nodes.
#[derive(Debug, Clone, Default)]
pub struct Evaluation {
    /// PreFilter turned the pod down.
    pub pre_filter: Option<PreFilterRejection>,
    /// Nodes with the first rejection of each, in list order.
    pub rejected: Vec<(NodeId, Rejection)>,
    /// What is said of all other nodes when names restrict the candidates, and how many these are.
    pub outside: Option<(Rejection, usize)>,
    /// Feasible nodes, in list order.
    pub feasible: Vec<NodeId>,
    /// Scores of the feasible nodes, in the same order; a live cycle with a single feasible node skips scoring.
    pub scores: Vec<NodeScores>,
    /// Error that ended the cycle; scoring errors come only with two or more feasible nodes.
    pub error: Option<String>,
    /// Every candidate was filtered; false when an error came first.
    pub filtered: bool,
}

impl Evaluation {
    /// The nodes with the highest total; all feasible ones when there are no scores.
    pub fn best(&self) -> Vec<NodeId> {
        if self.scores.is_empty() {
            return self.feasible.clone();
        }
        let most = self.scores.iter().map(|scores| scores.total).max();
        self.scores
            .iter()
            .filter(|scores| Some(scores.total) == most)
            .map(|scores| scores.node)
            .collect()
    }

    /// Reasons counted, as the scheduler's message gives them.
    pub fn diagnosis(&self, node_count: usize) -> Diagnosis {
        let mut diagnosis = Diagnosis {
            node_count,
            ..Diagnosis::default()
        };
        diagnosis.pre_filter = self
            .pre_filter
            .as_ref()
            .map(|rejected| rejected.rejection.message());
        for (_, rejection) in &self.rejected {
            diagnosis.add(rejection, 1);
        }
        if let Some((rejection, nodes)) = &self.outside {
            diagnosis.add(rejection, *nodes);
        }
        diagnosis
    }

    /// Status codes, as preemption reads them.
    pub fn statuses(&self) -> Statuses {
        Statuses {
            explicit: self
                .rejected
                .iter()
                .map(|(node, rejection)| (*node, rejection.code))
                .collect(),
            absent: self
                .pre_filter
                .as_ref()
                .map(|rejected| rejected.rejection.code)
                .or(self.outside.as_ref().map(|(rejection, _)| rejection.code)),
        }
    }
}

impl Scheduler {
    /// Judges every node for a pod, without placing it and without moving the search's start.
    pub fn evaluate(&mut self, pod: PodId) -> Evaluation {
        let spec = Arc::clone(self.world.catalog.spec(self.world.state.pods[pod.index()].spec));
        let index = self.class_of(pod);
        let Some(class) = self.classes[index].take() else {
            return Evaluation::default();
        };
        let evaluation = self.evaluate_class(&class, &spec, pod);
        self.classes[index] = Some(class);
        evaluation
    }

    fn evaluate_class(&mut self, class: &Class, spec: &Spec, pod: PodId) -> Evaluation {
        let mut evaluation = Evaluation::default();
        let facts = match Facts::find(&self.world, &self.profiles[class.profile], class, spec, pod) {
            PreFilter::Continue(facts) => facts,
            PreFilter::Reject {
                rejection,
                before_dynamic_resources,
            } => {
                evaluation.pre_filter = Some(PreFilterRejection {
                    rejection,
                    post_filter_fails: before_dynamic_resources,
                });
                return evaluation;
            }
            PreFilter::Error(text) => {
                evaluation.error = Some(text);
                return evaluation;
            }
        };
        let candidates: Vec<NodeId> = class
            .candidates
            .clone()
            .unwrap_or_else(|| self.world.nodes.ids().collect());
        for node in &candidates {
            match self.filter_with_nominated(class, spec, &facts, *node) {
                None => evaluation.feasible.push(*node),
                Some(rejection) if rejection.code == Code::Error => {
                    evaluation.error = Some(rejection.message());
                    return evaluation;
                }
                Some(rejection) => evaluation.rejected.push((*node, rejection)),
            }
        }
        evaluation.filtered = true;
        if class.candidates.is_some() {
            evaluation.outside = Some((
                restricted(&facts, None),
                self.world.nodes.len() - candidates.len(),
            ));
        }
        if let Some(text) = pre_score_error(&self.profiles[class.profile], spec) {
            // A single feasible node is taken without scoring, so the error does not come up.
            evaluation.error = (evaluation.feasible.len() > 1).then_some(text);
            return evaluation;
        }
        self.list = evaluation.feasible.clone();
        evaluation.scores = self.score_in_full(class, spec, &facts);
        evaluation
    }

    /// Scores the nodes in `self.list`, plugin by plugin.
    pub(super) fn score_in_full(&self, class: &Class, spec: &Spec, facts: &Facts) -> Vec<NodeScores> {
        let profile = &self.profiles[class.profile];
        let scoring = Scoring {
            world: &self.world,
            profile,
            class,
            spec,
            facts,
            feasible: &self.list,
        };
        let mut result: Vec<NodeScores> = self
            .list
            .iter()
            .map(|node| NodeScores {
                node: *node,
                plugins: Vec::new(),
                total: 0,
            })
            .collect();
        if profile.profile.score.is_empty() {
            // Without score plugins the framework gives every node 1 (`schedule_one.go:prioritizeNodes`).
            for node in &mut result {
                node.total = 1;
            }
        }
        let mut scores = Vec::new();
        for weighted in &profile.profile.score {
            if !scoring.raw(weighted.plugin, &mut scores) {
                continue;
            }
            for (node, score) in result.iter_mut().zip(&scores) {
                node.plugins
                    .push((weighted.plugin, raw_shown(weighted.plugin, *score), 0));
            }
            scoring.normalize(weighted.plugin, &mut scores);
            for (node, score) in result.iter_mut().zip(&scores) {
                if let Some(entry) = node.plugins.last_mut() {
                    entry.2 = score.wrapping_mul(weighted.weight);
                }
                node.total = node.total.wrapping_add(score.wrapping_mul(weighted.weight));
            }
        }
        result
    }
}

/// The raw score as the plugin reports it: topology spread gives 0 for a node that it leaves out.
fn raw_shown(plugin: Plugin, score: i64) -> i64 {
    if plugin == Plugin::PodTopologySpread {
        score.max(0)
    } else {
        score
    }
}
