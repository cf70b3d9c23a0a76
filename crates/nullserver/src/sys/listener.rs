//! Where clients connect: a unix socket, a port on the loopback address, or both.

use std::io;
use std::net::{Ipv4Addr, TcpListener};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use super::check;
use super::socket::set_no_delay;

/// Connections that may wait to be accepted; the kernel lowers it to `net.core.somaxconn`.
const BACKLOG: libc::c_int = 8_192;

#[derive(Debug)]
pub(crate) struct Listener {
    fd: OwnedFd,
    tcp: bool,
    /// Removed at the end.
    path: Option<PathBuf>,
}

impl Listener {
    /// # Errors
    /// The path is in use by a living server or by something that is not a socket, or cannot be made.
    pub(crate) fn unix(path: &Path) -> anyhow::Result<Self> {
        match UnixStream::connect(path) {
            Ok(_) => {
                bail!("{}: a server is listening there already; choose another --socket", path.display())
            }
            // Left by a server that was killed.
            Err(error) if error.kind() == io::ErrorKind::ConnectionRefused && is_socket(path) => {
                std::fs::remove_file(path)
                    .with_context(|| format!("removing old socket {}", path.display()))?;
            }
            Err(_) => {}
        }
        let listener = UnixListener::bind(path)
            .with_context(|| format!("cannot listen on unix socket {}", path.display()))?;
        Self::new(listener.into(), false, Some(path.to_path_buf()))
    }

    /// Port 0 takes a free one. Returns the port as well.
    ///
    /// # Errors
    /// The port is taken, or not allowed.
    pub(crate) fn loopback(port: u16) -> anyhow::Result<(Self, u16)> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).with_context(|| {
            format!("cannot listen on 127.0.0.1:{port}; choose another --port, or 0 for a free one")
        })?;
        let port = listener.local_addr()?.port();
        Ok((Self::new(listener.into(), true, None)?, port))
    }

    fn new(fd: OwnedFd, tcp: bool, path: Option<PathBuf>) -> anyhow::Result<Self> {
        let listener = Self { fd, tcp, path };
        let raw = listener.fd.as_raw_fd();
        // SAFETY: no pointers. Listening again only changes the backlog.
        unsafe {
            check(libc::listen(raw, BACKLOG))?;
            let flags = check(libc::fcntl(raw, libc::F_GETFL))?;
            check(libc::fcntl(raw, libc::F_SETFL, flags | libc::O_NONBLOCK))?;
        }
        Ok(listener)
    }

    /// The next connection that waits, if any.
    ///
    /// # Errors
    /// Such as `EMFILE`: no descriptor is left for it.
    pub(crate) fn accept(&self) -> io::Result<Option<OwnedFd>> {
        let flags = libc::SOCK_NONBLOCK | libc::SOCK_CLOEXEC;
        // SAFETY: no address is asked for; on success the descriptor is new and ours.
        let accepted = unsafe {
            check(libc::accept4(self.fd.as_raw_fd(), std::ptr::null_mut(), std::ptr::null_mut(), flags))
                .map(|fd| OwnedFd::from_raw_fd(fd))
        };
        match accepted {
            Ok(fd) => {
                if self.tcp {
                    // Refused only for a client that has left already.
                    let _ = set_no_delay(fd.as_fd());
                }
                Ok(Some(fd))
            }
            Err(error) => match error.raw_os_error() {
                // Nobody waits, or the one who did has left.
                Some(libc::EAGAIN | libc::EINTR | libc::ECONNABORTED) => Ok(None),
                _ => Err(error),
            },
        }
    }
}

fn is_socket(path: &Path) -> bool {
    use std::os::unix::fs::FileTypeExt;
    path.symlink_metadata().is_ok_and(|data| data.file_type().is_socket())
}

impl AsFd for Listener {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.fd.as_fd()
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        if let Some(path) = &self.path {
            // Gone already is as good.
            let _ = std::fs::remove_file(path);
        }
    }
}
