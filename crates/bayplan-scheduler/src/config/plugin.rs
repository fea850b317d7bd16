//! The plugins built into kube-scheduler and the extension points each of them serves.

use std::fmt;

/// A stage of the scheduling cycle at which plugins run.
///
/// Order and names are those of `getExtensionPoints` in `pkg/scheduler/framework/runtime/framework.go` (v1.37.2);
/// `MultiPoint` is not among them because it is only a way to write a configuration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ExtensionPoint {
    /// Once per cycle, before the nodes are looked at.
    PreFilter,
    /// Per node: may the pod run there.
    Filter,
    /// When no node passed.
    PostFilter,
    /// After a node was chosen.
    Reserve,
    /// Once per cycle, before the feasible nodes are scored.
    PreScore,
    /// Per feasible node: how good is it.
    Score,
    /// Before the binding.
    PreBind,
    /// The binding.
    Bind,
    /// After the binding.
    PostBind,
    /// May delay or refuse the binding.
    Permit,
    /// Before a pod enters the active queue.
    PreEnqueue,
    /// Order of the queue.
    QueueSort,
    /// Candidate placements of a pod group.
    PlacementGenerate,
    /// Score of a pod group's placement.
    PlacementScore,
    /// When a pod group found no place.
    PodGroupPostFilter,
}

impl ExtensionPoint {
    /// All points in the order in which the framework builds their lists.
    pub const ALL: [ExtensionPoint; 15] = [
        ExtensionPoint::PreFilter,
        ExtensionPoint::Filter,
        ExtensionPoint::PostFilter,
        ExtensionPoint::Reserve,
        ExtensionPoint::PreScore,
        ExtensionPoint::Score,
        ExtensionPoint::PreBind,
        ExtensionPoint::Bind,
        ExtensionPoint::PostBind,
        ExtensionPoint::Permit,
        ExtensionPoint::PreEnqueue,
        ExtensionPoint::QueueSort,
        ExtensionPoint::PlacementGenerate,
        ExtensionPoint::PlacementScore,
        ExtensionPoint::PodGroupPostFilter,
    ];

    /// Field name under `profiles[].plugins`.
    pub fn field(self) -> &'static str {
        match self {
            ExtensionPoint::PreFilter => "preFilter",
            ExtensionPoint::Filter => "filter",
            ExtensionPoint::PostFilter => "postFilter",
            ExtensionPoint::Reserve => "reserve",
            ExtensionPoint::PreScore => "preScore",
            ExtensionPoint::Score => "score",
            ExtensionPoint::PreBind => "preBind",
            ExtensionPoint::Bind => "bind",
            ExtensionPoint::PostBind => "postBind",
            ExtensionPoint::Permit => "permit",
            ExtensionPoint::PreEnqueue => "preEnqueue",
            ExtensionPoint::QueueSort => "queueSort",
            ExtensionPoint::PlacementGenerate => "placementGenerate",
            ExtensionPoint::PlacementScore => "placementScore",
            ExtensionPoint::PodGroupPostFilter => "podGroupPostFilter",
        }
    }

    /// Name of the Go interface, as start-up errors print it.
    pub fn interface(self) -> &'static str {
        match self {
            ExtensionPoint::PreFilter => "PreFilterPlugin",
            ExtensionPoint::Filter => "FilterPlugin",
            ExtensionPoint::PostFilter => "PostFilterPlugin",
            ExtensionPoint::Reserve => "ReservePlugin",
            ExtensionPoint::PreScore => "PreScorePlugin",
            ExtensionPoint::Score => "ScorePlugin",
            ExtensionPoint::PreBind => "PreBindPlugin",
            ExtensionPoint::Bind => "BindPlugin",
            ExtensionPoint::PostBind => "PostBindPlugin",
            ExtensionPoint::Permit => "PermitPlugin",
            ExtensionPoint::PreEnqueue => "PreEnqueuePlugin",
            ExtensionPoint::QueueSort => "QueueSortPlugin",
            ExtensionPoint::PlacementGenerate => "PlacementGeneratePlugin",
            ExtensionPoint::PlacementScore => "PlacementScorePlugin",
            ExtensionPoint::PodGroupPostFilter => "PodGroupPostFilterPlugin",
        }
    }
}

