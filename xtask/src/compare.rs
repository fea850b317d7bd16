//! Comparing answers of two schedulers. The formats are described in `conformance/README.md`.

use std::collections::{BTreeSet, HashMap};

use serde_json::{Map, Value, json};

use crate::tally::Tally;

/// Differences are shown up to this number.
const SHOWN: usize = 10;
/// Values in a shown difference are cut to so many bytes.
const SHOWN_BYTES: usize = 200;

/// Compares answers case by case and prints the first differences; `expected` decides which cases there are.
pub fn answers(expected: &[Value], got: &[Value]) -> Tally {
    let by_name: HashMap<&str, &Value> = got
        .iter()
        .filter_map(|answer| Some((answer["name"].as_str()?, answer)))
        .collect();
    tally(expected.iter().map(|wanted| {
        let name = wanted["name"].as_str().unwrap_or_default();
        let difference = match by_name.get(name) {
            None => Some("no answer".to_owned()),
            Some(answer) => difference_of_answers(wanted, answer),
        };
        difference.map(|difference| format!("{name}: {difference}"))
    }))
}

/// Compares a run of pods, one line each in the order of scheduling. It counts as one check.
pub fn sequence(expected: &[Value], got: &[Value]) -> Tally {
    let by_pod = pods(expected, got);
    println!("  {} pods the same, {} different", by_pod.passed, by_pod.failed);
    Tally::one(by_pod.failed == 0 && by_pod.passed > 0)
}

fn pods(expected: &[Value], got: &[Value]) -> Tally {
    let pairs = (0..expected.len().max(got.len())).map(|index| {
        let (wanted, found) = (expected.get(index), got.get(index));
        (wanted != found).then(|| {
            let text = |value: Option<&Value>| value.map_or("nothing".to_owned(), show);
            format!(
                "line {}: expected {}, got {}",
                index + 1,
                text(wanted),
                text(found)
            )
        })
    });
    tally(pairs)
}

fn tally(differences: impl Iterator<Item = Option<String>>) -> Tally {
    let mut sum = Tally::default();
    for difference in differences {
        if let Some(difference) = &difference
            && sum.failed < SHOWN
        {
            println!("  {difference}");
        }
        sum += Tally::one(difference.is_none());
    }
    sum
}

fn difference_of_answers(wanted: &Value, got: &Value) -> Option<String> {
    // Only whether a case is refused counts, for the texts of errors are not the scheduler's.
    let refused = |answer: &Value| !is_empty(&answer["error"]);
    if refused(wanted) != refused(got) {
        return Some(format!(
            "error: expected {}, got {}",
            show(&wanted["error"]),
            show(&got["error"])
        ));
    }
    let empty = Vec::new();
    let pods = |answer: &Value| -> Vec<Value> {
        answer["pods"]
            .as_array()
            .unwrap_or(&empty)
            .iter()
            .map(normalised)
            .collect()
    };
    let (wanted, got) = (pods(wanted), pods(got));
    if wanted.len() != got.len() {
        return Some(format!("expected {} pods, got {}", wanted.len(), got.len()));
    }
    wanted
        .iter()
        .zip(&got)
        .find_map(|(wanted, got)| first_difference(wanted, got, wanted["pod"].as_str().unwrap_or_default()))
}

/// A pod's answer with absent and empty made equal, and reasons sorted: those of extended resources come in the order of a
/// Go map, which is random.
fn normalised(pod: &Value) -> Value {
    let mut pod: Map<String, Value> = pod
        .as_object()
        .into_iter()
        .flatten()
        .filter(|(_, value)| !is_empty(value))
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect();
    for scores in members(pod.get_mut("scores")) {
        for kind in ["raw", "weighted"] {
            if is_empty(&scores[kind]) {
                scores[kind] = json!({});
            }
        }
    }
    for rejection in members(pod.get_mut("rejected")) {
        sort_reasons(rejection);
    }
    if let Some(rejection) = pod.get_mut("prefilter") {
        sort_reasons(rejection);
    }
    Value::Object(pod)
}

fn members(value: Option<&mut Value>) -> impl Iterator<Item = &mut Value> {
    value
        .and_then(Value::as_object_mut)
        .into_iter()
        .flat_map(|map| map.values_mut())
}

fn sort_reasons(rejection: &mut Value) {
    let mut reasons = rejection["reasons"].as_array().cloned().unwrap_or_default();
    reasons.sort_by_key(Value::to_string);
    rejection["reasons"] = reasons.into();
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(members) => members.is_empty(),
        Value::Bool(_) | Value::Number(_) => false,
    }
}

