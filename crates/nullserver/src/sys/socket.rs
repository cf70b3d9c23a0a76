//! Reading, writing and cutting a connection.

use std::io;
use std::os::fd::{AsRawFd, BorrowedFd};

use super::check;

/// The outcome of a read or a write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Transfer {
    /// The number of bytes moved.
    Bytes(usize),
    /// Nothing for now: the socket would wait.
    Later,
    /// The connection is over.
    Over,
}

fn transfer(result: isize) -> Transfer {
    match result {
        1.. => Transfer::Bytes(result as usize),
        0 => Transfer::Over,
        _ => match io::Error::last_os_error().kind() {
            io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted => Transfer::Later,
            _ => Transfer::Over,
        },
    }
}

#[inline]
pub(crate) fn read(fd: BorrowedFd<'_>, buffer: &mut [u8]) -> Transfer {
    // SAFETY: the buffer is valid for its length.
    transfer(unsafe { libc::recv(fd.as_raw_fd(), buffer.as_mut_ptr().cast(), buffer.len(), 0) })
}

/// Writes a part of `bytes`, which are not empty.
#[inline]
pub(crate) fn write(fd: BorrowedFd<'_>, bytes: &[u8]) -> Transfer {
    // SAFETY: the bytes are valid for their length. A client that is gone must not raise SIGPIPE.
    transfer(unsafe { libc::send(fd.as_raw_fd(), bytes.as_ptr().cast(), bytes.len(), libc::MSG_NOSIGNAL) })
}

fn set<T>(fd: BorrowedFd<'_>, level: libc::c_int, option: libc::c_int, value: &T) -> io::Result<()> {
    // SAFETY: the value is valid for its size.
    check(unsafe {
        libc::setsockopt(
            fd.as_raw_fd(),
            level,
            option,
            std::ptr::from_ref(value).cast(),
            size_of::<T>() as libc::socklen_t,
        )
    })?;
    Ok(())
}

/// Sends small packets at once.
pub(crate) fn set_no_delay(fd: BorrowedFd<'_>) -> io::Result<()> {
    set(fd, libc::IPPROTO_TCP, libc::TCP_NODELAY, &1 as &libc::c_int)
}

/// Makes the next close a reset: on TCP the client sees ECONNRESET, on a unix socket an end of file.
pub(crate) fn set_reset_on_close(fd: BorrowedFd<'_>) {
    let linger = libc::linger { l_onoff: 1, l_linger: 0 };
    // Where it cannot be set, the close alone still cuts the connection.
    let _ = set(fd, libc::SOL_SOCKET, libc::SO_LINGER, &linger);
}
