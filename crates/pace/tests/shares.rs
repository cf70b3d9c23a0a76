//! What holds for every shape: instants never decrease, and shares merged are the whole.

use assay_pace::{Arrivals, Schedule, ShapeError, Share, Step};
use proptest::prelude::*;

fn rate() -> impl Strategy<Value = f64> {
    prop_oneof![0.5..50.0, 50.0..200_000.0, (1u32..100_000).prop_map(f64::from)]
}

fn shape() -> impl Strategy<Value = Arrivals> {
    let times = 1u64..20_000;
    let step = (prop_oneof![1 => Just(0.0), 4 => rate()], times.clone())
        .prop_map(|(rate, duration_ms)| Step { rate, duration_ms });
    prop_oneof![
        rate().prop_map(|rate| Arrivals::Constant { rate }),
        rate().prop_map(|rate| Arrivals::Poisson { rate }),
        (prop_oneof![1 => Just(0.0), 4 => rate()], rate(), times.clone(), any::<bool>()).prop_map(
            |(low, high, duration_ms, up)| {
                let (from, to) = if up { (low, high) } else { (high, low) };
                Arrivals::Ramp { from, to, duration_ms }
            }
        ),
        (proptest::collection::vec(step, 0..5), rate(), times.clone()).prop_map(
            |(mut steps, rate, duration_ms)| {
                steps.insert(steps.len() / 2, Step { rate, duration_ms });
                Arrivals::Step { steps }
            }
        ),
        (rate(), 0.0..=1.0, times).prop_map(|(mean, part, period_ms)| Arrivals::Wave {
            mean,
            amplitude: if mean * part < 1e-6 { 0.0 } else { mean * part },
            period_ms
        }),
        proptest::collection::vec(0u64..1_000_000_000, 1..2_000).prop_map(|mut instants_ns| {
            instants_ns.sort_unstable();
            Arrivals::Trace { instants_ns }
        }),
    ]
}

proptest! {
    #[test]
    fn instants_never_decrease(arrivals in shape(), seed: u64) {
        let schedule = Schedule::new(&arrivals, seed, Share::WHOLE).unwrap();
        let mut last = 0;
        for instant in schedule.take(20_000) {
            prop_assert!(instant >= last, "{instant} after {last}");
            last = instant;
        }
    }

    #[test]
    fn shares_partition_the_whole(arrivals in shape(), seed: u64, of in 1u32..9) {
        const ARRIVALS: usize = 3_000;
        let whole: Vec<u64> = Schedule::new(&arrivals, seed, Share::WHOLE).unwrap().take(ARRIVALS).collect();
        let mut shares: Vec<Schedule> =
            (0..of).map(|index| Schedule::new(&arrivals, seed, Share { index, of }).unwrap()).collect();
        for (number, &instant) in whole.iter().enumerate() {
            prop_assert_eq!(shares[number % of as usize].next(), Some(instant), "arrival {}", number);
        }
        if whole.len() < ARRIVALS {
            for mut share in shares {
                prop_assert_eq!(share.next(), None);
            }
        }
    }
}

fn scaled(rate: f64, shape: Arrivals) -> Arrivals {
    Arrivals::Scaled { rate, shape: Box::new(shape) }
}

#[test]
fn a_scaled_shape_is_the_shape_at_that_rate() {
    let instants = |arrivals: &Arrivals| -> Vec<u64> {
        Schedule::new(arrivals, 5, Share::WHOLE).unwrap().take(200).collect()
    };
    for (around_one, itself) in [
        (Arrivals::Constant { rate: 1.0 }, Arrivals::Constant { rate: 400.0 }),
        (Arrivals::Poisson { rate: 1.0 }, Arrivals::Poisson { rate: 400.0 }),
        (
            Arrivals::Ramp { from: 0.5, to: 2.0, duration_ms: 700 },
            Arrivals::Ramp { from: 200.0, to: 800.0, duration_ms: 700 },
        ),
        (
            Arrivals::Wave { mean: 1.0, amplitude: 0.5, period_ms: 90 },
            Arrivals::Wave { mean: 400.0, amplitude: 200.0, period_ms: 90 },
        ),
        (
            Arrivals::Step {
                steps: vec![Step { rate: 0.5, duration_ms: 40 }, Step { rate: 1.0, duration_ms: 1 }],
            },
            Arrivals::Step {
                steps: vec![Step { rate: 200.0, duration_ms: 40 }, Step { rate: 400.0, duration_ms: 1 }],
            },
        ),
        (Arrivals::Trace { instants_ns: vec![400, 1200] }, Arrivals::Trace { instants_ns: vec![1, 3] }),
    ] {
        assert_eq!(instants(&scaled(400.0, around_one.clone())), instants(&itself), "{around_one:?}");
        assert_eq!(instants(&scaled(20.0, scaled(20.0, around_one))), instants(&itself));
    }
    let none = Schedule::new(&scaled(0.0, Arrivals::Constant { rate: 1.0 }), 0, Share::WHOLE).unwrap_err();
    assert!(none.to_string().contains("`rate` is 0"), "{none}");
}

#[test]
fn a_share_must_exist() {
    let arrivals = Arrivals::Constant { rate: 1.0 };
    for (index, of) in [(0, 0), (1, 1), (5, 4)] {
        let error = Schedule::new(&arrivals, 0, Share { index, of }).unwrap_err();
        assert_eq!(error, ShapeError::Share { index, of });
    }
}

#[test]
fn generators_that_are_even_share_a_faster_schedule_and_meet_nowhere() {
    for one in [
        Arrivals::Constant { rate: 100.0 },
        Arrivals::Ramp { from: 50.0, to: 100.0, duration_ms: 1_000 },
        Arrivals::Step {
            steps: vec![Step { rate: 100.0, duration_ms: 500 }, Step { rate: 10.0, duration_ms: 1 }],
        },
        Arrivals::Wave { mean: 100.0, amplitude: 50.0, period_ms: 300 },
        scaled(50.0, Arrivals::Wave { mean: 2.0, amplitude: 1.0, period_ms: 300 }),
    ] {
        let together = one.times(4).expect("it is even");
        let instants = |index| Schedule::new(&together, 1, Share { index, of: 4 }).unwrap().take(50);
        let mut all: Vec<u64> = (0..4).flat_map(instants).collect();
        all.sort_unstable();
        assert!(all.windows(2).all(|pair| pair[0] < pair[1]), "{one:?}");
    }
    for apart in [
        Arrivals::Poisson { rate: 9.0 },
        Arrivals::Trace { instants_ns: vec![1, 2] },
        scaled(3.0, Arrivals::Poisson { rate: 9.0 }),
    ] {
        assert_eq!(apart.times(4), None, "{apart:?}");
    }
}
