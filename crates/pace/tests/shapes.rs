//! Each shape against its closed form: how many arrive in a window, and where.

use assay_pace::{Arrivals, Schedule, Share, Step};
use proptest::prelude::*;

const SECOND: u64 = 1_000_000_000;
const DAY: u64 = 86_400 * SECOND;

fn whole(arrivals: &Arrivals) -> Schedule {
    Schedule::new(arrivals, 7, Share::WHOLE).unwrap()
}

/// Arrivals in `[0, end_ns)`.
fn count(arrivals: &Arrivals, end_ns: u64) -> u64 {
    whole(arrivals).take_while(|&instant| instant < end_ns).count() as u64
}

/// The instant of one arrival far out, without walking there.
fn far(arrivals: &Arrivals, number: u32) -> u64 {
    Schedule::new(arrivals, 0, Share { index: number, of: u32::MAX }).unwrap().next().unwrap()
}

proptest! {
    #[test]
    fn constant_is_exact(rate in 1u32..2_000_000, number in 0u32..u32::MAX) {
        let instant = far(&Arrivals::Constant { rate: f64::from(rate) }, number);
        prop_assert_eq!(u128::from(instant), u128::from(number) * u128::from(SECOND) / u128::from(rate));
    }

    #[test]
    fn constant_spacing_is_even(rate in 0.01f64..1e6) {
        let instants: Vec<u64> = whole(&Arrivals::Constant { rate }).take(1_000).collect();
        let gap = 1e9 / rate;
        for pair in instants.windows(2) {
            prop_assert!(((pair[1] - pair[0]) as f64 - gap).abs() <= 1.0 + gap * 1e-15);
        }
    }

    #[test]
    fn constant_count(rate in 1u32..5_000, seconds in 1u64..10) {
        prop_assert_eq!(count(&Arrivals::Constant { rate: f64::from(rate) }, seconds * SECOND), u64::from(rate) * seconds);
    }

    #[test]
    fn ramp_count(from in 0u32..2_000, to in 1u32..2_000, seconds in 1u64..10) {
        let ramp = Arrivals::Ramp { from: f64::from(from), to: f64::from(to), duration_ms: seconds * 1_000 };
        let half = u64::from(from + to) * seconds;
        // Arrival 0 comes at 0; of n + ½ arrivals, n + 1 have come.
        prop_assert!(count(&ramp, seconds * SECOND).abs_diff(half.div_ceil(2)) <= 1);
        prop_assert!(count(&ramp, (seconds + 2) * SECOND).abs_diff(half.div_ceil(2) + 2 * u64::from(to)) <= 1);
    }

    #[test]
    fn wave_count_is_the_mean_over_periods(mean in 10u32..2_000, part in 0.01f64..=1.0, periods in 1u64..5) {
        let mean_rate = f64::from(mean);
        let wave = Arrivals::Wave { mean: mean_rate, amplitude: mean_rate * part, period_ms: 2_000 };
        prop_assert!(count(&wave, periods * 2 * SECOND).abs_diff(2 * periods * u64::from(mean)) <= 1);
        // The rising half holds amplitude · period / π more than its share.
        let crest = mean_rate + mean_rate * part * 2.0 / std::f64::consts::PI;
        prop_assert!((count(&wave, SECOND) as f64 - crest).abs() <= 1.0);
    }

    #[test]
    fn wave_instants_lie_on_the_cumulative_rate(mean in 1.0f64..1e5, part in 0.0f64..=1.0, number in 0u32..100_000_000) {
        let amplitude = if mean * part < 1e-6 { 0.0 } else { mean * part };
        let instant = far(&Arrivals::Wave { mean, amplitude, period_ms: 60_000 }, number) as f64 / 1e9;
        let angular = std::f64::consts::TAU / 60.0;
        let come = mean * instant + amplitude / angular * (1.0 - (angular * instant).cos());
        // Half a nanosecond of the highest rate, and the rounding of this sum itself.
        prop_assert!((come - f64::from(number)).abs() <= 2.0 * mean * 1e-9 + f64::from(number) * 1e-14 + 1e-6, "{come} for {number}");
    }
}

#[test]
fn constant_does_not_drift_over_a_day() {
    let rate = 9_999.5;
    let arrivals = Arrivals::Constant { rate };
    // The arrival exactly one day in: 86 400 s · 9 999.5 /s.
    assert_eq!(far(&arrivals, 863_956_800), DAY);
    // A tenth is not a whole number over a power of two, but its nearest double is.
    assert!(far(&Arrivals::Constant { rate: 0.1 }, 8_640).abs_diff(DAY) <= 1);
}

#[test]
fn steps_change_on_time_and_pause() {
    let steps = |rates: &[f64]| Arrivals::Step {
        steps: rates.iter().map(|&rate| Step { rate, duration_ms: 1_000 }).collect(),
    };
    let arrivals = steps(&[2.0, 0.0, 4.0]);
    let instants: Vec<u64> = whole(&arrivals).take(8).map(|ns| ns / 1_000_000).collect();
    assert_eq!(instants, [0, 500, 2_000, 2_250, 2_500, 2_750, 3_000, 3_250], "the last rate stays");
    assert_eq!(count(&steps(&[0.0, 3.0, 0.0]), u64::MAX), 3, "a last rate of 0 ends it");
    assert_eq!(whole(&steps(&[0.0, 3.0, 0.0])).next(), Some(SECOND));
    // Half an arrival left over from a step is not lost: 1.5 + 1.5 = 3.
    assert_eq!(count(&steps(&[1.5, 1.5, 0.0]), u64::MAX), 3);
}

#[test]
fn a_ramp_to_rest_ends() {
    let ramp = Arrivals::Ramp { from: 100.0, to: 0.0, duration_ms: 10_000 };
    let instants: Vec<u64> = whole(&ramp).collect();
    assert_eq!(instants.len(), 500);
    assert!(*instants.last().unwrap() < 10 * SECOND);
    // Half of the arrivals come before t where 100 t − 5 t² = 250.
    assert!((instants[250] as f64 / 1e9 - 2.928_932_188).abs() < 1e-6);
}

#[test]
fn a_trace_is_replayed() {
    let arrivals = Arrivals::Trace { instants_ns: vec![5, 5, 9] };
    assert_eq!(whole(&arrivals).collect::<Vec<_>>(), [5, 5, 9]);
    assert!(whole(&arrivals).nth(3).is_none());
}
