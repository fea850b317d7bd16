//! Durations as Go writes them: `time.ParseDuration` and `time.Duration.String` (Go 1.27).

/// Nanoseconds of a unit, in the order in which longer names must be tried first.
const UNITS: [(&str, u64); 8] = [
    ("ns", 1),
    ("us", 1_000),
    ("\u{b5}s", 1_000),
    ("\u{3bc}s", 1_000),
    ("ms", 1_000_000),
    ("s", 1_000_000_000),
    ("m", 60_000_000_000),
    ("h", 3_600_000_000_000),
];

/// Reads a duration such as `1h30m` or `-1.5s`, in nanoseconds.
///
/// # Errors
/// Go's text for what is wrong.
pub(super) fn parse(text: &str) -> Result<i64, String> {
    let invalid = || format!("time: invalid duration {text:?}");
    let (negative, mut rest) = match text.as_bytes().first() {
        Some(b'-') => (true, &text[1..]),
        Some(b'+') => (false, &text[1..]),
        _ => (false, text),
    };
    if rest == "0" {
        return Ok(0);
    }
    if rest.is_empty() {
        return Err(invalid());
    }
    let mut total: u64 = 0;
    while !rest.is_empty() {
        let whole_length = digits(rest);
        let whole = &rest[..whole_length];
        rest = &rest[whole_length..];
        let mut fraction = "";
        if let Some(after) = rest.strip_prefix('.') {
            let length = digits(after);
            fraction = &after[..length];
            rest = &after[length..];
        }
        if whole.is_empty() && fraction.is_empty() {
            return Err(invalid());
        }
        let unit_length = rest
            .find(|letter: char| letter == '.' || letter.is_ascii_digit())
            .unwrap_or(rest.len());
        let (unit, after) = rest.split_at(unit_length);
        if unit.is_empty() {
            return Err(format!("time: missing unit in duration {text:?}"));
        }
        let Some(&(_, nanoseconds)) = UNITS.iter().find(|(name, _)| *name == unit) else {
            return Err(format!("time: unknown unit {unit:?} in duration {text:?}"));
        };
        rest = after;
        let value = if whole.is_empty() {
            Some(0)
        } else {
            whole.parse::<u64>().ok()
        };
        total = value
            .and_then(|value| value.checked_mul(nanoseconds))
            .and_then(|value| value.checked_add(scaled_fraction(fraction, nanoseconds)))
            .and_then(|value| total.checked_add(value))
            .filter(|&total| total <= 1 << 63)
            .ok_or_else(invalid)?;
    }
    if negative {
        return i64::try_from(-i128::from(total)).map_err(|_| invalid());
    }
    i64::try_from(total).map_err(|_| invalid())
}

fn digits(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_digit).count()
}

/// The part after the point in nanoseconds; digits beyond what 63 bits hold do not count, as in Go.
fn scaled_fraction(digits: &str, unit: u64) -> u64 {
    let mut value: u64 = 0;
    let mut scale: f64 = 1.0;
    for digit in digits.bytes() {
        let next = value
            .checked_mul(10)
            .and_then(|value| value.checked_add(u64::from(digit - b'0')));
        let Some(next) = next.filter(|&next| value <= ((1 << 63) - 1) / 10 && next <= 1 << 63) else {
            break;
        };
        value = next;
        scale *= 10.0;
    }
    #[allow(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss
    )]
    // Go computes this in float64 too; the result is below one unit.
    {
        (value as f64 * (unit as f64 / scale)) as u64
    }
}

/// Writes nanoseconds as Go prints a duration.
pub(super) fn format(nanoseconds: i64) -> String {
    let sign = if nanoseconds < 0 { "-" } else { "" };
    let magnitude = nanoseconds.unsigned_abs();
    if magnitude == 0 {
        return "0s".to_owned();
    }
    if magnitude < 1_000 {
        return format!("{sign}{magnitude}ns");
    }
    if magnitude < 1_000_000 {
        return format!("{sign}{}\u{b5}s", with_fraction(magnitude, 1_000, 3));
    }
    if magnitude < 1_000_000_000 {
        return format!("{sign}{}ms", with_fraction(magnitude, 1_000_000, 6));
    }
    let minutes = magnitude / 60_000_000_000;
    let seconds = with_fraction(magnitude % 60_000_000_000, 1_000_000_000, 9);
    match (minutes / 60, minutes % 60) {
        (0, 0) => format!("{sign}{seconds}s"),
        (0, minutes) => format!("{sign}{minutes}m{seconds}s"),
        (hours, minutes) => format!("{sign}{hours}h{minutes}m{seconds}s"),
    }
}

fn with_fraction(value: u64, unit: u64, places: usize) -> String {
    let fraction = format!("{:0places$}", value % unit);
    let fraction = fraction.trim_end_matches('0');
    let point = if fraction.is_empty() { "" } else { "." };
    format!("{}{point}{fraction}", value / unit)
}

#[cfg(test)]
mod tests {
    use super::{format, parse};

    #[test]
    fn reads_and_writes_like_go() {
        for (text, nanoseconds, written) in [
            ("0", 0, "0s"),
            ("5s", 5_000_000_000, "5s"),
            ("-1.5h", -5_400_000_000_000, "-1h30m0s"),
            ("+.5s", 500_000_000, "500ms"),
            ("1h1m1s1ms1us1ns", 3_661_001_001_001, "1h1m1.001001001s"),
            ("90s", 90_000_000_000, "1m30s"),
            ("1.0000000001s", 1_000_000_000, "1s"),
            ("39h9m14.425s", 140_954_425_000_000, "39h9m14.425s"),
            ("12\u{3bc}s", 12_000, "12\u{b5}s"),
            ("-9223372036854775808ns", i64::MIN, "-2562047h47m16.854775808s"),
        ] {
            assert_eq!(parse(text), Ok(nanoseconds), "{text}");
            assert_eq!(format(nanoseconds), written, "{text}");
        }
    }

    #[test]
    fn refuses_like_go() {
        for (text, message) in [
            ("", "time: invalid duration \"\""),
            ("-", "time: invalid duration \"-\""),
            ("3", "time: missing unit in duration \"3\""),
            ("s", "time: invalid duration \"s\""),
            (".s", "time: invalid duration \".s\""),
            ("1d", "time: unknown unit \"d\" in duration \"1d\""),
            (
                "9223372036854775808ns",
                "time: invalid duration \"9223372036854775808ns\"",
            ),
            ("3000000h", "time: invalid duration \"3000000h\""),
        ] {
            assert_eq!(parse(text), Err(message.to_owned()), "{text}");
        }
    }
}
