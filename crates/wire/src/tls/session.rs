//! A TLS session over a non-blocking stream.

use std::future::poll_fn;
use std::io::{self, Read, Write};
use std::task::{Context, Poll, ready};

use rustls::ClientConnection;
use rustls::pki_types::ServerName;

use super::TlsMode;
use crate::error::Error;
use crate::options::Options;
use crate::scratch::Scratch;
use crate::server::TlsInfo;
use crate::stream::Stream;

/// Encrypted bytes read at once: less than the plain bytes asked for, so that they fit where they are wanted.
const READ: usize = 32 * 1024;

/// A TLS session on its stream.
#[derive(Debug)]
pub(crate) struct TlsSession<S> {
    pub(super) stream: S,
    tls: ClientConnection,
}

impl<S: Stream> TlsSession<S> {
    /// Begins TLS on a stream: performs its handshake.
    pub(super) async fn open(stream: S, options: &Options) -> Result<(Self, TlsInfo), Error> {
        let Some(config) = options.tls.config() else {
            return Err(Error::Tls("no configuration".into()));
        };
        let tls = ClientConnection::new(config.clone(), server_name(options)?)
            .map_err(|error| Error::Tls(error.to_string()))?;
        let mut session = Self { stream, tls };
        poll_fn(|cx| session.poll_handshake(cx)).await?;
        let info = TlsInfo {
            protocol: session.tls.protocol_version().and_then(|version| version.as_str()).unwrap_or_default(),
            cipher: session
                .tls
                .negotiated_cipher_suite()
                .and_then(|suite| suite.suite().as_str())
                .unwrap_or_default(),
        };
        Ok((session, info))
    }

    fn poll_handshake(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Error>> {
        while self.tls.is_handshaking() {
            ready!(self.poll_flush(cx))?;
            if !self.tls.is_handshaking() {
                break;
            }
            let mut scratch = Scratch::borrow();
            let count = match ready!(self.stream.poll_read(cx, &mut scratch[..READ])) {
                Ok(0) => return Poll::Ready(Err(Error::Tls("the server closed the connection".into()))),
                Ok(count) => count,
                Err(error) => return Poll::Ready(Err(error.into())),
            };
            if let Err(error) = self.take(&scratch[..count], &mut []) {
                // The server learns why; whether it hears is its affair.
                let _ = self.poll_flush(cx);
                return Poll::Ready(Err(Error::Tls(reason(&error))));
            }
        }
        self.poll_flush(cx).map_err(Error::from)
    }

    /// Decrypts bytes of the stream to `plain`; the number of plain bytes.
    fn take(&mut self, mut encrypted: &[u8], plain: &mut [u8]) -> io::Result<usize> {
        let mut filled = 0;
        while !encrypted.is_empty() {
            self.tls.read_tls(&mut encrypted)?;
            self.tls
                .process_new_packets()
                .map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?;
            filled += self.drain(&mut plain[filled..])?;
        }
        Ok(filled)
    }

    /// Moves decrypted bytes that are ready to `plain`; how many.
    fn drain(&mut self, plain: &mut [u8]) -> io::Result<usize> {
        let mut filled = 0;
        while filled < plain.len() {
            match self.tls.reader().read(&mut plain[filled..]) {
                Ok(0) => break,
                Ok(count) => filled += count,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => break,
                // The server closed without saying so in TLS: the end, and the protocol above knows if it is early.
                Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => break,
                Err(error) => return Err(error),
            }
        }
        Ok(filled)
    }

    /// Reads and decrypts into `buf`; the number of plain bytes, 0 at the end of the stream.
    pub(super) fn poll_read(&mut self, cx: &mut Context<'_>, buf: &mut [u8]) -> Poll<io::Result<usize>> {
        let ready = self.drain(buf)?;
        if ready > 0 {
            return Poll::Ready(Ok(ready));
        }
        ready!(self.stream.poll_readable(cx));
        let mut scratch = Scratch::borrow();
        loop {
            let count = ready!(self.stream.poll_read(cx, &mut scratch[..READ]))?;
            if count == 0 {
                return Poll::Ready(Ok(0));
            }
            let filled = self.take(&scratch[..count], buf)?;
            if filled > 0 {
                return Poll::Ready(Ok(filled));
            }
            if self.tls.wants_write() {
                // An answer to a key update.
                ready!(self.poll_flush(cx))?;
            }
        }
    }

    /// Encrypts and sends; what the stream does not take now, [`TlsSession::poll_flush`] sends later.
    pub(super) fn poll_write(&mut self, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        // No more is taken while the last piece is still here, else it would grow without limit.
        ready!(self.poll_flush(cx))?;
        let taken = self.tls.writer().write(buf)?;
        let _ = self.poll_flush(cx)?;
        Poll::Ready(Ok(taken))
    }

    /// Sends encrypted bytes that the stream has not taken yet.
    pub(crate) fn poll_flush(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        while self.tls.wants_write() {
            let mut outlet = Outlet { stream: &mut self.stream, cx };
            match self.tls.write_tls(&mut outlet) {
                Ok(0) => return Poll::Ready(Err(io::ErrorKind::WriteZero.into())),
                Ok(_) => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Poll::Pending,
                Err(error) => return Poll::Ready(Err(error)),
            }
        }
        Poll::Ready(Ok(()))
    }
}

/// The reason of a failed handshake; a verifier's own words stand for themselves.
fn reason(error: &io::Error) -> String {
    match error.get_ref().and_then(|inner| inner.downcast_ref()) {
        Some(rustls::Error::General(words)) => words.clone(),
        _ => error.to_string(),
    }
}

/// A stream as rustls writes to it.
struct Outlet<'a, 'cx, S> {
    stream: &'a mut S,
    cx: &'a mut Context<'cx>,
}

impl<S: Stream> Write for Outlet<'_, '_, S> {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        match self.stream.poll_write(self.cx, buf) {
            Poll::Ready(result) => result,
            Poll::Pending => Err(io::ErrorKind::WouldBlock.into()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn server_name(options: &Options) -> Result<ServerName<'static>, Error> {
    match &options.server_name {
        Some(name) => ServerName::try_from(name.clone())
            .map_err(|_| Error::Tls(format!("{name:?} is neither a host name nor an address"))),
        None if options.tls.mode() == TlsMode::VerifyIdentity => {
            Err(Error::Tls(format!("mode {} needs the server's name", TlsMode::VerifyIdentity)))
        }
        // Nobody looks at it, and addresses are not sent.
        None => Ok(ServerName::IpAddress(std::net::Ipv4Addr::UNSPECIFIED.into())),
    }
}
