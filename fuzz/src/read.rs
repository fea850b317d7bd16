//! Reading bytes in every way the product does.

use std::io::Write;

use bayplan_manifest::diagnostic::{RenderStyle, render_concise, render_full};
use bayplan_manifest::{Input, LoadReport, load_cluster, load_manifests};

/// Reads bytes as what a user wants to apply, and shows what was found.
pub fn as_manifests(bytes: &[u8]) {
    let (manifests, diagnostics) = load_manifests(vec![Input::bytes("manifest", bytes)]);
    for manifest in &manifests {
        let _ = manifest.locate("spec.template.spec.containers[0].resources.limits[nvidia.com/gpu]");
        let _ = manifest.locate("metadata.labels[a].b[7]..[");
    }
    let _ = render_full(&diagnostics, RenderStyle::Plain);
    let _ = render_concise(&diagnostics);
}

/// Reads bytes as a cluster's state, and shows what was found.
pub fn as_cluster(bytes: &[u8]) -> LoadReport {
    let report = load_cluster(vec![Input::bytes("cluster", bytes)], 1, &mut |_| {});
    let _ = render_full(&report.diagnostics, RenderStyle::Colored);
    report
}

/// Packed bytes must be read like the plain ones, and packed bytes that break off must be told.
///
/// # Panics
/// When they are not.
pub fn as_gzip(bytes: &[u8], plain: &LoadReport) {
    if bytes.starts_with(&[0x1f, 0x8b]) {
        return; // Packed twice is not unpacked twice.
    }
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).expect("writing to memory");
    let packed = encoder.finish().expect("writing to memory");
    let report = as_cluster(&packed);
    assert_eq!(report.counts, plain.counts, "objects of packed and plain input");
    assert_eq!(
        report.diagnostics.len(),
        plain.diagnostics.len(),
        "diagnostics of packed and plain input"
    );
    let broken = as_cluster(&packed[..packed.len() - 5]);
    assert!(broken.has_errors(), "a broken file without a word");
}
