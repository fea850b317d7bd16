//! What is kept about the nodes a pod could have gone to.

use bayplan_scheduler::{Evaluation, NodeId};

/// How much a run keeps about nodes that were not chosen. Judging every node takes far longer than choosing one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Detail {
    /// Nothing.
    #[default]
    Nothing,
    /// Which nodes were feasible, which were best, and the runner-up.
    Ranking,
    /// Verdict and scores of every node as well.
    Everything,
}

/// The feasible nodes of one attempt.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ranking {
    /// Nodes that passed all filters, in the scheduler's order.
    pub feasible: Vec<NodeId>,
    /// Those with the highest total.
    pub best: Vec<NodeId>,
    /// Total of the chosen node.
    pub score: Option<i64>,
    /// The best node that was not chosen, with its total; the first of equals in the scheduler's order.
    pub runner_up: Option<(NodeId, i64)>,
}

impl Ranking {
    /// Reads the ranking off an evaluation.
    pub fn of(evaluation: &Evaluation, chosen: Option<NodeId>) -> Ranking {
        let mut ranking = Ranking {
            feasible: evaluation.feasible.clone(),
            best: evaluation.best(),
            ..Ranking::default()
        };
        for scores in &evaluation.scores {
            if Some(scores.node) == chosen {
                ranking.score = Some(scores.total);
            } else if ranking.runner_up.is_none_or(|(_, total)| scores.total > total) {
                ranking.runner_up = Some((scores.node, scores.total));
            }
        }
        ranking
    }
}
