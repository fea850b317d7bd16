//! Writing objects as kubectl does.

use std::io::{self, Write};

use clap::ValueEnum;
use serde::Serialize;
use serde_json::Value;
use serde_json::ser::PrettyFormatter;

/// A way to write objects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// As an API server writes it, `kubectl get --raw`: without white space, here with an item on a line.
    Json,
    /// As `kubectl get -o json`: indented by four.
    Indented,
    /// As `kubectl get -o yaml`: keys sorted, lists not indented.
    Yaml,
}

/// Writes a `List` item by item, so that it may be larger than memory.
pub struct ListWriter<'a, W: Write> {
    output: &'a mut W,
    format: Format,
    is_first: bool,
}

impl<'a, W: Write> ListWriter<'a, W> {
    /// Begins the list.
    pub fn new(output: &'a mut W, format: Format) -> io::Result<Self> {
        output.write_all(match format {
            Format::Json => b"{\"apiVersion\":\"v1\",\"kind\":\"List\",\"items\":[\n",
            Format::Indented => b"{\n    \"apiVersion\": \"v1\",\n    \"items\": [\n".as_slice(),
            Format::Yaml => b"apiVersion: v1\nitems:\n",
        })?;
        Ok(Self {
            output,
            format,
            is_first: true,
        })
    }

    /// Writes an object.
    pub fn item(&mut self, object: &Value) -> io::Result<()> {
        match self.format {
            Format::Yaml => yaml_item(self.output, object, 0)?,
            Format::Json => {
                self.output.write_all(if self.is_first { b"" } else { b",\n" })?;
                serde_json::to_writer(&mut *self.output, object)?;
            }
            Format::Indented => {
                self.output.write_all(if self.is_first {
                    b"        "
                } else {
                    b",\n        "
                })?;
                let mut text = Vec::new();
                let formatter = PrettyFormatter::with_indent(b"    ");
                object.serialize(&mut serde_json::Serializer::with_formatter(&mut text, formatter))?;
                for (number, line) in text.split(|&byte| byte == b'\n').enumerate() {
                    if number > 0 {
                        self.output.write_all(b"\n        ")?;
                    }
                    self.output.write_all(line)?;
                }
            }
        }
        self.is_first = false;
        Ok(())
    }

    /// Ends the list.
    pub fn finish(self) -> io::Result<()> {
        self.output.write_all(match self.format {
            Format::Json => b"\n]}\n",
            Format::Indented => {
                b"\n    ],\n    \"kind\": \"List\",\n    \"metadata\": {\n        \"resourceVersion\": \"\"\n    }\n}\n"
                    .as_slice()
            }
            Format::Yaml => b"kind: List\nmetadata:\n  resourceVersion: \"\"\n",
        })
    }
}

/// Writes a document of YAML.
pub fn yaml_document(output: &mut impl Write, object: &Value) -> io::Result<()> {
    output.write_all(b"---\n")?;
    yaml_block(output, object, 0, true)
}

/// Writes the members or items of a value, each on a line of its own. The first is not indented when it follows a dash.
fn yaml_block(
    output: &mut impl Write,
    value: &Value,
    indent: usize,
    mut indent_first: bool,
) -> io::Result<()> {
    match value {
        Value::Object(members) => {
            for (key, value) in members {
                if indent_first {
                    write!(output, "{:indent$}", "")?;
                }
                indent_first = true;
                yaml_scalar(output, key)?;
                output.write_all(b":")?;
                match value {
                    Value::Object(members) if !members.is_empty() => {
                        output.write_all(b"\n")?;
                        yaml_block(output, value, indent + 2, true)?;
                    }
                    // Items of a list stand as far left as its key.
                    Value::Array(items) if !items.is_empty() => {
                        output.write_all(b"\n")?;
                        for item in items {
                            yaml_item(output, item, indent)?;
                        }
                    }
                    _ => {
                        output.write_all(b" ")?;
                        yaml_leaf(output, value)?;
                    }
                }
            }
            Ok(())
        }
        _ => yaml_leaf(output, value),
    }
}

fn yaml_item(output: &mut impl Write, item: &Value, indent: usize) -> io::Result<()> {
    write!(output, "{:indent$}- ", "")?;
    match item {
        Value::Object(members) if members.is_empty() => yaml_leaf(output, item),
        _ => yaml_block(output, item, indent + 2, false),
    }
}

fn yaml_leaf(output: &mut impl Write, value: &Value) -> io::Result<()> {
    match value {
        Value::String(text) => yaml_scalar(output, text)?,
        other => write!(output, "{other}")?,
    }
    output.write_all(b"\n")
}

/// Writes a string, in quotes when it would be read as something else without them.
fn yaml_scalar(output: &mut impl Write, text: &str) -> io::Result<()> {
    let is_plain = text.starts_with(|first: char| first.is_ascii_alphabetic() || first == '/')
        && text
            .chars()
            .all(|one| one.is_ascii_alphanumeric() || "-_./+=@ ,:()".contains(one))
        && !text.contains(": ")
        && !text.ends_with([':', ' '])
        && !matches!(
            text.to_ascii_lowercase().as_str(),
            "true" | "false" | "null" | "yes" | "no" | "on" | "off" | "y" | "n"
        );
    if is_plain {
        output.write_all(text.as_bytes())
    } else {
        write!(output, "{}", Value::from(text))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn list(format: Format, items: &[Value]) -> String {
        let mut text = Vec::new();
        let mut list = ListWriter::new(&mut text, format).unwrap();
        for item in items {
            list.item(item).unwrap();
        }
        list.finish().unwrap();
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn json_is_read_back() {
        let items = [json!({"a": [1, {"b": "c"}], "e": {}}), json!({"d": null})];
        for format in [Format::Json, Format::Indented] {
            let read: Value = serde_json::from_str(&list(format, &items)).unwrap();
            assert_eq!(read["items"], json!(items));
            assert_eq!(read["kind"], "List");
        }
    }

    #[test]
    fn yaml_looks_like_that_of_kubectl() {
        let item = json!({
            "args": ["--port", "8000", "-x"],
            "kind": "Pod",
            "metadata": {"labels": {}, "annotations": {"a/b": "true", "c": "x: y"}},
            "rules": [{"key": "k", "values": ["v"]}, {}],
            "started": "2026-01-02T03:04:05Z",
            "weight": 5,
        });
        assert_eq!(
            list(Format::Yaml, &[item]),
            r#"apiVersion: v1
items:
- args:
  - "--port"
  - "8000"
  - "-x"
  kind: Pod
  metadata:
    annotations:
      a/b: "true"
      c: "x: y"
    labels: {}
  rules:
  - key: k
    values:
    - v
  - {}
  started: "2026-01-02T03:04:05Z"
  weight: 5
kind: List
metadata:
  resourceVersion: ""
"#
        );
    }
}
