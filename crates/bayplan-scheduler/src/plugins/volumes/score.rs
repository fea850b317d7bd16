//! Score of VolumeBinding (`pkg/scheduler/framework/plugins/volumebinding/scorer.go`, v1.37.2).

use bayplan_model::Quantity;

use super::binding::PodBindings;
use super::state::VolumeState;
use crate::config::ShapePoint;
use crate::plugins::node_resources_fit::along_shape;

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
    along_shape(shape, utilization)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_follow_the_curve_of_their_utilization() {
        let shape =
            [(10, 1), (40, 10), (70, 3)].map(|(utilization, score)| ShapePoint { utilization, score });
        for (requested_bytes, capacity_bytes, expected) in [
            (5, 100, 10),
            (11, 100, 13),
            (41, 100, 98),
            (2, 3, 40),
            (71, 100, 30),
            (101, 100, 30),
            (0, 0, 30),
        ] {
            let class = ClassUse {
                class: "",
                requested_bytes,
                capacity_bytes,
            };
            assert_eq!(
                class_score(&class, &shape),
                expected,
                "{requested_bytes} of {capacity_bytes}"
            );
        }
    }
}
