//! From API objects to what the scheduler sees, as an API server 1.37.2 and its controllers would do it.
//!
//! * [`apply_defaults`] fills in what the API server fills in.
//! * [`validate`] names what it would refuse, in its own words; [`warnings`] what it accepts with a warning.
//! * [`admit_pod`], [`check_pod`] and [`admit_claim`] run the admission plugins that change or refuse pods and claims;
//!   [`labels_copied_at_bind`] is what binding adds.
//! * [`ExpandedWorkload`] is a workload with the pods and claims that its controllers create; [`Membership`] finds
//!   those that run already.
//! * [`admit`] does all of it for a list of objects.
//!
//! The crate does no IO, knows no clock and nothing at random: names and ids that a cluster would draw are made from
//! the names of the objects.

mod admission;
mod admit;
mod defaults;
mod expand;
mod field;
mod identity;
mod requests;
mod validation;

pub use admission::{
    AdmissionContext, DEFAULT_TOLERATION_SECONDS, Rejection, SYSTEM_PRIORITY_CLASSES, Unresolved,
    admit_claim, admit_pod, labels_copied_at_bind,
};
pub use admit::{Admitted, Fault, Stage, Uncertainty, Warning, admit};
pub use defaults::{DEFAULT_NAMESPACE, apply_defaults};
pub use expand::{
    AfterLeader, EXCLUSIVE_ANNOTATION, ExpandedWorkload, Membership, SUB_GROUP_EXCLUSIVE_ANNOTATION,
    follow_leader,
};
pub use field::{ErrorKind, FieldError, FieldPath, Segment};
pub use validation::{validate, warnings};
