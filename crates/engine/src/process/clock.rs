//! One clock for everything: CLOCK_MONOTONIC, read as nanoseconds since the engine's epoch.

use std::time::{SystemTime, UNIX_EPOCH};

/// An instant that is not known yet.
pub const UNKNOWN: u64 = u64::MAX;

/// Reads the time since the epoch. Copies are the same clock.
#[derive(Debug, Clone, Copy)]
pub struct Clock {
    epoch_monotonic_ns: u64,
    epoch_wall_ns: u64,
}

impl Clock {
    /// A clock whose epoch is now.
    pub fn start() -> Self {
        let wall = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Self { epoch_monotonic_ns: monotonic_ns(), epoch_wall_ns: wall.as_nanos() as u64 }
    }

    /// Nanoseconds since the epoch.
    #[inline]
    pub fn now(&self) -> u64 {
        monotonic_ns() - self.epoch_monotonic_ns
    }

    pub fn epoch_monotonic_ns(&self) -> u64 {
        self.epoch_monotonic_ns
    }

    pub fn epoch_wall_ns(&self) -> u64 {
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

/// Longer than anybody waits (146 years), and short enough that a few of it may be added to an instant.
const FOREVER_NS: u64 = u64::MAX / 4;

/// A job's milliseconds in nanoseconds; more than a clock counts is for ever.
pub const fn ns(ms: u64) -> u64 {
    match ms.checked_mul(1_000_000) {
        Some(ns) if ns < FOREVER_NS => ns,
        _ => FOREVER_NS,
    }
}
