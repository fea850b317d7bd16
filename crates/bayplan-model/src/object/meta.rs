//! Metadata and value types shared by all kinds.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::object::api;
use crate::quantity::Quantity;

/// Labels or annotations, sorted by key.
pub type Labels = BTreeMap<String, String>;

/// Amounts by resource name.
pub type ResourceList = BTreeMap<String, Quantity>;

api! {
    /// `metadata` of any object.
    pub struct ObjectMeta {
        /// Name, unique in its namespace and kind.
        pub name: String,
        /// Prefix from which the API server makes a name when none is given.
        pub generate_name: String,
        /// Namespace; empty for cluster-scoped kinds.
        pub namespace: String,
        /// Unique id given by the API server.
        pub uid: String,
        /// Labels.
        pub labels: Labels,
        /// Annotations.
        pub annotations: Labels,
        /// Owners; the one with `controller: true` made this object.
        pub owner_references: Vec<OwnerReference>,
        /// When the object was created.
        pub creation_timestamp: Option<Timestamp>,
        /// When a graceful deletion ends; set means terminating.
        pub deletion_timestamp: Option<Timestamp>,
        /// Generation of the desired state.
        pub generation: i64,
    }

    /// A link to an owner.
    pub struct OwnerReference {
        /// Group and version of the owner.
        pub api_version: String,
        /// Kind of the owner.
        pub kind: String,
        /// Name of the owner.
        pub name: String,
        /// Uid of the owner.
        pub uid: String,
        /// True for the managing controller.
        pub controller: bool,
    }

    /// A label selector: all parts must match; an empty one matches everything.
    pub struct LabelSelector {
        /// Exact values.
        pub match_labels: Labels,
        /// Expressions.
        pub match_expressions: Vec<LabelSelectorRequirement>,
    }

    /// One expression of a [`LabelSelector`].
    pub struct LabelSelectorRequirement {
        /// Label key.
        pub key: String,
        /// `In`, `NotIn`, `Exists` or `DoesNotExist`.
        pub operator: String,
        /// Values for `In` and `NotIn`.
        pub values: Vec<String>,
    }
}

impl ObjectMeta {
    /// The managing owner, if there is one.
    pub fn controller(&self) -> Option<&OwnerReference> {
        self.owner_references.iter().find(|owner| owner.controller)
    }

    /// `namespace/name`, or the name alone for cluster-scoped objects.
    pub fn full_name(&self) -> String {
        if self.namespace.is_empty() {
            self.name.clone()
        } else {
            format!("{}/{}", self.namespace, self.name)
        }
    }
}

/// A number or a string such as `25%`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(untagged)]
pub enum IntOrString {
    /// A whole number.
    Int(i32),
    /// A string; percentages end in `%`.
    String(String),
}

impl Default for IntOrString {
    fn default() -> Self {
        IntOrString::Int(0)
    }
}

impl IntOrString {
    /// The amount this stands for out of `total`, percentages rounded up or down.
    ///
    /// Returns `None` for a string that is not a percentage
    /// (`k8s.io/apimachinery/pkg/util/intstr/intstr.go:GetScaledValueFromIntOrPercent`).
    pub fn scaled(&self, total: i64, round_up: bool) -> Option<i64> {
        match self {
            IntOrString::Int(value) => Some(i64::from(*value)),
            IntOrString::String(text) => {
                let percent: i64 = text.strip_suffix('%')?.parse().ok()?;
                let product = i128::from(percent) * i128::from(total);
                let rounded = product.div_euclid(100) + i128::from(round_up && product.rem_euclid(100) != 0);
                Some(i64::try_from(rounded).unwrap_or(if rounded < 0 { i64::MIN } else { i64::MAX }))
            }
        }
    }
}
