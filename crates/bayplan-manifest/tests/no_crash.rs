//! No input, however odd, may crash or hang a reader.
#![allow(missing_docs)]

use bayplan_manifest::diagnostic::{RenderStyle, render_concise, render_full};
use bayplan_manifest::{Input, load_cluster, load_manifests};
use proptest::prelude::*;

fn read_every_way(bytes: &[u8]) {
    let (manifests, diagnostics) = load_manifests(vec![Input::bytes("m", bytes)]);
    for manifest in &manifests {
        let _ = manifest.locate("spec.template.spec.containers[0].resources.limits[nvidia.com/gpu]");
        let _ = manifest.locate("metadata.labels[a].b[7]..[");
    }
    let _ = render_full(&diagnostics, RenderStyle::Plain);
    let report = load_cluster(vec![Input::bytes("c", bytes)], 1, &mut |_| {});
    let _ = render_full(&report.diagnostics, RenderStyle::Colored);
    let _ = render_concise(&report.diagnostics);
}

/// Pieces that mean something to one of the readers.
const PIECES: &[&str] = &[
    "apiVersion: v1\n",
    "kind: Pod\n",
    "kind: List\n",
    "items:\n",
    "- ",
    "-",
    "\n",
    "\n  ",
    "\n    ",
    "metadata:\n",
    "  name: a\n",
    ": ",
    "---\n",
    "--- x\n",
    "...\n",
    "&a ",
    "*a",
    "<<: *a\n",
    "!!str ",
    "!!int ",
    "|\n",
    "|-2\n",
    ">\n",
    "'",
    "\"",
    "\\",
    "\\u12",
    "{",
    "}",
    "[",
    "]",
    ",",
    "#",
    "\t",
    "\r\n",
    "\u{feff}",
    "é",
    "\u{0}",
    "{\"apiVersion\": \"v1\", \"kind\": \"Node\"",
    "\"items\": [",
    "==== START logs",
    "==== END logs\n",
    "1e999",
    "0x",
    ".inf",
    "null",
    "yes",
    "%YAML 1.2\n",
    "? ",
    "spec:\n  containers:\n  - resources:\n      limits:\n        cpu: ",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn pieces_of_every_format(picks in prop::collection::vec(0..PIECES.len(), 0..40)) {
        let text: String = picks.iter().map(|&pick| PIECES[pick]).collect();
        read_every_way(text.as_bytes());
    }

    #[test]
    fn arbitrary_bytes(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        read_every_way(&bytes);
    }

    #[test]
    fn damaged_gzip(bytes in prop::collection::vec(any::<u8>(), 0..100)) {
        read_every_way(&[&[0x1f, 0x8b, 8, 0], bytes.as_slice()].concat());
    }
}
