//! The scheduler: pods in, decisions out.

mod classes;
mod evaluate;
mod nominated;
mod outcome;
mod search;

use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::sync::Arc;

use bayplan_model::object::{Labels, Pod};

pub use evaluate::{Evaluation, NodeScores, PreFilterRejection};
pub use outcome::{Decision, Outcome, Statuses, Unschedulable};

use crate::builder::record_of;
use crate::class::{Class, ClassKey};
use crate::config::{Plugin, SchedulerConfiguration};
use crate::cycle::{Facts, PreFilter, Scoring};
use crate::fit_error::Diagnosis;
use crate::ids::{NONE, NodeId, PodId};
use crate::matcher::LabelSet;
use crate::profile::ProfilePlan;
use crate::scheduler::nominated::Nominated;
use crate::selection::{Ties, select};
use crate::world::World;

/// Choices that the configuration of a scheduler does not make.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// How ties are broken.
    pub ties: Ties,
    /// Seed of random ties and offsets.
    pub seed: u64,
    /// Share of the nodes to search, in percent, 0 for adaptive; `None` takes the configuration's.
    pub percentage_of_nodes_to_score: Option<i32>,
}

impl Default for Options {
    /// Exact ties, every node searched.
    fn default() -> Options {
        Options {
            ties: Ties::Exact,
            seed: 0,
            percentage_of_nodes_to_score: Some(100),
        }
    }
}

/// kube-scheduler over a simulated cluster.
#[derive(Debug, Clone)]
pub struct Scheduler {
    /// The cluster.
    pub(crate) world: World,
    pub(crate) profiles: Vec<ProfilePlan>,
    configuration: Arc<SchedulerConfiguration>,
    options: Options,
    class_ids: FxHashMap<ClassKey, usize>,
    classes: Vec<Option<Box<Class>>>,
    remembering: usize,
    pub(crate) nominated: BTreeMap<NodeId, Vec<PodId>>,
    next_start: usize,
    random: fastrand::Rng,
    feasible: Vec<bool>,
    list: Vec<NodeId>,
    totals: Vec<i64>,
    scratch: Vec<i64>,
}

impl Scheduler {
    /// A scheduler with `configuration` over `world`.
    pub fn new(mut world: World, configuration: &SchedulerConfiguration, options: Options) -> Scheduler {
        let catalog = Arc::make_mut(&mut world.catalog);
        let mut profiles: Vec<ProfilePlan> = configuration
            .profiles
            .iter()
            .map(|profile| ProfilePlan::new(catalog, profile))
            .collect();
        for profile in &mut profiles {
            profile.refresh_ignored(catalog);
        }
        let mut scheduler = Scheduler {
            feasible: Vec::with_capacity(world.nodes.len()),
            world,
            profiles,
            configuration: Arc::new(configuration.clone()),
            options,
            class_ids: FxHashMap::default(),
            classes: Vec::new(),
            remembering: 0,
            nominated: BTreeMap::new(),
            next_start: 0,
            random: fastrand::Rng::with_seed(options.seed),
            list: Vec::new(),
            totals: Vec::new(),
            scratch: Vec::new(),
        };
        for index in 0..scheduler.world.state.pods.len() {
            let record = &scheduler.world.state.pods[index];
            if record.node == NONE && record.nominated != NONE {
                scheduler
                    .nominated
                    .entry(NodeId(record.nominated))
                    .or_default()
                    .push(PodId(index as u32));
            }
        }
        scheduler
    }

    /// The cluster as it is now.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// Starts random choices over, as a scheduler made with this seed would.
    pub fn reseed(&mut self, seed: u64) {
        self.random = fastrand::Rng::with_seed(seed);
    }

    /// Starts the next search at a node of the list, as a scheduler does that has been at work before; only in clusters
    /// that are not searched in full does it decide which nodes are looked at.
    pub fn start_search_at(&mut self, index: usize) {
        self.next_start = index % self.world.nodes.len().max(1);
    }

    /// Adds a pod that is to be scheduled.
    pub fn add_pending(&mut self, pod: &Pod) -> PodId {
        let catalog = Arc::make_mut(&mut self.world.catalog);
        let resources = catalog.resources.len();
        let number = self.world.state.pods.len() as u32;
        let has_volumes = self.world.volumes.add_pod(number, pod);
        let record = record_of(catalog, &self.world.nodes, pod, has_volumes);
        let nominated = record.nominated;
        if catalog.resources.len() > resources {
            for profile in &mut self.profiles {
                profile.refresh_ignored(catalog);
            }
        }
        let id = self.world.state.add_pod(catalog, &self.world.nodes, record);
        if nominated != NONE {
            self.nominate(id, NodeId(nominated));
        }
        id
    }

