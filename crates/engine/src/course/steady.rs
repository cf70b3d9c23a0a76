//! Warm-up until throughput is level: the one place of this rule, for a load of one engine and for one of a fleet.

use crate::process::clock::ns;
use assay_format::job::{Phases, Warmup};

/// The shortest window by default in which a slope says something.
const LEAST_WINDOW_NS: u64 = 30_000_000_000;
/// How often is looked: more looks are more chances to take noise for a level.
const LOOK_NS: u64 = 5_000_000_000;
/// Looks in a window, where that is short.
const LOOKS_IN_WINDOW: u64 = 6;

/// A warm-up that waits for level throughput, as it is looked at now and then.
#[derive(Debug)]
pub(crate) struct Wait {
    rule: Rule,
    /// The number of the last look.
    looked: Option<u64>,
}

impl Wait {
    /// The warm-up of these phases; `None` where it does not wait for level throughput.
    pub(crate) fn of(phases: &Phases) -> Option<Self> {
        Rule::of(phases).map(|rule| Self { rule, looked: None })
    }

    /// Whether throughput is steady, once the warm-up is over; `None` while it goes on. It ends at a look that finds
    /// throughput level, or at its cap: there, throughput that does not surely change counts as steady. `passed`:
    /// nanoseconds since the load began; `rates`: end instant and rate of each interval, oldest first.
    pub(crate) fn outcome(&mut self, passed: u64, rates: &[(u64, f64)]) -> Option<bool> {
        let (look, over) = (self.rule.look(passed), passed >= self.rule.cap);
        if self.looked.replace(look) == Some(look) && !over {
            return None;
        }
        let level = self.rule.is_level(rates);
        (level || over).then(|| level || !self.rule.is_changing(rates))
    }
}

/// What level throughput is.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Rule {
    /// Nanoseconds over which the slope is taken.
    window: u64,
    /// Nanoseconds over which it must change little: the measured window.
    horizon: u64,
    /// How little, a share of the mean.
    tolerance: f64,
    /// Nanoseconds after which the warm-up ends in any case.
    cap: u64,
}

impl Rule {
    /// The rule of a warm-up that waits for level throughput; `None` for any other.
    fn of(phases: &Phases) -> Option<Self> {
        let Warmup::UntilSteady { window_ms, tolerance, cap_ms } = phases.warmup else { return None };
        let (measure, cap) = (ns(phases.measure_ms), ns(cap_ms));
        let window = if window_ms == 0 { (measure / 2).max(LEAST_WINDOW_NS).min(cap) } else { ns(window_ms) };
        let horizon = if measure == 0 { window } else { measure };
        Some(Self { window, horizon, tolerance, cap })
    }

    /// The number of the look that is due after so many nanoseconds of warm-up.
    fn look(&self, passed: u64) -> u64 {
        passed / (self.window / LOOKS_IN_WINDOW).clamp(1, LOOK_NS)
    }

    /// Whether throughput is level. `rates`: end instant and rate of each interval.
    fn is_level(&self, rates: &[(u64, f64)]) -> bool {
        Trend::of(rates, self.window, self.horizon).is_some_and(|trend| trend.is_level(self.tolerance))
    }

    /// Whether throughput surely changes, in as much of the window as there is. Less than five points are sure of nothing
    /// good.
    fn is_changing(&self, rates: &[(u64, f64)]) -> bool {
        Trend::of(rates, self.window, self.horizon).is_none_or(|trend| trend.is_changing(self.tolerance))
    }
}

/// The least-squares line through the rates of a window.
struct Trend {
    /// By how much it changes the rate over the horizon, a share of the mean.
    change: f64,
    /// Standard error of the change, were seconds independent.
    error: f64,
    /// By how much the halves of the window differ.
    halves: f64,
    /// Whether there are rates of the whole window, but for one interval: the load may be younger than that.
    whole: bool,
}

