//! The hard end of a generator: a thread of its own ends the process that is still there long after its load.

use std::sync::Arc;
use std::thread;
use std::time::Duration;

use crate::course::timeline::Control;
use crate::process::clock::{Clock, UNKNOWN};
use crate::process::failure::Fatal;

/// Nanoseconds beyond the planned end and the drain: more than the watchdog of hanging event loops takes.
const BEYOND_NS: u64 = 30_000_000_000;
/// How long the thread sleeps at most: the end may be known late, and be moved.
const NAP: Duration = Duration::from_secs(5);
/// The exit code of an error of this machine.
const HOST: i32 = 6;

/// Ends the process 30 s after the window and its drain, whatever hangs: also a conductor that cannot write its events.
///
/// # Errors
/// There is no thread left.
pub(crate) fn enforce(control: Arc<Control>, clock: Clock, drain_ns: u64) -> Result<(), Fatal> {
    let watch = move || {
        while !is_over(clock.now(), control.measure_end(), drain_ns) {
            thread::sleep(NAP);
        }
        // SAFETY: _exit may be called at any time. Nothing is flushed: what hangs may hold the output.
        unsafe { libc::_exit(HOST) };
    };
    let spawned = thread::Builder::new().name("hard-end".into()).spawn(watch);
    spawned.map(drop).map_err(|error| Fatal::host(format!("cannot start a thread: {error}")))
}

/// Whether a load whose window ends at `end` must be gone by `now`.
fn is_over(now: u64, end: u64, drain_ns: u64) -> bool {
    end != UNKNOWN && now > end.saturating_add(drain_ns).saturating_add(BEYOND_NS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_generator_has_half_a_minute_after_its_drain() {
        const S: u64 = 1_000_000_000;
        for (now, end, drain, over) in [
            (50 * S, 10 * S, 10 * S, false),
            (50 * S + 1, 10 * S, 10 * S, true),
            (u64::MAX - 1, UNKNOWN, 0, false),
            (u64::MAX - 1, 10 * S, u64::MAX, false),
        ] {
            assert_eq!(is_over(now, end, drain), over, "{now} after {end} and {drain}");
        }
    }
}
