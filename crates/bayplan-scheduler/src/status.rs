//! Outcome of a plugin for a node or a pod.

use crate::config::Plugin;

/// Kind of rejection (`k8s.io/kube-scheduler/framework/interface.go:Code`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Code {
    /// Preemption may help.
    Unschedulable,
    /// Preemption is not tried on the node.
    UnschedulableAndUnresolvable,
    /// The cycle failed.
    Error,
}

impl Code {
    /// The name that the framework prints.
    pub fn name(self) -> &'static str {
        match self {
            Code::Unschedulable => "Unschedulable",
            Code::UnschedulableAndUnresolvable => "UnschedulableAndUnresolvable",
            Code::Error => "Error",
        }
    }
}

/// Why a plugin turned a node or a pod down.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Rejection {
    /// The plugin; `None` when the framework itself decided.
    pub plugin: Option<Plugin>,
    /// Kind of rejection.
    pub code: Code,
    /// Texts, as they are counted in the scheduler's message.
    pub reasons: Vec<String>,
}

impl Rejection {
    /// A rejection by a plugin with one reason that preemption cannot resolve.
    pub fn unresolvable(plugin: Plugin, reason: &str) -> Rejection {
        Rejection {
            plugin: Some(plugin),
            code: Code::UnschedulableAndUnresolvable,
            reasons: vec![reason.to_owned()],
        }
    }

    /// A rejection by a plugin with one reason that preemption may resolve.
    pub fn resolvable(plugin: Plugin, reason: &str) -> Rejection {
        Rejection {
            plugin: Some(plugin),
            code: Code::Unschedulable,
            reasons: vec![reason.to_owned()],
        }
    }

    /// All reasons as one text (`Status.Message`).
    pub fn message(&self) -> String {
        self.reasons.join(", ")
    }
}
