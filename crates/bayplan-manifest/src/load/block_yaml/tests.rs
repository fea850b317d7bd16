//! The fast reader against the general parser: it may refuse, but what it reads it must read the same.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use proptest::prelude::*;
use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::Block;
use crate::diagnostic::code;
use crate::source::SourceText;
use crate::tree::{NodeDeserializer, Value as Node, parse_documents};

/// Any value, with every difference visible.
#[derive(Debug, Clone, PartialEq)]
enum Value {
    Null,
    Bool(bool),
    Int(i128),
    Float(String),
    Text(String),
    List(Vec<Value>),
    Map(Vec<(String, Value)>),
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Any;
        impl<'de> Visitor<'de> for Any {
            type Value = Value;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("anything")
            }
            fn visit_unit<E>(self) -> Result<Value, E> {
                Ok(Value::Null)
            }
            fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
                Ok(Value::Bool(value))
            }
            fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
                Ok(Value::Int(value.into()))
            }
            fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
                Ok(Value::Int(value.into()))
            }
            fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
                Ok(Value::Float(value.to_string()))
            }
            fn visit_str<E>(self, value: &str) -> Result<Value, E> {
                Ok(Value::Text(value.to_owned()))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
                let mut list = Vec::new();
                while let Some(item) = items.next_element()? {
                    list.push(item);
                }
                Ok(Value::List(list))
            }
            fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
                let mut map: Vec<(String, Value)> = Vec::new();
                while let Some((key, value)) = entries.next_entry::<String, Value>()? {
                    // The later of two equal keys counts, as a struct or map would have it.
                    match map.iter_mut().find(|(known, _)| *known == key) {
                        Some((_, known)) => *known = value,
                        None => map.push((key, value)),
                    }
                }
                Ok(Value::Map(map))
            }
        }
        deserializer.deserialize_any(Any)
    }
}

fn fast(text: &str) -> Option<Value> {
    let mut block = Block::new(text, None).ok()?;
    let value = Value::deserialize(block.object()).ok()?;
    block.is_at_end().then_some(value)
}

/// What the general parser makes of it; `None` when it refuses or finds no mapping.
fn general(text: &str) -> Option<Value> {
    let source = Arc::new(SourceText::new(Arc::from("x"), text.to_owned()));
    let (trees, diagnostics) = parse_documents(&source);
    let [tree] = trees.as_slice() else { return None };
    let readable = diagnostics.iter().all(|found| found.code == code::DUPLICATE_KEY);
    let usable = readable && matches!(tree.value(tree.root()), Node::Mapping(_));
    usable.then(|| Value::deserialize(NodeDeserializer::new(tree, tree.root())).expect("any value decodes"))
}

/// Reads with only the key `wanted` of interest.
fn fast_single(text: &str, wanted: &str) -> Option<Value> {
    let mut block = Block::new(text, None).ok()?;
    struct Only<'a>(&'a str);
    impl<'de> Visitor<'de> for Only<'_> {
        type Value = Option<Value>;

        fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
            formatter.write_str("a mapping")
        }
        fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Option<Value>, A::Error> {
            let mut found = None;
            while let Some(key) = entries.next_key::<String>()? {
                if key == self.0 {
                    found = Some(entries.next_value()?);
                } else {
                    entries.next_value::<IgnoredAny>()?;
                }
            }
            Ok(found)
        }
    }
    let found = block.object().deserialize_any(Only(wanted)).ok()?;
    if block.is_at_end() { found } else { None }
}

#[track_caller]
fn reads_the_same(text: &str) {
    let fast = fast(text);
    assert!(fast.is_some(), "refused:\n{text}");
    assert_eq!(fast, general(text), "{text}");
}

#[test]
fn what_kubectl_writes_is_read() {
    reads_the_same(
        "a: b\nc:\n  d: 1\n  e: \"2\"\nlist:\n- x\n- y: z\n  w: null\n-\n- - n\n  - m\nempty: {}\nnone: []\nblank:\n",
    );
    reads_the_same(
        "a: plain text that\n  goes on\nb: 'single ''quoted''\n\n  text'\nc: \"double \\\n  \\ quoted\\n\\x41\"\n",
    );
    reads_the_same("a: |\n  one\n    two\n\n  three\nb: |-\n  x\nc: |+\n  y\n\nd: e\n");
    reads_the_same("yes: 1\n0x10: a\n\"false\": b\n1.5: c\n");
    reads_the_same("cmd:\n- --flag=a:b\n- -c\n- 'run: this'\n- a#b\n");
    reads_the_same("a:\n\n# comment\n  b: c\n\nd: e\n# end\n");
    reads_the_same("top:\n  nested:\n  - a: |\n      text\n    b: c\n  - d\n");
}

