//! What a field that does not exist was probably meant to be.

use crate::schema::{Fields, Schema};

/// How far below the current struct a misplaced field is looked for.
const DEEPEST_SEARCH: usize = 3;

/// A field of the same struct that differs by case or by a slip of the finger.
pub(super) fn near_miss(key: &str, fields: &Fields) -> Option<String> {
    let same_letters = fields.keys().find(|field| field.eq_ignore_ascii_case(key));
    let best = same_letters.or_else(|| {
        let allowed = (key.len() / 4).clamp(1, 3);
        let near = fields.keys().map(|field| (distance(key, field), field));
        near.filter(|&(distance, _)| distance <= allowed)
            .min()
            .map(|(_, field)| field)
    })?;
    let note = if same_letters.is_some() {
        " Names are case-sensitive."
    } else {
        ""
    };
    Some(format!("did you mean \"{best}\"?{note}"))
}

/// Another level of the same object that has a field of this name: below first, then above.
///
/// `above` lists the enclosing structs from the nearest outwards, with their paths.
pub(super) fn other_level<'a>(
    schema: &Schema,
    key: &str,
    here: &str,
    fields: &Fields,
    above: impl Iterator<Item = (&'a str, &'a Fields)>,
) -> Option<String> {
    if let Some(below) = search_below(schema, key, fields) {
        let dot = if here.is_empty() { "" } else { "." };
        return Some(format!("it belongs further down: {here}{dot}{below}"));
    }
    for (path, fields) in above {
        if fields.contains_key(key) {
            let dot = if path.is_empty() { "" } else { "." };
            return Some(format!(
                "it belongs further up, at {path}{dot}{key}: check the indentation"
            ));
        }
    }
    None
}

/// Breadth first, so that the nearest place is found; names are sorted, so that the answer is always the same.
fn search_below(schema: &Schema, key: &str, fields: &Fields) -> Option<String> {
    let mut level: Vec<(String, &Fields)> = vec![(String::new(), fields)];
    for _ in 0..DEEPEST_SEARCH {
        let mut next = Vec::new();
        for (path, fields) in level {
            for (name, kind) in fields {
                // Status is what the cluster reports; nobody means to write into it.
                let Some(inner) = kind.inner_struct().filter(|_| &**name != "status") else {
                    continue;
                };
                let Some(inner_fields) = schema.fields(inner) else {
                    continue;
                };
                let list = if matches!(kind, crate::schema::FieldType::List(_)) {
                    "[]"
                } else {
                    ""
                };
                let path = format!("{path}{name}{list}.");
                if inner_fields.contains_key(key) {
                    return Some(format!("{path}{key}"));
                }
                next.push((path, inner_fields));
            }
        }
        level = next;
    }
    None
}

/// Edits (insert, delete, replace, swap of neighbours) between two names, ignoring case.
fn distance(left: &str, right: &str) -> usize {
    let left: Vec<char> = left.to_lowercase().chars().collect();
    let right: Vec<char> = right.to_lowercase().chars().collect();
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=right.len()).collect();
    for (row, &a) in left.iter().enumerate() {
        let mut current = vec![row + 1];
        for (column, &b) in right.iter().enumerate() {
            let mut best = (last[column + 1] + 1)
                .min(current[column] + 1)
                .min(last[column] + usize::from(a != b));
            if row > 0 && column > 0 && a == right[column - 1] && left[row - 1] == b {
                best = best.min(before[column - 1] + 1);
            }
            current.push(best);
        }
        before = std::mem::replace(&mut last, current);
    }
    last[right.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_recognised() {
        let schema = Schema::v1_37();
        let spec = schema.fields("DeploymentSpec").expect("table");
        assert_eq!(
            near_miss("replcias", spec).as_deref(),
            Some("did you mean \"replicas\"?")
        );
        assert_eq!(
            near_miss("Replicas", spec).as_deref(),
            Some("did you mean \"replicas\"? Names are case-sensitive.")
        );
        assert_eq!(near_miss("color", spec), None);
    }

    #[test]
    fn misplaced_fields_are_found_below_and_above() {
        let schema = Schema::v1_37();
        let deployment = schema.fields("DeploymentSpec").expect("table");
        let pod = schema.fields("PodSpec").expect("table");
        assert_eq!(
            other_level(&schema, "nodeSelector", "spec", deployment, std::iter::empty()).as_deref(),
            Some("it belongs further down: spec.template.spec.nodeSelector")
        );
        assert_eq!(
            other_level(
                &schema,
                "replicas",
                "spec.template.spec",
                pod,
                [("spec", deployment)].into_iter()
            )
            .as_deref(),
            Some("it belongs further up, at spec.replicas: check the indentation")
        );
    }
}
