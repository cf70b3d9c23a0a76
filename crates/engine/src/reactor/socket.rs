//! Sockets of the event loop: connecting, and the byte stream that the protocol runs over.

use std::io::{self, Read};
use std::net::{SocketAddr, ToSocketAddrs};
use std::os::fd::{AsRawFd, RawFd};
use std::rc::Rc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use assay_wire::Stream;
use socket2::{Domain, Protocol, SockAddr, Socket as RawSocket, Type};

use crate::reactor::slot::SlotId;
use crate::reactor::{Reactor, TaskId};
use assay_format::job::Target;

/// Nanoseconds that a full accept queue is given before the next try.
const ACCEPT_QUEUE_PAUSE_NS: u64 = 2_000_000;

/// The longest that a loop of one task receives before it looks at its timers and its other sockets again; the kernel
/// makes two of its ticks of it, if they are longer.
const LONGEST_RECEIVE: Duration = Duration::from_millis(1);

/// Bytes that one connection may read in a row before the event loop looks at its limits, its other connections and
/// Ctrl-C: a server that sends faster than it is read would keep the loop for itself.
const TURN_BYTES: usize = 1 << 20;

/// The endpoint at which the server listens, its name resolved once.
#[derive(Debug, Clone)]
pub(crate) struct Endpoint {
    address: SockAddr,
    text: String,
    is_unix: bool,
}

impl Endpoint {
    /// # Errors
    /// The host has no address, or the socket path is too long.
    pub(crate) fn of(target: &Target) -> io::Result<Self> {
        if let Some(path) = &target.socket {
            return Ok(Self {
                address: SockAddr::unix(path)?,
                text: path.display().to_string(),
                is_unix: true,
            });
        }
        let host = bare(&target.host);
        let found: Vec<SocketAddr> = (host, target.port).to_socket_addrs()?.collect();
        // A server on "localhost" listens on IPv4 more often than not.
        let address = found.iter().find(|address| address.is_ipv4()).or(found.first());
        let address = *address.ok_or_else(|| io::Error::other("the host has no address"))?;
        let text = if host.contains(':') {
            format!("[{host}]:{}", target.port)
        } else {
            format!("{host}:{}", target.port)
        };
        Ok(Self { address: address.into(), text, is_unix: false })
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Waits, without an event loop, for the first byte from who listens there.
    ///
    /// # Errors
    /// Nobody listens, or nothing comes within the time.
    pub(crate) fn greet(&self, within: Duration) -> io::Result<()> {
        let mut raw = RawSocket::new(self.address.domain(), Type::STREAM, None)?;
        raw.connect_timeout(&self.address, within)?;
        raw.set_read_timeout(Some(within))?;
        raw.read_exact(&mut [0])
    }

    pub(crate) fn is_unix(&self) -> bool {
        self.is_unix
    }

    /// Whether bytes on their way to the endpoint stay on this machine.
    pub(crate) fn is_local(&self) -> bool {
        self.is_unix || self.address.as_socket().is_some_and(|address| address.ip().is_loopback())
    }
}

/// A host without the brackets in which addresses of IPv6 stand in URLs.
pub(crate) fn bare(host: &str) -> &str {
    host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(host)
}

/// A connected, non-blocking socket that belongs to one task, which may have others.
pub(crate) struct Socket {
    raw: RawSocket,
    reactor: Rc<Reactor>,
    task: TaskId,
    slot: SlotId,
    /// Whether a write is stuck, and the reactor was asked to say when it may go on.
    write_stuck: bool,
    /// Bytes read in this turn of the loop, by reads that each got as much as was asked for.
    turn_bytes: usize,
}

impl Socket {
    /// # Errors
    /// What `connect(2)` says, except that a full accept queue is waited out until `deadline`.
    pub(crate) async fn connect(
        reactor: Rc<Reactor>,
        task: TaskId,
        endpoint: &Endpoint,
        deadline: u64,
    ) -> io::Result<Self> {
        let protocol = (!endpoint.is_unix).then_some(Protocol::TCP);
        let domain = if endpoint.is_unix { Domain::UNIX } else { endpoint.address.domain() };
        let raw = RawSocket::new(domain, Type::STREAM.nonblocking(), protocol)?;
        if !endpoint.is_unix {
            raw.set_tcp_nodelay(true)?;
        }
        loop {
            match raw.connect(&endpoint.address) {
                Ok(()) => break,
                Err(error) if error.raw_os_error() == Some(libc::EINPROGRESS) => {
                    let socket = Self::watched(raw, reactor, task, true)?;
                    let connected = std::future::poll_fn(|_| {
                        if socket.reactor.is_writable(socket.slot) { Poll::Ready(()) } else { Poll::Pending }
                    });
                    connected.await;
                    if let Some(error) = socket.raw.take_error()? {
                        return Err(error);
                    }
                    socket.reactor.want_write(socket.raw.as_raw_fd(), socket.slot, false)?;
                    return Ok(socket);
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    let now = reactor.clock.now();
                    if now >= deadline {
                        return Err(io::ErrorKind::TimedOut.into());
                    }
                    reactor.sleep_until(task, now + ACCEPT_QUEUE_PAUSE_NS).await;
                }
                Err(error) => return Err(error),
            }
        }
        Self::watched(raw, reactor, task, false)
    }

