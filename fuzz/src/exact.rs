//! Quantities by exact arithmetic, slow and obvious.

use num_bigint::BigInt;
use num_bigint::BigUint;

/// Amounts beyond this many billionths are only known to be very large.
const VERY_LARGE_DIGITS: usize = 36;

/// What a text amounts to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Amount {
    /// Billionths, rounded away from zero.
    Nanos(BigInt),
    /// More than fits any 64-bit number of units.
    VeryLarge,
}

/// Billionths of a text that [`bayplan_model::Quantity`] accepted.
pub fn amount(text: &str) -> Amount {
    let negative = text.starts_with('-');
    let text = text.trim_start_matches(['-', '+']);
    let end = text
        .find(|character: char| !character.is_ascii_digit() && character != '.')
        .unwrap_or(text.len());
    let (number, suffix) = text.split_at(end);
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let mantissa: BigUint = format!("0{whole}{fraction}").parse().expect("digits");
    if mantissa == BigUint::ZERO {
        return Amount::Nanos(BigInt::ZERO);
    }
    let (binary, decimal): (u32, i64) = match suffix {
        "" => (0, 0),
        "n" => (0, -9),
        "u" => (0, -6),
        "m" => (0, -3),
        "k" => (0, 3),
        "M" => (0, 6),
        "G" => (0, 9),
        "T" => (0, 12),
        "P" => (0, 15),
        "E" => (0, 18),
        "Ki" => (10, 0),
        "Mi" => (20, 0),
        "Gi" => (30, 0),
        "Ti" => (40, 0),
        "Pi" => (50, 0),
        "Ei" => (60, 0),
        other => (0, other[1..].parse().expect("an exponent")),
    };
    let decimal = decimal + 9 - fraction.len() as i64;
    let digits = mantissa.to_string().len() as i64;
    let mut nanos = if digits + decimal > 100 {
        return Amount::VeryLarge;
    } else if digits + decimal < -100 {
        BigUint::from(1_u32)
    } else if decimal < 0 {
        let divisor = BigUint::from(10_u32).pow(u32::try_from(-decimal).expect("small"));
        let scaled = mantissa << binary;
        (scaled + &divisor - 1_u32) / divisor
    } else {
        (mantissa << binary) * BigUint::from(10_u32).pow(u32::try_from(decimal).expect("small"))
    };
    if suffix.ends_with('i') {
        nanos = nanos.min(BigUint::from(i64::MAX.unsigned_abs()) * 1_000_000_000_u32);
    }
    if nanos.to_string().len() > VERY_LARGE_DIGITS {
        return Amount::VeryLarge;
    }
    let nanos = BigInt::from(nanos);
    Amount::Nanos(if negative { -nanos } else { nanos })
}
