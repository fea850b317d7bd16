//! Cutting and decoding piece by piece gives what reading the whole text gives, in every way an input can be written.

use std::io::{Read, Result};
use std::sync::Arc;

use bayplan_model::object::Object;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::chunk::{Chunk, Receiver};
use super::item::{Decoded, decode_chunk};
use super::window::Window;
use super::{cut, whole};
use crate::diagnostic::{Diagnostic, render_concise};

/// Gives its bytes a few at a time.
struct Dribble<'a> {
    bytes: &'a [u8],
    step: usize,
}

impl Read for Dribble<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        let count = self.step.min(self.bytes.len()).min(buffer.len());
        buffer[..count].copy_from_slice(&self.bytes[..count]);
        self.bytes = &self.bytes[count..];
        Ok(count)
    }
}

#[derive(Default)]
struct Collected {
    decoded: Decoded,
    chunks: usize,
}

impl Receiver for Collected {
    fn chunk(&mut self, chunk: Chunk) {
        self.chunks += 1;
        decode_chunk(&chunk, &mut self.decoded);
    }

    fn diagnostic(&mut self, diagnostic: Diagnostic) {
        self.decoded.diagnostics.push(diagnostic);
    }
}

fn in_pieces(text: &str, step: usize, chunk_bytes: usize) -> Collected {
    let mut window = Window::new(Box::new(Dribble {
        bytes: text.as_bytes(),
        step,
    }));
    window.fetch_up_to(16);
    let mut collected = Collected::default();
    cut(&Arc::from("c"), &mut window, chunk_bytes, &mut collected);
    collected
}

fn as_a_whole(text: &str) -> Decoded {
    let mut decoded = Decoded::default();
    whole::decode_text(&Arc::from("c"), &Arc::from(text.as_bytes()), &mut decoded);
    decoded
}

fn objects(decoded: &Decoded) -> Vec<(&Object, u32)> {
    decoded
        .objects
        .iter()
        .map(|located| (&located.object, located.line))
        .collect()
}

fn object(index: usize, note: &str, own_kind: bool) -> Value {
    let mut object = if index.is_multiple_of(3) {
        json!({"apiVersion": "v1", "kind": "Node", "metadata": {"name": format!("n{index}"), "labels": {"note": note}}})
    } else {
        json!({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": format!("p{index}"), "annotations": {"note": note}},
            "spec": {"containers": [{"name": "a", "env": [{"name": "X", "value": note}]}], "tolerations": []}})
    };
    if !own_kind && let Some(fields) = object.as_object_mut() {
        fields.remove("kind");
        fields.remove("apiVersion");
    }
    object
}

/// Block YAML with quoted strings, as a plain writer would do it.
fn yaml(value: &Value, indentation: usize, out: &mut String) {
    let gap = " ".repeat(indentation);
    match value {
        Value::Object(fields) if !fields.is_empty() => {
            for (key, value) in fields {
                out.push_str(&format!("{gap}{key}:"));
                match value {
                    Value::Object(inner) if !inner.is_empty() => {
                        out.push('\n');
                        yaml(value, indentation + 2, out);
                    }
                    Value::Array(items) if !items.is_empty() => {
                        out.push('\n');
                        yaml(value, indentation, out);
                    }
                    _ => out.push_str(&format!(" {value}\n")),
                }
            }
        }
        Value::Array(items) => {
            for item in items {
                let mut inner = String::new();
                yaml(item, indentation + 2, &mut inner);
                out.push_str(&format!("{gap}- {}", &inner[indentation + 2..]));
            }
        }
        other => out.push_str(&format!("{gap}{other}\n")),
    }
}

fn yaml_text(value: &Value, indentation: usize) -> String {
    let mut out = String::new();
    yaml(value, indentation, &mut out);
    out
}

/// The same objects in one of many forms.
fn write(form: usize, notes: &[String]) -> String {
    let own = |own_kind| {
        notes
            .iter()
            .enumerate()
            .map(move |(index, note)| object(index, note, own_kind))
    };
    let pods = || {
        (1..=notes.len())
            .map(|index| object(index * 3 + 1, &notes[index - 1], false))
            .collect::<Vec<_>>()
    };
    let list = json!({"apiVersion": "v1", "items": own(true).collect::<Vec<_>>(), "kind": "List"});
    let pretty = |value: &Value| serde_json::to_string_pretty(value).expect("JSON");
    match form {
        0 => pretty(&list),
        1 => list.to_string(),
        2 => own(true).map(|object| format!("{object}\n")).collect(),
        3 => format!(
            "{{\"kind\":\"PodList\",\"apiVersion\":\"v1\",\"metadata\":{{}},\"items\":{}}}\n",
            Value::from(pods())
        ),
        4 => format!(
            "{{\"items\":{},\"apiVersion\":\"v1\",\"kind\":\"PodList\"}}",
            Value::from(pods())
        ),
        5 => own(true).map(|object| format!("{}\n", pretty(&object))).collect(),
        12 => own(true).map(|object| format!("{object}\n---\n")).collect(),
        6 => Value::from(own(true).collect::<Vec<_>>()).to_string(),
        7 => {
            let items: String = own(true)
                .map(|object| format!("- {}", &yaml_text(&object, 2)[2..]))
                .collect();
            format!("apiVersion: v1\nitems:\n{items}kind: List\nmetadata:\n  resourceVersion: \"\"\n")
        }
        8 => {
            let items: String = own(true)
                .map(|object| format!("    - {}", &yaml_text(&object, 6)[6..]))
                .collect();
            format!("# a comment\nkind: List\napiVersion: v1\nitems:\n\n{items}")
        }
        9 => {
            let items: String = pods()
                .iter()
                .map(|object| format!("- {}", &yaml_text(object, 2)[2..]))
                .collect();
            format!("apiVersion: v1\nitems:\n{items}kind: PodList\nmetadata: {{}}\n")
        }
        10 => own(true)
            .map(|object| format!("---\n{}", yaml_text(&object, 0)))
            .collect(),
        11 => {
            let mut text = String::new();
            for chunk in notes.chunks(2) {
                text.push_str(&write(7, chunk));
                text.push_str("--- # next\n");
            }
            text
        }
        _ => unreachable!("there are {FORMS} forms"),
    }
}

