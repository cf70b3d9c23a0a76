//! The system calls (Linux), each wrapped once.

pub(crate) mod clock;
pub(crate) mod epoll;
pub(crate) mod limit;
pub(crate) mod listener;
pub(crate) mod socket;
pub(crate) mod timer;
pub(crate) mod wake;

use std::io;

/// The result of a system call that says −1 on failure.
fn check(result: libc::c_int) -> io::Result<libc::c_int> {
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(result) }
}
