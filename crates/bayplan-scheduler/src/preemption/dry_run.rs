//! Which pods would have to go (`defaultpreemption/default_preemption.go:SelectVictimsOnNode`).

use crate::catalog::Spec;
use crate::class::Class;
use crate::cycle::Facts;
use crate::ids::{NodeId, PodId};
use crate::preemption::budgets;
use crate::preemption::candidates::Candidate;
use crate::scheduler::Scheduler;
use crate::status::{Code, Rejection};

const NO_VICTIMS: &str = "No preemption victims found for incoming pod";

/// Candidates, statuses of the nodes that are none, and errors.
type DryRuns = (Vec<Candidate>, Vec<(NodeId, Rejection)>, Vec<String>);

impl Scheduler {
    /// Tries the potential nodes one after the other from an offset, until enough candidates are found
    /// (`preemption/preemption.go:DryRunPreemption`; the real scheduler takes a random offset, here it is 0 unless
    /// ties are random).
    pub(super) fn dry_run_all(
        &mut self,
        class: &Class,
        spec: &Spec,
        facts: &Facts,
        potential: &[NodeId],
    ) -> DryRuns {
        let arguments = &self.profiles[class.profile].profile.arguments.default_preemption;
        let count = potential.len();
        let share = (count as i64 * i64::from(arguments.min_candidate_nodes_percentage) / 100) as usize;
        let wanted = share
            .max(arguments.min_candidate_nodes_absolute.max(0) as usize)
            .min(count);
        let offset = self.random_offset(count);
        let (mut found, mut statuses, mut errors) = (Vec::new(), Vec::new(), Vec::new());
        let mut harmless = false;
        for step in 0..count {
            let node = potential[(offset + step) % count];
            match self.dry_run(class, spec, facts, node) {
                Ok(candidate) => {
                    harmless |= candidate.violations == 0;
                    found.push(candidate);
                    if harmless && found.len() >= wanted {
                        break;
                    }
                }
                Err(rejection) => {
                    if rejection.code == Code::Error {
                        errors.push(rejection.message());
                    }
                    statuses.push((node, rejection));
                }
            }
        }
        (found, statuses, errors)
    }

    /// Finds the fewest, least important pods whose removal makes room on one node. The cluster is left as it was.
    fn dry_run(
        &mut self,
        class: &Class,
        spec: &Spec,
        facts: &Facts,
        node: NodeId,
    ) -> Result<Candidate, Rejection> {
        let checkpoint = self.world.state.checkpoint(node);
        let mut victims: Vec<PodId> = self
            .world
            .pods_on(node)
            .iter()
            .copied()
            .filter(|pod| self.priority(*pod) < spec.priority)
            .collect();
        if victims.is_empty() {
            return Err(Rejection {
                plugin: None,
                code: Code::UnschedulableAndUnresolvable,
                reasons: vec![NO_VICTIMS.to_owned()],
            });
        }
        let mut trial = Trial {
            scheduler: self,
            class,
            spec,
            facts: facts.clone(),
            node,
            removed: Vec::new(),
        };
        for victim in &victims {
            trial.remove(*victim);
        }
        let result = match trial.rejection() {
            Some(rejection) => Err(rejection),
            None => {
                trial.scheduler.sort_by_importance(&mut victims);
                let (violating, others) = budgets::split(&trial.scheduler.world, &victims);
                let violations = trial.reprieve(&violating);
                trial.reprieve(&others);
                Ok(violations)
            }
        };
        let mut evicted = std::mem::take(&mut trial.removed);
        trial.restore(&evicted);
        self.world.state.restore(node, checkpoint);
        let violations = result?;
        self.sort_by_importance(&mut evicted);
        if evicted.is_empty() {
            return Err(Rejection {
                plugin: None,
                code: Code::Error,
                reasons: vec![format!(
                    "expected at least one victim pod on node {:?}",
                    self.world.node_name(node)
                )],
            });
        }
        Ok(Candidate {
            node,
            victims: evicted,
            violations,
        })
    }

    fn priority(&self, pod: PodId) -> i32 {
        self.world
            .catalog
            .spec(self.world.state.pods[pod.index()].spec)
            .priority
    }

    /// Higher priority first, then earlier start (`preemption/util.go:MoreImportantVictim`). The sort is stable, which
    /// Go's is not for more than 12 pods of equal importance.
    fn sort_by_importance(&self, pods: &mut [PodId]) {
        pods.sort_by_key(|pod| {
            (
                std::cmp::Reverse(self.priority(*pod)),
                self.world.state.pods[pod.index()].start_time_seconds,
            )
        });
    }
}

/// A node from which pods are taken away for a while.
struct Trial<'a> {
    scheduler: &'a mut Scheduler,
    class: &'a Class,
    spec: &'a Spec,
    facts: Facts,
    node: NodeId,
    removed: Vec<PodId>,
}

impl Trial<'_> {
    fn remove(&mut self, pod: PodId) {
        self.scheduler.world.pretend(pod, self.node, -1);
        self.facts.pod_removed(&self.scheduler.world, self.class, pod);
        self.removed.push(pod);
    }

    fn add(&mut self, pod: PodId) {
        self.scheduler.world.pretend(pod, self.node, 1);
        self.facts.pod_added(&self.scheduler.world, self.class, pod);
        self.removed.retain(|other| *other != pod);
    }

    fn rejection(&mut self) -> Option<Rejection> {
        self.scheduler
            .filter_with_nominated(self.class, self.spec, &self.facts, self.node)
    }

    /// Puts pods back as long as there is room; returns how many had to stay away.
    fn reprieve(&mut self, pods: &[PodId]) -> usize {
        let mut gone = 0;
        for pod in pods {
            self.add(*pod);
            if self.rejection().is_some() {
                self.remove(*pod);
                gone += 1;
            }
        }
        gone
    }

    fn restore(&mut self, pods: &[PodId]) {
        for pod in pods {
            self.scheduler.world.pretend(*pod, self.node, 1);
        }
    }
}