const FORMS: usize = 13;

fn note() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z \\-:#{}'\"\\\\\n\té]{0,20}",
        prop::sample::select(vec![
            "---",
            "- apiVersion: v1",
            "\n---\n",
            "}\n]",
            "\"items\": [",
            "kind: Pod",
            "\n- a\n"
        ])
        .prop_map(str::to_owned),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn pieces_equal_the_whole(
        notes in prop::collection::vec(note(), 1..9),
        form in 0..FORMS,
        step in 1_usize..200,
        chunk_bytes in 1_usize..2000,
    ) {
        let text = write(form, &notes);
        let pieces = in_pieces(&text, step, chunk_bytes);
        let whole = as_a_whole(&text);
        prop_assert_eq!(render_concise(&pieces.decoded.diagnostics), "", "{}", text);
        prop_assert_eq!(pieces.decoded.objects.len(), notes.len(), "{}", text);
        prop_assert_eq!(objects(&pieces.decoded), objects(&whole), "{}", text);
    }

    /// Whatever is cut off or overwritten: no crash, no hang, and every loss is reported.
    #[test]
    fn damage_is_reported(
        notes in prop::collection::vec(note(), 1..6),
        form in 0..FORMS,
        step in 1_usize..200,
        at in 0_usize..3000,
        damage in prop::option::of(prop::sample::select(vec!["", "{", "}", "\"", "]", ",", "\n", "\n- ", "\u{0}"])),
    ) {
        let mut text = write(form, &notes);
        let mut at = at.min(text.len());
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        match damage {
            Some(damage) => text.insert_str(at, damage),
            None => text.truncate(at),
        }
        let pieces = in_pieces(&text, step, 100);
        let found = pieces.decoded.objects.len() + pieces.decoded.unknown.len();
        // A text cut between two documents looks whole.
        let lost = found < notes.len() && (damage.is_some() || matches!(form, 0 | 1 | 3 | 4 | 6));
        prop_assert!(!lost || text.trim().is_empty() || !pieces.decoded.diagnostics.is_empty(), "silent loss: {}", text);
    }
}

#[test]
fn chunks_are_handed_over_as_they_fill() {
    let notes = vec!["x".to_owned(); 40];
    for form in [0, 1, 2, 7, 8, 10] {
        assert!(
            in_pieces(&write(form, &notes), 50, 300).chunks > 10,
            "form {form}"
        );
        let kept = in_pieces(&write(form, &notes), 50, 1_000_000).chunks;
        assert!(kept == 1 || form == 10, "form {form} gives {kept} chunks");
    }
}

#[test]
fn a_dump_on_standard_output_has_logs_between_the_objects() {
    let text = format!(
        "{}\n==== START logs for container a of pod n/p ====\n{{not json\n==== END logs for container a of pod n/p ====\n{}",
        json!({"kind": "NodeList", "apiVersion": "v1", "items": [object(0, "", false)]}),
        json!({"kind": "PodList", "apiVersion": "v1", "items": [object(1, "", false)]}),
    );
    for step in [1, 7, 1000] {
        let pieces = in_pieces(&text, step, 10);
        assert_eq!(render_concise(&pieces.decoded.diagnostics), "");
        assert_eq!(pieces.decoded.objects.len(), 2);
    }
}

#[test]
fn a_missing_brace_costs_one_item_when_the_layout_shows_the_next() {
    let text = write(
        0,
        &["x".to_owned(), "y".to_owned(), "z".to_owned(), "w".to_owned()],
    );
    let broken = text.replacen("\"note\": \"y\"\n", "\"note\": \"y\"\n,,{\n", 1);
    assert_ne!(text, broken);
    let pieces = in_pieces(&broken, 1000, 100);
    let names: Vec<&str> = pieces
        .decoded
        .objects
        .iter()
        .map(|found| found.object.metadata().name.as_str())
        .collect();
    assert_eq!(names, ["n0", "p2", "n3"]);
    let found = render_concise(&pieces.decoded.diagnostics);
    assert!(found.starts_with("c:20:"), "{found}");
}

#[test]
fn items_of_an_unknown_kind_are_counted() {
    let text =
        "apiVersion: v1\nitems:\n- metadata:\n    name: a\n- metadata:\n    name: b\nkind: EventList\n";
    let pieces = in_pieces(text, 10, 10);
    assert_eq!(pieces.decoded.unknown.len(), 2);
    assert_eq!(pieces.decoded.unknown[0].kind, "Event");
}
