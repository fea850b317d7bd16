//! Taints and tolerations (`k8s.io/component-helpers/scheduling/corev1/helpers.go`, v0.37.2).

use crate::object::{Taint, Toleration};

/// True when `toleration` tolerates `taint`.
///
/// The numeric operators `Lt` and `Gt` never match: their feature gate is off in 1.37.
pub fn tolerates(toleration: &Toleration, taint: &Taint) -> bool {
    if !toleration.effect.is_empty() && toleration.effect != taint.effect {
        return false;
    }
    if !toleration.key.is_empty() && toleration.key != taint.key {
        return false;
    }
    match toleration.operator.as_str() {
        "" | "Equal" => toleration.value == taint.value,
        "Exists" => true,
        _ => false,
    }
}

/// True when the taint keeps pods away (`NoSchedule` or `NoExecute`) and none of `tolerations` tolerates it.
pub fn blocks(taint: &Taint, tolerations: &[Toleration]) -> bool {
    matches!(taint.effect.as_str(), "NoSchedule" | "NoExecute")
        && !tolerations.iter().any(|toleration| tolerates(toleration, taint))
}
