//! Floating-point functions with the bits of Go's on amd64.
//!
//! PodTopologySpread weighs constraints with a logarithm and rounds the weighted sum. Both must agree with the real
//! scheduler to the last bit, because a sum next to a half would otherwise round to another score. Rust's `f64::ln`
//! calls the platform's C library, whose last bit differs between systems, so it is not used.

/// Natural logarithm, bit for bit what Go's `math.Log` returns on amd64 (`src/math/log_amd64.s`, Go 1.27).
///
/// The method is that of FreeBSD's `e_log.c`: the argument is split into `2^k * (1 + f)` with `1 + f` between
/// `sqrt(1/2)` and `sqrt(2)`, and `log(1 + f)` comes from a polynomial in `f / (2 + f)`. Every operation is rounded on
/// its own, in the order of the assembly, and Rust never fuses a multiplication with an addition, so the result is the
/// same on every platform. The error is below one unit in the last place.
///
/// Zero gives negative infinity, a negative number NaN, infinity and NaN themselves. Subnormal numbers follow the
/// assembly, which does not normalise them first: their results are wrong in the same way.
pub fn ln(x: f64) -> f64 {
    const HALF_SQRT_2: f64 = std::f64::consts::FRAC_1_SQRT_2;
    const LN_2_HIGH: f64 = f64::from_bits(0x3FE6_2E42_FEE0_0000);
    const LN_2_LOW: f64 = f64::from_bits(0x3DEA_39EF_3579_3C76);
    const L1: f64 = f64::from_bits(0x3FE5_5555_5555_5593);
    const L2: f64 = f64::from_bits(0x3FD9_9999_9997_FA04);
    const L3: f64 = f64::from_bits(0x3FD2_4924_9422_9359);
    const L4: f64 = f64::from_bits(0x3FCC_71C5_1D8E_78AF);
    const L5: f64 = f64::from_bits(0x3FC7_4664_96CB_03DE);
    const L6: f64 = f64::from_bits(0x3FC3_9A09_D078_C69F);
    const L7: f64 = f64::from_bits(0x3FC2_F112_DF3E_5244);
    const MANTISSA: u64 = 0x000F_FFFF_FFFF_FFFF;
    const HALF: u64 = 0x3FE0_0000_0000_0000;

    if x == 0.0 {
        return f64::NEG_INFINITY;
    }
    if x.is_sign_negative() {
        return f64::NAN;
    }
    if !x.is_finite() {
        return x;
    }
    let bits = x.to_bits();
    let mut mantissa = f64::from_bits(bits & MANTISSA | HALF);
    // Eleven bits of exponent less their bias: at most 1025 in magnitude.
    #[allow(clippy::cast_possible_wrap, clippy::cast_precision_loss)]
    let mut exponent = ((bits >> 52) as i64 - 0x3FE) as f64;
    if mantissa <= HALF_SQRT_2 {
        mantissa *= 2.0;
        exponent -= 1.0;
    }
    let f = mantissa - 1.0;
    let s = f / (2.0 + f);
    let s2 = s * s;
    let s4 = s2 * s2;
    let odd = s2 * (L1 + s4 * (L3 + s4 * (L5 + s4 * L7)));
    let even = s4 * (L2 + s4 * (L4 + s4 * L6));
    let remainder = odd + even;
    let half_square = 0.5 * f * f;
    exponent * LN_2_HIGH - ((half_square - (s * (half_square + remainder) + exponent * LN_2_LOW)) - f)
}

/// The nearest whole number, halves away from zero: Go's `int64(math.Round(x))` on amd64.
///
/// Exact for every argument. What does not fit, NaN included, gives the smallest integer, as the conversion does on
/// amd64; Rust's own conversion would give the nearest limit.
pub fn round_half_away(x: f64) -> i64 {
    const LIMIT: f64 = 9_223_372_036_854_775_808.0;
    let rounded = x.round();
    if (-LIMIT..LIMIT).contains(&rounded) {
        #[allow(clippy::cast_possible_truncation)] // Whole and in range.
        let whole = rounded as i64;
        whole
    } else {
        i64::MIN
    }
}

#[cfg(test)]
mod tests {
    use super::{ln, round_half_away};

    /// Printed by `conformance/cmd/logarithm` on amd64.
    const TABLE: &str = include_str!("../tests/fixtures/logarithm.txt");

    fn rows(name: &str) -> impl Iterator<Item = (f64, &'static str)> {
        TABLE.lines().filter_map(move |line| {
            let (argument, result) = line.strip_prefix(name)?.strip_prefix(' ')?.split_once(' ')?;
            Some((f64::from_bits(u64::from_str_radix(argument, 16).unwrap()), result))
        })
    }

    #[test]
    fn ln_has_the_bits_of_go() {
        assert!(rows("ln").count() > 500);
        for (x, expected) in rows("ln") {
            assert_eq!(format!("{:016x}", ln(x).to_bits()), expected, "ln({x:e})");
        }
        assert!(ln(-1.0).is_nan() && ln(f64::NEG_INFINITY).is_nan() && ln(f64::NAN).is_nan());
    }

    #[test]
    fn rounding_is_that_of_go() {
        assert!(rows("round").count() > 80);
        for (x, expected) in rows("round") {
            assert_eq!(round_half_away(x).to_string(), expected, "round({x:e})");
        }
    }
}
