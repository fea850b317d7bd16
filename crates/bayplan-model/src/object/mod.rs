//! API objects, reduced to the fields that scheduling, its admission and its controllers read.
//!
//! Decoding is lenient: unknown fields are ignored and `null` means the default, as in a live cluster's
//! dump. Strict decoding of manifests is another crate's work and happens before these types are filled.

mod kind;
mod meta;
mod node;
mod pod;
mod policy;
mod storage;
mod workload;

pub use kind::{Object, ObjectRef, UnknownKind};
pub use meta::{
    IntOrString, LabelSelector, LabelSelectorRequirement, Labels, ObjectMeta, OwnerReference, ResourceList,
};
pub use node::{ContainerImage, Node, NodeCondition, NodeSpec, NodeStatus, Taint};
pub use pod::*;
pub use policy::*;
pub use storage::*;
pub use workload::*;

use serde::{Deserialize, Deserializer};

/// Reads a value where `null` stands for the default, as the Go decoder does.
pub(crate) fn nullable<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Default + Deserialize<'de>,
{
    Ok(Option::<T>::deserialize(deserializer)?.unwrap_or_default())
}

/// True for a value that equals its default; such fields are left out when written.
pub(crate) fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// Declares API structs: camelCase names, every field optional, `null` tolerated, defaults not written.
macro_rules! api {
    ($($(#[$meta:meta])* pub struct $name:ident { $($(#[$field_meta:meta])* pub $field:ident : $kind:ty,)* })*) => {$(
        $(#[$meta])*
        #[derive(Debug, Clone, Default, PartialEq, serde::Deserialize, serde::Serialize)]
        #[serde(rename_all = "camelCase", default)]
        pub struct $name {
            $(
                $(#[$field_meta])*
                #[serde(deserialize_with = "crate::object::nullable", skip_serializing_if = "crate::object::is_default")]
                pub $field: $kind,
            )*
        }
    )*};
}
pub(crate) use api;
