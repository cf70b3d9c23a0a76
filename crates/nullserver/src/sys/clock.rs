//! CLOCK_MONOTONIC in nanoseconds.

/// Now.
#[inline]
pub(crate) fn now_ns() -> u64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `time` is a valid place to write to; this clock always exists.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &raw mut time) };
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

/// An instant as the kernel takes it.
pub(crate) fn timespec(ns: u64) -> libc::timespec {
    libc::timespec { tv_sec: (ns / 1_000_000_000) as _, tv_nsec: (ns % 1_000_000_000) as _ }
}

/// Stands still until an instant; signals do not cut it short.
pub(crate) fn sleep_until(ns: u64) {
    let until = timespec(ns);
    // SAFETY: `until` is valid for the call; no remainder is asked for with an absolute time.
    while unsafe {
        libc::clock_nanosleep(
            libc::CLOCK_MONOTONIC,
            libc::TIMER_ABSTIME,
            &raw const until,
            std::ptr::null_mut(),
        )
    } == libc::EINTR
    {}
}
