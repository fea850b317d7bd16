//! Resource amounts (`k8s.io/apimachinery/pkg/api/resource/quantity.go`, v0.37.2).

use std::fmt;
use std::str::FromStr;

use serde::de::{Error as _, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

const NANOS_PER_UNIT: i128 = 1_000_000_000;
const NANOS_PER_MILLI: i128 = 1_000_000;

/// An exact amount in billionths of a unit, as the API server keeps it.
///
/// Amounts finer than one billionth are rounded away from zero when read. Binary notations are capped at
/// 2^63-1 units.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Quantity {
    nanos: i128,
    format: Format,
}

/// The notation an amount was written in; it decides how it is shown again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Format {
    /// `12e6`.
    DecimalExponent,
    /// `12Mi`.
    BinarySi,
    /// `12M`.
    #[default]
    DecimalSi,
}

/// Why a text is no quantity; the texts are the API machinery's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum QuantityError {
    /// Does not look like a quantity.
    #[error("quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'")]
    Format,
    /// The number cannot be read.
    #[error("unable to parse numeric part of quantity")]
    Numeric,
    /// The suffix is unknown.
    #[error("unable to parse quantity's suffix")]
    Suffix,
}

impl Quantity {
    /// Zero.
    pub const ZERO: Quantity = Quantity {
        nanos: 0,
        format: Format::DecimalSi,
    };

    /// A whole number of units.
    pub const fn from_units(units: i64) -> Quantity {
        Quantity {
            nanos: units as i128 * NANOS_PER_UNIT,
            format: Format::DecimalSi,
        }
    }

    /// A number of thousandths.
    pub const fn from_milli(milli: i64) -> Quantity {
        Quantity {
            nanos: milli as i128 * NANOS_PER_MILLI,
            format: Format::DecimalSi,
        }
    }

    /// A number of bytes, shown with binary suffixes.
    pub const fn from_bytes(bytes: i64) -> Quantity {
        Quantity {
            nanos: bytes as i128 * NANOS_PER_UNIT,
            format: Format::BinarySi,
        }
    }

    /// Units, rounded away from zero. An amount beyond 64 bits counts as 0, as in
    /// `int64Amount.AsScaledInt64`, whose overflow result `ScaledValue` takes as it is.
    pub fn value(self) -> i64 {
        scaled(self.nanos, NANOS_PER_UNIT)
    }

    /// Thousandths, rounded away from zero; beyond 64 bits as for [`Quantity::value`].
    pub fn milli_value(self) -> i64 {
        scaled(self.nanos, NANOS_PER_MILLI)
    }

    /// Billionths.
    pub const fn nanos(self) -> i128 {
        self.nanos
    }

    /// The notation.
    pub const fn format(self) -> Format {
        self.format
    }

    /// True for nothing.
    pub const fn is_zero(self) -> bool {
        self.nanos == 0
    }

    /// The sum, in the notation of `self`, or of `other` when `self` is zero.
    #[must_use]
    pub fn plus(self, other: Quantity) -> Quantity {
        Quantity {
            nanos: self.nanos.saturating_add(other.nanos),
            format: if self.nanos == 0 {
                other.format
            } else {
                self.format
            },
        }
    }

    /// The amount rounded up to thousandths, as the API server stores resource amounts
    /// (`pkg/apis/core/v1/conversion.go:dropSubMilli... RoundUp(Milli)`).
    #[must_use]
    pub fn rounded_up_to_milli(self) -> Quantity {
        Quantity {
            nanos: divide_away(self.nanos, NANOS_PER_MILLI).saturating_mul(NANOS_PER_MILLI),
            format: self.format,
        }
    }

    /// The ratio `self / other`, or 0 when `other` is zero.
    pub fn ratio(self, other: Quantity) -> f64 {
        if other.nanos == 0 {
            0.0
        } else {
            self.nanos as f64 / other.nanos as f64
        }
    }
}

fn divide_away(value: i128, divisor: i128) -> i128 {
    let quotient = value / divisor;
    if value % divisor == 0 {
        quotient
    } else {
        quotient + value.signum()
    }
}

fn scaled(nanos: i128, divisor: i128) -> i64 {
    i64::try_from(divide_away(nanos, divisor)).unwrap_or(0)
}

/// Splits a text into sign, digits before and after the point, and suffix.
fn split(text: &str) -> Result<(bool, &str, &str, &str), QuantityError> {
    let bytes = text.as_bytes();
    let (positive, mut position) = match bytes.first() {
        None => return Err(QuantityError::Format),
        Some(b'-') => (false, 1),
        Some(b'+') => (true, 1),
        Some(_) => (true, 0),
    };
    let digits = |from: usize| {
        from + bytes[from..]
            .iter()
            .take_while(|byte| byte.is_ascii_digit())
            .count()
    };
    let whole_end = digits(position);
    let whole = &text[position..whole_end];
    position = whole_end;
    let mut fraction = "";
    if bytes.get(position) == Some(&b'.') {
        let end = digits(position + 1);
        fraction = &text[position + 1..end];
        position = end;
    }
    let suffix = &text[position..];
    let letters = suffix
        .bytes()
        .take_while(|byte| b"eEinumkKMGTP".contains(byte))
        .count();
    let rest = suffix[letters..]
        .strip_prefix(['-', '+'])
        .unwrap_or(&suffix[letters..]);
    if !rest.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(QuantityError::Format);
    }
    Ok((positive, whole, fraction, suffix))
}