impl Trend {
    /// Needs five points at least, or the line says nothing.
    fn of(rates: &[(u64, f64)], window_ns: u64, horizon_ns: u64) -> Option<Self> {
        let (&(first, _), &(last, _)) = (rates.first()?, rates.last()?);
        let from = last.saturating_sub(window_ns);
        let points: Vec<(f64, f64)> = rates
            .iter()
            .filter(|(end, _)| *end > from)
            .map(|(end, rate)| ((end - from) as f64 / window_ns as f64, *rate))
            .collect();
        let mean_of = |part: &[(f64, f64)]| part.iter().map(|(_, y)| y).sum::<f64>() / part.len() as f64;
        let (count, mean) = (points.len(), mean_of(&points));
        if count < 5 || mean <= 0.0 {
            return None;
        }
        let mean_x = points.iter().map(|(x, _)| x).sum::<f64>() / count as f64;
        let spread: f64 = points.iter().map(|(x, _)| (x - mean_x).powi(2)).sum();
        let slope = points.iter().map(|(x, y)| (x - mean_x) * (y - mean)).sum::<f64>() / spread;
        let left: f64 = points.iter().map(|(x, y)| (y - mean - slope * (x - mean_x)).powi(2)).sum();
        let error = (left / (count - 2) as f64 / spread).sqrt();
        let (early, late) = points.split_at(count / 2);
        let ahead = horizon_ns as f64 / window_ns as f64 / mean;
        let interval = window_ns / count as u64;
        Some(Self {
            change: slope.abs() * ahead,
            error: error * ahead,
            halves: (mean_of(late) - mean_of(early)).abs() / mean,
            whole: first.saturating_add(window_ns) <= last.saturating_add(interval),
        })
    }

    fn is_level(&self, tolerance: f64) -> bool {
        self.whole && self.change < tolerance && self.halves < tolerance
    }

    fn is_changing(&self, tolerance: f64) -> bool {
        self.change >= tolerance && self.change > 2.0 * self.error
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: u64 = 1_000_000_000;

    fn is_level(rates: &[(u64, f64)], window: u64, horizon: u64, tolerance: f64) -> bool {
        Trend::of(rates, window, horizon).is_some_and(|trend| trend.is_level(tolerance))
    }

    fn series(rate: impl Fn(f64) -> f64) -> Vec<(u64, f64)> {
        (1..=20).map(|second| (second * SECOND, rate(second as f64))).collect()
    }

    #[test]
    fn a_flat_noisy_series_is_level() {
        let flat = series(|t| 1000.0 + if (t as u64).is_multiple_of(2) { 15.0 } else { -15.0 });
        assert!(is_level(&flat, 10 * SECOND, 10 * SECOND, 0.05));
    }

    #[test]
    fn a_climbing_series_is_not() {
        assert!(!is_level(&series(|t| 1000.0 + 20.0 * t), 10 * SECOND, 10 * SECOND, 0.05));
    }

    #[test]
    fn an_old_ramp_is_forgotten() {
        assert!(is_level(&series(|t| 1000.0 * (t / 8.0).min(1.0)), 10 * SECOND, 10 * SECOND, 0.05));
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
            assert_eq!(is_level(&series(rate), 10 * SECOND, 10 * SECOND, tolerance), level, "{what}");
        }
    }

    #[test]
    fn a_window_that_the_load_has_not_filled_yet_is_not_judged() {
        let flat = series(|_| 1000.0);
        for (seconds, level) in [(5, false), (9, false), (10, true), (20, true)] {
            assert_eq!(
                is_level(&flat[..seconds], 10 * SECOND, 10 * SECOND, 0.05),
                level,
                "after {seconds} s"
            );
        }
    }

    #[test]
    fn too_little_is_never_level() {
        assert!(!is_level(&series(|_| 1000.0)[..4], 10 * SECOND, 10 * SECOND, 0.05));
        assert!(!is_level(&[], 10 * SECOND, 10 * SECOND, 0.05));
        assert!(!is_level(&series(|_| 0.0), 10 * SECOND, 10 * SECOND, 0.05));
    }