#[test]
fn what_it_does_not_know_it_leaves_alone() {
    for text in [
        "a: &x b\nc: *x\n",
        "a: {b: c}\n",
        "a: [b]\n",
        "a: b # comment\n",
        "a: >\n  folded\n",
        "a: !!str 1\n",
        "<<: {a: b}\n",
        "? a\n: b\n",
        "\ta: b\n",
        "a: b: c\n",
        "a: b\r\nc: d\r\n",
        "a: |2\n   x\n",
        "- a\n",
        "a: b\n...\nc: d\n",
    ] {
        assert_eq!(fast(text), None, "{text:?}");
    }
}

/// Text made of pieces that mean something to YAML, so that odd combinations come up.
fn yaml_soup() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "a",
        "b:",
        "c: ",
        "- ",
        "-",
        "\n",
        "\n",
        "\n  ",
        "\n  ",
        "\n    ",
        " ",
        "  ",
        "'",
        "\"",
        "|",
        "|-\n",
        "{}",
        "[]",
        "#",
        " #x",
        "1",
        "0x1F",
        "yes",
        "null",
        "~",
        ": ",
        ":",
        "'q'",
        "\"d\\n\"",
        "text more",
        "é",
        "\\",
        "key: value\n",
        "list:\n- x\n",
        "  nested: y\n",
        "- item\n",
        "---",
        "&a",
        "*a",
        "|\n  lit\n",
        "\n\n",
    ]);
    prop::collection::vec(piece, 0..30).prop_map(|pieces| pieces.concat())
}

/// A mapping as kubectl would write it.
fn canonical() -> impl Strategy<Value = String> {
    let scalar = prop::sample::select(vec![
        "plain",
        "\"12\"",
        "'it''s'",
        "12",
        "true",
        "null",
        "\"\"",
        "{}",
        "[]",
        "a:b",
        "-x",
        "\"\\u00e9\"",
        "|\n@  lit\n@\n@  more",
        "long text\n@  folded",
        "'quoted\n\n@  text'",
    ]);
    let leaf = scalar.prop_map(str::to_owned).boxed();
    let node = leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 1..4).prop_map(|items| {
                let lines = items.iter().map(|item| format!("\n@- {}", nested(item, "@  ")));
                lines.collect::<String>()
            }),
            prop::collection::btree_map("[a-e]{1,3}", inner, 1..4).prop_map(|entries| mapping(&entries)),
        ]
    });
    prop::collection::btree_map("[f-z]{1,4}", node, 1..5)
        .prop_map(|entries| mapping(&entries).replace("\n@", "\n").trim_start().to_owned() + "\n")
}

/// The lines of a mapping, each starting with a line break and the mark `@` for the current indentation.
fn mapping(entries: &BTreeMap<String, String>) -> String {
    let lines = entries.iter().map(|(key, value)| {
        let is_list = value.starts_with("\n@- ");
        let value = if is_list {
            value.clone()
        } else {
            value.replace('@', "@  ").replace("@    lit", "@  lit")
        };
        let gap = if value.starts_with('\n') { "" } else { " " };
        format!("\n@{key}:{gap}{value}")
    });
    lines.collect()
}

/// A value behind a dash: its first line moves up.
fn nested(item: &str, indentation: &str) -> String {
    let inner = item.replace('@', indentation);
    inner
        .strip_prefix(&format!("\n{indentation}"))
        .map_or(inner.clone(), str::to_owned)
}

proptest! {
    #![proptest_config(ProptestConfig { max_global_rejects: 100_000, ..ProptestConfig::with_cases(2000) })]

    #[test]
    fn never_reads_anything_differently(text in yaml_soup()) {
        if let Some(value) = fast(&text) {
            prop_assert_eq!(Some(value), general(&text), "{:?}", text);
        }
    }

    #[test]
    fn skips_as_it_reads(text in canonical()) {
        if let Some(Value::Map(entries)) = fast(&text) {
            for (key, value) in entries {
                prop_assert_eq!(fast_single(&text, &key), Some(value), "{} of {}", key, text);
            }
        }
    }

    #[test]
    fn canonical_text_reads_the_same(text in canonical()) {
        let value = general(&text);
        prop_assume!(value.is_some());
        prop_assert_eq!(fast(&text), value, "{}", text);
    }
}
