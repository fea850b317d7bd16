//! Dense numbers for the things the engine handles.

macro_rules! ids {
    ($($(#[$meta:meta])* $name:ident;)*) => {$(
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub u32);

        impl $name {
            /// The number as an index.
            pub const fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

ids! {
    /// A node, by its place in the scheduler's node list.
    NodeId;
    /// A pod, in order of arrival.
    PodId;
    /// A distinct pod specification.
    SpecId;
    /// A distinct pair of namespace and labels.
    LabelSetId;
    /// A distinct way to select pods.
    MatcherId;
    /// A node label whose values are domains, or the nodes themselves.
    DomainId;
    /// A set of nodes over which pods are counted.
    MaskId;
    /// A table of counts by domain.
    TableId;
    /// A resource other than cpu, memory and ephemeral storage.
    ResourceId;
}

/// Stands for "no domain" in a column of domain numbers.
pub const NONE: u32 = u32::MAX;
