//! Changing cases as JSON trees, so that nearly every input is a case again.

use serde_json::{Number, Value};

/// Texts that mean something to some field.
const TEXTS: &[&str] = &[
    "",
    "0",
    "1",
    "-1",
    "1n",
    "100m",
    "16Gi",
    "9223372036854775807",
    "-9223372036854775808",
    "9223372036854775808",
    "8Ei",
    "-8Ei",
    "9223372036854775807m",
    "1e30",
    "In",
    "NotIn",
    "Exists",
    "DoesNotExist",
    "Gt",
    "Lt",
    "Equal",
    "NoSchedule",
    "PreferNoSchedule",
    "NoExecute",
    "DoNotSchedule",
    "ScheduleAnyway",
    "Honor",
    "Ignore",
    "Never",
    "Always",
    "kubernetes.io/hostname",
    "topology.kubernetes.io/zone",
    "metadata.name",
    "cpu",
    "memory",
    "nvidia.com/gpu",
    "default-scheduler",
    "WaitForFirstConsumer",
    "Immediate",
    "*",
    "MostAllocated",
    "LeastAllocated",
    "RequestedToCapacityRatio",
    "2026-01-01T00:00:00Z",
    "-009999-01-02T01:59:59Z",
];

const INTEGERS: &[i64] = &[
    0,
    1,
    -1,
    2,
    10,
    100,
    101,
    i32::MAX as i64,
    i32::MIN as i64,
    i64::MAX,
    i64::MIN,
    1 << 32,
    1_000_000_000,
];

/// Changes a case in a few places.
pub fn mutate(case: &mut Value, random: &mut fastrand::Rng) {
    for _ in 0..random.usize(1..=4) {
        let texts = texts(case);
        let count = count(case);
        let at = random.usize(..count);
        let donor = nth(case, random.usize(..count)).cloned();
        let sibling = key_of(case, at)
            .map(|key| all_of(case, &key))
            .filter(|all| !all.is_empty())
            .map(|all| all[random.usize(..all.len())].clone());
        let Some(place) = nth_mut(case, &mut { at }) else {
            continue;
        };
        change(place, random, &texts, donor, sibling);
    }
}

/// Takes a part of one case over into another, at a field of the same name.
pub fn cross(case: &mut Value, other: &Value, random: &mut fastrand::Rng) {
    for _ in 0..8 {
        let at = random.usize(..count(case));
        let Some(key) = key_of(case, at) else { continue };
        let all = all_of(other, &key);
        if !all.is_empty()
            && let Some(place) = nth_mut(case, &mut { at })
        {
            *place = all[random.usize(..all.len())].clone();
            return;
        }
    }
}

fn change(
    place: &mut Value,
    random: &mut fastrand::Rng,
    texts: &[String],
    donor: Option<Value>,
    sibling: Option<Value>,
) {
    match (random.u8(..12), &mut *place) {
        (0, _) => *place = Value::Null,
        (1, _) => *place = donor.unwrap_or_default(),
        (2 | 3, _) if sibling.is_some() => *place = sibling.unwrap_or_default(),
        (4..=7, Value::Array(items)) if !items.is_empty() => {
            let index = random.usize(..items.len());
            match random.u8(..3) {
                0 => drop(items.remove(index)),
                1 => items.swap(0, index),
                _ => {
                    let item = items[index].clone();
                    items.insert(random.usize(..=items.len()), item);
                }
            }
        }
        (4..=7, Value::Object(fields)) if !fields.is_empty() => {
            let index = random.usize(..fields.len());
            let key = fields.keys().nth(index).cloned().unwrap_or_default();
            let value = fields.remove(&key).unwrap_or_default();
            if random.bool() {
                fields.insert(text(random, texts), value);
            }
        }
        (_, Value::Number(number)) => *number = integer(number, random),
        (_, Value::String(old)) => *old = text(random, texts),
        (_, Value::Bool(flag)) => *flag = !*flag,
        (_, Value::Null) if random.bool() => *place = Value::from(INTEGERS[random.usize(..INTEGERS.len())]),
        (_, Value::Null) => *place = Value::String(text(random, texts)),
        (_, Value::Array(_) | Value::Object(_)) => {}
    }
}

fn text(random: &mut fastrand::Rng, texts: &[String]) -> String {
    if texts.is_empty() || random.bool() {
        TEXTS[random.usize(..TEXTS.len())].to_owned()
    } else {
        texts[random.usize(..texts.len())].clone()
    }
}

fn integer(old: &Number, random: &mut fastrand::Rng) -> Number {
    let old = old.as_i64().unwrap_or(0);
    Number::from(match random.u8(..3) {
        0 => old.wrapping_add(random.i64(-2..=2)),
        1 => random.i64(0..=120),
        _ => INTEGERS[random.usize(..INTEGERS.len())],
    })
}

fn children(value: &Value) -> Box<dyn Iterator<Item = (Option<&str>, &Value)> + '_> {
    match value {
        Value::Array(items) => Box::new(items.iter().map(|item| (None, item))),
        Value::Object(fields) => Box::new(fields.iter().map(|(key, item)| (Some(key.as_str()), item))),
        _ => Box::new(std::iter::empty()),
    }
}

fn count(value: &Value) -> usize {
    1 + children(value).map(|(_, child)| count(child)).sum::<usize>()
}

fn nth(value: &Value, mut at: usize) -> Option<&Value> {
    if at == 0 {
        return Some(value);
    }
    at -= 1;
    for (_, child) in children(value) {
        let size = count(child);
        if at < size {
            return nth(child, at);
        }
        at -= size;
    }
    None
}

fn nth_mut<'a>(value: &'a mut Value, at: &mut usize) -> Option<&'a mut Value> {
    if *at == 0 {
        return Some(value);
    }
    *at -= 1;
    match value {
        Value::Array(items) => nth_among(items.iter_mut(), at),
        Value::Object(fields) => nth_among(fields.values_mut(), at),
        _ => None,
    }
}

fn nth_among<'a>(all: impl Iterator<Item = &'a mut Value>, at: &mut usize) -> Option<&'a mut Value> {
    for child in all {
        let size = count(child);
        if *at < size {
            return nth_mut(child, at);
        }
        *at -= size;
    }
    None
}

/// Name of the field at a position.
fn key_of(value: &Value, mut at: usize) -> Option<String> {
    if at == 0 {
        return None;
    }
    at -= 1;
    for (key, child) in children(value) {
        if at == 0 {
            return key.map(str::to_owned);
        }
        let size = count(child);
        if at < size {
            return key_of(child, at);
        }
        at -= size;
    }
    None
}

/// All values of fields of one name.
fn all_of<'a>(value: &'a Value, key: &str) -> Vec<&'a Value> {
    let mut found = Vec::new();
    for (name, child) in children(value) {
        if name == Some(key) {
            found.push(child);
        }
        found.extend(all_of(child, key));
    }
    found
}

fn texts(value: &Value) -> Vec<String> {
    match value {
        Value::String(text) => vec![text.clone()],
        _ => children(value).flat_map(|(_, child)| texts(child)).collect(),
    }
}
