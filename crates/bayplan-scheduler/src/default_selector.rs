//! The selector of default spreading (`pkg/scheduler/framework/plugins/helper/spread.go:DefaultSelector`, v1.37.2).

use std::collections::BTreeMap;

use smallvec::SmallVec;

use crate::catalog::{Catalog, ControllerKind};
use crate::ids::LabelSetId;
use crate::matcher::{LabelMatch, LabelRequirement};
use crate::symbol::{Symbol, lookup};
use bayplan_model::selector::Operator;

/// Merges the selectors of all services that select the pod and of its controller.
///
/// The labels of services are merged into one set; the requirements of a ReplicaSet or StatefulSet are added. A
/// ReplicationController's labels are merged like a service's.
pub fn default_selector(
    catalog: &Catalog,
    labels: LabelSetId,
    controller: Option<(ControllerKind, Symbol)>,
) -> LabelMatch {
    let pod = catalog.label_set(labels);
    let mut merged: BTreeMap<Symbol, Symbol> = BTreeMap::new();
    for service in catalog.services.get(&pod.namespace).into_iter().flatten() {
        if service
            .iter()
            .all(|(key, value)| lookup(&pod.labels, *key) == Some(*value))
        {
            merged.extend(service.iter().copied());
        }
    }
    let mut requirements: Vec<LabelRequirement> = merged
        .into_iter()
        .map(|(key, value)| LabelRequirement {
            key,
            operator: Operator::In,
            values: SmallVec::from_slice(&[value]),
        })
        .collect();
    if let Some((kind, name)) = controller {
        match catalog.controllers.get(&(kind, pod.namespace, name)) {
            // Labels of a replication controller replace those of services with the same key.
            Some(LabelMatch::All(own)) if kind == ControllerKind::ReplicationController => {
                requirements.retain(|requirement| own.iter().all(|other| other.key != requirement.key));
                requirements.extend(own.iter().cloned());
            }
            Some(LabelMatch::All(own)) => requirements.extend(own.iter().cloned()),
            Some(LabelMatch::Nothing) | None => {}
        }
    }
    requirements.sort_by(|a, b| (a.key, a.operator, &a.values).cmp(&(b.key, b.operator, &b.values)));
    requirements.dedup();
    LabelMatch::All(requirements)
}
