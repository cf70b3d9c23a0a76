//! One alarm for an event loop. A timerfd has the kernel's full resolution, where `epoll_wait` counts milliseconds
//! and other sleeps are rounded up by the timer slack.

use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd};

use super::check;
use super::clock::timespec;

#[derive(Debug)]
pub(crate) struct Timer {
    fd: OwnedFd,
    armed_ns: Option<u64>,
}

impl Timer {
    pub(crate) fn new() -> io::Result<Self> {
        let flags = libc::TFD_NONBLOCK | libc::TFD_CLOEXEC;
        // SAFETY: no pointers; on success the descriptor is new and ours.
        let fd = unsafe { OwnedFd::from_raw_fd(check(libc::timerfd_create(libc::CLOCK_MONOTONIC, flags))?) };
        Ok(Self { fd, armed_ns: None })
    }

    /// Rings at this instant, which is not 0. Asking again for the same one costs nothing.
    pub(crate) fn arm(&mut self, at_ns: u64) -> io::Result<()> {
        if self.armed_ns == Some(at_ns) {
            return Ok(());
        }
        let setting = libc::itimerspec { it_interval: timespec(0), it_value: timespec(at_ns) };
        // SAFETY: `setting` is valid for the call; the old one is not asked for.
        check(unsafe {
            libc::timerfd_settime(
                self.fd.as_raw_fd(),
                libc::TFD_TIMER_ABSTIME,
                &raw const setting,
                std::ptr::null_mut(),
            )
        })?;
        self.armed_ns = Some(at_ns);
        Ok(())
    }
}

impl AsFd for Timer {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.fd.as_fd()
    }
}
