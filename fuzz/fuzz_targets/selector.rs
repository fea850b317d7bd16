//! Any label selector and node selector over any labels, and any text as kubectl's `-l`.
#![no_main]

use arbitrary::{Result, Unstructured};
use bayplan_model::object::{
    LabelSelector, LabelSelectorRequirement, Labels, NodeSelector, NodeSelectorRequirement, NodeSelectorTerm,
};
use bayplan_model::selector::{
    Operator, Requirement, Selector, node_matches, parse_integer, parse_node_selector,
};
use libfuzzer_sys::fuzz_target;

#[path = "../../crates/bayplan/src/input/selector.rs"]
mod command_line;

/// Texts that mean something, so that most selectors are valid and many labels meet them.
const TEXTS: &[&str] = &[
    "",
    "a",
    "b",
    "app",
    "example.com/a",
    "metadata.name",
    "0",
    "7",
    "-7",
    "+07",
    "9223372036854775807",
    "-9223372036854775808",
    "9223372036854775808",
    "1e3",
    "a/b/c",
    "/a",
    "-a",
    "a_b-c.D",
];

const OPERATORS: &[&str] = &["In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt", "in", ""];

fn text(bytes: &mut Unstructured) -> Result<String> {
    Ok(if bytes.ratio(7, 8)? {
        (*bytes.choose(TEXTS)?).to_owned()
    } else {
        bytes.arbitrary::<&str>()?.to_owned()
    })
}

fn texts(bytes: &mut Unstructured) -> Result<Vec<String>> {
    (0..bytes.int_in_range(0..=3)?).map(|_| text(bytes)).collect()
}

fn labels(bytes: &mut Unstructured) -> Result<Labels> {
    (0..bytes.int_in_range(0..=3)?)
        .map(|_| Ok((text(bytes)?, text(bytes)?)))
        .collect()
}

fn requirements<T>(
    bytes: &mut Unstructured,
    make: impl Fn(String, String, Vec<String>) -> T,
) -> Result<Vec<T>> {
    (0..bytes.int_in_range(0..=3)?)
        .map(|_| {
            let operator = (*bytes.choose(OPERATORS)?).to_owned();
            Ok(make(text(bytes)?, operator, texts(bytes)?))
        })
        .collect()
}

fn node_requirements(bytes: &mut Unstructured) -> Result<Vec<NodeSelectorRequirement>> {
    requirements(bytes, |key, operator, values| NodeSelectorRequirement {
        key,
        operator,
        values,
    })
}

/// What a requirement means, in the plainest words.
fn meets(requirement: &Requirement, labels: &Labels) -> bool {
    let value = labels.get(&requirement.key);
    let integers =
        value.and_then(|value| Some((parse_integer(value)?, parse_integer(requirement.values.first()?)?)));
    match requirement.operator {
        Operator::In => value.is_some_and(|value| requirement.values.contains(value)),
        Operator::NotIn => value.is_none_or(|value| !requirement.values.contains(value)),
        Operator::Exists => value.is_some(),
        Operator::DoesNotExist => value.is_none(),
        Operator::Gt => integers.is_some_and(|(label, limit)| label > limit),
        Operator::Lt => integers.is_some_and(|(label, limit)| label < limit),
    }
}

fn check(selector: &Selector, labels: &Labels) {
    let expected = match selector {
        Selector::Nothing => false,
        Selector::All(requirements) => requirements.iter().all(|requirement| meets(requirement, labels)),
    };
    assert_eq!(selector.matches(labels), expected, "{selector:?} on {labels:?}");
}

fn run(bytes: &mut Unstructured) -> Result<()> {
    let labels_of_object = labels(bytes)?;
    let selector = LabelSelector {
        match_labels: labels(bytes)?,
        match_expressions: requirements(bytes, |key, operator, values| LabelSelectorRequirement {
            key,
            operator,
            values,
        })?,
    };
    if let Ok(selector) = Selector::from_label_selector(Some(&selector)) {
        check(&selector, &labels_of_object);
        check(
            &selector.and_exact(&text(bytes)?, &text(bytes)?),
            &labels_of_object,
        );
    }
    let terms = (0..bytes.int_in_range(0..=3)?)
        .map(|_| {
            Ok(NodeSelectorTerm {
                match_expressions: node_requirements(bytes)?,
                match_fields: node_requirements(bytes)?,
            })
        })
        .collect::<Result<_>>()?;
    let terms = parse_node_selector(&NodeSelector {
        node_selector_terms: terms,
    });
    let exact = labels(bytes)?;
    let name = text(bytes)?;
    let label = |key: &str| labels_of_object.get(key).map(String::as_str);
    let matches = node_matches(Some(&exact), Some(&terms), &name, label);
    if !name.is_empty() {
        let fields: Labels = [("metadata.name".to_owned(), name)].into();
        let expected = exact
            .iter()
            .all(|(key, value)| labels_of_object.get(key) == Some(value))
            && terms.iter().flatten().any(|term| {
                term.labels
                    .iter()
                    .all(|requirement| meets(requirement, &labels_of_object))
                    && term.fields.iter().all(|requirement| {
                        let mut fields = fields.clone();
                        fields.entry(requirement.key.clone()).or_default();
                        meets(requirement, &fields)
                    })
            });
        assert_eq!(matches, expected, "{terms:?} on {labels_of_object:?}");
    }
    if let Ok(selector) = command_line::parse(bytes.arbitrary::<&str>()?) {
        check(&selector, &labels_of_object);
    }
    Ok(())
}

fuzz_target!(|bytes: &[u8]| {
    if let Ok(text) = std::str::from_utf8(bytes)
        && let Ok(selector) = command_line::parse(text)
    {
        check(&selector, &Labels::new());
    }
    // Too few bytes are no fault.
    let _ = run(&mut Unstructured::new(bytes));
});
