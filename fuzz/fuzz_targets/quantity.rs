//! Any text as a quantity, held against exact arithmetic.
#![no_main]

use bayplan_fuzz::exact::{Amount, amount};
use bayplan_model::Quantity;
use libfuzzer_sys::fuzz_target;

/// Digits of billionths within which every digit counts; sums of more are far beyond what is compared.
const EXACT_BELOW: u128 = 1_000_000_000_000_000_000_000_000;

fn check(text: &str) -> Option<Quantity> {
    let quantity: Quantity = text.parse().ok()?;
    let (value, milli) = (quantity.value(), quantity.milli_value());
    match amount(text) {
        Amount::VeryLarge => assert_eq!((value, milli), (0, 0), "{text}"),
        Amount::Nanos(nanos) => {
            let nanos: i128 = i128::try_from(nanos).expect("below the limit");
            if nanos.unsigned_abs() < EXACT_BELOW {
                assert_eq!(quantity.nanos(), nanos, "{text}");
            }
            let away = |divisor: i128| {
                let up = (nanos.abs() + divisor - 1) / divisor * nanos.signum();
                i64::try_from(up).unwrap_or(0)
            };
            assert_eq!(value, away(1_000_000_000), "units of {text}");
            assert_eq!(milli, away(1_000_000), "thousandths of {text}");
            let shown = quantity.to_string();
            let again: Quantity = shown.parse().expect("what is shown can be read");
            assert_eq!(again.nanos(), quantity.nanos(), "{text} shown as {shown}");
            assert_eq!(again.to_string(), shown, "{text}");
        }
    }
    let _ = quantity.rounded_up_to_milli().to_string();
    Some(quantity)
}

fuzz_target!(|text: &str| {
    let mut sum = Quantity::ZERO;
    for part in text.split(',') {
        if let Some(quantity) = check(part) {
            let _ = quantity.ratio(sum);
            sum = sum.plus(quantity);
            let _ = (sum.value(), sum.milli_value(), sum.to_string());
            let _ = sum.rounded_up_to_milli();
        }
    }
});
