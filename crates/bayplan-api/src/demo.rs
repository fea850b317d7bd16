//! `bayplan demo`.

use serde::Serialize;

use crate::{Body, Placement};

/// The built-in example: the same workloads written without and with placement policies.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Demo {
    /// Where the naive manifests land.
    pub naive: Placement,
    /// Where the manifests with three layers of policy land.
    pub layered: Placement,
    /// Numbers that compare them.
    pub measures: Vec<Measure>,
}

impl Body for Demo {
    const KIND: &'static str = "Demo";
}

/// One number for both placements.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Measure {
    /// What is measured.
    pub measure: String,
    /// The workloads it is about.
    pub workloads: Vec<String>,
    /// Its value for the naive manifests; a ratio, 0-1.
    pub naive: f64,
    /// Its value for the three layers; a ratio, 0-1.
    pub layered: f64,
}
