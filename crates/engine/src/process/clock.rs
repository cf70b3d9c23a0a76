//! One clock for everything: CLOCK_MONOTONIC, read as nanoseconds since the engine's epoch.

use std::time::{SystemTime, UNIX_EPOCH};

/// An instant that is not known yet.
pub(crate) const UNKNOWN: u64 = u64::MAX;

/// A clock that reads the time since its epoch. A copy of it has the original's epoch, and shows the same time.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Clock {
    epoch_monotonic_ns: u64,
    epoch_wall_ns: u64,
    hand: Hand,
}

/// The source of a clock's time. There is one variant outside of tests, which takes no room and no instruction.
#[derive(Debug, Clone, Copy)]
enum Hand {
    Real,
    #[cfg(test)]
    Manual(&'static std::sync::atomic::AtomicU64),
}

impl Clock {
    /// A clock whose epoch is now.
    pub(crate) fn start() -> Self {
        let wall = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Self { epoch_monotonic_ns: monotonic_ns(), epoch_wall_ns: wall.as_nanos() as u64, hand: Hand::Real }
    }

    /// A clock that stands still until a test moves it on: at 0, its epoch.
    #[cfg(test)]
    pub(crate) fn manual() -> Self {
        // A few bytes for each test: a clock is a plain value that every thread may have.
        let hand = Hand::Manual(Box::leak(Box::default()));
        Self { epoch_monotonic_ns: 0, epoch_wall_ns: 0, hand }
    }

    /// Sets a manual clock to `instant`.
    #[cfg(test)]
    pub(crate) fn set(&self, instant: u64) {
        match self.hand {
            Hand::Real => panic!("nobody sets the machine's clock"),
            Hand::Manual(now) => now.store(instant, std::sync::atomic::Ordering::Release),
        }
    }

    /// Nanoseconds since the epoch.
    #[inline]
    pub(crate) fn now(&self) -> u64 {
        match self.hand {
            Hand::Real => monotonic_ns() - self.epoch_monotonic_ns,
            #[cfg(test)]
            Hand::Manual(now) => now.load(std::sync::atomic::Ordering::Acquire),
        }
    }

    /// An instant of the wall clock, in nanoseconds since 1970, as nanoseconds since the epoch; 0 where it lies before that.
    pub(crate) fn of_wall(&self, wall_ns: u64) -> u64 {
        wall_ns.saturating_sub(self.epoch_wall_ns)
    }

    /// An instant of CLOCK_MONOTONIC as nanoseconds since the epoch; 0 where it lies before that.
    pub(crate) fn of_monotonic(&self, monotonic_ns: u64) -> u64 {
        monotonic_ns.saturating_sub(self.epoch_monotonic_ns)
    }

    pub(crate) fn epoch_monotonic_ns(&self) -> u64 {
        self.epoch_monotonic_ns
    }

    pub(crate) fn epoch_wall_ns(&self) -> u64 {
        self.epoch_wall_ns
    }
}

#[inline]
fn monotonic_ns() -> u64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `time` is a valid timespec and CLOCK_MONOTONIC always exists on Linux.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &raw mut time) };
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

/// A time longer than anybody waits (146 years), and short enough that a few of it may be added to an instant.
const FOREVER_NS: u64 = u64::MAX / 4;

/// A job's milliseconds in nanoseconds; more than a clock counts is for ever.
pub(crate) const fn ns(ms: u64) -> u64 {
    match ms.checked_mul(1_000_000) {
        Some(ns) if ns < FOREVER_NS => ns,
        _ => FOREVER_NS,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_manual_clock_moves_when_it_is_set_and_its_copies_with_it() {
        let clock = Clock::manual();
        let copy = clock;
        assert_eq!((clock.now(), copy.now()), (0, 0));
        clock.set(7);
        assert_eq!((clock.now(), copy.now()), (7, 7));
    }

    #[test]
    fn instants_of_the_wall_clock_count_from_the_epoch() {
        let clock = Clock { epoch_wall_ns: 1_000, ..Clock::manual() };
        for (wall_ns, instant) in [(0, 0), (999, 0), (1_000, 0), (1_007, 7), (u64::MAX, u64::MAX - 1_000)] {
            assert_eq!(clock.of_wall(wall_ns), instant, "{wall_ns}");
        }
    }

    #[test]
    fn instants_of_the_monotonic_clock_count_from_the_epoch() {
        let clock = Clock { epoch_monotonic_ns: 500, ..Clock::manual() };
        for (monotonic_ns, instant) in [(0, 0), (499, 0), (500, 0), (507, 7)] {
            assert_eq!(clock.of_monotonic(monotonic_ns), instant, "{monotonic_ns}");
        }
    }

    #[test]
    fn a_real_clock_never_goes_back() {
        let clock = Clock::start();
        let readings: Vec<u64> = (0..1000).map(|_| clock.now()).collect();
        assert!(readings.is_sorted());
    }

    #[test]
    fn milliseconds_beyond_all_clocks_are_for_ever() {
        assert_eq!(ns(3), 3_000_000);
        for ms in [u64::MAX, u64::MAX / 1_000_000, FOREVER_NS / 1_000_000 + 1] {
            assert_eq!(ns(ms), FOREVER_NS, "{ms}");
        }
        assert!(ns(u64::MAX).checked_mul(3).is_some(), "a few of it may be added");
    }
}
