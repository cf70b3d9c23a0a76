//! epoll, recv and send, as bare as they are.

use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};

const BATCH: usize = 256;

pub(crate) struct Poll {
    fd: OwnedFd,
    events: Vec<libc::epoll_event>,
}

fn check(result: i64) -> io::Result<usize> {
    usize::try_from(result).map_err(|_| io::Error::last_os_error())
}

impl Poll {
    /// Watches every descriptor for input, edge-triggered, under its number.
    pub(crate) fn of(descriptors: &[OwnedFd]) -> io::Result<Self> {
        // SAFETY: no pointers; on success the descriptor is new and ours.
        let fd = unsafe {
            let fd = libc::epoll_create1(libc::EPOLL_CLOEXEC);
            check(fd.into())?;
            OwnedFd::from_raw_fd(fd)
        };
        for (number, descriptor) in (0..).zip(descriptors) {
            let interest = (libc::EPOLLIN | libc::EPOLLRDHUP | libc::EPOLLET) as u32;
            let mut event = libc::epoll_event { events: interest, u64: number };
            // SAFETY: `event` outlives the call, which copies it.
            check(i64::from(unsafe {
                libc::epoll_ctl(fd.as_raw_fd(), libc::EPOLL_CTL_ADD, descriptor.as_raw_fd(), &raw mut event)
            }))?;
        }
        Ok(Self { fd, events: Vec::with_capacity(BATCH) })
    }

    /// Waits, then calls `each` with the number of every descriptor that has news.
    pub(crate) fn turn(&mut self, mut each: impl FnMut(usize) -> io::Result<()>) -> io::Result<()> {
        self.events.clear();
        // SAFETY: the spare room holds BATCH events, and the kernel fills the first `count`.
        unsafe {
            let room = self.events.capacity() as i32;
            let count = libc::epoll_wait(self.fd.as_raw_fd(), self.events.as_mut_ptr(), room, -1);
            self.events.set_len(check(count.into())?);
        }
        for event in &self.events {
            each(event.u64 as usize)?;
        }
        Ok(())
    }
}

/// Bytes received; 0 when the other side is gone, `None` when there is nothing now.
#[inline]
pub(crate) fn receive(fd: &OwnedFd, buffer: &mut [u8]) -> io::Result<Option<usize>> {
    // SAFETY: the buffer is valid for its length.
    let result = unsafe { libc::recv(fd.as_raw_fd(), buffer.as_mut_ptr().cast(), buffer.len(), 0) };
    match check(result as i64) {
        Ok(count) => Ok(Some(count)),
        Err(error) if error.kind() == io::ErrorKind::WouldBlock => Ok(None),
        Err(error) if error.kind() == io::ErrorKind::ConnectionReset => Ok(Some(0)),
        Err(error) => Err(error),
    }
}

/// Sends all of it. With one message in flight on a connection its buffer always has room.
#[inline]
pub(crate) fn send(fd: &OwnedFd, bytes: &[u8]) -> io::Result<()> {
    // SAFETY: the bytes are valid for their length; a client that is gone must not raise SIGPIPE.
    let result =
        unsafe { libc::send(fd.as_raw_fd(), bytes.as_ptr().cast(), bytes.len(), libc::MSG_NOSIGNAL) };
    match check(result as i64) {
        Ok(count) if count == bytes.len() => Ok(()),
        Ok(_) => Err(io::Error::other("a message does not fit into the socket's buffer")),
        Err(error) => Err(error),
    }
}

/// Makes calls on a descriptor wait from now on.
pub(crate) fn block(fd: &OwnedFd) -> io::Result<()> {
    // SAFETY: both calls take numbers only.
    unsafe {
        let flags = check(libc::fcntl(fd.as_raw_fd(), libc::F_GETFL).into())? as i32;
        check(libc::fcntl(fd.as_raw_fd(), libc::F_SETFL, flags & !libc::O_NONBLOCK).into())?;
    }
    Ok(())
}
