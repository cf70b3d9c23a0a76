//! The exchange of a command for its answer: bytes out, packets in.

use std::future::poll_fn;
use std::io;
use std::task::{Context, Poll, Waker, ready};

use crate::error::Error;
use crate::inbox::{Answer, Inbox, unasked};
use crate::outbox::Outbox;
use crate::scratch::Scratch;
use crate::stream::Stream;
use crate::tls::Transport;

/// A transport with the packets that are on their way in both directions.
#[derive(Debug)]
pub(crate) struct Link<S> {
    pub(crate) transport: Transport<S>,
    pub(crate) outbox: Outbox,
    pub(crate) inbox: Inbox,
}

impl<S: Stream> Link<S> {
    pub(crate) fn new(stream: S) -> Self {
        Self { transport: Transport::Plain(stream), outbox: Outbox::default(), inbox: Inbox::default() }
    }

    /// Begins the packet of a new command; gives the place for the rest of its payload, behind the command's code.
    #[inline]
    pub(crate) fn command(&mut self, code: u8) -> &mut Vec<u8> {
        self.outbox.clear();
        let payload = self.outbox.begin(0);
        payload.push(code);
        payload
    }

    /// Ends the packet, sends it, and hands the answer's packets over.
    #[inline]
    pub(crate) fn exchange<A: Answer>(&mut self, answer: &mut A) -> impl Future<Output = Result<(), Error>> {
        let sequence = self.outbox.end();
        self.inbox.expect(sequence);
        self.run(answer)
    }

    /// Sends what the outbox holds and hands the packets of the answer over. One poll does both: the hot path is one
    /// write and one read, with no state kept between them but a count.
    #[inline]
    pub(crate) fn run<A: Answer>(&mut self, answer: &mut A) -> impl Future<Output = Result<(), Error>> {
        // No async function: each would be one more state to enter at every poll.
        let mut written = 0;
        poll_fn(move |cx| {
            ready!(self.poll_send(cx, &mut written))?;
            self.poll_receive(cx, answer)
        })
    }

    /// Sends what the outbox holds and waits for nothing.
    pub(crate) async fn send(&mut self) -> Result<(), Error> {
        let mut written = 0;
        poll_fn(|cx| self.poll_send(cx, &mut written)).await
    }

    /// Reads what came before a command was sent, if anything did.
    ///
    /// # Errors
    /// The server's farewell, the end of the stream, or bytes that nobody asked for.
    #[cold]
    pub(crate) fn hear_unasked(&mut self) -> Result<(), Error> {
        let mut scratch = Scratch::borrow();
        let error = match self.transport.poll_read(&mut Context::from_waker(Waker::noop()), &mut scratch) {
            Poll::Pending => return Ok(()),
            Poll::Ready(Ok(0)) => Error::closed(),
            Poll::Ready(Ok(count)) => unasked(&scratch[..count]),
            Poll::Ready(Err(error)) => error.into(),
        };
        Err(match error {
            Error::Protocol(_) => error,
            closed => Error::Idle(Box::new(closed)),
        })
    }

    #[inline]
    fn poll_send(&mut self, cx: &mut Context<'_>, written: &mut usize) -> Poll<Result<(), Error>> {
        let bytes = self.outbox.bytes();
        while *written < bytes.len() {
            match ready!(self.transport.poll_write(cx, &bytes[*written..])) {
                Ok(0) => return Poll::Ready(Err(io::Error::from(io::ErrorKind::WriteZero).into())),
                Ok(count) => *written += count,
                Err(error) => return self.poll_last_words(cx, error).map(Err),
            }
        }
        if let Transport::Tls(session) = &mut self.transport {
            ready!(session.poll_flush(cx))?;
        }
        Poll::Ready(Ok(()))
    }

    /// What the server said before it closed while a command was on its way, for one that is longer than it takes; otherwise
    /// the error of the write, which a later poll would meet again.
    #[cold]
    fn poll_last_words(&mut self, cx: &mut Context<'_>, error: io::Error) -> Poll<Error> {
        if !matches!(error.kind(), io::ErrorKind::BrokenPipe | io::ErrorKind::ConnectionReset) {
            return Poll::Ready(error.into());
        }
        let mut scratch = Scratch::borrow();
        let said = match ready!(self.transport.poll_read(cx, &mut scratch)) {
            Ok(count) if count > 0 => Some(unasked(&scratch[..count])),
            _ => None,
        };
        Poll::Ready(said.filter(|said| matches!(said, Error::Server(_))).unwrap_or_else(|| error.into()))
    }

    #[inline]
    fn poll_receive(&mut self, cx: &mut Context<'_>, answer: &mut impl Answer) -> Poll<Result<(), Error>> {
        // The first poll of a command sends it, and finds nothing to read: no buffer is borrowed to learn that.
        ready!(self.transport.poll_readable(cx));
        let mut scratch = Scratch::borrow();
        loop {
            let count = ready!(self.transport.poll_read(cx, &mut scratch))?;
            if count == 0 {
                return Poll::Ready(Err(Error::closed()));
            }
            if self.inbox.feed(&scratch[..count], answer)? {
                return Poll::Ready(Ok(()));
            }
        }
    }
}
