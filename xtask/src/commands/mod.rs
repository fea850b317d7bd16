//! The commands, one file each, and what they have in common.

pub mod bench;
pub mod demo;
pub mod fresh;
mod golden;
pub mod openb;
mod shared;
pub mod test;
