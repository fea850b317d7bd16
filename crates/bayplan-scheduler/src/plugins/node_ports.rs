//! NodePorts (`pkg/scheduler/framework/plugins/nodeports/node_ports.go`, v1.37.2).

use crate::catalog::Spec;
use crate::config::Plugin;
use crate::ids::NodeId;
use crate::state::State;
use crate::status::Rejection;

/// Rejects a node on which a wanted host port is taken: same protocol and number, and equal addresses or one wildcard.
pub fn filter(state: &State, spec: &Spec, node: NodeId) -> Option<Rejection> {
    if spec.ports.is_empty() {
        return None;
    }
    let used = state.ports.get(&node)?;
    let conflict = spec.ports.iter().any(|wanted| {
        used.iter().any(|port| {
            port.port == wanted.port
                && port.protocol == wanted.protocol
                && (port.ip == wanted.ip || port.any_ip || wanted.any_ip)
        })
    });
    conflict.then(|| {
        Rejection::resolvable(
            Plugin::NodePorts,
            "node(s) didn't have free ports for the requested pod ports",
        )
    })
}
