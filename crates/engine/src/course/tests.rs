//! The course of a run on a clock that is set by hand.

use super::*;

const MS: u64 = 1_000_000;
const START: u64 = 1_000 * MS + START_DELAY_NS;

fn phases(warmup: Warmup, measure_ms: u64) -> Phases {
    Phases { warmup, measure_ms, interval_ms: 100, ..Phases::default() }
}

/// A load that began at `START`.
fn begun(phases: &Phases) -> (Course<'_>, Clock) {
    let clock = Clock::manual();
    clock.set(1_000 * MS);
    let mut course = Course::new(phases, clock, Arc::default(), orders::nobody());
    let start = course.ready().unwrap();
    course.begin(start, |start| assert_eq!(start, START));
    (course, clock)
}

fn window(course: &Course<'_>) -> (u64, u64) {
    (course.control.measure_start(), course.control.measure_end())
}

#[test]
fn a_planned_window_is_placed_before_the_load_begins() {
    let fixed = || Warmup::Fixed { duration_ms: 300 };
    let forever = Warmup::Fixed { duration_ms: u64::MAX };
    let table = [
        (phases(Warmup::None, 500), (START, START + 500 * MS)),
        (phases(fixed(), 500), (START + 300 * MS, START + 800 * MS)),
        // A number of transactions ends it.
        (phases(fixed(), 0), (START + 300 * MS, UNKNOWN)),
        (phases(forever, 500), (START + ns(u64::MAX), START + ns(u64::MAX) + 500 * MS)),
    ];
    for (phases, placed) in table {
        let (mut course, clock) = begun(&phases);
        assert_eq!((course.control.start(), window(&course)), (START, placed));
        clock.set(START + 60_000 * MS);
        course.look_up(&[]);
        assert_eq!((window(&course), course.steady), (placed, None), "nothing moves it");
    }
}

#[test]
fn a_window_follows_the_warm_up_when_that_is_level_or_too_long() {
    let warmup = Warmup::UntilSteady { window_ms: 1_000, tolerance: 0.05, cap_ms: 5_000 };
    let phases = phases(warmup, 500);
    let rates = |rate: fn(u64) -> f64| -> Vec<(u64, f64)> {
        (1..=15).map(|interval| (START + interval * 100 * MS, rate(interval))).collect()
    };
    let (flat, steep) = (rates(|_| 1_000.0), rates(|interval| 1_000.0 * interval as f64));
    // After how long, with which rates; whether there is a window then, and after how many intervals.
    let table = [
        (1_530, &flat, Some((true, 17))),
        (1_530, &steep, None),
        (4_999, &steep, None),
        (5_000, &steep, Some((false, 52))),
        (5_000, &flat, Some((true, 52))),
    ];
    for (passed_ms, rates, expected) in table {
        let (mut course, clock) = begun(&phases);
        clock.set(START + passed_ms * MS);
        course.look_up(rates);
        assert_eq!(course.steady, expected.map(|(steady, _)| steady), "after {passed_ms} ms");
        let placed = expected.map_or((UNKNOWN, UNKNOWN), |(_, intervals)| {
            (START + intervals * 100 * MS, START + (intervals + 5) * 100 * MS)
        });
        assert_eq!(window(&course), placed, "after {passed_ms} ms");
    }
}

#[test]
fn nobody_sleeps_beyond_an_edge_of_the_window() {
    let phases = phases(Warmup::Fixed { duration_ms: 250 }, 500);
    let (course, clock) = begun(&phases);
    // Since the start, in milliseconds: now, and how long until somebody looks up.
    for (now_ms, patience_ms) in
        [(0, 100), (200, 50), (249, 1), (250, 100), (700, 50), (750, 100), (9_000, 100)]
    {
        clock.set(START + now_ms * MS);
        assert_eq!(course.patience(), Duration::from_millis(patience_ms), "at {now_ms} ms");
    }
}
