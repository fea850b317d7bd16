//! Normalisation of raw scores to 0-100, exactly as the plugins' NormalizeScore does it.

/// `value / divisor` truncated, for values below 2^53. A floating-point division is several times faster than an
/// integer one and, truncated, gives the same: a quotient below an integer k is below it by at least 1/divisor,
/// which is more than half a unit in the last place while the dividend stays under 2^53.
fn divide(value: i64, divisor: f64) -> i64 {
    (value as f64 / divisor) as i64
}

/// `plugins/helper/normalize_score.go:DefaultNormalizeScore`.
pub fn default_normalize(scores: &mut [i64], reverse: bool) {
    let most = scores.iter().fold(0, |most, score| most.max(*score));
    if most == 0 {
        if reverse {
            scores.fill(100);
        }
        return;
    }
    let divisor = most as f64;
    for score in scores {
        let part = divide(100 * *score, divisor);
        *score = if reverse { 100 - part } else { part };
    }
}

/// `interpodaffinity/scoring.go:NormalizeScore`: division first, then multiplication, then truncation.
pub fn spread_between_extremes(scores: &mut [i64]) {
    let least = scores.iter().min().copied().unwrap_or(0);
    let most = scores.iter().max().copied().unwrap_or(0);
    let range = most - least;
    if range == 0 {
        scores.fill(0);
        return;
    }
    let divisor = range as f64;
    for score in scores {
        *score = (100.0 * ((*score - least) as f64 / divisor)) as i64;
    }
}

/// Raw score of a node that topology spread leaves out.
pub const IGNORED: i64 = -1;

/// `podtopologyspread/scoring.go:NormalizeScore`.
pub fn fewest_first(scores: &mut [i64]) {
    let mut least = i64::MAX;
    let mut most = 0;
    for score in scores.iter().filter(|score| **score != IGNORED) {
        least = least.min(*score);
        most = most.max(*score);
    }
    let divisor = most as f64;
    for score in scores {
        *score = match *score {
            IGNORED => 0,
            _ if most == 0 => 100,
            raw => divide(100 * (most + least - raw), divisor),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn truncation_of_inter_pod_scores() {
        // Division before multiplication loses a point here and there.
        for (score, expected) in [(0, 0), (29, 28), (57, 56), (58, 57), (100, 100)] {
            let mut scores = [0, score, 100];
            spread_between_extremes(&mut scores);
            assert_eq!(scores[1], expected, "{score}");
        }
    }

    #[test]
    fn equal_scores() {
        let mut scores = [7, 7];
        spread_between_extremes(&mut scores);
        assert_eq!(scores, [0, 0]);
        let mut scores = [0, 0];
        default_normalize(&mut scores, true);
        assert_eq!(scores, [100, 100]);
        let mut scores = [3, 3];
        default_normalize(&mut scores, true);
        assert_eq!(scores, [0, 0]);
        let mut scores = [3, 2, 0, IGNORED];
        fewest_first(&mut scores);
        assert_eq!(scores, [0, 33, 100, 0]);
    }

    proptest! {
        #[test]
        fn float_division_equals_integer_division(value in -9_000_000_000_000_000_i64..9_000_000_000_000_000, divisor in 1_i64..1_000_000_000) {
            prop_assert_eq!(divide(value, divisor as f64), value / divisor);
        }
    }
}
