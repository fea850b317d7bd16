//! kube-scheduler 1.37, equal by observation.

pub mod config;
