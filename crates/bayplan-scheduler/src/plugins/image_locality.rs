//! ImageLocality (`pkg/scheduler/framework/plugins/imagelocality/image_locality.go`, v1.37.2).

use crate::catalog::Spec;
use crate::nodes::Nodes;

const MIB: i64 = 1024 * 1024;
/// `minThreshold`.
const LEAST_BYTES: i64 = 23 * MIB;
/// `maxContainerThreshold`, for each image.
const MOST_BYTES: i64 = 1000 * MIB;

/// Scores of all nodes, 0-100; `None` when no node has any of the images, so that all score 0.
///
/// The number of nodes that have an image is taken from the whole snapshot; a live scheduler may hold an older
/// number for nodes that did not change.
pub fn scores(nodes: &Nodes, spec: &Spec) -> Option<Vec<u8>> {
    let mut sums: Option<Vec<i64>> = None;
    for name in &spec.images.names {
        let Some(image) = nodes.images.get(name) else {
            continue;
        };
        let spread = image.nodes.len() as f64 / nodes.len() as f64;
        let scaled = (image.size_bytes as f64 * spread) as i64;
        let sums = sums.get_or_insert_with(|| vec![0; nodes.len()]);
        for node in &image.nodes {
            sums[node.index()] = sums[node.index()].wrapping_add(scaled);
        }
    }
    let most = MOST_BYTES * spec.images.names.len() as i64;
    sums.map(|sums| {
        sums.into_iter()
            .map(|sum| (100 * (sum.clamp(LEAST_BYTES, most) - LEAST_BYTES) / (most - LEAST_BYTES)) as u8)
            .collect()
    })
}
