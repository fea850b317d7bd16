//! Score of VolumeBinding (`pkg/scheduler/framework/plugins/volumebinding/scorer.go`, v1.37.2).

use bayplan_model::Quantity;

use super::binding::PodBindings;
use super::state::VolumeState;
use crate::config::ShapePoint;

/// Scores in configurations go to 10, those of nodes to 100.
const SCORE_FACTOR: i64 = 10;
const MAX_UTILIZATION: i64 = 100;

/// Requested and available bytes of a class.
struct ClassUse<'a> {
    class: &'a str,
    requested_bytes: i64,
    capacity_bytes: i64,
}

impl ClassUse<'_> {
    fn request(&mut self, size: Quantity) {
        self.requested_bytes = self.requested_bytes.wrapping_add(size.value());
    }
}

/// The mean over the classes of the curve's value at their utilisation. Existing volumes alone count if there are
/// any, else the capacities that new volumes come from.
pub(super) fn score(state: &VolumeState, bindings: &PodBindings, shape: &[ShapePoint]) -> i64 {
    let mut classes: Vec<ClassUse<'_>> = Vec::new();
    for (claim, volume) in &bindings.matches {
        let volume = &state.storage.volumes[*volume as usize];
        let class = entry(&mut classes, &volume.score_class);
        class.request(state.storage.claim(*claim).requested_size());
        class.capacity_bytes = class.capacity_bytes.wrapping_add(volume.capacity.value());
    }
    if bindings.matches.is_empty() {
        for (claim, capacity) in &bindings.provisions {
            let Some(capacity) = capacity else { continue };
            let claim = state.storage.claim(*claim);
            let class = entry(&mut classes, &claim.score_class);
            class.request(claim.requested_size());
            class.capacity_bytes = state.storage.capacities[*capacity as usize].free_bytes;
        }
    }
    if classes.is_empty() {
        return 0;
    }
    let total: i64 = classes.iter().map(|class| class_score(class, shape)).sum();
    (total as f64 / classes.len() as f64).round() as i64
}

fn entry<'a, 'b>(classes: &'b mut Vec<ClassUse<'a>>, class: &'a str) -> &'b mut ClassUse<'a> {
    let index = classes
        .iter()
        .position(|used| used.class == class)
        .unwrap_or_else(|| {
            classes.push(ClassUse {
                class,
                requested_bytes: 0,
                capacity_bytes: 0,
            });
            classes.len() - 1
        });
    &mut classes[index]
}

fn class_score(class: &ClassUse<'_>, shape: &[ShapePoint]) -> i64 {
    let (requested, capacity) = (class.requested_bytes, class.capacity_bytes);
    let utilization = if capacity == 0 || requested > capacity {
        MAX_UTILIZATION
    } else {
        requested.wrapping_mul(MAX_UTILIZATION).wrapping_div(capacity)
    };
    broken_linear(shape, utilization)
}

/// The value, 0 to 100, of a curve of straight segments; constant before the first and after the last point.
///
/// `BuildBrokenLinearFunction` (`pkg/scheduler/framework/plugins/helper/shape_score.go`, v1.37.2). An empty curve
/// is 0.
pub fn broken_linear(shape: &[ShapePoint], utilization: i64) -> i64 {
    let value = |point: &ShapePoint| point.score * SCORE_FACTOR;
    let Some(index) = shape.iter().position(|point| utilization <= point.utilization) else {
        return shape.last().map_or(0, value);
    };
    let right = &shape[index];
    let Some(left) = index.checked_sub(1).map(|index| &shape[index]) else {
        return value(right);
    };
    let rise = value(right) - value(left);
    value(left) + rise * (utilization - left.utilization) / (right.utilization - left.utilization)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_truncate_toward_zero() {
        let shape = |points: &[(i64, i64)]| -> Vec<ShapePoint> {
            points
                .iter()
                .map(|&(utilization, score)| ShapePoint { utilization, score })
                .collect()
        };
        let falling = shape(&[(0, 10), (100, 0)]);
        let bent = shape(&[(10, 1), (40, 10), (70, 3)]);
        for (shape, utilization, expected) in [
            (&falling, 0, 100),
            (&falling, 33, 67),
            (&falling, 100, 0),
            (&falling, 101, 0),
            (&bent, 5, 10),
            (&bent, 11, 13),
            (&bent, 41, 98),
            (&bent, 69, 33),
            (&bent, 71, 30),
        ] {
            assert_eq!(
                broken_linear(shape, utilization),
                expected,
                "{shape:?} at {utilization}"
            );
        }
    }
}
