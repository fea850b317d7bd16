//! What happens to pods over time.
//!
//! * [`placement`]: pods that are created now, until nothing moves any more.
//!
//! The crate does no IO and knows no clock, environment or global state; randomness comes from seeds.

pub mod placement;
