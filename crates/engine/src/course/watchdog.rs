//! Parts of a load that hang: when to stop waiting for them.

use crate::course::timeline::Control;
use crate::process::clock::UNKNOWN;

/// Nanoseconds beyond the end of the drain after which a part hangs: longer than a device waits for an I/O that it gave
/// up.
const HUNG_NS: u64 = 4_000_000_000;
/// The longest drain of a load that was broken off.
const ABORTED_NS: u64 = 10_000_000_000;
/// Nanoseconds without an interval (ten minutes) after which a part hangs, where no time ends the window.
const SILENT_NS: u64 = 600_000_000_000;

/// Decides, from one look at the clock to the next, whether those who have not ended never will.
pub(crate) struct Watchdog {
    drain_ns: u64,
    interval_ns: u64,
    /// The instant at which the load was first seen to be broken off.
    aborted_at: Option<u64>,
    /// The instant at which the drain was first seen to be over. Not the drain's end itself: a process that was stopped
    /// sleeps through both, and its parts have had no time to end yet.
    overdue_at: Option<u64>,
}

impl Watchdog {
    pub(crate) fn new(interval_ns: u64, drain_ns: u64) -> Self {
        Self { drain_ns, interval_ns, aborted_at: None, overdue_at: None }
    }

    /// Whether the parts that are left hang. `silent_since`: when the one that has been silent for longest was heard last.
    pub(crate) fn hung(&mut self, now: u64, control: &Control, silent_since: Option<u64>) -> bool {
        if control.aborted() {
            self.aborted_at.get_or_insert(now);
        }
        let end = control.measure_end().min(self.aborted_at.unwrap_or(UNKNOWN));
        if end == UNKNOWN {
            let begun = control.start() != UNKNOWN && now >= control.start();
            let silence = SILENT_NS.saturating_add(self.interval_ns);
            return begun && now > silent_since.unwrap_or(now).saturating_add(silence);
        }
        // What is aborted is not drained: it ends as soon as it looks up.
        let drain_ns = if self.aborted_at.is_some() { self.drain_ns.min(ABORTED_NS) } else { self.drain_ns };
        if now <= end.saturating_add(drain_ns) {
            return false;
        }
        now > self.overdue_at.get_or_insert(now).saturating_add(HUNG_NS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: u64 = 1_000_000_000;

    fn begun(window: Option<u64>) -> Control {
        let control = Control::default();
        control.begin(SECOND);
        control.place_window(SECOND, window);
        control
    }

    #[test]
    fn a_part_hangs_that_does_not_end_within_four_seconds_of_the_drain() {
        let control = begun(Some(10 * SECOND));
        let mut dog = Watchdog::new(SECOND, 2 * SECOND);
        let silent = Some(SECOND);
        assert!(!dog.hung(5 * SECOND, &control, silent));
        assert!(!dog.hung(13 * SECOND, &control, silent), "the drain has just ended");
        assert!(!dog.hung(13 * SECOND + 1, &control, silent));
        assert!(!dog.hung(17 * SECOND, &control, silent));
        assert!(dog.hung(17 * SECOND + 2, &control, silent));
    }

    #[test]
    fn a_process_that_slept_through_the_end_gives_its_parts_their_time() {
        let control = begun(Some(10 * SECOND));
        let mut dog = Watchdog::new(SECOND, 2 * SECOND);
        assert!(!dog.hung(9 * SECOND, &control, Some(0)));
        assert!(!dog.hung(900 * SECOND, &control, Some(0)), "nobody could end while it was stopped");
        assert!(!dog.hung(904 * SECOND, &control, Some(0)));
        assert!(dog.hung(905 * SECOND, &control, Some(0)));
    }

    #[test]
    fn an_aborted_load_ends_where_it_was_aborted() {
        let control = begun(None);
        let mut dog = Watchdog::new(SECOND, 2 * SECOND);
        assert!(!dog.hung(20 * SECOND, &control, Some(20 * SECOND)));
        control.abort();
        for second in 21..=27 {
            assert!(!dog.hung(second * SECOND, &control, Some(20 * SECOND)), "{second}");
        }
        assert!(dog.hung(29 * SECOND, &control, Some(20 * SECOND)));
    }

    #[test]
    fn without_an_end_silence_tells() {
        let control = begun(None);
        let mut dog = Watchdog::new(SECOND, 2 * SECOND);
        assert!(!dog.hung(601 * SECOND, &control, Some(0)));
        assert!(dog.hung(602 * SECOND, &control, Some(0)));
        assert!(!dog.hung(602 * SECOND, &control, Some(2 * SECOND)));
        assert!(!Watchdog::new(SECOND, 0).hung(900 * SECOND, &Control::default(), Some(0)), "no load yet");
    }
}
