//! Names and ids of objects that a cluster would give at random, made from what they belong to instead, so that the
//! same input always gives the same output.

use bayplan_model::object::{ObjectMeta, ObjectRef, OwnerReference};
use serde::Serialize;

/// Letters of generated endings (`k8s.io/apimachinery/pkg/util/rand/rand.go`, v0.37.2).
const ALPHABET: &[u8; 27] = b"bcdfghjklmnpqrstvwxz2456789";
/// Letters of an ending.
const ENDING_LENGTH: u32 = 5;
/// Longest part before the ending, in bytes (`MaxGeneratedNameLength`).
pub(crate) const GENERATED_PREFIX_LENGTH_MAX: usize = 63 - ENDING_LENGTH as usize;
/// Number of different endings, 27^5.
const ENDINGS: u64 = 27_u64.pow(ENDING_LENGTH);
/// Step from one ending to the next: no multiple of 3, so that all endings are used before one comes back.
const ENDING_STEP: u64 = 5_464_519;

/// FNV-1a, 64 bits.
fn fnv64(bytes: impl IntoIterator<Item = u8>) -> u64 {
    bytes.into_iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// FNV-1a, 32 bits (Go: `fnv.New32a`).
fn fnv32a(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0x811c_9dc5, |hash, byte| {
        (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193)
    })
}

/// The name that object number `index` with this prefix gets; different for different numbers.
pub(crate) fn generated_name(prefix: &str, index: u64) -> String {
    let mut end = prefix.len().min(GENERATED_PREFIX_LENGTH_MAX);
    while !prefix.is_char_boundary(end) {
        end -= 1;
    }
    let mut name = prefix[..end].to_owned();
    let start = fnv64(prefix.bytes()) % ENDINGS;
    let mut ending = (start + (index % ENDINGS) * ENDING_STEP) % ENDINGS;
    for _ in 0..ENDING_LENGTH {
        name.push(char::from(ALPHABET[(ending % 27) as usize]));
        ending /= 27;
    }
    name
}

/// A uid made from the names of an object.
pub(crate) fn synthetic_uid(object: &ObjectRef) -> String {
    let text = object.to_string();
    let high = fnv64(text.bytes());
    let low = fnv64(text.bytes().rev());
    format!(
        "{:08x}-{:04x}-4{:03x}-8{:03x}-{:012x}",
        high >> 32,
        (high >> 16) & 0xffff,
        high & 0xfff,
        (low >> 48) & 0xfff,
        low & 0xffff_ffff_ffff
    )
}

/// Stands in for `controller.ComputeHash` (`pkg/controller/controller_utils.go`, v1.37.2): the same hash function and
/// letters, but over the JSON of what the model keeps of the template instead of Go's dump of all of it. So it tells
/// revisions apart and looks right, but it is not the value that a cluster would show.
pub(crate) fn template_hash(template: &impl Serialize) -> String {
    let json = serde_json::to_vec(template).unwrap_or_default();
    fnv32a(&json)
        .to_string()
        .bytes()
        .map(|digit| char::from(ALPHABET[usize::from(digit) % ALPHABET.len()]))
        .collect()
}

/// The reference of a controller to what it makes.
pub(crate) fn controller_reference(api_version: &str, kind: &str, owner: &ObjectMeta) -> OwnerReference {
    OwnerReference {
        api_version: api_version.to_owned(),
        kind: kind.to_owned(),
        name: owner.name.clone(),
        uid: owner.uid.clone(),
        controller: true,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn generated_names_repeat_for_the_same_number_only() {
        let names: BTreeSet<String> = (0..100_000).map(|index| generated_name("web-", index)).collect();
        assert_eq!(names.len(), 100_000);
        assert_eq!(generated_name("web-", 7), generated_name("web-", 7));
        assert_eq!(generated_name(&"a".repeat(100), 0).len(), 63);
    }

    #[test]
    fn fnv32a_is_that_of_go() {
        // fnv.New32a over "hello".
        assert_eq!(fnv32a(b"hello"), 0x4f9f_2cab);
    }

    #[test]
    fn uids_look_like_uids_and_differ() {
        let of = |name: &str| {
            synthetic_uid(&ObjectRef {
                namespace: "default".into(),
                kind: "Job".into(),
                name: name.into(),
            })
        };
        assert_ne!(of("a"), of("b"));
        assert_eq!(of("a").len(), 36);
        assert_eq!(of("a").as_bytes()[14], b'4');
    }
}