/// The first place where two values differ, by sorted keys.
fn first_difference(wanted: &Value, got: &Value, path: &str) -> Option<String> {
    if let (Value::Object(wanted), Value::Object(got)) = (wanted, got) {
        let keys: BTreeSet<&String> = wanted.keys().chain(got.keys()).collect();
        return keys
            .into_iter()
            .find_map(|key| match (wanted.get(key), got.get(key)) {
                (Some(wanted), Some(got)) => first_difference(wanted, got, &format!("{path}/{key}")),
                (Some(wanted), None) => Some(format!("{path}/{key}: expected {}, got nothing", show(wanted))),
                (None, got) => Some(format!(
                    "{path}/{key}: expected nothing, got {}",
                    got.map_or(String::new(), show)
                )),
            });
    }
    (wanted != got).then(|| format!("{path}: expected {}, got {}", show(wanted), show(got)))
}

fn show(value: &Value) -> String {
    let mut text = value.to_string();
    if text.len() > SHOWN_BYTES {
        let end = (0..=SHOWN_BYTES)
            .rev()
            .find(|&end| text.is_char_boundary(end))
            .unwrap_or(0);
        text.truncate(end);
        text.push('…');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(pod: Value) -> Vec<Value> {
        vec![json!({"name": "case", "pods": [pod]})]
    }

    #[track_caller]
    fn check(wanted: Value, got: Value, equal: bool) {
        assert_eq!(answers(&answer(wanted), &answer(got)), Tally::one(equal));
    }

    #[test]
    fn absent_is_empty() {
        check(
            json!({"pod": "a", "feasible": [], "message": "", "rejected": null}),
            json!({"pod": "a"}),
            true,
        );
        check(
            json!({"pod": "a", "scores": {"n": {"raw": {}, "total": 1}}}),
            json!({"pod": "a", "scores": {"n": {"weighted": null, "total": 1}}}),
            true,
        );
    }

    #[test]
    fn reasons_have_no_order_but_nodes_have() {
        let rejected =
            |reasons: Value| json!({"pod": "a", "rejected": {"n": {"plugin": "P", "reasons": reasons}}});
        check(rejected(json!(["x", "y"])), rejected(json!(["y", "x"])), true);
        check(rejected(json!(["x", "y"])), rejected(json!(["x"])), false);
        check(
            json!({"pod": "a", "feasible": ["m", "n"]}),
            json!({"pod": "a", "feasible": ["n", "m"]}),
            false,
        );
    }

    #[test]
    fn values_and_missing_members_differ() {
        check(
            json!({"pod": "a", "chosen": "m"}),
            json!({"pod": "a", "chosen": "n"}),
            false,
        );
        check(json!({"pod": "a", "chosen": "m"}), json!({"pod": "a"}), false);
        check(json!({"pod": "a"}), json!({"pod": "a", "chosen": "m"}), false);
        let total = |total: i64| json!({"pod": "a", "scores": {"n": {"total": total}}});
        check(total(1), total(2), false);
    }

    #[test]
    fn cases_are_refused_or_not_whatever_the_text() {
        let refused = |text: &str| vec![json!({"name": "case", "error": text})];
        assert_eq!(answers(&refused("one"), &refused("another")), Tally::one(true));
        assert_eq!(
            answers(&refused("one"), &answer(json!({"pod": "a"}))),
            Tally::one(false)
        );
        assert_eq!(
            answers(&answer(json!({"pod": "a"})), &refused("one")),
            Tally::one(false)
        );
        assert_eq!(answers(&refused("one"), &[]), Tally::one(false));
    }

    #[test]
    fn sequences_are_compared_line_by_line() {
        let (a, b) = (
            json!({"pod": "a", "node": "m"}),
            json!({"pod": "b", "message": "no"}),
        );
        assert_eq!(
            pods(&[a.clone(), b.clone()], &[a.clone(), b.clone()]),
            Tally { passed: 2, failed: 0 }
        );
        assert_eq!(
            pods(&[a.clone(), b.clone()], &[b.clone(), a.clone()]),
            Tally { passed: 0, failed: 2 }
        );
        assert_eq!(
            pods(&[a.clone(), b], std::slice::from_ref(&a)),
            Tally { passed: 1, failed: 1 }
        );
    }
}
