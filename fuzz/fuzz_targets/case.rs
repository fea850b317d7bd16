//! Any objects under any scheduler configuration, from JSON to placement.
#![no_main]

use bayplan_fuzz::{case, mutate};
use libfuzzer_sys::{fuzz_crossover, fuzz_mutator, fuzz_target, fuzzer_mutate};
use serde_json::Value;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(value) = serde_json::from_slice::<Value>(bytes) {
        case::run(&value);
    }
});

/// Writes a changed case; `None` when it has grown too large.
fn write(case: &Value, room: &mut [u8]) -> Option<usize> {
    let text = serde_json::to_vec(case).ok()?;
    room.get_mut(..text.len())?.copy_from_slice(&text);
    Some(text.len())
}

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    let mut random = fastrand::Rng::with_seed(u64::from(seed));
    if let Ok(mut case) = serde_json::from_slice::<Value>(&data[..size])
        && random.u8(..16) > 0
    {
        mutate::mutate(&mut case, &mut random);
        if let Some(size) = write(&case, &mut data[..max_size]) {
            return size;
        }
    }
    fuzzer_mutate(data, size, max_size)
});

fuzz_crossover!(|first: &[u8], second: &[u8], out: &mut [u8], seed: u32| {
    let mut random = fastrand::Rng::with_seed(u64::from(seed));
    let (Ok(mut case), Ok(other)) = (
        serde_json::from_slice::<Value>(first),
        serde_json::from_slice::<Value>(second),
    ) else {
        return 0;
    };
    mutate::cross(&mut case, &other, &mut random);
    write(&case, out).unwrap_or(0)
});
