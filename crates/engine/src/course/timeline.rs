//! The phases of a run laid on the clock, and the intervals within them. Pure arithmetic.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Condvar, Mutex};

use assay_format::event::Phase;

use crate::process::clock::UNKNOWN;
use crate::process::poison::unpoisoned;

/// The control of a run, which all event loops and workers obey: read often, written a few times.
#[derive(Debug)]
pub(crate) struct Control {
    start: AtomicU64,
    measure_start: AtomicU64,
    measure_end: AtomicU64,
    abort: AtomicBool,
    /// The lock under which workers without an event loop sleep until the start is known.
    gate: Mutex<()>,
    opened: Condvar,
}

impl Default for Control {
    fn default() -> Self {
        Self {
            start: UNKNOWN.into(),
            measure_start: UNKNOWN.into(),
            measure_end: UNKNOWN.into(),
            abort: false.into(),
            gate: Mutex::default(),
            opened: Condvar::default(),
        }
    }
}

impl Control {
    /// The instant at which the load begins; `UNKNOWN` until all are ready.
    pub(crate) fn start(&self) -> u64 {
        self.start.load(Ordering::Acquire)
    }

    pub(crate) fn measure_start(&self) -> u64 {
        self.measure_start.load(Ordering::Acquire)
    }

    #[inline]
    pub(crate) fn measure_end(&self) -> u64 {
        self.measure_end.load(Ordering::Acquire)
    }

    /// The edges of the phases as they are known now.
    #[inline]
    pub(crate) fn edges(&self) -> Edges {
        // The start of a window is read first: whoever sees it sees the end that was placed with it.
        let measure_start = self.measure_start();
        Edges { start: self.start(), measure_start, measure_end: self.measure_end() }
    }

    pub(crate) fn begin(&self, start: u64) {
        self.start.store(start, Ordering::Release);
        self.wake();
    }

    /// Sleeps until the start is known; `None` when there will be none. Thousands of threads that looked up now and
    /// then would leave no processor for those that are still to come.
    pub(crate) fn wait_for_start(&self) -> Option<u64> {
        let mut held = unpoisoned(self.gate.lock());
        loop {
            if self.aborted() {
                return None;
            }
            if self.start() != UNKNOWN {
                return Some(self.start());
            }
            held = unpoisoned(self.opened.wait(held));
        }
    }

    fn wake(&self) {
        // The lock is held for a moment, so that no sleeper is between looking at the start and sleeping.
        drop(unpoisoned(self.gate.lock()));
        self.opened.notify_all();
    }

    /// Places the measured window; `length_ns` is absent when a number of transactions ends it.
    pub(crate) fn place_window(&self, start: u64, length_ns: Option<u64>) {
        if let Some(length) = length_ns {
            self.measure_end.store(start.saturating_add(length), Ordering::Release);
        }
        self.measure_start.store(start, Ordering::Release);
    }

    /// Ends the window no later than `instant`.
    pub(crate) fn end_by(&self, instant: u64) {
        self.measure_end.fetch_min(instant, Ordering::AcqRel);
    }

    /// Makes every event loop and worker stop at once, without a drain.
    pub(crate) fn abort(&self) {
        self.abort.store(true, Ordering::Release);
        self.wake();
    }

    pub(crate) fn aborted(&self) -> bool {
        self.abort.load(Ordering::Acquire)
    }
}

/// The edges of the phases of a run: instants, `UNKNOWN` where they are not known yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Edges {
    pub start: u64,
    pub measure_start: u64,
    pub measure_end: u64,
}

impl Edges {
    /// Whether an instant lies in the measured window.
    #[inline]
    pub(crate) fn measures(&self, instant: u64) -> bool {
        (self.measure_start..self.measure_end).contains(&instant)
    }

    /// Nanoseconds of a time from `started` to `ended` that lie in the measured window.
    #[inline]
    pub(crate) fn measured_ns(&self, started: u64, ended: u64) -> u64 {
        ended.min(self.measure_end).saturating_sub(started.max(self.measure_start))
    }
}

/// A stretch of the time line that is over, or going on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stretch {
    pub phase: Phase,
    /// Number of the stretch within its phase, from 0.
    pub index: u64,
    pub start: u64,
    /// The instant at which the stretch is over, exclusive; `UNKNOWN` for the drain.
    pub end: u64,
}

impl Stretch {
    /// The first stretch of the time line, which begins with the load. `interval`: nanoseconds, as everywhere here.
    pub(crate) fn first(edges: Edges, interval: u64) -> Self {
        Self::at(edges.start, 0, None, edges, interval)
    }

    /// The stretch that follows this one.
    pub(crate) fn next(&self, edges: Edges, interval: u64) -> Self {
        Self::at(self.end, self.index + 1, Some(self.phase), edges, interval)
    }

    fn at(start: u64, index: u64, before: Option<Phase>, edges: Edges, interval: u64) -> Self {
        let Edges { measure_start, measure_end, .. } = edges;
        let (phase, limit) = if start >= measure_end {
            (Phase::Drain, UNKNOWN)
        } else if start >= measure_start {
            (Phase::Measure, measure_end)
        } else {
            (Phase::Warmup, measure_start.min(measure_end))
        };
        let end = if phase == Phase::Drain { UNKNOWN } else { limit.min(start.saturating_add(interval)) };
        let index = if before == Some(phase) { index } else { 0 };
        Self { phase, index, start, end }
    }

