//! Filters that depend on nothing but the node object: NodeUnschedulable, TaintToleration, NodeAffinity,
//! NodeDeclaredFeatures (`pkg/scheduler/framework/plugins/{nodeunschedulable,tainttoleration,nodeaffinity,nodedeclaredfeatures}`, v1.37.2).
//!
//! Their verdicts never change while pods come and go, so a class of pods keeps them as one byte a node.

use crate::catalog::{NodeTermMatch, Spec, TolerationMatch};
use crate::config::Plugin;
use crate::ids::NodeId;
use crate::nodes::{Effect, NodeTaint, Nodes};
use crate::plugins::node_texts::NodeTexts;
use crate::status::Rejection;
use crate::symbol::Symbol;

/// Verdicts on a node, one bit a reason.
pub type Verdict = u8;

const UNSCHEDULABLE: Verdict = 1;
const TAINTED: Verdict = 2;
const NOT_ENFORCED: Verdict = 4;
const NOT_AFFINE: Verdict = 8;
const LACKS_FEATURES: Verdict = 16;

/// Required affinity that the profile adds to every pod, and the taint key of cordoned nodes.
#[derive(Debug, Clone, Default)]
pub struct Fixed {
    /// Alternatives of `addedAffinity`; `None` when there is none.
    pub added_required: Option<Vec<NodeTermMatch>>,
    /// Weighted terms of `addedAffinity`; `None` when it has none, not even ones without content.
    pub added_preferred: Option<Vec<(i64, NodeTermMatch)>>,
    /// `node.kubernetes.io/unschedulable`, `NoSchedule` and the empty value.
    pub cordon: Option<(Symbol, Symbol, Symbol)>,
}

/// True when `toleration` tolerates `taint`.
pub fn tolerates(toleration: &TolerationMatch, taint: &NodeTaint) -> bool {
    toleration.effect.is_none_or(|effect| effect == taint.effect)
        && toleration.key.is_none_or(|key| key == taint.key)
        && toleration.value.is_none_or(|value| value == taint.value)
}

/// True when a taint of the node keeps the pod away.
pub fn is_tainted(spec: &Spec, taints: &[NodeTaint]) -> bool {
    taints.iter().any(|taint| {
        matches!(taint.kind, Effect::NoSchedule | Effect::NoExecute)
            && !spec
                .tolerations
                .iter()
                .any(|toleration| tolerates(toleration, taint))
    })
}

/// Judges one node.
pub fn verdict(texts: NodeTexts<'_>, fixed: &Fixed, spec: &Spec, node: NodeId) -> Verdict {
    let (nodes, interner) = (texts.nodes, &texts.catalog.interner);
    let at = node.index();
    let mut verdict = 0;
    if nodes.unschedulable[at] && !tolerates_cordon(fixed, spec) {
        verdict |= UNSCHEDULABLE;
    }
    if is_tainted(spec, &nodes.taints[at]) {
        verdict |= TAINTED;
    }
    let name = nodes.names[at];
    let labels = &nodes.labels[at];
    if fixed
        .added_required
        .as_ref()
        .is_some_and(|terms| !terms.iter().any(|term| term.matches(interner, name, labels)))
    {
        verdict |= NOT_ENFORCED;
    }
    if !spec.required_nodes.matches(interner, name, labels) {
        verdict |= NOT_AFFINE;
    }
    if spec.features & !nodes.features[at] != 0 {
        verdict |= LACKS_FEATURES;
    }
    verdict
}

fn tolerates_cordon(fixed: &Fixed, spec: &Spec) -> bool {
    fixed.cordon.is_some_and(|(key, effect, value)| {
        let taint = NodeTaint {
            key,
            value,
            effect,
            kind: Effect::NoSchedule,
        };
        spec.tolerations
            .iter()
            .any(|toleration| tolerates(toleration, &taint))
    })
}

/// What a plugin says, given the verdict.
pub fn filter(plugin: Plugin, verdict: Verdict) -> Option<Rejection> {
    let reason = match plugin {
        Plugin::NodeUnschedulable if verdict & UNSCHEDULABLE != 0 => "node(s) were unschedulable",
        Plugin::TaintToleration if verdict & TAINTED != 0 => "node(s) had untolerated taint(s)",
        Plugin::NodeAffinity if verdict & NOT_ENFORCED != 0 => {
            "node(s) didn't match scheduler-enforced node affinity"
        }
        Plugin::NodeAffinity if verdict & NOT_AFFINE != 0 => {
            "node(s) didn't match Pod's node affinity/selector"
        }
        Plugin::NodeDeclaredFeatures if verdict & LACKS_FEATURES != 0 => {
            "node(s) didn't match Pod's required features"
        }
        _ => return None,
    };
    Some(Rejection::unresolvable(plugin, reason))
}

/// The bits that concern a plugin.
pub fn bits(plugin: Plugin) -> Verdict {
    match plugin {
        Plugin::NodeUnschedulable => UNSCHEDULABLE,
        Plugin::TaintToleration => TAINTED,
        Plugin::NodeAffinity => NOT_ENFORCED | NOT_AFFINE,
        Plugin::NodeDeclaredFeatures => LACKS_FEATURES,
        _ => 0,
    }
}

/// Raw score of TaintToleration: `PreferNoSchedule` taints that the pod does not tolerate.
pub fn taint_score(nodes: &Nodes, spec: &Spec, prefer_no_schedule: Option<Symbol>, node: NodeId) -> i64 {
    let tolerated = |taint: &NodeTaint| {
        spec.tolerations
            .iter()
            .filter(|toleration| toleration.effect.is_none() || toleration.effect == prefer_no_schedule)
            .any(|toleration| tolerates(toleration, taint))
    };
    let taints = nodes.taints[node.index()].iter();
    taints
        .filter(|taint| taint.kind == Effect::PreferNoSchedule && !tolerated(taint))
        .count() as i64
}

/// Raw score of NodeAffinity: the weights of all preferred terms that match.
pub fn affinity_score(texts: NodeTexts<'_>, fixed: &Fixed, spec: &Spec, node: NodeId) -> i64 {
    let at = node.index();
    let own = spec
        .preferred_nodes
        .as_ref()
        .and_then(|terms| terms.as_ref().ok());
    let terms = fixed
        .added_preferred
        .iter()
        .flatten()
        .chain(own.into_iter().flatten());
    terms
        .filter(|(_, term)| {
            term.matches(
                &texts.catalog.interner,
                texts.nodes.names[at],
                &texts.nodes.labels[at],
            )
        })
        .map(|(weight, _)| *weight)
        .sum()
}
