//! Wakes an event loop from another thread.

use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd};

use super::check;

#[derive(Debug)]
pub(crate) struct Wake {
    fd: OwnedFd,
}

impl Wake {
    pub(crate) fn new() -> io::Result<Self> {
        // SAFETY: no pointers; on success the descriptor is new and ours.
        let fd =
            unsafe { OwnedFd::from_raw_fd(check(libc::eventfd(0, libc::EFD_NONBLOCK | libc::EFD_CLOEXEC))?) };
        Ok(Self { fd })
    }

    pub(crate) fn wake(&self) {
        // SAFETY: an eventfd takes 8 bytes. It can only refuse when it is full, and then the loop is awake.
        unsafe { libc::write(self.fd.as_raw_fd(), (&raw const ONE).cast(), 8) };
    }
}

static ONE: u64 = 1;

impl AsFd for Wake {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.fd.as_fd()
    }
}
