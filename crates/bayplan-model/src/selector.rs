//! Label selectors and node selectors, checked and ready to match
//! (`k8s.io/apimachinery/pkg/labels/selector.go`, `k8s.io/component-helpers/scheduling/corev1/nodeaffinity`, v0.37.2).

use crate::names::{label_value_errors, qualified_name_errors};
use crate::object::{LabelSelector, Labels, NodeSelector, NodeSelectorRequirement, NodeSelectorTerm};

/// How a requirement compares.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Operator {
    /// The key is there with one of the values.
    In,
    /// The key is missing or has none of the values.
    NotIn,
    /// The key is there.
    Exists,
    /// The key is missing.
    DoesNotExist,
    /// The value is an integer above the requirement's.
    Gt,
    /// The value is an integer below the requirement's.
    Lt,
}

/// One condition on a label.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Requirement {
    /// Label key.
    pub key: String,
    /// Comparison.
    pub operator: Operator,
    /// Values, in the order given.
    pub values: Vec<String>,
}

/// Why a selector is not valid; the text is the API machinery's.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct SelectorError(pub String);

impl Requirement {
    /// Checks and builds a requirement as `labels.NewRequirement` does.
    ///
    /// # Errors
    /// The aggregated faults: key, number of values, value texts, integers for `Gt` and `Lt`.
    pub fn new(key: &str, operator: Operator, values: Vec<String>) -> Result<Requirement, SelectorError> {
        let mut errors = Vec::new();
        let key_errors = qualified_name_errors(key);
        if !key_errors.is_empty() {
            errors.push(format!("key: Invalid value: {key:?}: {}", key_errors.join("; ")));
        }
        match operator {
            Operator::In | Operator::NotIn if values.is_empty() => {
                errors.push(
                    "values: Invalid value: null: for 'in', 'notin' operators, values set can't be empty"
                        .to_owned(),
                );
            }
            Operator::Exists | Operator::DoesNotExist if !values.is_empty() => {
                errors.push(format!(
                    "values: Invalid value: {}: values set must be empty for exists and does not exist",
                    json_list(&values)
                ));
            }
            Operator::Gt | Operator::Lt => {
                if values.len() != 1 {
                    errors.push(format!(
                        "values: Invalid value: {}: for 'Gt', 'Lt' operators, exactly one value is required",
                        json_list(&values)
                    ));
                }
                for (index, value) in values.iter().enumerate() {
                    if parse_integer(value).is_none() {
                        errors.push(format!(
                            "values[{index}]: Invalid value: {value:?}: for 'Gt', 'Lt' operators, the value must be an integer"
                        ));
                    }
                }
            }
            _ => {}
        }
        for (index, value) in values.iter().enumerate() {
            let value_errors = label_value_errors(value);
            if !value_errors.is_empty() {
                errors.push(format!(
                    "values[{index}][{key}]: Invalid value: {value:?}: {}",
                    value_errors.join("; ")
                ));
            }
        }
        match errors.as_slice() {
            [] => Ok(Requirement {
                key: key.to_owned(),
                operator,
                values,
            }),
            [one] => Err(SelectorError(one.clone())),
            several => Err(SelectorError(format!("[{}]", several.join(", ")))),
        }
    }

    /// True when a label with this value (or its absence) meets the requirement.
    pub fn matches(&self, value: Option<&str>) -> bool {
        let among = |text: &str| self.values.iter().any(|candidate| candidate == text);
        match self.operator {
            Operator::In => value.is_some_and(among),
            Operator::NotIn => !value.is_some_and(among),
            Operator::Exists => value.is_some(),
            Operator::DoesNotExist => value.is_none(),
            Operator::Gt => self.compares(value, |label, limit| label > limit),
            Operator::Lt => self.compares(value, |label, limit| label < limit),
        }
    }

    fn compares(&self, value: Option<&str>, compare: impl Fn(i64, i64) -> bool) -> bool {
        let (Some(label), [limit]) = (value.and_then(parse_integer), self.values.as_slice()) else {
            return false;
        };
        parse_integer(limit).is_some_and(|limit| compare(label, limit))
    }
}

fn json_list(values: &[String]) -> String {
    if values.is_empty() {
        return "null".to_owned();
    }
    format!(
        "[{}]",
        values
            .iter()
            .map(|value| format!("{value:?}"))
            .collect::<Vec<_>>()
            .join(",")
    )
}

/// A base-10 integer of 64 bits as Go's `strconv.ParseInt` reads it: an optional sign, digits, nothing else.
pub fn parse_integer(text: &str) -> Option<i64> {
    text.parse().ok()
}

/// A label selector: all requirements must hold.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Selector {
    /// Made from no selector at all: matches nothing.
    Nothing,
    /// The conjunction; an empty one matches everything.
    All(Vec<Requirement>),
}

