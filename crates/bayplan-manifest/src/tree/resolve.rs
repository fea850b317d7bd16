//! What an unquoted YAML scalar means to kubectl: `resolve.go` of `go.yaml.in/yaml/v2` (v2.4.4).

/// A scalar's value before it becomes a node.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Scalar<'text> {
    Null,
    Bool(bool),
    Int(i64),
    Uint(u64),
    Float(f64),
    Text(&'text str),
}

/// Resolves a scalar written without quotes and without a tag.
///
/// Booleans are those of YAML 1.1 (`y`, `yes`, `on`, ...), a leading zero means octal, underscores in numbers are
/// dropped. Dates stay strings, as `decode.go` keeps them when no Go type asks for a time.
pub(crate) fn resolve_plain(text: &str) -> Scalar<'_> {
    let Some(&first) = text.as_bytes().first() else {
        return Scalar::Null;
    };
    match first {
        b'y' | b'Y' | b'n' | b'N' | b't' | b'T' | b'f' | b'F' | b'o' | b'O' | b'~' => resolve_word(text),
        b'.' => match text {
            ".nan" | ".NaN" | ".NAN" => Scalar::Float(f64::NAN),
            ".inf" | ".Inf" | ".INF" => Scalar::Float(f64::INFINITY),
            _ => parse_float(text).map_or(Scalar::Text(text), Scalar::Float),
        },
        b'+' | b'-' => match text {
            "+.inf" | "+.Inf" | "+.INF" => Scalar::Float(f64::INFINITY),
            "-.inf" | "-.Inf" | "-.INF" => Scalar::Float(f64::NEG_INFINITY),
            _ => resolve_number(text),
        },
        b'0'..=b'9' => resolve_number(text),
        _ => Scalar::Text(text),
    }
}

fn resolve_word(text: &str) -> Scalar<'_> {
    match text {
        "y" | "Y" | "yes" | "Yes" | "YES" | "true" | "True" | "TRUE" | "on" | "On" | "ON" => {
            Scalar::Bool(true)
        }
        "n" | "N" | "no" | "No" | "NO" | "false" | "False" | "FALSE" | "off" | "Off" | "OFF" => {
            Scalar::Bool(false)
        }
        "~" | "null" | "Null" | "NULL" => Scalar::Null,
        _ => Scalar::Text(text),
    }
}

fn resolve_number(text: &str) -> Scalar<'_> {
    let without_underscores;
    let plain = if text.contains('_') {
        without_underscores = text.replace('_', "");
        without_underscores.as_str()
    } else {
        text
    };
    if let Some((negative, magnitude)) = parse_integer(plain) {
        if let Ok(value) = i64::try_from(i128::from(magnitude) * if negative { -1 } else { 1 }) {
            return Scalar::Int(value);
        }
        // Go's ParseUint takes no sign, so a large number with one stays a string or becomes a float.
        if plain.starts_with(|first: char| first.is_ascii_digit()) {
            return Scalar::Uint(magnitude);
        }
    }
    parse_float(plain).map_or(Scalar::Text(text), Scalar::Float)
}

/// Go's `strconv.ParseInt(text, 0, 64)`: sign, then `0x`, `0o`, `0b` or a bare zero for octal.
fn parse_integer(text: &str) -> Option<(bool, u64)> {
    let (negative, digits) = match text.as_bytes().first()? {
        b'-' => (true, &text[1..]),
        b'+' => (false, &text[1..]),
        _ => (false, text),
    };
    let (radix, digits) = match digits.as_bytes() {
        [b'0', b'x' | b'X', ..] => (16, &digits[2..]),
        [b'0', b'o' | b'O', ..] => (8, &digits[2..]),
        [b'0', b'b' | b'B', ..] => (2, &digits[2..]),
        [b'0', _, ..] => (8, &digits[1..]),
        _ => (10, digits),
    };
    // `from_str_radix` would take another sign.
    if !digits.as_bytes().first()?.is_ascii_alphanumeric() {
        return None;
    }
    Some((negative, u64::from_str_radix(digits, radix).ok()?))
}

