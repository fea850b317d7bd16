//! Kubernetes objects as scheduling reads them, and the values they are made of.
//!
//! * [`names`]: rules for names, label keys and label values.
//! * [`object`]: small typed structs of the API objects, with only the fields that can change a placement.
//! * [`quantity`]: resource amounts with the rounding rules of the API machinery.
//! * [`selector`]: label selectors and node selectors, parsed and prepared for matching.
//!
//! The crate does no IO and knows no clock, environment or global state.

pub mod names;
pub mod object;
pub mod quantity;
pub mod selector;
pub mod taint;

pub use quantity::Quantity;