    /// A socket that is open already, made one of the loop's.
    pub(super) fn watched(
        raw: RawSocket,
        reactor: Rc<Reactor>,
        task: TaskId,
        writable: bool,
    ) -> io::Result<Self> {
        if reactor.is_of_one_task() {
            // Its loop may wait for an answer by receiving it; what must not wait says so at each call.
            raw.set_read_timeout(Some(LONGEST_RECEIVE))?;
            raw.set_nonblocking(false)?;
        }
        let slot = reactor.attach(raw.as_raw_fd(), task, writable)?;
        Ok(Self { raw, reactor, task, slot, write_stuck: false, turn_bytes: 0 })
    }
}

impl Drop for Socket {
    fn drop(&mut self) {
        self.reactor.detach(self.slot);
    }
}

impl Stream for Socket {
    #[inline]
    fn poll_readable(&mut self, _: &mut Context<'_>) -> Poll<()> {
        if self.reactor.is_readable(self.slot) {
            return Poll::Ready(());
        }
        self.reactor.await_answer(self.slot);
        Poll::Pending
    }

    #[inline]
    fn poll_read(&mut self, cx: &mut Context<'_>, buffer: &mut [u8]) -> Poll<io::Result<usize>> {
        ready!(self.poll_readable(cx));
        if self.reactor.owes(self.slot) {
            ready!(self.poll_owed())?;
        }
        if self.turn_bytes >= TURN_BYTES {
            self.turn_bytes = 0;
            self.reactor.wake(self.task);
            return Poll::Pending;
        }
        if let Some(received) = self.reactor.read_received(self.slot, buffer) {
            let read = received.result?;
            self.note_read(read, received.drained);
            return Poll::Ready(Ok(read));
        }
        loop {
            let read = receive(self.raw.as_raw_fd(), buffer, libc::MSG_DONTWAIT);
            if read >= 0 {
                let read = read as usize;
                // Less than asked for: the kernel has no more, and will say so when it has.
                self.note_read(read, read < buffer.len() && read > 0);
                return Poll::Ready(Ok(read));
            }
            let error = io::Error::last_os_error();
            match error.kind() {
                io::ErrorKind::WouldBlock => {
                    self.turn_bytes = 0;
                    self.reactor.clear_readable(self.slot);
                    self.reactor.await_answer(self.slot);
                    return Poll::Pending;
                }
                io::ErrorKind::Interrupted => {}
                _ => return Poll::Ready(Err(error)),
            }
        }
    }

    #[inline]
    fn poll_write(&mut self, _: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        if !self.reactor.owes(self.slot) && self.reactor.takes_command(self.slot, self.raw.as_raw_fd(), bytes)
        {
            return Poll::Ready(Ok(bytes.len()));
        }
        self.reactor.hand_over();
        if self.reactor.owes(self.slot) {
            ready!(self.poll_owed())?;
        }
        self.poll_send(bytes)
    }

    #[inline]
    fn has_unread(&self) -> bool {
        self.reactor.is_readable(self.slot)
    }
}

impl Socket {
    /// Counts what was read in this turn; `drained`: the kernel had no more.
    #[inline]
    fn note_read(&mut self, read: usize, drained: bool) {
        if drained && self.reactor.drained(self.slot) {
            self.turn_bytes = 0;
        } else {
            self.turn_bytes += read;
        }
    }

    /// Sends what the socket owes of earlier commands.
    #[cold]
    fn poll_owed(&mut self) -> Poll<io::Result<()>> {
        let mut rest = self.reactor.take_owed(self.slot);
        while !rest.is_empty() {
            match self.poll_send(&rest) {
                Poll::Ready(sent) => drop(rest.drain(..sent?)),
                Poll::Pending => {
                    self.reactor.owe(self.slot, rest);
                    return Poll::Pending;
                }
            }
        }
        Poll::Ready(Ok(()))
    }

    #[inline]
    fn poll_send(&mut self, bytes: &[u8]) -> Poll<io::Result<usize>> {
        loop {
            let sent = send(self.raw.as_raw_fd(), bytes);
            if sent >= 0 {
                if self.write_stuck {
                    self.write_stuck = false;
                    self.reactor.want_write(self.raw.as_raw_fd(), self.slot, false)?;
                }
                return Poll::Ready(Ok(sent as usize));
            }
            let error = io::Error::last_os_error();
            match error.kind() {
                io::ErrorKind::WouldBlock if self.reactor.is_writable(self.slot) => {
                    self.reactor.clear_writable(self.slot);
                }
                io::ErrorKind::WouldBlock => {
                    if !self.write_stuck {
                        self.write_stuck = true;
                        self.reactor.want_write(self.raw.as_raw_fd(), self.slot, true)?;
                    }
                    return Poll::Pending;
                }
                io::ErrorKind::Interrupted => {}
                _ => return Poll::Ready(Err(error)),
            }
        }
    }
}

// The C library's recv and send are cancellation points: in a process with threads each call marks the thread before
// and after. Nobody cancels threads here, and on this path it shows.

#[inline]
pub(super) fn receive(fd: RawFd, buffer: &mut [u8], flags: libc::c_int) -> libc::c_long {
    let nobody = std::ptr::null_mut::<libc::sockaddr>();
    // SAFETY: `buffer` is valid for writes of its length, and the peer's address is not asked for.
    unsafe { libc::syscall(libc::SYS_recvfrom, fd, buffer.as_mut_ptr(), buffer.len(), flags, nobody, nobody) }
}

#[inline]
fn send(fd: RawFd, bytes: &[u8]) -> libc::c_long {
    let nobody = std::ptr::null::<libc::sockaddr>();
    // MSG_NOSIGNAL keeps a dead peer from ending us.
    let flags = libc::MSG_NOSIGNAL | libc::MSG_DONTWAIT;
    // SAFETY: `bytes` is valid for reads of its length, and a connected socket needs no address.
    unsafe { libc::syscall(libc::SYS_sendto, fd, bytes.as_ptr(), bytes.len(), flags, nobody, 0) }
}
