//! Ctrl-C and SIGTERM: the first asks for a graceful end, the second ends the process.

use std::sync::atomic::{AtomicU32, Ordering};

/// Exit code of an interrupted job, as shells have it for SIGINT.
pub const INTERRUPTED: i32 = 130;

static RECEIVED: AtomicU32 = AtomicU32::new(0);

extern "C" fn note(_: libc::c_int) {
    if RECEIVED.fetch_add(1, Ordering::Relaxed) > 0 {
        // SAFETY: _exit is async-signal-safe.
        unsafe { libc::_exit(INTERRUPTED) };
    }
}

/// From now on both signals are counted instead of ending the process.
pub fn install() {
    for signal in [libc::SIGINT, libc::SIGTERM] {
        // SAFETY: `note` only touches an atomic and _exit.
        unsafe { libc::signal(signal, note as *const () as libc::sighandler_t) };
    }
}

/// Ends the job as a signal would.
pub fn end() {
    RECEIVED.fetch_add(1, Ordering::Relaxed);
}

pub fn received() -> bool {
    RECEIVED.load(Ordering::Relaxed) > 0
}