    /// Cuts the stretch short when the window was ended early.
    pub(crate) fn clip(&mut self, Edges { measure_end, .. }: Edges) {
        if self.phase != Phase::Drain && self.end > measure_end {
            self.end = measure_end.max(self.start);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stretches(control: &Control, interval: u64, count: usize) -> Vec<(Phase, u64, u64, u64)> {
        let mut stretch = Stretch::first(control.edges(), interval);
        let mut seen = Vec::new();
        for _ in 0..count {
            seen.push((stretch.phase, stretch.index, stretch.start, stretch.end));
            if stretch.phase == Phase::Drain {
                break;
            }
            stretch = stretch.next(control.edges(), interval);
        }
        seen
    }

    #[test]
    fn whoever_waits_is_woken_by_the_start_or_by_its_end() {
        for (begins, expected) in [(true, Some(7)), (false, None)] {
            let control = Control::default();
            std::thread::scope(|scope| {
                let waiting: Vec<_> = (0..8).map(|_| scope.spawn(|| control.wait_for_start())).collect();
                if begins {
                    control.begin(7);
                } else {
                    control.abort();
                }
                assert!(waiting.into_iter().all(|one| one.join().unwrap() == expected));
            });
        }
    }

    #[test]
    fn phases_follow_each_other_without_gaps() {
        let control = Control::default();
        control.begin(100);
        control.place_window(125, Some(20));
        assert_eq!(
            stretches(&control, 10, 9),
            [
                (Phase::Warmup, 0, 100, 110),
                (Phase::Warmup, 1, 110, 120),
                (Phase::Warmup, 2, 120, 125),
                (Phase::Measure, 0, 125, 135),
                (Phase::Measure, 1, 135, 145),
                (Phase::Drain, 0, 145, UNKNOWN),
            ]
        );
    }

    /// Start, window, its length, when it was ended early, interval; then the stretches: phase, start, end.
    type Case<'a> = (u64, u64, Option<u64>, Option<u64>, u64, &'a [(Phase, u64, u64)]);

    #[test]
    fn stretches_of_every_course() {
        use Phase::{Drain, Measure, Warmup};
        let table: [Case<'_>; 8] = [
            // No warm-up; a window of whole intervals.
            (5, 5, Some(20), None, 10, &[(Measure, 5, 15), (Measure, 15, 25), (Drain, 25, UNKNOWN)]),
            // A window shorter than an interval.
            (5, 5, Some(3), None, 10, &[(Measure, 5, 8), (Drain, 8, UNKNOWN)]),
            // The grid of the window begins with the window, not with the load.
            (0, 7, Some(10), None, 10, &[(Warmup, 0, 7), (Measure, 7, 17), (Drain, 17, UNKNOWN)]),
            // A window of no length measures nothing.
            (0, 10, Some(0), None, 10, &[(Warmup, 0, 10), (Drain, 10, UNKNOWN)]),
            // Ended within the window.
            (
                0,
                10,
                Some(90),
                Some(25),
                10,
                &[(Warmup, 0, 10), (Measure, 10, 20), (Measure, 20, 25), (Drain, 25, UNKNOWN)],
            ),
            // Ended in the warm-up: nothing is measured.
            (0, 10, Some(90), Some(4), 10, &[(Warmup, 0, 4), (Drain, 4, UNKNOWN)]),
            // Ended after its end: the end stays.
            (0, 0, Some(10), Some(50), 10, &[(Measure, 0, 10), (Drain, 10, UNKNOWN)]),
            // A window without an end, until somebody ends it.
            (0, 0, None, Some(15), 10, &[(Measure, 0, 10), (Measure, 10, 15), (Drain, 15, UNKNOWN)]),
        ];
        for (start, window, length, ended, interval, expected) in table {
            let control = Control::default();
            control.place_window(window, length);
            control.begin(start);
            if let Some(instant) = ended {
                control.end_by(instant);
            }
            let seen = stretches(&control, interval, 9);
            let seen: Vec<_> = seen.into_iter().map(|(phase, _, from, to)| (phase, from, to)).collect();
            assert_eq!(seen, expected, "from {start}: {length:?} at {window}, ended at {ended:?}");
        }
    }

    #[test]
    fn a_window_without_an_end_goes_on() {
        let control = Control::default();
        control.begin(0);
        control.place_window(0, None);
        let seen = stretches(&control, 10, 4);
        assert_eq!(seen[3], (Phase::Measure, 3, 30, 40));
    }

    #[test]
    fn an_early_end_clips_the_stretch_that_is_going_on() {
        let control = Control::default();
        control.begin(0);
        control.place_window(0, Some(1000));
        let mut stretch = Stretch::first(control.edges(), 100);
        control.end_by(42);
        stretch.clip(control.edges());
        assert_eq!(stretch.end, 42);
        assert_eq!(stretch.next(control.edges(), 100).phase, Phase::Drain);
    }
}
