//! DefaultPreemption (`pkg/scheduler/framework/plugins/defaultpreemption`, `pkg/scheduler/framework/preemption`, v1.37.2).

mod budgets;
mod candidates;
mod dry_run;

use std::sync::Arc;

use crate::class::Class;
use crate::config::Plugin;
use crate::cycle::{Facts, PreFilter};
use crate::fit_error::Diagnosis;
use crate::ids::{NONE, NodeId, PodId};
use crate::scheduler::{Scheduler, Unschedulable};
use crate::status::{Code, Rejection};

/// What PostFilter found.
#[derive(Debug, Clone, Default)]
pub struct Preemption {
    /// Text after the reasons in the scheduler's message; empty when PostFilter says nothing.
    pub message: String,
    /// Node to be freed for the pod.
    pub nominated: Option<NodeId>,
    /// Pods to be evicted from it, the most important first.
    pub victims: Vec<PodId>,
    /// Other nodes that would have been as good; the real scheduler takes any of them.
    pub equally_good: Vec<NodeId>,
    /// An earlier nomination of the pod ends.
    pub clears_nomination: bool,
}

impl Preemption {
    fn saying(text: &str) -> Preemption {
        Preemption {
            message: format!("preemption: {text}"),
            ..Preemption::default()
        }
    }
}

impl Scheduler {
    /// Runs PostFilter for a pod that fits nowhere. Nothing is evicted: the caller decides.
    pub fn preempt(&mut self, pod: PodId, failed: &Unschedulable) -> Preemption {
        let spec = Arc::clone(self.world.catalog.spec(self.world.state.pods[pod.index()].spec));
        let index = self.class_of(pod);
        let Some(class) = self.take_class(index) else {
            return Preemption::default();
        };
        let result = self.post_filter(&class, &spec, pod, failed);
        self.put_class(index, class);
        result
    }

    fn post_filter(
        &mut self,
        class: &Class,
        spec: &crate::catalog::Spec,
        pod: PodId,
        failed: &Unschedulable,
    ) -> Preemption {
        let post_filter = &self.profiles[class.profile].profile.post_filter;
        if failed.post_filter_fails && post_filter.first() == Some(&Plugin::DynamicResources) {
            return Preemption {
                message: "not found".to_owned(),
                ..Preemption::default()
            };
        }
        if !post_filter.contains(&Plugin::DefaultPreemption) {
            return Preemption::default();
        }
        if spec.never_preempts {
            return Preemption::saying("not eligible due to preemptionPolicy=Never.");
        }
        if self.waits_for_victims(spec, pod, failed) {
            return Preemption::saying("not eligible due to a terminating pod on the nominated node.");
        }
        let node_count = self.world.nodes.len();
        let potential = potential_nodes(self, failed);
        let facts = if potential.is_empty() {
            None
        } else {
            match Facts::find(&self.world, &self.profiles[class.profile], class, spec, pod) {
                PreFilter::Continue(facts) => Some(facts),
                PreFilter::Reject { .. } | PreFilter::Error(_) => None,
            }
        };
        let (found, statuses, errors) = match facts {
            Some(facts) => self.dry_run_all(class, spec, &facts, &potential),
            None => (Vec::new(), Vec::new(), Vec::new()),
        };
        if found.is_empty() {
            if !errors.is_empty() {
                return Preemption::saying(&aggregate(&errors));
            }
            let mut diagnosis = Diagnosis {
                node_count,
                ..Diagnosis::default()
            };
            for (_, rejection) in &statuses {
                diagnosis.add(rejection, 1);
            }
            let unhelpful = Rejection {
                plugin: None,
                code: Code::UnschedulableAndUnresolvable,
                reasons: vec!["Preemption is not helpful for scheduling".to_owned()],
            };
            if node_count > statuses.len() {
                diagnosis.add(&unhelpful, node_count - statuses.len());
            }
            return Preemption {
                clears_nomination: true,
                ..Preemption::saying(&diagnosis.message(None))
            };
        }
        let best = candidates::best(&self.world, found);
        let Some((chosen, others)) = best.split_first() else {
            return Preemption::saying("no candidate node for preemption");
        };
        Preemption {
            message: format!(
                "preemption: found a potential placement for pod on node {}, preempting {} victims",
                self.world.node_name(chosen.node),
                chosen.victims.len()
            ),
            nominated: Some(chosen.node),
            victims: chosen.victims.clone(),
            equally_good: others.iter().map(|candidate| candidate.node).collect(),
            clears_nomination: false,
        }
    }

    /// The pod has a nominated node on which its victims are still terminating.
    fn waits_for_victims(&self, spec: &crate::catalog::Spec, pod: PodId, failed: &Unschedulable) -> bool {
        let nominated = self.world.state.pods[pod.index()].nominated;
        if nominated == NONE {
            return false;
        }
        let node = NodeId(nominated);
        if failed.statuses.of(node) == Some(Code::UnschedulableAndUnresolvable) {
            return false;
        }
        self.world.state.pods_on[node.index()].iter().any(|other| {
            let record = &self.world.state.pods[other.index()];
            record.preempted && self.world.catalog.spec(record.spec).priority < spec.priority
        })
    }
}

/// Nodes on which preemption is tried: those whose status is exactly `Unschedulable`, in node list order.
fn potential_nodes(scheduler: &Scheduler, failed: &Unschedulable) -> Vec<NodeId> {
    let statuses = &failed.statuses;
    if statuses.absent == Some(Code::Unschedulable) {
        return scheduler
            .world
            .nodes
            .ids()
            .filter(|node| statuses.of(*node) == Some(Code::Unschedulable))
            .collect();
    }
    let mut nodes: Vec<NodeId> = statuses
        .explicit
        .iter()
        .filter(|(_, code)| *code == Code::Unschedulable)
        .map(|(node, _)| *node)
        .collect();
    nodes.sort_unstable();
    nodes
}

/// Texts of several errors, as `utilerrors.NewAggregate` joins them.
fn aggregate(errors: &[String]) -> String {
    match errors {
        [one] => one.clone(),
        several => {
            let mut distinct: Vec<&str> = Vec::new();
            for error in several {
                if !distinct.contains(&error.as_str()) {
                    distinct.push(error);
                }
            }
            if let [one] = distinct.as_slice() {
                (*one).to_owned()
            } else {
                format!("[{}]", distinct.join(", "))
            }
        }
    }
}
