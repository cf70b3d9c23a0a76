//! TLS: the options, and the transport with or without it.

mod certificate;
mod options;
mod session;
mod verify;

use std::io;
use std::task::{Context, Poll};

pub use options::{TlsFiles, TlsMode, TlsOptions};

use crate::error::Error;
use crate::options::Options;
use crate::server::TlsInfo;
use crate::stream::Stream;
use session::TlsSession;

/// A stream in clear or under TLS (boxed: connections in clear stay small).
#[derive(Debug)]
pub(crate) enum Transport<S> {
    Plain(S),
    Tls(Box<TlsSession<S>>),
}

impl<S: Stream> Transport<S> {
    /// Begins TLS on the stream in clear.
    pub(crate) async fn upgrade(self, options: &Options) -> Result<(Self, TlsInfo), Error> {
        let Self::Plain(stream) = self else {
            return Err(Error::Tls("asked for a second time".into()));
        };
        let (session, info) = TlsSession::open(stream, options).await?;
        Ok((Self::Tls(Box::new(session)), info))
    }

    pub(crate) fn stream(&self) -> &S {
        match self {
            Self::Plain(stream) => stream,
            Self::Tls(session) => &session.stream,
        }
    }

    pub(crate) fn stream_mut(&mut self) -> &mut S {
        match self {
            Self::Plain(stream) => stream,
            Self::Tls(session) => &mut session.stream,
        }
    }

    pub(crate) fn into_stream(self) -> S {
        match self {
            Self::Plain(stream) => stream,
            Self::Tls(session) => session.stream,
        }
    }

    /// Readiness of the stream in clear; a TLS session may hold decrypted bytes, and looks for itself.
    #[inline]
    pub(crate) fn poll_readable(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        match self {
            Self::Plain(stream) => stream.poll_readable(cx),
            Self::Tls(_) => Poll::Ready(()),
        }
    }

    #[inline]
    pub(crate) fn poll_read(&mut self, cx: &mut Context<'_>, buf: &mut [u8]) -> Poll<io::Result<usize>> {
        match self {
            Self::Plain(stream) => stream.poll_read(cx, buf),
            Self::Tls(session) => session.poll_read(cx, buf),
        }
    }

    #[inline]
    pub(crate) fn poll_write(&mut self, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        match self {
            Self::Plain(stream) => stream.poll_write(cx, buf),
            Self::Tls(session) => session.poll_write(cx, buf),
        }
    }
}