    /// Adds a pod that is to be scheduled and equals another one but for labels that are added or replaced.
    pub fn add_relabelled(&mut self, pod: PodId, added: &Labels) -> PodId {
        let catalog = Arc::make_mut(&mut self.world.catalog);
        let mut record = self.world.state.pods[pod.index()].clone();
        let set = catalog.label_set(record.labels);
        let (namespace, mut labels) = (set.namespace, set.labels.to_vec());
        for (key, value) in added {
            let key = catalog.interner.intern(key);
            let value = catalog.interner.intern(value);
            labels.retain(|(other, _)| *other != key);
            labels.push((key, value));
        }
        labels.sort_unstable();
        record.labels = catalog.label_set_id(LabelSet {
            namespace,
            labels: labels.into_boxed_slice(),
        });
        (record.node, record.nominated) = (NONE, NONE);
        let number = self.world.state.pods.len() as u32;
        self.world.volumes.copy_pod(pod.0, number);
        self.world.state.add_pod(catalog, &self.world.nodes, record)
    }

    /// Puts a pod on a node, as the scheduler assumes it before binding: volumes reserved, nomination ended.
    pub fn assume(&mut self, pod: PodId, node: NodeId) {
        self.clear_nomination(pod);
        self.world.place(pod, node);
    }

    /// Reserves the volumes that a pod's claims would be bound to on a node, as the scheduler's Reserve does. To be
    /// called before [`Scheduler::assume`] where later pods must see the volumes as taken.
    pub fn reserve_volumes(&mut self, pod: PodId, node: NodeId) {
        let spec = Arc::clone(self.world.catalog.spec(self.world.state.pods[pod.index()].spec));
        if !spec.has_volumes {
            return;
        }
        let index = self.class_of(pod);
        let Some(class) = self.classes[index].take() else {
            return;
        };
        let facts = Facts::find(&self.world, &self.profiles[class.profile], &class, &spec, pod);
        self.classes[index] = Some(class);
        if let PreFilter::Continue(facts) = facts
            && let Some(cycle) = &facts.volumes
        {
            let texts = crate::plugins::node_texts::NodeTexts {
                catalog: &self.world.catalog,
                nodes: &self.world.nodes,
            };
            self.world.volumes.reserve(cycle, &texts, node.0);
        }
    }

    /// Takes a pod off its node and gives its reserved volumes back.
    pub fn remove(&mut self, pod: PodId) {
        self.clear_nomination(pod);
        self.world.remove(pod);
        self.world.volumes.unreserve(pod.0);
    }

    /// Runs one scheduling cycle for a pod without placing it.
    pub fn schedule(&mut self, pod: PodId) -> Decision {
        let record = &self.world.state.pods[pod.index()];
        let spec = Arc::clone(self.world.catalog.spec(record.spec));
        let Some(profile) = self.profile_of(spec.scheduler_name) else {
            let name = self.world.catalog.interner.text(spec.scheduler_name);
            return Decision::of(Outcome::OtherScheduler(name.to_owned()));
        };
        if !spec.gates.is_empty()
            && self.profiles[profile]
                .profile
                .pre_enqueue
                .contains(&Plugin::SchedulingGates)
        {
            let gates: Vec<&str> = spec
                .gates
                .iter()
                .map(|gate| self.world.catalog.interner.text(*gate))
                .collect();
            return Decision::of(Outcome::Gated(format!(
                "waiting for scheduling gates: [{}]",
                gates.join(" ")
            )));
        }
        if self.world.nodes.is_empty() {
            return Decision::of(Outcome::Error("no nodes available to schedule pods".to_owned()));
        }
        let index = self.class_of(pod);
        let Some(mut class) = self.classes[index].take() else {
            return Decision::of(Outcome::Error("class of the pod is in use".to_owned()));
        };
        let decision = self.cycle(&mut class, &spec, pod);
        self.classes[index] = Some(class);
        decision
    }

    /// Takes a class out for the time of a cycle, so that cluster and class can be changed side by side.
    pub(crate) fn take_class(&mut self, index: usize) -> Option<Box<Class>> {
        self.classes[index].take()
    }

