//! Any bytes as manifests and as a cluster's state, plain and packed.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    bayplan_fuzz::read::as_manifests(bytes);
    let report = bayplan_fuzz::read::as_cluster(bytes);
    if bytes.len() % 8 == 0 {
        bayplan_fuzz::read::as_gzip(bytes, &report);
    }
});
