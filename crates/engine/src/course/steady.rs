//! Warm-up until throughput is level.

/// Whether a series of (end instant, rate) is level: over the last `window_ns` a least-squares line changes the
/// rate by less than `tolerance` (a share of its mean), and the two halves agree as well. Needs five points at
/// least, or the line says nothing.
pub(crate) fn is_level(rates: &[(u64, f64)], window_ns: u64, tolerance: f64) -> bool {
    let Some(&(last, _)) = rates.last() else { return false };
    let from = last.saturating_sub(window_ns);
    let points: Vec<(f64, f64)> = rates
        .iter()
        .filter(|(end, _)| *end > from)
        .map(|(end, rate)| ((end - from) as f64 / window_ns as f64, *rate))
        .collect();
    // Most of the window, from wherever the clock counts: the load may be younger than that.
    let covered = rates.first().is_some_and(|(first, _)| first.saturating_add(window_ns / 4 * 3) <= last);
    if points.len() < 5 || !covered {
        return false;
    }
    let mean_of = |part: &[(f64, f64)]| part.iter().map(|(_, y)| y).sum::<f64>() / part.len() as f64;
    let mean = mean_of(&points);
    if mean <= 0.0 {
        return false;
    }
    let mean_x = points.iter().map(|(x, _)| x).sum::<f64>() / points.len() as f64;
    let spread: f64 = points.iter().map(|(x, _)| (x - mean_x).powi(2)).sum();
    let slope = points.iter().map(|(x, y)| (x - mean_x) * (y - mean)).sum::<f64>() / spread;
    let (early, late) = points.split_at(points.len() / 2);
    slope.abs() / mean < tolerance && (mean_of(late) - mean_of(early)).abs() / mean < tolerance
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: u64 = 1_000_000_000;

    fn series(rate: impl Fn(f64) -> f64) -> Vec<(u64, f64)> {
        (1..=20).map(|second| (second * SECOND, rate(second as f64))).collect()
    }

    #[test]
    fn a_flat_noisy_series_is_level() {
        let flat = series(|t| 1000.0 + if (t as u64).is_multiple_of(2) { 15.0 } else { -15.0 });
        assert!(is_level(&flat, 10 * SECOND, 0.05));
    }

    #[test]
    fn a_climbing_series_is_not() {
        assert!(!is_level(&series(|t| 1000.0 + 20.0 * t), 10 * SECOND, 0.05));
    }

    #[test]
    fn an_old_ramp_is_forgotten() {
        assert!(is_level(&series(|t| 1000.0 * (t / 8.0).min(1.0)), 10 * SECOND, 0.05));
    }

    /// A case: what its series is, the tolerance, whether it is level, and its rate by second.
    type Case = (&'static str, f64, bool, fn(f64) -> f64);

    #[test]
    fn series_and_tolerances() {
        let table: [Case; 8] = [
            ("constant", 0.001, true, |_| 500.0),
            ("a slope of less than the tolerance over the window", 0.05, true, |t| 1000.0 + 4.0 * t),
            ("the slope that it cannot bear", 0.05, false, |t| 1000.0 + 6.0 * t),
            ("falling", 0.05, false, |t| 1000.0 - 6.0 * t),
            ("the slope, for one who is less strict", 0.1, true, |t| 1000.0 + 6.0 * t),
            ("a step within the window", 0.05, false, |t| if t > 15.0 { 1100.0 } else { 1000.0 }),
            ("a step before it", 0.05, true, |t| if t > 10.0 { 1100.0 } else { 1000.0 }),
            ("stopped", 0.05, false, |t| if t > 15.0 { 0.0 } else { 1000.0 }),
        ];
        for (what, tolerance, level, rate) in table {
            assert_eq!(is_level(&series(rate), 10 * SECOND, tolerance), level, "{what}");
        }
    }

    #[test]
    fn a_window_that_the_load_has_not_filled_yet_is_not_judged() {
        let flat = series(|_| 1000.0);
        for (seconds, level) in [(5, false), (8, false), (9, true), (20, true)] {
            assert_eq!(is_level(&flat[..seconds], 10 * SECOND, 0.05), level, "after {seconds} s");
        }
    }

    #[test]
    fn too_little_is_never_level() {
        assert!(!is_level(&series(|_| 1000.0)[..4], 10 * SECOND, 0.05));
        assert!(!is_level(&[], 10 * SECOND, 0.05));
        assert!(!is_level(&series(|_| 0.0), 10 * SECOND, 0.05));
    }
}
