//! Label selectors as kubectl's `-l` takes them (`k8s.io/apimachinery/pkg/labels/selector.go:Parse`, v0.37.2).

use bayplan_model::selector::{Operator, Requirement, Selector};

/// Reads a selector; an empty one selects everything.
pub fn parse(text: &str) -> Result<Selector, String> {
    let mut requirements = Vec::new();
    for part in split(text) {
        requirements.push(requirement(part.trim())?);
    }
    Ok(Selector::All(requirements))
}

/// Cuts at commas outside of parentheses.
fn split(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut depth, mut start) = (0_usize, 0);
    for (index, character) in text.char_indices() {
        match character {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                parts.push(&text[start..index]);
                start = index + 1;
            }
            _ => {}
        }
    }
    if !text.trim().is_empty() {
        parts.push(&text[start..]);
    }
    parts
}

fn requirement(part: &str) -> Result<Requirement, String> {
    let new = |key: &str, operator, values: Vec<String>| {
        Requirement::new(key.trim(), operator, values).map_err(|error| error.0)
    };
    let one = |value: &str| vec![value.trim().to_owned()];
    if let Some(list) = part.strip_suffix(')')
        && let Some((head, values)) = list.split_once('(')
    {
        let values = values.split(',').map(|value| value.trim().to_owned()).collect();
        let (key, word) = head.trim().rsplit_once(char::is_whitespace).unwrap_or((head, ""));
        return match word {
            "in" => new(key, Operator::In, values),
            "notin" => new(key, Operator::NotIn, values),
            _ => Err("expected `key in (values)` or `key notin (values)`".to_owned()),
        };
    }
    if let Some((key, value)) = part.split_once("!=") {
        return new(key, Operator::NotIn, one(value));
    }
    if let Some((key, value)) = part.split_once("==").or_else(|| part.split_once('=')) {
        return new(key, Operator::In, one(value));
    }
    if let Some((key, value)) = part.split_once('>') {
        return new(key, Operator::Gt, one(value));
    }
    if let Some((key, value)) = part.split_once('<') {
        return new(key, Operator::Lt, one(value));
    }
    match part.strip_prefix('!') {
        Some(key) => new(key, Operator::DoesNotExist, Vec::new()),
        None => new(part, Operator::Exists, Vec::new()),
    }
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn reads_all_of_kubectls_forms() {
        let labels = [("app", "gateway"), ("tier", "b"), ("size", "7")]
            .into_iter()
            .map(|(key, value)| (key.to_owned(), value.to_owned()))
            .collect();
        for (text, matches) in [
            ("", true),
            ("app=gateway", true),
            ("app==gateway, tier in (a, b)", true),
            ("app!=gateway", false),
            ("tier notin (b)", false),
            ("other notin (b)", true),
            ("app,!canary", true),
            ("canary", false),
            ("size>6,size<8", true),
        ] {
            assert_eq!(
                parse(text).map(|selector| selector.matches(&labels)),
                Ok(matches),
                "{text}"
            );
        }
    }

    #[test]
    fn refuses_what_kubectl_refuses() {
        for text in ["a b (c)", "-x=1", "app in ()x", "size>many", "a=b=c d"] {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
