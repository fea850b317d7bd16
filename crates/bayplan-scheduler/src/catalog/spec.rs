//! A pod's specification as the plugins read it.

use std::collections::BTreeMap;

use bayplan_model::Quantity;
use bayplan_model::object::{Pod, Toleration};
use smallvec::SmallVec;

use crate::catalog::Catalog;
use crate::catalog::affinity::PodTerms;
use crate::catalog::node_term::{
    NameRestriction, PreferredNodes, RequiredNodes, intern_node_selector, intern_preferred, name_restriction,
};
use crate::catalog::spread::SpreadConstraint;
use crate::ids::ResourceId;
use crate::requests::{PodAmounts, is_sidecar};
use crate::symbol::Symbol;

/// Names of the kubelet features that a pod can need, by bit of [`Spec::features`]
/// (`k8s.io/component-helpers/nodedeclaredfeatures/features`).
pub const FEATURES: [&str; 3] = [
    "RestartAllContainersOnContainerExits",
    "UserNamespacesHostNetworkSupport",
    "VolumeBindMountOptions",
];

/// Amounts of all resources.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Amounts {
    /// Thousandths of a cpu.
    pub milli_cpu: i64,
    /// Bytes.
    pub memory: i64,
    /// Bytes.
    pub ephemeral_storage: i64,
    /// Everything else, sorted by number.
    pub scalars: SmallVec<[(ResourceId, i64); 1]>,
}

impl Amounts {
    fn of(catalog: &mut Catalog, amounts: &BTreeMap<String, Quantity>) -> Amounts {
        let mut result = Amounts::default();
        for (name, amount) in amounts {
            match name.as_str() {
                "cpu" => result.milli_cpu = amount.milli_value(),
                "memory" => result.memory = amount.value(),
                "ephemeral-storage" => result.ephemeral_storage = amount.value(),
                name if is_scalar(name) => result.scalars.push((catalog.resource_id(name), amount.value())),
                _ => {}
            }
        }
        result.scalars.sort_unstable();
        result
    }

    /// The amount of a scalar resource.
    pub fn scalar(&self, resource: ResourceId) -> i64 {
        self.scalars
            .iter()
            .find(|(id, _)| *id == resource)
            .map_or(0, |(_, amount)| *amount)
    }
}

/// True for resources that the scheduler keeps by name (`pkg/scheduler/util/utils.go:IsScalarResourceName`).
pub fn is_scalar(name: &str) -> bool {
    name.starts_with("hugepages-")
        || name.starts_with("attachable-volumes-")
        || (name.contains('/') && !name.starts_with("requests."))
}

/// A toleration on interned strings.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct TolerationMatch {
    /// Taint key; `None` matches all.
    pub key: Option<Symbol>,
    /// Taint value; `None` matches all.
    pub value: Option<Symbol>,
    /// Taint effect; `None` matches all.
    pub effect: Option<Symbol>,
}

/// A port on the node.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct HostPort {
    /// Address; the wildcard is `0.0.0.0`.
    pub ip: Symbol,
    /// Protocol.
    pub protocol: Symbol,
    /// Number.
    pub port: i32,
    /// The address is the wildcard.
    pub any_ip: bool,
}

/// Images of a pod.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct ImageUse {
    /// Names, normalised, one for each use.
    pub names: SmallVec<[Symbol; 2]>,
}

/// Everything about a pod that the plugins read, but its identity.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Spec {
    /// Profile.
    pub scheduler_name: Symbol,
    /// Priority; absent counts as 0.
    pub priority: i32,
    /// `preemptionPolicy: Never`.
    pub never_preempts: bool,
    /// What the fit filter asks for.
    pub requests: Amounts,
    /// What the pod holds once it runs, and what the balance score adds.
    pub held: Amounts,
    /// Cpu in millicores and memory in bytes that the pod holds in allocation scores.
    pub non_zero: (i64, i64),
    /// What the fit score adds for the incoming pod.
    pub scored: Amounts,
    /// Tolerations.
    pub tolerations: Vec<TolerationMatch>,
    /// Required nodes.
    pub required_nodes: RequiredNodes,
    /// Restriction by node name.
    pub name_restriction: NameRestriction,
    /// Preferred nodes; `None` without any term.
    pub preferred_nodes: Option<PreferredNodes>,
    /// Inter-pod terms.
    pub terms: PodTerms,
    /// Own spread constraints, or why they do not parse.
    pub spread: Result<Vec<SpreadConstraint>, String>,
    /// Ports on the node.
    pub ports: Vec<HostPort>,
    /// Images.
    pub images: ImageUse,
    /// Needed kubelet features, bits in the order of [`FEATURES`].
    pub features: u8,
    /// Scheduling gates.
    pub gates: Vec<Symbol>,
    /// Has volumes that volume plugins look at; such pods are not alike.
    pub has_volumes: bool,
    /// Uses dynamic resource allocation, which is not modelled.
    pub has_resource_claims: bool,
    /// Belongs to a pod group, which is scheduled alone with default gates.
    pub has_group: bool,
}