    #[test]
    fn a_slope_is_judged_by_what_it_does_to_the_measured_window() {
        let slow = series(|t| 1000.0 + 4.0 * t);
        for (measure, level) in [(5, true), (10, true), (20, false), (600, false)] {
            assert_eq!(is_level(&slow, 10 * SECOND, measure * SECOND, 0.05), level, "{measure} s");
        }
    }

    #[test]
    fn the_rule_follows_from_the_phases() {
        // Asked window, measured window, cap, in seconds; window, horizon, and seconds between looks.
        let table = [
            (0, 10, 120, (30, 10, 5)),
            (0, 60, 120, (30, 60, 5)),
            (0, 100, 120, (50, 100, 5)),
            (0, 600, 120, (120, 600, 5)),
            (0, 60, 12, (12, 60, 2)),
            (0, 0, 120, (30, 30, 5)),
            (6, 60, 120, (6, 60, 1)),
        ];
        for (window, measure, cap, (expected, horizon, look)) in table {
            let warmup =
                Warmup::UntilSteady { window_ms: window * 1000, tolerance: 0.05, cap_ms: cap * 1000 };
            let phases = Phases { warmup, measure_ms: measure * 1000, ..Phases::default() };
            let rule = Rule::of(&phases).unwrap();
            assert_eq!(rule.window, expected * SECOND, "{phases:?}");
            assert_eq!((rule.horizon, rule.cap), (horizon * SECOND, cap * SECOND), "{phases:?}");
            assert_eq!((rule.look(look * SECOND - 1), rule.look(look * SECOND)), (0, 1), "{phases:?}");
        }
        assert_eq!(Rule::of(&Phases::default()), None);
    }

    #[test]
    fn at_the_cap_only_a_sure_change_is_one() {
        let warmup = Warmup::UntilSteady { window_ms: 0, tolerance: 0.05, cap_ms: 20_000 };
        let rule = Rule::of(&Phases { warmup, measure_ms: 600_000, ..Phases::default() }).unwrap();
        let noisy = series(|t| 1000.0 + 50.0 * ((t * 7.0) % 5.0 - 2.0) + t);
        assert!(!rule.is_level(&noisy) && !rule.is_changing(&noisy));
        assert!(rule.is_changing(&series(|t| 1000.0 + 5.0 * t)));
        assert!(rule.is_changing(&series(|_| 0.0)) && rule.is_changing(&[]));
    }

    /// What a warm-up that halves its distance to 1000/s every `tau` seconds leaves for the window to change by.
    fn left_after(tau: f64, measure: u64) -> f64 {
        let warmup = Warmup::UntilSteady { window_ms: 0, tolerance: 0.05, cap_ms: 3_600_000 };
        let rule = Rule::of(&Phases { warmup, measure_ms: measure * 1000, ..Phases::default() }).unwrap();
        let rate = |t: f64| 1000.0 * (1.0 - 0.5 * (-t / tau).exp());
        let rates: Vec<(u64, f64)> = (1..3600).map(|t| (t * SECOND, rate(t as f64))).collect();
        let mut looked = None;
        let end = (1..3600usize).find(|t| {
            let look = rule.look(*t as u64 * SECOND);
            looked.replace(look) != Some(look) && rule.is_level(&rates[..*t])
        });
        let end = end.unwrap() as f64;
        rate(end + measure as f64) / rate(end) - 1.0
    }

    #[test]
    fn a_window_after_a_slow_warm_up_changes_by_little_more_than_the_tolerance() {
        for (tau, measure, most) in [(20.0, 60, 0.03), (60.0, 60, 0.05), (180.0, 60, 0.05), (60.0, 600, 0.05)]
        {
            let left = left_after(tau, measure);
            assert!(left < most, "{left} with {tau} s before {measure} s");
        }
    }
}
