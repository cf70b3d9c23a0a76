//! Waiting until an instant, as exactly as the kernel can.

/// Sleeps and timeouts of this thread end at their instant and not up to 50 µs later, as threads' sleeps do otherwise.
pub(super) fn wake_exactly() {
    // SAFETY: no pointers. Refused, it changes nothing.
    unsafe { libc::prctl(libc::PR_SET_TIMERSLACK, 1) };
}

pub(super) fn sleep_ns(ns: u64) {
    let time = libc::timespec { tv_sec: (ns / 1_000_000_000) as i64, tv_nsec: (ns % 1_000_000_000) as i64 };
    // SAFETY: `time` outlives the call. A signal cuts the sleep short; the caller looks at the clock.
    unsafe { libc::nanosleep(&raw const time, std::ptr::null_mut()) };
}
