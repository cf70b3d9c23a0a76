//! SIGTERM and SIGINT, waited for like any other event.

use std::io;
use std::mem::MaybeUninit;

pub(crate) struct Signals {
    set: libc::sigset_t,
}

impl Signals {
    /// Holds the two signals back, in this thread and those that it will start.
    pub(crate) fn block() -> io::Result<Self> {
        let mut set = MaybeUninit::uninit();
        // SAFETY: `sigemptyset` initialises the set before anything reads it.
        unsafe {
            libc::sigemptyset(set.as_mut_ptr());
            let mut set = set.assume_init();
            libc::sigaddset(&raw mut set, libc::SIGTERM);
            libc::sigaddset(&raw mut set, libc::SIGINT);
            match libc::pthread_sigmask(libc::SIG_BLOCK, &raw const set, std::ptr::null_mut()) {
                0 => Ok(Self { set }),
                error => Err(io::Error::from_raw_os_error(error)),
            }
        }
    }

    /// Until one of them comes.
    pub(crate) fn wait(&self) {
        let mut signal = 0;
        // SAFETY: both pointers are valid for the call.
        while unsafe { libc::sigwait(&raw const self.set, &raw mut signal) } != 0 {}
    }
}
