//! The byte stream that a connection reads from and writes to.

use std::future::Future;
use std::io::{self, Read, Write};
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::thread::Thread;

/// A non-blocking byte stream.
///
/// An event loop implements it over its sockets: `Poll::Pending` means that `cx`'s waker is called when it is worth
/// trying again. A stream that always has bytes should be pending now and then, so that limits of time are looked at.
/// Errors of kind `Interrupted` are the stream's own business and must not come out.
pub trait Stream {
    /// Readiness to read, as far as the stream knows it without a system call: pending where a read would be. Asked
    /// before a buffer is borrowed for the read. A stream that cannot tell is always ready.
    #[inline]
    fn poll_readable(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let _ = cx;
        Poll::Ready(())
    }

    /// Reads into `buf`; the number of bytes read, 0 at the end of the stream.
    fn poll_read(&mut self, cx: &mut Context<'_>, buf: &mut [u8]) -> Poll<io::Result<usize>>;

    /// Writes from `buf`; the number of bytes that were taken.
    fn poll_write(&mut self, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>>;

    /// Whether there may be something to read, as far as is known without a system call. Asked before a command is
    /// sent: a server that speaks then says what nobody asked for, or has closed.
    fn has_unread(&self) -> bool {
        false
    }
}

impl<T: Stream + ?Sized> Stream for &mut T {
    fn poll_readable(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        (**self).poll_readable(cx)
    }

    fn poll_read(&mut self, cx: &mut Context<'_>, buf: &mut [u8]) -> Poll<io::Result<usize>> {
        (**self).poll_read(cx, buf)
    }

    fn poll_write(&mut self, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        (**self).poll_write(cx, buf)
    }

    fn has_unread(&self) -> bool {
        (**self).has_unread()
    }
}

/// A blocking stream (`TcpStream`, `UnixStream`) in the role of a non-blocking one: always ready, the thread waits in
/// the call.
#[derive(Debug)]
pub struct Blocking<T>(pub T);

impl<T: Read + Write> Stream for Blocking<T> {
    fn poll_read(&mut self, _cx: &mut Context<'_>, buf: &mut [u8]) -> Poll<io::Result<usize>> {
        Poll::Ready(retried(|| self.0.read(buf)))
    }

    fn poll_write(&mut self, _cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        Poll::Ready(retried(|| self.0.write(buf)))
    }
}

/// Repeats a call that a signal interrupted.
fn retried(mut call: impl FnMut() -> io::Result<usize>) -> io::Result<usize> {
    loop {
        match call() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            result => return result,
        }
    }
}

/// Runs a future on this thread until it is done. Meant for [`Blocking`] streams.
pub fn block_on<F: Future>(future: F) -> F::Output {
    struct Unpark(Thread);

    impl Wake for Unpark {
        fn wake(self: Arc<Self>) {
            self.0.unpark();
        }
    }

    let mut future = pin!(future);
    let waker = Waker::from(Arc::new(Unpark(std::thread::current())));
    let mut cx = Context::from_waker(&waker);
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut cx) {
            return output;
        }
        std::thread::park();
    }
}