/// The base, exponent and notation of a suffix (`suffix.go:interpret`).
fn interpret(suffix: &str) -> Result<(u32, i32, Format), QuantityError> {
    let binary = |exponent| Ok((2, exponent, Format::BinarySi));
    let decimal = |exponent| Ok((10, exponent, Format::DecimalSi));
    match suffix {
        "" => decimal(0),
        "n" => decimal(-9),
        "u" => decimal(-6),
        "m" => decimal(-3),
        "k" => decimal(3),
        "M" => decimal(6),
        "G" => decimal(9),
        "T" => decimal(12),
        "P" => decimal(15),
        "E" => decimal(18),
        "Ki" => binary(10),
        "Mi" => binary(20),
        "Gi" => binary(30),
        "Ti" => binary(40),
        "Pi" => binary(50),
        "Ei" => binary(60),
        _ => {
            let exponent = suffix.strip_prefix(['e', 'E']).ok_or(QuantityError::Suffix)?;
            let exponent: i64 = exponent.parse().map_err(|_| QuantityError::Suffix)?;
            Ok((
                10,
                i32::try_from(exponent).map_err(|_| QuantityError::Suffix)?,
                Format::DecimalExponent,
            ))
        }
    }
}

impl FromStr for Quantity {
    type Err = QuantityError;

    fn from_str(text: &str) -> Result<Quantity, QuantityError> {
        let (positive, whole, fraction, suffix) = split(text)?;
        let (base, exponent, mut format) = interpret(suffix)?;
        if whole.is_empty() && fraction.is_empty() {
            return Err(QuantityError::Numeric);
        }
        let digits = format!("{whole}{fraction}");
        let digits = digits.trim_start_matches('0');
        // value = mantissa * 10^decimal * 2^binary; in billionths.
        let mut decimal = 9 - i32::try_from(fraction.len()).map_err(|_| QuantityError::Numeric)?;
        let mut multiplier: i128 = 1;
        match base {
            10 => decimal = decimal.saturating_add(exponent),
            _ => multiplier = 1_i128 << exponent,
        }
        let mut nanos = magnitude(digits, decimal, multiplier);
        if format == Format::BinarySi {
            nanos = nanos.min(i128::from(i64::MAX) * NANOS_PER_UNIT);
            if nanos > 0 && nanos < NANOS_PER_UNIT {
                format = Format::DecimalSi;
            }
        }
        Ok(Quantity {
            nanos: if positive { nanos } else { -nanos },
            format,
        })
    }
}

/// `digits * multiplier * 10^decimal`, rounded up, capped well above any amount of 64 bits.
fn magnitude(digits: &str, decimal: i32, multiplier: i128) -> i128 {
    const CAP: i128 = i128::MAX / 4;
    // Twice this power of ten still fits.
    const LEAST_EXPONENT: i64 = -37;
    if digits.is_empty() {
        return 0;
    }
    // Digits beyond the 30th cannot matter except for rounding up: they are kept as "something is left".
    let (head, tail) = digits.split_at(digits.len().min(30));
    let Ok(mut value) = head.parse::<i128>() else {
        return CAP;
    };
    let mut sticky = tail.bytes().any(|byte| byte != b'0');
    let mut decimal = i64::from(decimal) + tail.len() as i64;
    if decimal < 0 {
        while decimal < LEAST_EXPONENT && value > 0 {
            sticky |= value % 10 != 0;
            value /= 10;
            decimal += 1;
        }
        if value == 0 {
            return i128::from(sticky);
        }
        let divisor = 10_i128.pow(decimal.unsigned_abs() as u32);
        let (mut quotient, mut rest) = (value / divisor, value % divisor);
        // The multiplier is a power of two: doubling quotient and rest step by step loses nothing and overflows nowhere.
        for _ in 0..multiplier.trailing_zeros() {
            rest *= 2;
            quotient = quotient * 2 + i128::from(rest >= divisor);
            if rest >= divisor {
                rest -= divisor;
            }
            if quotient >= CAP {
                return CAP;
            }
        }
        return quotient + i128::from(sticky || rest > 0);
    }
    while decimal > 0 {
        match value.checked_mul(10) {
            Some(next) if next < CAP => value = next,
            _ => return CAP,
        }
        decimal -= 1;
    }
    value
        .checked_mul(multiplier)
        .map_or(CAP, |product| product.min(CAP))
        + i128::from(sticky)
}

