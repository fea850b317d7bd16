//! What a cluster holds: failure domains, used and free resources.
//!
//! The crate does no IO and knows no clock, environment or global state.

pub mod capacity;
pub mod domains;
pub mod gpu;
pub mod spread;
pub mod trials;
