//! From a cluster and what is to be placed in it to a scheduler and its candidates.

mod build;
mod members;
mod name;
mod pending;
mod uncertain;

use bayplan_analysis::domains::{Domains, LevelKey};
use bayplan_api::Uncertainty;
use bayplan_manifest::{Diagnostic, Manifest};
use bayplan_model::object::{Object, ObjectRef};
use bayplan_scheduler::config::SchedulerConfiguration;
use bayplan_scheduler::{Options, Scheduler, Ties, World};
use bayplan_sim::placement::{Candidate, NodeLabels};

pub use build::build;
pub use members::{PodSelection, Wanted};
pub use name::WorkloadName;
pub use pending::workload_of;

/// A workload to be placed, and where it comes from.
#[derive(Debug)]
pub enum Source {
    /// A manifest.
    Manifest(Box<Manifest>),
    /// An object of the cluster.
    Cluster(Box<Object>),
}

/// What is to be done with the cluster.
#[derive(Debug)]
pub struct Request {
    /// Workloads and other objects to be created, in order.
    pub sources: Vec<Source>,
    /// Take running pods of the workloads away first.
    pub fresh: bool,
    /// Which of the cluster's pods that were kept are candidates as well.
    pub pods: Pods,
    /// The scheduler's configuration.
    pub configuration: SchedulerConfiguration,
    /// Levels of failure domains that the user gave.
    pub levels: Vec<LevelKey>,
}

/// A choice among the pods of the cluster.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Pods {
    /// None.
    #[default]
    None,
    /// Those that have no node.
    Pending,
    /// All of them, also those that have a node.
    All,
}

/// A workload whose pods are candidates.
#[derive(Debug, Clone)]
pub struct Workload {
    /// Its name.
    pub reference: ObjectRef,
    /// Replicas wanted.
    pub replicas: usize,
    /// Nodes of its replicas that run already and stay.
    pub running: Vec<String>,
}

/// Everything that is needed to place the candidates.
#[derive(Debug)]
pub struct Plan {
    /// The cluster before anything is placed.
    pub world: World,
    /// The scheduler's configuration.
    pub configuration: SchedulerConfiguration,
    /// Pods to be placed; their groups are positions in `workloads`.
    pub candidates: Vec<Candidate>,
    /// Workloads, in order.
    pub workloads: Vec<Workload>,
    /// Pods taken away before anything is placed.
    pub removed: Vec<bayplan_scheduler::PodId>,
    /// Whether disruption budgets are known.
    pub has_budgets: bool,
    /// Failure domains of the nodes.
    pub domains: Domains,
    /// The nodes.
    pub nodes: Vec<bayplan_model::object::Node>,
    /// What was found on the way, in addition to what reading found.
    pub diagnostics: Vec<Diagnostic>,
    /// What could make the answer wrong.
    pub uncertain: Vec<Uncertainty>,
}

impl Plan {
    /// A scheduler over the cluster, with pods that are to go taken away.
    pub fn scheduler(&self, ties: Ties, seed: u64, percentage_of_nodes_to_score: Option<i32>) -> Scheduler {
        let options = Options {
            ties,
            seed,
            percentage_of_nodes_to_score: Some(percentage_of_nodes_to_score.unwrap_or(100)),
        };
        let mut scheduler = Scheduler::new(self.world.clone(), &self.configuration, options);
        for pod in &self.removed {
            scheduler.remove(*pod);
        }
        scheduler
    }

    /// The labels of the nodes, as placing needs them.
    pub fn node_labels(&self, scheduler: &Scheduler) -> NodeLabels {
        NodeLabels::of(scheduler, &self.nodes)
    }
}
