//! `bayplan version`.

use serde::Serialize;

use crate::Body;

/// Versions of the tool; those of the scheduler are in the envelope.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Release {
    /// Version of this binary.
    pub version: &'static str,
    /// Processor architecture it was built for.
    pub architecture: &'static str,
    /// Operating system it was built for.
    pub operating_system: &'static str,
}

impl Body for Release {
    const KIND: &'static str = "Version";
}
