//! Readiness of many descriptors.

use std::io;
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd};

use super::check;

/// Level-triggered reading: for listeners.
pub(crate) const READ: u32 = libc::EPOLLIN as u32;
/// Edge-triggered, both ways: registered once, told only of changes.
pub(crate) const BOTH_EDGES: u32 = (libc::EPOLLIN | libc::EPOLLOUT | libc::EPOLLRDHUP | libc::EPOLLET) as u32;
/// Edge-triggered reading: for timers and wake-ups that are never read.
pub(crate) const READ_EDGE: u32 = (libc::EPOLLIN | libc::EPOLLET) as u32;

/// A descriptor that became ready, and for what.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ready {
    pub(crate) token: u64,
    pub(crate) readable: bool,
    pub(crate) writable: bool,
    /// The other side is gone, or will send no more.
    pub(crate) hung_up: bool,
}

#[derive(Debug)]
pub(crate) struct Epoll {
    fd: OwnedFd,
}

/// Room for the events of one wait.
pub(crate) type Events = Vec<libc::epoll_event>;

impl Epoll {
    pub(crate) fn new() -> io::Result<Self> {
        // SAFETY: no pointers; on success the descriptor is new and ours.
        let fd = unsafe { OwnedFd::from_raw_fd(check(libc::epoll_create1(libc::EPOLL_CLOEXEC))?) };
        Ok(Self { fd })
    }

    /// The descriptor leaves by being closed.
    pub(crate) fn add(&self, fd: BorrowedFd<'_>, interest: u32, token: u64) -> io::Result<()> {
        let mut event = libc::epoll_event { events: interest, u64: token };
        // SAFETY: `event` is valid for the call; the kernel copies it.
        check(unsafe {
            libc::epoll_ctl(self.fd.as_raw_fd(), libc::EPOLL_CTL_ADD, fd.as_raw_fd(), &raw mut event)
        })?;
        Ok(())
    }

    /// Waits without limit and fills `events` up to its capacity. A signal ends it with no events.
    pub(crate) fn wait(&self, events: &mut Events) -> io::Result<()> {
        events.clear();
        // SAFETY: the spare room holds `capacity` events, and the kernel fills the first `count`.
        unsafe {
            let room = events.capacity() as libc::c_int;
            let count = libc::epoll_wait(self.fd.as_raw_fd(), events.as_mut_ptr(), room, -1);
            match check(count) {
                Ok(count) => events.set_len(count as usize),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

pub(crate) fn ready(event: &libc::epoll_event) -> Ready {
    let (events, token) = (event.events, event.u64);
    let any = |flags: libc::c_int| events & flags as u32 != 0;
    Ready {
        token,
        readable: any(libc::EPOLLIN | libc::EPOLLRDHUP | libc::EPOLLHUP | libc::EPOLLERR),
        writable: any(libc::EPOLLOUT),
        hung_up: any(libc::EPOLLRDHUP | libc::EPOLLHUP | libc::EPOLLERR),
    }
}
