//! kube-scheduler 1.37, equal by observation.
//!
//! [`WorldBuilder`] turns API objects into a [`World`]; a [`Scheduler`] decides over it, one pod at a time. The engine
//! does no IO, knows no clock and no global state: the same input and seed give the same decisions.
//!
//! What it does not model is listed in [`limits`].

mod builder;
mod catalog;
mod class;
pub mod config;
mod cycle;
mod default_selector;
mod fit_error;
mod ids;
pub mod limits;
mod matcher;
pub mod math;
mod nodes;
mod plugins;
mod preemption;
mod profile;
pub mod requests;
mod scheduler;
mod selection;
mod state;
mod status;
mod symbol;
mod world;

pub use builder::{BuildIssue, WorldBuilder};
pub use fit_error::Diagnosis;
pub use ids::{NodeId, PodId};
pub use preemption::Preemption;
pub use scheduler::{
    Decision, Evaluation, NodeScores, Options, Outcome, PreFilterRejection, Scheduler, Statuses,
    Unschedulable,
};
pub use selection::Ties;
pub use status::{Code, Rejection};
pub use world::World;