impl Selector {
    /// Checks and builds a selector as `metav1.LabelSelectorAsSelector` does.
    ///
    /// # Errors
    /// The first faulty requirement, or an unknown operator.
    pub fn from_label_selector(selector: Option<&LabelSelector>) -> Result<Selector, SelectorError> {
        let Some(selector) = selector else {
            return Ok(Selector::Nothing);
        };
        let mut requirements = Vec::new();
        for (key, value) in &selector.match_labels {
            requirements.push(Requirement::new(key, Operator::In, vec![value.clone()])?);
        }
        for expression in &selector.match_expressions {
            let operator = match expression.operator.as_str() {
                "In" => Operator::In,
                "NotIn" => Operator::NotIn,
                "Exists" => Operator::Exists,
                "DoesNotExist" => Operator::DoesNotExist,
                other => {
                    return Err(SelectorError(format!(
                        "{other:?} is not a valid label selector operator"
                    )));
                }
            };
            requirements.push(Requirement::new(
                &expression.key,
                operator,
                expression.values.clone(),
            )?);
        }
        Ok(Selector::All(requirements))
    }

    /// A selector from exact labels, unchecked; no labels match everything.
    pub fn from_labels(labels: &Labels) -> Selector {
        Selector::All(labels.iter().map(|(key, value)| exact(key, value)).collect())
    }

    /// Requires `key` to have `value` as well; a selector that matches nothing stays so.
    #[must_use]
    pub fn and_exact(self, key: &str, value: &str) -> Selector {
        match self {
            Selector::Nothing => Selector::Nothing,
            Selector::All(mut requirements) => {
                requirements.push(exact(key, value));
                Selector::All(requirements)
            }
        }
    }

    /// True when there is no requirement and so everything matches (`labels.Selector.Empty`).
    pub fn is_empty(&self) -> bool {
        matches!(self, Selector::All(requirements) if requirements.is_empty())
    }

    /// True when the labels match.
    pub fn matches(&self, labels: &Labels) -> bool {
        match self {
            Selector::Nothing => false,
            Selector::All(requirements) => requirements
                .iter()
                .all(|requirement| requirement.matches(labels.get(&requirement.key).map(String::as_str))),
        }
    }
}

fn exact(key: &str, value: &str) -> Requirement {
    Requirement {
        key: key.to_owned(),
        operator: Operator::In,
        values: vec![value.to_owned()],
    }
}

/// A parsed node selector term, or why it can never match.
pub type ParsedTerm = Result<NodeTerm, SelectorError>;

/// Requirements on a node's labels and name.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct NodeTerm {
    /// On labels.
    pub labels: Vec<Requirement>,
    /// On the field `metadata.name` (or, for an unknown field, on an empty value).
    pub fields: Vec<Requirement>,
}

impl NodeTerm {
    /// Checks and builds a term.
    ///
    /// # Errors
    /// Unknown operators, faulty requirements, fields with other than exactly one value.
    pub fn new(term: &NodeSelectorTerm) -> ParsedTerm {
        let mut errors = Vec::new();
        let mut parsed = NodeTerm::default();
        for (index, requirement) in term.match_expressions.iter().enumerate() {
            match label_requirement(requirement) {
                Ok(requirement) => parsed.labels.push(requirement),
                Err(SelectorError(text)) => errors.push(format!("matchExpressions[{index}].{text}")),
            }
        }
        for (index, requirement) in term.match_fields.iter().enumerate() {
            match field_requirement(requirement) {
                Ok(requirement) => parsed.fields.push(requirement),
                Err(SelectorError(text)) => errors.push(format!("matchFields[{index}].{text}")),
            }
        }
        match errors.as_slice() {
            [] => Ok(parsed),
            [one] => Err(SelectorError(one.clone())),
            several => Err(SelectorError(format!("[{}]", several.join(", ")))),
        }
    }

    /// True when a node with this name and these labels matches.
    pub fn matches<'a>(&self, name: &str, label: impl Fn(&str) -> Option<&'a str>) -> bool {
        self.labels
            .iter()
            .all(|requirement| requirement.matches(label(&requirement.key)))
            && (name.is_empty()
                || self.fields.iter().all(|requirement| {
                    requirement.matches(Some(if requirement.key == "metadata.name" {
                        name
                    } else {
                        ""
                    }))
                }))
    }
}

fn label_requirement(requirement: &NodeSelectorRequirement) -> Result<Requirement, SelectorError> {
    let operator = match requirement.operator.as_str() {
        "In" => Operator::In,
        "NotIn" => Operator::NotIn,
        "Exists" => Operator::Exists,
        "DoesNotExist" => Operator::DoesNotExist,
        "Gt" => Operator::Gt,
        "Lt" => Operator::Lt,
        other => {
            return Err(SelectorError(format!(
                "operator: Unsupported value: {other:?}: supported values: \"DoesNotExist\", \"Exists\", \"Gt\", \"In\", \"Lt\", \"NotIn\""
            )));
        }
    };
    Requirement::new(&requirement.key, operator, requirement.values.clone())
}

