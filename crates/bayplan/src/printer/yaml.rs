//! YAML in block style, keys sorted as kubectl does.

use std::io::{self, Write};

use serde_json::Value;

/// Writes a JSON value as a YAML document.
pub fn write(value: &Value, out: &mut impl Write) -> io::Result<()> {
    match value {
        Value::Object(map) if !map.is_empty() => entries(value, 0, false, out),
        Value::Array(items) if !items.is_empty() => entries(value, 0, false, out),
        scalar => {
            out.write_all(flow(scalar).as_bytes())?;
            out.write_all(b"\n")
        }
    }
}

/// Writes the entries of a map or list that is not empty; `inline` means that the first line is begun already.
fn entries(value: &Value, indent: usize, inline: bool, out: &mut impl Write) -> io::Result<()> {
    let pad = |index: usize| if inline && index == 0 { 0 } else { indent };
    match value {
        Value::Object(map) => {
            for (index, (key, value)) in map.iter().enumerate() {
                write!(out, "{:pad$}{}:", "", scalar_text(key), pad = pad(index))?;
                match value {
                    Value::Object(inner) if !inner.is_empty() => {
                        writeln!(out)?;
                        entries(value, indent + 2, false, out)?;
                    }
                    Value::Array(inner) if !inner.is_empty() => {
                        writeln!(out)?;
                        entries(value, indent, false, out)?;
                    }
                    scalar => writeln!(out, " {}", flow(scalar))?,
                }
            }
        }
        Value::Array(items) => {
            for (index, value) in items.iter().enumerate() {
                write!(out, "{:pad$}- ", "", pad = pad(index))?;
                match value {
                    Value::Object(inner) if !inner.is_empty() => entries(value, indent + 2, true, out)?,
                    Value::Array(inner) if !inner.is_empty() => entries(value, indent + 2, true, out)?,
                    scalar => writeln!(out, "{}", flow(scalar))?,
                }
            }
        }
        _ => {}
    }
    Ok(())
}

fn flow(value: &Value) -> String {
    match value {
        Value::String(text) => scalar_text(text),
        Value::Object(_) => "{}".to_owned(),
        Value::Array(_) => "[]".to_owned(),
        other => other.to_string(),
    }
}

/// A string as a plain scalar when every reader takes it for a string, else in double quotes as JSON writes it.
fn scalar_text(text: &str) -> String {
    let first_is_safe =
        text.starts_with(|first: char| first.is_ascii_alphabetic() || first == '/' || first == '<');
    let all_are_safe = text
        .chars()
        .all(|character| character.is_ascii_alphanumeric() || " -_./()'<>,;+=@\"%".contains(character));
    let word = text.to_ascii_lowercase();
    let reserved = matches!(
        word.as_str(),
        "null" | "true" | "false" | "yes" | "no" | "on" | "off" | "y" | "n" | "nan" | "inf" | "infinity"
    );
    if first_is_safe && all_are_safe && !reserved && !text.ends_with(' ') && !text.contains(" #") {
        text.to_owned()
    } else {
        Value::String(text.to_owned()).to_string()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    fn yaml(value: &serde_json::Value) -> String {
        let mut out = Vec::new();
        super::write(value, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn nests_maps_and_lists() {
        let value = json!({"b": [1, {"c": null, "d": ["x"]}, [2, 3], []], "a": {"k": {}}, "z": true});
        assert_eq!(
            yaml(&value),
            "a:\n  k: {}\nb:\n- 1\n- c: null\n  d:\n  - x\n- - 2\n  - 3\n- []\nz: true\n"
        );
    }

    #[test]
    fn quotes_what_would_be_read_as_something_else() {
        for text in [
            "",
            "1",
            "true",
            "No",
            "a: b",
            "- a",
            "#c",
            "a #b",
            "1e3",
            "x\ny",
            "~",
            "0/3 nodes",
            "é",
            "*",
        ] {
            assert_eq!(
                yaml(&json!([text])),
                format!("- {}\n", serde_json::to_string(text).unwrap())
            );
        }
        for text in ["gpu-01", "ai/Deployment/x", "it didn't fit, so", "<none>"] {
            assert_eq!(yaml(&json!([text])), format!("- {text}\n"));
        }
    }
}
