//! Any bytes behind a bracket: a cluster's state in JSON, and the same text as manifests.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if !matches!(bytes.trim_ascii_start().first(), Some(b'{' | b'[' | b'=')) {
        return;
    }
    bayplan_fuzz::read::as_cluster(bytes);
    bayplan_fuzz::read::as_manifests(bytes);
});
