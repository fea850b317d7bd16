//! One pod's scheduling cycle: what PreFilter found out, and the filters on a node.

mod facts;
mod filter;
mod score;

pub use facts::{Facts, PreFilter};
pub use score::Scoring;