impl fmt::Display for Quantity {
    /// The canonical notation: the largest suffix that leaves no fraction.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.nanos == 0 {
            return f.write_str("0");
        }
        let units = self.nanos / NANOS_PER_UNIT;
        if self.format == Format::BinarySi && self.nanos % NANOS_PER_UNIT == 0 && units.abs() >= 1024 {
            let (mut value, mut step) = (units, 0);
            while value % 1024 == 0 && step < 6 {
                value /= 1024;
                step += 1;
            }
            return write!(f, "{value}{}", ["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"][step]);
        }
        let (mut value, mut exponent) = (self.nanos, -9);
        while value % 1000 == 0 && exponent < 18 {
            value /= 1000;
            exponent += 3;
        }
        let binary = self.format == Format::BinarySi;
        if self.format == Format::DecimalExponent && exponent != 0 {
            return write!(f, "{value}e{exponent}");
        }
        if binary && exponent > 0 {
            return write!(f, "{units}");
        }
        let suffix = match exponent {
            -9 => "n",
            -6 => "u",
            -3 => "m",
            0 => "",
            3 => "k",
            6 => "M",
            9 => "G",
            12 => "T",
            15 => "P",
            _ => "E",
        };
        write!(f, "{value}{suffix}")
    }
}

impl<'de> Deserialize<'de> for Quantity {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct TextOrNumber;
        impl Visitor<'_> for TextOrNumber {
            type Value = Quantity;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a quantity such as 500m, 2 or 16Gi")
            }
            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Quantity, E> {
                text.trim().parse().map_err(E::custom)
            }
            fn visit_i64<E: serde::de::Error>(self, value: i64) -> Result<Quantity, E> {
                Ok(Quantity::from_units(value))
            }
            fn visit_u64<E: serde::de::Error>(self, value: u64) -> Result<Quantity, E> {
                value.to_string().parse().map_err(E::custom)
            }
            fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<Quantity, E> {
                value.to_string().parse().map_err(E::custom)
            }
        }
        deserializer
            .deserialize_any(TextOrNumber)
            .map_err(D::Error::custom)
    }
}

impl Serialize for Quantity {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Quantity {
        text.parse().unwrap()
    }

    #[test]
    fn values_round_away_from_zero() {
        for (text, value, milli) in [
            ("0", 0, 0),
            ("0.1", 1, 100),
            ("100m", 1, 100),
            ("1500u", 1, 2),
            ("1n", 1, 1),
            ("0.0000000001", 1, 1),
            ("1e3", 1000, 1_000_000),
            ("1E3", 1000, 1_000_000),
            ("1Ki", 1024, 1_024_000),
            ("0.5Gi", 536_870_912, 536_870_912_000),
            ("1.5", 2, 1500),
            (".5", 1, 500),
            ("1.", 1, 1000),
            ("+5", 5, 5000),
            ("-1500m", -2, -1500),
            ("00012", 12, 12_000),
            ("2E", 2_000_000_000_000_000_000, 0),
            ("9999E", 0, 0),
            ("9223372036854775807", i64::MAX, 0),
            ("16Ei", i64::MAX, 0),
            // Many digits before a large binary factor.
            ("1.0000000000000000000000Ei", 1 << 60, 0),
            ("0.00000000000000000000000000000000001Ei", 1, 1),
            (
                "1234567890123.0000000000000000000001",
                1_234_567_890_124,
                1_234_567_890_123_001,
            ),
        ] {
            assert_eq!(
                (parse(text).value(), parse(text).milli_value()),
                (value, milli),
                "{text}"
            );
        }
    }

    #[test]
    fn sums_of_the_largest_amounts_stay_the_largest() {
        let mut sum = parse("5E26");
        for _ in 0..4 {
            sum = sum.plus(parse("03E87"));
        }
        assert_eq!(sum.plus(parse("1")).rounded_up_to_milli().nanos(), i128::MAX);
        assert_eq!((sum.value(), sum.milli_value()), (0, 0));
    }

    #[test]
    fn bad_texts() {
        for (text, error) in [
            ("", QuantityError::Format),
            ("1 Gi", QuantityError::Format),
            ("1Gi ", QuantityError::Format),
            ("abc", QuantityError::Format),
            ("1Gx", QuantityError::Format),
            ("1GiB", QuantityError::Format),
            ("1ki", QuantityError::Suffix),
            ("1e", QuantityError::Suffix),
            (".", QuantityError::Numeric),
            ("Gi", QuantityError::Numeric),
        ] {
            assert_eq!(text.parse::<Quantity>(), Err(error), "{text}");
        }
    }

    #[test]
    fn canonical_notation() {
        for (text, shown) in [
            ("1024Mi", "1Gi"),
            ("1000m", "1"),
            ("1500m", "1500m"),
            ("0.5", "500m"),
            ("1e3", "1e3"),
            ("1000", "1k"),
            ("1536Mi", "1536Mi"),
            ("1.5Gi", "1536Mi"),
            ("0", "0"),
            ("100", "100"),
        ] {
            assert_eq!(parse(text).to_string(), shown, "{text}");
        }
    }
}