macro_rules! plugins {
    ($($(#[$meta:meta])* $name:ident: $($point:ident)*;)*) => {
        /// A plugin of the in-tree registry: `pkg/scheduler/framework/plugins/registry.go` (v1.37.2).
        ///
        /// The order of the variants is the order of the default list, with the plugins that are off by default last.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Plugin {
            $($(#[$meta])* $name,)*
        }

        impl Plugin {
            /// Every in-tree plugin.
            pub const ALL: &'static [Plugin] = &[$(Plugin::$name,)*];

            /// Name in configurations and messages.
            pub fn name(self) -> &'static str {
                match self {
                    $(Plugin::$name => stringify!($name),)*
                }
            }

            /// The plugin of that name; the comparison is exact.
            pub fn from_name(name: &str) -> Option<Plugin> {
                match name {
                    $(stringify!($name) => Some(Plugin::$name),)*
                    _ => None,
                }
            }

            /// True if the Go type of the plugin has the interface of the extension point.
            pub fn implements(self, point: ExtensionPoint) -> bool {
                match self {
                    $(Plugin::$name => {
                        let points: &[ExtensionPoint] = &[$(ExtensionPoint::$point,)*];
                        points.contains(&point)
                    })*
                }
            }
        }
    };
}

plugins! {
    /// Holds pods back while they have scheduling gates.
    SchedulingGates: PreEnqueue;
    /// Higher priority first, then the older one.
    PrioritySort: QueueSort;
    /// `spec.nodeName`, for pods that name their node.
    NodeName: PreFilter Filter;
    /// Cordoned nodes.
    NodeUnschedulable: PreFilter Filter;
    /// Taints and tolerations.
    TaintToleration: PreFilter Filter PreScore Score;
    /// Node selector and node affinity.
    NodeAffinity: PreFilter Filter PreScore Score;
    /// Host ports.
    NodePorts: PreFilter Filter;
    /// Free resources.
    NodeResourcesFit: PreFilter Filter PreScore Score PlacementScore;
    /// Volumes that only one pod or node may use.
    VolumeRestrictions: PreFilter Filter;
    /// Attach limits of CSI drivers.
    NodeVolumeLimits: PreFilter Filter;
    /// Claims and the volumes they are or can be bound to.
    VolumeBinding: PreFilter Filter PreScore Score Reserve PreBind;
    /// Zone labels of volumes.
    VolumeZone: PreFilter Filter;
    /// Even spreading over domains.
    PodTopologySpread: PreFilter Filter PreScore Score;
    /// Affinity between pods.
    InterPodAffinity: PreFilter Filter PreScore Score;
    /// Claims of dynamic resource allocation.
    DynamicResources: PreEnqueue PreFilter Filter PostFilter PodGroupPostFilter Score Reserve PreBind;
    /// Makes room by evicting pods of lower priority.
    DefaultPreemption: PreEnqueue PostFilter PodGroupPostFilter;
    /// Even use of several resources.
    NodeResourcesBalancedAllocation: PreScore Score;
    /// Images that are on the node already.
    ImageLocality: Score;
    /// Writes the binding.
    DefaultBinder: Bind;
    /// Features the node's kubelet declares.
    NodeDeclaredFeatures: PreFilter Filter;
    /// Waits for a whole pod group; without effect while the `GenericWorkload` gate is off.
    GangScheduling: PreEnqueue Permit;
    /// Placements of a pod group by topology; without effect while its gate is off.
    TopologyPlacementGenerator: PlacementGenerate;
    /// Prefers placements with more pods of the group; without effect while its gate is off.
    PodGroupPodsCount: PlacementScore;
    /// Waits for in-place resizes; without effect while its gate is off.
    DeferredPodScheduling: PreFilter Filter Permit;
}

impl fmt::Display for Plugin {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

/// The default MultiPoint list with its weights, 0 where none is written; feature gates as released.
///
/// `getDefaultPlugins` and `applyFeatureGates` in `pkg/scheduler/apis/config/v1/default_plugins.go` (v1.37.2).
pub const DEFAULT_PLUGINS: [(Plugin, i32); 20] = [
    (Plugin::SchedulingGates, 0),
    (Plugin::PrioritySort, 0),
    (Plugin::NodeName, 0),
    (Plugin::NodeUnschedulable, 0),
    (Plugin::TaintToleration, 3),
    (Plugin::NodeAffinity, 2),
    (Plugin::NodePorts, 0),
    (Plugin::NodeResourcesFit, 1),
    (Plugin::VolumeRestrictions, 0),
    (Plugin::NodeVolumeLimits, 0),
    (Plugin::VolumeBinding, 0),
    (Plugin::VolumeZone, 0),
    (Plugin::PodTopologySpread, 2),
    (Plugin::InterPodAffinity, 2),
    (Plugin::DynamicResources, 2),
    (Plugin::DefaultPreemption, 0),
    (Plugin::NodeResourcesBalancedAllocation, 1),
    (Plugin::ImageLocality, 1),
    (Plugin::DefaultBinder, 0),
    (Plugin::NodeDeclaredFeatures, 0),
];