/// A number by the library's `yamlStyleFloat` pattern: no hexadecimal, no `inf`, nothing that overflows.
fn parse_float(text: &str) -> Option<f64> {
    let bytes = text.as_bytes();
    let unsigned = match bytes.first()? {
        b'+' | b'-' => &bytes[1..],
        _ => bytes,
    };
    let whole = count_digits(unsigned);
    let mut rest = &unsigned[whole..];
    let mut fraction = 0;
    if let [b'.', after @ ..] = rest {
        fraction = count_digits(after);
        rest = &after[fraction..];
    }
    if whole == 0 && fraction == 0 {
        return None;
    }
    if let [b'e' | b'E', after @ ..] = rest {
        let exponent = match after {
            [b'+' | b'-', digits @ ..] => digits,
            digits => digits,
        };
        let length = count_digits(exponent);
        if length == 0 {
            return None;
        }
        rest = &exponent[length..];
    }
    if !rest.is_empty() {
        return None;
    }
    text.parse::<f64>().ok().filter(|value| value.is_finite())
}

fn count_digits(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|byte| byte.is_ascii_digit()).count()
}

/// A float as the library writes it when it stands as a mapping key: Go's `FormatFloat(value, 'g', -1, 32)`.
pub(crate) fn float_key(value: f64) -> String {
    if value.is_nan() {
        return ".nan".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { ".inf" } else { "-.inf" }.to_owned();
    }
    #[allow(clippy::cast_possible_truncation)] // The library formats with 32 bits on purpose.
    let short = value as f32;
    let scientific = format!("{short:e}");
    let Some((mantissa, exponent)) = scientific.split_once('e') else {
        return scientific;
    };
    let exponent: i32 = exponent.parse().unwrap_or(0);
    // The shortest form decides by a precision of six (`strconv/ftoa.go`, verb 'g').
    if !(-4..6).contains(&exponent) {
        let sign = if exponent < 0 { '-' } else { '+' };
        return format!("{mantissa}e{sign}{:02}", exponent.abs());
    }
    format!("{short}")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Expectations printed by the Go library itself (`yaml.Unmarshal` into an interface).
    #[test]
    fn resolves_as_the_go_library() {
        let cases: &[(&str, Scalar<'_>)] = &[
            ("", Scalar::Null),
            ("~", Scalar::Null),
            ("NULL", Scalar::Null),
            ("nULL", Scalar::Text("nULL")),
            ("y", Scalar::Bool(true)),
            ("Off", Scalar::Bool(false)),
            ("oFF", Scalar::Text("oFF")),
            ("1", Scalar::Int(1)),
            ("+1", Scalar::Int(1)),
            ("-0", Scalar::Int(0)),
            ("0644", Scalar::Int(420)),
            ("0o17", Scalar::Int(15)),
            ("0x1F", Scalar::Int(31)),
            ("-0b11", Scalar::Int(-3)),
            ("1_000", Scalar::Int(1000)),
            ("089", Scalar::Float(89.0)),
            ("1.0", Scalar::Float(1.0)),
            ("1.", Scalar::Float(1.0)),
            (".5", Scalar::Float(0.5)),
            ("1e3", Scalar::Float(1000.0)),
            ("-.inf", Scalar::Float(f64::NEG_INFINITY)),
            ("1e999", Scalar::Text("1e999")),
            ("inf", Scalar::Text("inf")),
            ("1:30", Scalar::Text("1:30")),
            ("2024-01-02", Scalar::Text("2024-01-02")),
            ("100m", Scalar::Text("100m")),
            ("0x", Scalar::Text("0x")),
            ("--1", Scalar::Text("--1")),
            ("0+1", Scalar::Text("0+1")),
            ("-", Scalar::Text("-")),
            ("9223372036854775807", Scalar::Int(i64::MAX)),
            ("9223372036854775808", Scalar::Uint(1 << 63)),
            ("-9223372036854775808", Scalar::Int(i64::MIN)),
            (
                "18446744073709551616",
                Scalar::Float(18_446_744_073_709_551_616.0),
            ),
        ];
        for (text, expected) in cases {
            assert_eq!(&resolve_plain(text), expected, "{text:?}");
        }
    }

    #[test]
    fn float_keys_are_written_as_the_go_library_writes_them() {
        let cases = [
            (1.0, "1"),
            (0.5, "0.5"),
            (1000.0, "1000"),
            (1_000_000.0, "1e+06"),
            (12_345_678.0, "1.2345678e+07"),
            (123_456_789.5, "1.2345679e+08"),
            (1e22, "1e+22"),
            (0.0001, "0.0001"),
            (0.00001, "1e-05"),
            (f64::NEG_INFINITY, "-.inf"),
        ];
        for (value, expected) in cases {
            assert_eq!(float_key(value), expected);
        }
    }
}