impl Spec {
    /// Reads the specification of a pod.
    pub fn of(catalog: &mut Catalog, pod: &Pod, has_volumes: bool) -> Spec {
        let spec = &pod.spec;
        let namespace = catalog.interner.intern(&pod.metadata.namespace);
        let amounts = PodAmounts::of(pod);
        let node_affinity = spec
            .affinity
            .as_ref()
            .and_then(|affinity| affinity.node_affinity.as_ref());
        let required = node_affinity.and_then(|affinity| {
            affinity
                .required_during_scheduling_ignored_during_execution
                .as_ref()
        });
        let required_nodes = RequiredNodes {
            selector: spec.node_selector.as_ref().map(|labels| {
                labels
                    .iter()
                    .map(|(key, value)| (catalog.interner.intern(key), catalog.interner.intern(value)))
                    .collect()
            }),
            terms: required.map(|selector| intern_node_selector(&mut catalog.interner, selector)),
        };
        let scheduler_name = if spec.scheduler_name.is_empty() {
            "default-scheduler"
        } else {
            spec.scheduler_name.as_str()
        };
        Spec {
            scheduler_name: catalog.interner.intern(scheduler_name),
            priority: spec.priority.unwrap_or(0),
            never_preempts: spec.preemption_policy.as_deref() == Some("Never"),
            requests: Amounts::of(catalog, &amounts.requests),
            held: Amounts::of(catalog, &amounts.held),
            non_zero: amounts.non_zero,
            scored: Amounts::of(catalog, &amounts.scored),
            tolerations: spec
                .tolerations
                .iter()
                .filter_map(|toleration| intern(catalog, toleration))
                .collect(),
            name_restriction: required
                .map(|selector| name_restriction(&mut catalog.interner, selector))
                .unwrap_or_default(),
            preferred_nodes: node_affinity
                .filter(|affinity| {
                    !affinity
                        .preferred_during_scheduling_ignored_during_execution
                        .is_empty()
                })
                .map(|affinity| intern_preferred(&mut catalog.interner, affinity)),
            required_nodes,
            terms: PodTerms::of(catalog, namespace, pod),
            spread: spec
                .topology_spread_constraints
                .iter()
                .map(|constraint| SpreadConstraint::of(catalog, namespace, &pod.metadata.labels, constraint))
                .collect::<Result<_, _>>()
                .map_err(|error| error.to_string()),
            ports: host_ports(catalog, pod),
            images: images(catalog, pod),
            features: needed_features(pod),
            gates: spec
                .scheduling_gates
                .iter()
                .map(|gate| catalog.interner.intern(&gate.name))
                .collect(),
            has_volumes,
            has_resource_claims: !spec.resource_claims.is_empty(),
            has_group: spec.scheduling_group.is_some(),
        }
    }
}

/// Interns a toleration; one with an operator that never matches is dropped.
fn intern(catalog: &mut Catalog, toleration: &Toleration) -> Option<TolerationMatch> {
    let mut optional = |text: &str| (!text.is_empty()).then(|| catalog.interner.intern(text));
    let (key, effect) = (optional(&toleration.key), optional(&toleration.effect));
    let value = match toleration.operator.as_str() {
        "" | "Equal" => Some(catalog.interner.intern(&toleration.value)),
        "Exists" => None,
        _ => return None,
    };
    Some(TolerationMatch { key, value, effect })
}

/// Host ports of containers and sidecars (`pkg/scheduler/util/utils.go:GetHostPorts`).
fn host_ports(catalog: &mut Catalog, pod: &Pod) -> Vec<HostPort> {
    let mut ports = Vec::new();
    let sidecars = pod
        .spec
        .init_containers
        .iter()
        .filter(|container| is_sidecar(container));
    for port in pod
        .spec
        .containers
        .iter()
        .chain(sidecars)
        .flat_map(|container| &container.ports)
    {
        if port.host_port <= 0 {
            continue;
        }
        let ip = if port.host_ip.is_empty() {
            "0.0.0.0"
        } else {
            port.host_ip.as_str()
        };
        let protocol = if port.protocol.is_empty() {
            "TCP"
        } else {
            port.protocol.as_str()
        };
        ports.push(HostPort {
            ip: catalog.interner.intern(ip),
            protocol: catalog.interner.intern(protocol),
            port: port.host_port,
            any_ip: ip == "0.0.0.0",
        });
    }
    ports
}

/// Images with `:latest` where no tag is given (`imagelocality/image_locality.go:normalizedImageName`).
fn images(catalog: &mut Catalog, pod: &Pod) -> ImageUse {
    let containers = pod
        .spec
        .init_containers
        .iter()
        .chain(&pod.spec.containers)
        .map(|container| &container.image);
    let volumes = pod
        .spec
        .volumes
        .iter()
        .filter_map(|volume| volume.image.as_ref().map(|image| &image.reference));
    ImageUse {
        names: containers
            .chain(volumes)
            .map(|image| {
                let tagged =
                    image.rfind(':').map_or(-1, |at| at as i64) > image.rfind('/').map_or(-1, |at| at as i64);
                if tagged {
                    catalog.interner.intern(image)
                } else {
                    catalog.interner.intern(&format!("{image}:latest"))
                }
            })
            .collect(),
    }
}

fn needed_features(pod: &Pod) -> u8 {
    let containers = || pod.spec.init_containers.iter().chain(&pod.spec.containers);
    let restarts_all = containers().any(|container| {
        container
            .restart_policy_rules
            .iter()
            .any(|rule| rule.action == "RestartAllContainers")
    });
    let host_network_users = pod.spec.host_network && pod.spec.host_users == Some(false);
    let bind_options = containers().any(|container| {
        container
            .volume_mounts
            .iter()
            .any(|mount| !mount.bind_mount_options.is_empty())
    });
    u8::from(restarts_all) | (u8::from(host_network_users) << 1) | (u8::from(bind_options) << 2)
}
