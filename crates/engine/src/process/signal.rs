//! Ctrl-C and SIGTERM: the first asks for a graceful end, the second ends the process.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

/// Exit code of an interrupted job, as shells have it for SIGINT.
pub(crate) const INTERRUPTED: i32 = 130;

static RECEIVED: AtomicU32 = AtomicU32::new(0);
/// Whether the engine itself asked for the end.
static ENDED: AtomicBool = AtomicBool::new(false);

extern "C" fn note(_: libc::c_int) {
    if RECEIVED.fetch_add(1, Ordering::Relaxed) > 0 {
        // SAFETY: _exit is async-signal-safe.
        unsafe { libc::_exit(INTERRUPTED) };
    }
}

/// Installs the handler under which both signals are counted instead of ending the process.
pub(crate) fn install() {
    for signal in [libc::SIGINT, libc::SIGTERM] {
        // SAFETY: `note` only touches an atomic and _exit.
        unsafe { libc::signal(signal, note as *const () as libc::sighandler_t) };
    }
}

/// Ends the job as a signal would. It is none: the first signal after it still leaves time to clean up.
pub(crate) fn end() {
    ENDED.store(true, Ordering::Relaxed);
}

/// Whether Ctrl-C or SIGTERM has come.
pub(crate) fn interrupted() -> bool {
    RECEIVED.load(Ordering::Relaxed) > 0
}

/// Whether the job is to end: a signal has come, or the engine asked for it itself.
pub(crate) fn received() -> bool {
    interrupted() || ENDED.load(Ordering::Relaxed)
}