fn field_requirement(requirement: &NodeSelectorRequirement) -> Result<Requirement, SelectorError> {
    let operator = match requirement.operator.as_str() {
        "In" => Operator::In,
        "NotIn" => Operator::NotIn,
        other => {
            return Err(SelectorError(format!(
                "operator: Unsupported value: {other:?}: supported values: \"In\", \"NotIn\""
            )));
        }
    };
    if requirement.values.len() != 1 {
        return Err(SelectorError(format!(
            "values: Invalid value: {}: must have one element",
            json_list(&requirement.values)
        )));
    }
    Ok(Requirement {
        key: requirement.key.clone(),
        operator,
        values: requirement.values.clone(),
    })
}

/// True for a term without any requirement, which matches no node.
pub fn is_empty_term(term: &NodeSelectorTerm) -> bool {
    term.match_expressions.is_empty() && term.match_fields.is_empty()
}

/// Parses the alternatives of a node selector; empty terms are left out, faulty ones are kept as errors.
pub fn parse_node_selector(selector: &NodeSelector) -> Vec<ParsedTerm> {
    selector
        .node_selector_terms
        .iter()
        .filter(|term| !is_empty_term(term))
        .map(NodeTerm::new)
        .collect()
}

/// True when a node meets both the exact labels and at least one alternative; no selector means any node.
pub fn node_matches<'a>(
    node_selector: Option<&Labels>,
    terms: Option<&[ParsedTerm]>,
    name: &str,
    label: impl Fn(&str) -> Option<&'a str>,
) -> bool {
    node_selector.is_none_or(|labels| {
        labels
            .iter()
            .all(|(key, value)| label(key) == Some(value.as_str()))
    }) && terms.is_none_or(|terms| {
        terms
            .iter()
            .any(|term| term.as_ref().is_ok_and(|term| term.matches(name, &label)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::object::LabelSelectorRequirement;

    fn labels(pairs: &[(&str, &str)]) -> Labels {
        pairs
            .iter()
            .map(|(key, value)| ((*key).to_owned(), (*value).to_owned()))
            .collect()
    }

    fn expression(key: &str, operator: &str, values: &[&str]) -> LabelSelector {
        LabelSelector {
            match_expressions: vec![LabelSelectorRequirement {
                key: key.to_owned(),
                operator: operator.to_owned(),
                values: values.iter().map(|value| (*value).to_owned()).collect(),
            }],
            ..Default::default()
        }
    }

    #[test]
    fn absent_matches_nothing_and_empty_matches_all() {
        assert!(
            !Selector::from_label_selector(None)
                .unwrap()
                .matches(&labels(&[("a", "b")]))
        );
        let empty = Selector::from_label_selector(Some(&LabelSelector::default())).unwrap();
        assert!(empty.matches(&labels(&[])) && empty.is_empty());
    }

    #[test]
    fn missing_key_meets_negative_operators() {
        for (operator, values, missing, present) in [
            ("In", vec!["x"], false, true),
            ("NotIn", vec!["x"], true, false),
            ("Exists", vec![], false, true),
            ("DoesNotExist", vec![], true, false),
        ] {
            let selector = Selector::from_label_selector(Some(&expression("k", operator, &values))).unwrap();
            assert_eq!(selector.matches(&labels(&[])), missing, "{operator}");
            assert_eq!(selector.matches(&labels(&[("k", "x")])), present, "{operator}");
        }
    }

    #[test]
    fn integers_compare_as_go_reads_them() {
        let above = Requirement {
            key: "k".into(),
            operator: Operator::Gt,
            values: vec!["5".into()],
        };
        for (value, expected) in [
            ("6", true),
            ("5", false),
            ("+6", true),
            ("007", true),
            ("0x9", false),
            ("9 ", false),
            ("", false),
            ("1_0", false),
        ] {
            assert_eq!(above.matches(Some(value)), expected, "{value:?}");
        }
        assert!(!above.matches(None));
        assert!(Requirement::new("k", Operator::Gt, vec!["-1".into()]).is_err());
    }

    #[test]
    fn faulty_terms_never_match_but_others_do() {
        let requirement = |key: &str, operator: &str, value: &str| NodeSelectorRequirement {
            key: key.to_owned(),
            operator: operator.to_owned(),
            values: vec![value.to_owned()],
        };
        let selector = NodeSelector {
            node_selector_terms: vec![
                NodeSelectorTerm {
                    match_expressions: vec![requirement("gpu", "Gt", "many")],
                    ..Default::default()
                },
                NodeSelectorTerm::default(),
                NodeSelectorTerm {
                    match_fields: vec![requirement("metadata.name", "In", "n1")],
                    ..Default::default()
                },
            ],
        };
        let terms = parse_node_selector(&selector);
        assert_eq!(terms.len(), 2);
        assert!(terms[0].is_err());
        assert!(node_matches(None, Some(&terms), "n1", |_| None));
        assert!(!node_matches(None, Some(&terms), "n2", |_| Some("9")));
    }
}
