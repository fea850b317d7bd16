//! Codes of what is found after the text has been read: family 9, continued.

use bayplan_manifest::diagnostic::Code;

/// The API server refuses the object.
pub const REFUSED_OBJECT: Code = Code::new("BP920", "refused-object");
/// The API server accepts the object but refuses the pods that its controller would create.
pub const REFUSED_PODS: Code = Code::new("BP921", "refused-pods");
/// The API server accepts the object with a warning.
pub const API_WARNING: Code = Code::new("BP922", "api-warning");
/// The manifest is for another namespace than the one that was asked for.
pub const OTHER_NAMESPACE: Code = Code::new("BP923", "other-namespace");
/// An object of the cluster that could not be used, or only in part.
pub const UNUSED_OBJECT: Code = Code::new("BP924", "unused-object");
/// A scheduler configuration that kube-scheduler refuses.
pub const CONFIGURATION: Code = Code::new("BP925", "scheduler-configuration");
/// A cluster without nodes.
pub const NO_NODES: Code = Code::new("BP926", "no-nodes");
/// An object that is in the input twice.
pub const TWICE: Code = Code::new("BP927", "twice");
