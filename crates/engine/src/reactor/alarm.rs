//! The alarm of an event loop: a timerfd among its descriptors.
//!
//! It has the kernel's full resolution without the timer slack of a sleep with a time limit. And it stays set while
//! the loop is woken by sockets: a limit on every wait would program and cancel the timer for each of them.

use std::cell::Cell;
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};

use crate::process::clock::Clock;

pub(crate) struct Alarm {
    fd: OwnedFd,
    clock: Clock,
    /// The instant at which the alarm rings next; in the past when it has rung.
    set: Cell<u64>,
}

impl Alarm {
    /// # Errors
    /// The kernel has no descriptor left.
    pub(crate) fn new(clock: Clock) -> io::Result<Self> {
        let flags = libc::TFD_NONBLOCK | libc::TFD_CLOEXEC;
        // SAFETY: timerfd_create takes no pointers; the descriptor it returns is ours alone.
        let fd = unsafe {
            let fd = libc::timerfd_create(libc::CLOCK_MONOTONIC, flags);
            if fd < 0 {
                return Err(io::Error::last_os_error());
            }
            OwnedFd::from_raw_fd(fd)
        };
        Ok(Self { fd, clock, set: Cell::new(0) })
    }

    /// Sets the alarm to ring at `instant` at the latest. An alarm that is set for earlier is left: the loop sees that
    /// it has nothing to do.
    #[inline]
    pub(crate) fn ring_by(&self, instant: u64, now: u64) {
        let set = self.set.get();
        if set <= now || instant < set {
            self.set_to(instant);
        }
    }

    fn set_to(&self, instant: u64) {
        let at = self.clock.epoch_monotonic_ns() + instant;
        let zero = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        let value = libc::timespec {
            tv_sec: (at / 1_000_000_000) as _,
            tv_nsec: (at % 1_000_000_000) as libc::c_long,
        };
        let setting = libc::itimerspec { it_interval: zero, it_value: value };
        // SAFETY: `setting` outlives the call; the old setting is not asked for. It cannot fail: the descriptor is a
        // timer, and the instant a valid time.
        unsafe {
            libc::timerfd_settime(
                self.fd.as_raw_fd(),
                libc::TFD_TIMER_ABSTIME,
                &raw const setting,
                std::ptr::null_mut(),
            )
        };
        self.set.set(instant);
    }
}

impl AsRawFd for Alarm {
    fn as_raw_fd(&self) -> RawFd {
        self.fd.as_raw_fd()
    }
}
