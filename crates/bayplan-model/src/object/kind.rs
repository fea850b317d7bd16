//! Which struct holds which kind.

use serde::Deserialize;

use crate::object::*;

/// Declares the enum of all kinds, its dispatch by group and kind, and access to the metadata.
macro_rules! kinds {
    ($($(#[$meta:meta])* $variant:ident = $group:literal $version:literal $resource:literal namespaced $namespaced:literal;)*) => {
        /// An object of a kind that scheduling reads.
        #[derive(Debug, Clone, PartialEq)]
        #[allow(clippy::large_enum_variant)]
        pub enum Object {
            $($(#[$meta])* $variant($variant),)*
        }

        impl Object {
            /// Kinds that are read, as (group, preferred version, kind, plural resource name, namespaced).
            pub const KINDS: &'static [(&'static str, &'static str, &'static str, &'static str, bool)] =
                &[$(($group, $version, stringify!($variant), $resource, $namespaced),)*];

            /// Decodes `value` as the kind that `api_version` and `kind` name; any version of a known group is read.
            ///
            /// # Errors
            /// [`UnknownKind`] inside `Ok(Err(..))` when scheduling does not read the kind; the decoder's own
            /// error when the content does not fit.
            pub fn decode<'de, D: serde::Deserializer<'de>>(
                api_version: &str,
                kind: &str,
                value: D,
            ) -> Result<Result<Object, UnknownKind>, D::Error> {
                let group = api_version.rsplit_once('/').map_or("", |(group, _)| group);
                match (group, kind) {
                    $(($group, stringify!($variant)) => $variant::deserialize(value).map(|object| Ok(Object::$variant(object))),)*
                    _ => Ok(Err(UnknownKind { api_version: api_version.to_owned(), kind: kind.to_owned() })),
                }
            }

            /// Metadata of the object.
            pub fn metadata(&self) -> &ObjectMeta {
                match self {
                    $(Object::$variant(object) => &object.metadata,)*
                }
            }

            /// Metadata of the object, to be changed.
            pub fn metadata_mut(&mut self) -> &mut ObjectMeta {
                match self {
                    $(Object::$variant(object) => &mut object.metadata,)*
                }
            }

            /// Kind of the object.
            pub fn kind(&self) -> &'static str {
                match self {
                    $(Object::$variant(_) => stringify!($variant),)*
                }
            }

            /// Group and version that the object is written with.
            pub fn api_version(&self) -> String {
                let (group, version) = match self {
                    $(Object::$variant(_) => ($group, $version),)*
                };
                if group.is_empty() { version.to_owned() } else { format!("{group}/{version}") }
            }

            /// True when the kind lives in a namespace.
            pub fn is_namespaced(&self) -> bool {
                match self {
                    $(Object::$variant(_) => $namespaced,)*
                }
            }
        }

        $(impl From<$variant> for Object {
            fn from(object: $variant) -> Object {
                Object::$variant(object)
            }
        })*
    };
}

kinds! {
    /// Node.
    Node = "" "v1" "nodes" namespaced false;
    /// Pod.
    Pod = "" "v1" "pods" namespaced true;
    /// Namespace.
    Namespace = "" "v1" "namespaces" namespaced false;
    /// Service.
    Service = "" "v1" "services" namespaced true;
    /// ReplicationController.
    ReplicationController = "" "v1" "replicationcontrollers" namespaced true;
    /// LimitRange.
    LimitRange = "" "v1" "limitranges" namespaced true;
    /// PersistentVolume.
    PersistentVolume = "" "v1" "persistentvolumes" namespaced false;
    /// PersistentVolumeClaim.
    PersistentVolumeClaim = "" "v1" "persistentvolumeclaims" namespaced true;
    /// Deployment.
    Deployment = "apps" "v1" "deployments" namespaced true;
    /// ReplicaSet.
    ReplicaSet = "apps" "v1" "replicasets" namespaced true;
    /// StatefulSet.
    StatefulSet = "apps" "v1" "statefulsets" namespaced true;
    /// DaemonSet.
    DaemonSet = "apps" "v1" "daemonsets" namespaced true;
    /// Job.
    Job = "batch" "v1" "jobs" namespaced true;
    /// CronJob.
    CronJob = "batch" "v1" "cronjobs" namespaced true;
    /// PodDisruptionBudget.
    PodDisruptionBudget = "policy" "v1" "poddisruptionbudgets" namespaced true;
    /// PriorityClass.
    PriorityClass = "scheduling.k8s.io" "v1" "priorityclasses" namespaced false;
    /// RuntimeClass.
    RuntimeClass = "node.k8s.io" "v1" "runtimeclasses" namespaced false;
    /// StorageClass.
    StorageClass = "storage.k8s.io" "v1" "storageclasses" namespaced false;
    /// CSINode.
    CSINode = "storage.k8s.io" "v1" "csinodes" namespaced false;
    /// CSIDriver.
    CSIDriver = "storage.k8s.io" "v1" "csidrivers" namespaced false;
    /// CSIStorageCapacity.
    CSIStorageCapacity = "storage.k8s.io" "v1" "csistoragecapacities" namespaced true;
    /// VolumeAttachment.
    VolumeAttachment = "storage.k8s.io" "v1" "volumeattachments" namespaced false;
    /// LeaderWorkerSet.
    LeaderWorkerSet = "leaderworkerset.x-k8s.io" "v1" "leaderworkersets" namespaced true;
}

/// A kind that scheduling does not read.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct UnknownKind {
    /// Group and version.
    pub api_version: String,
    /// Kind.
    pub kind: String,
}

/// Names an object: `namespace/Kind/name`, or `Kind/name` for cluster-scoped kinds.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct ObjectRef {
    /// Namespace, empty for cluster-scoped kinds.
    pub namespace: String,
    /// Kind.
    pub kind: String,
    /// Name.
    pub name: String,
}

impl std::fmt::Display for ObjectRef {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.namespace.is_empty() {
            write!(f, "{}/{}", self.kind, self.name)
        } else {
            write!(f, "{}/{}/{}", self.namespace, self.kind, self.name)
        }
    }
}

impl Object {
    /// The name of this object.
    pub fn reference(&self) -> ObjectRef {
        let metadata = self.metadata();
        ObjectRef {
            namespace: if self.is_namespaced() {
                metadata.namespace.clone()
            } else {
                String::new()
            },
            kind: self.kind().to_owned(),
            name: metadata.name.clone(),
        }
    }
}