    /// Puts a class back.
    pub(crate) fn put_class(&mut self, index: usize, class: Box<Class>) {
        self.classes[index] = Some(class);
    }

    /// Where preemption starts to look: anywhere when ties are random, else at the first node.
    pub(crate) fn random_offset(&mut self, count: usize) -> usize {
        if self.options.ties == Ties::Random && count > 0 {
            self.random.usize(..count)
        } else {
            0
        }
    }

    fn profile_of(&self, name: crate::symbol::Symbol) -> Option<usize> {
        self.profiles.iter().position(|profile| profile.name == name)
    }

    fn cycle(&mut self, class: &mut Class, spec: &crate::catalog::Spec, pod: PodId) -> Decision {
        let node_count = self.world.nodes.len();
        let facts = match Facts::find(&self.world, &self.profiles[class.profile], class, spec, pod) {
            PreFilter::Continue(facts) => facts,
            PreFilter::Error(text) => return Decision::of(Outcome::Error(text)),
            PreFilter::Reject {
                rejection,
                before_dynamic_resources,
            } => {
                let diagnosis = Diagnosis {
                    node_count,
                    pre_filter: Some(rejection.message()),
                    rejections: Vec::new(),
                };
                let statuses = Statuses {
                    explicit: Vec::new(),
                    absent: Some(rejection.code),
                };
                return Decision::of(Outcome::Unschedulable(Box::new(Unschedulable {
                    diagnosis,
                    statuses,
                    pre_filter: Some(rejection),
                    post_filter_fails: before_dynamic_resources,
                })));
            }
        };
        let nominated = match self.try_nominated(class, spec, &facts) {
            Nominated::Fits(node) => {
                return Decision {
                    outcome: Outcome::Placed(node),
                    feasible: 1,
                };
            }
            Nominated::Rejected(node, rejection) => Some((node, rejection)),
            Nominated::None => None,
        };
        if class.candidates.is_some() || facts.filters_volumes() {
            return self.cycle_node_by_node(class, spec, &facts, nominated);
        }
        if let Err(decision) = self.search(class, spec, &facts, nominated) {
            return decision;
        }
        self.pick(class, spec, &facts)
    }

    /// Chooses among the nodes in `self.list`, the feasible ones in search order.
    fn pick(&mut self, class: &Class, spec: &crate::catalog::Spec, facts: &Facts) -> Decision {
        let feasible = self.list.len();
        if feasible == 1 {
            return Decision {
                outcome: Outcome::Placed(self.list[0]),
                feasible,
            };
        }
        let profile = &self.profiles[class.profile];
        if let Some(text) = pre_score_error(profile, spec) {
            return Decision {
                outcome: Outcome::Error(text),
                feasible,
            };
        }
        let (mut totals, mut scratch) = (
            std::mem::take(&mut self.totals),
            std::mem::take(&mut self.scratch),
        );
        if class.candidates.is_some() || facts.filters_volumes() || profile.large_weights {
            let evaluation = self.score_in_full(class, spec, facts);
            totals.clear();
            totals.extend(evaluation.iter().map(|scores| scores.total));
        } else {
            let (_, local) = class.held();
            let scoring = Scoring {
                world: &self.world,
                profile,
                class,
                spec,
                facts,
                feasible: &self.list,
            };
            scoring.totals(local, &mut totals, &mut scratch);
        }
        let random = &mut self.random;
        let chosen = select(
            self.options.ties,
            &self.world.nodes,
            &self.list,
            &totals,
            &mut |count| random.usize(..count),
        );
        self.totals = totals;
        self.scratch = scratch;
        match chosen {
            Some(index) => Decision {
                outcome: Outcome::Placed(self.list[index]),
                feasible,
            },
            None => Decision {
                outcome: Outcome::Error("no node was scored".to_owned()),
                feasible,
            },
        }
    }
}

/// The error of a scoring cycle, known before any node is scored: a preferred node term that does not parse
/// (`nodeaffinity/node_affinity.go:PreScore`).
pub(crate) fn pre_score_error(profile: &ProfilePlan, spec: &crate::catalog::Spec) -> Option<String> {
    let text = spec.preferred_nodes.as_ref()?.as_ref().err()?;
    profile
        .profile
        .pre_score
        .contains(&Plugin::NodeAffinity)
        .then(|| format!("running PreScore plugin \"NodeAffinity\": {text}"))
}
