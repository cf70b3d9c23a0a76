//! A connection to a server.

use mysql_common::constants::StatusFlags;

use crate::answer::Metadata;
use crate::error::Error;
use crate::link::Link;
use crate::options::Options;
use crate::server::{Dialect, ServerInfo};
use crate::stream::Stream;

/// A session with a server. Commands are methods, each in a file of its own under `command/`.
///
/// A command that is dropped before its end, or ends in an error that [is fatal](Error::is_fatal), leaves the
/// connection unusable: every later command is [`Error::Unusable`].
pub struct Connection<S> {
    pub(crate) link: Link<S>,
    pub(crate) metadata: Metadata,
    pub(crate) dialect: Dialect,
    state: State,
    server: Box<ServerInfo>,
}

/// Whether a command is under way, and who hears that it was cut off.
struct State {
    usable: bool,
    cut: Option<Box<dyn FnOnce()>>,
}

impl Drop for State {
    fn drop(&mut self) {
        if !self.usable
            && let Some(cut) = self.cut.take()
        {
            cut();
        }
    }
}

impl<S: std::fmt::Debug> std::fmt::Debug for Connection<S> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Connection")
            .field("link", &self.link)
            .field("usable", &self.state.usable)
            .field("server", &self.server)
            .finish_non_exhaustive()
    }
}

impl<S: Stream> Connection<S> {
    /// Shakes hands with the server behind `stream`, changes to TLS if that is asked for, and authenticates.
    ///
    /// # Errors
    /// [`Error::Server`] when the server refuses (1045 for a wrong password), [`Error::Tls`] and [`Error::Auth`] when
    /// this side does, otherwise [`Error::Io`] and [`Error::Protocol`].
    pub async fn open(stream: S, options: &Options) -> Result<Self, Error> {
        let (link, server) = crate::handshake::shake(Link::new(stream), options).await?;
        let dialect = server.dialect();
        let state = State { usable: true, cut: None };
        Ok(Self { link, metadata: Metadata::default(), dialect, state, server: Box::new(server) })
    }

    /// The server, as the login has shown it.
    pub fn server(&self) -> &ServerInfo {
        &self.server
    }

    /// Whether commands may be sent: not after a fatal error, nor after a command that was dropped half-way.
    pub fn is_usable(&self) -> bool {
        self.state.usable
    }

    /// Has `cut` called where the connection is dropped while the server may still be at work on a command of its.
    pub fn when_cut(&mut self, cut: impl FnOnce() + 'static) {
        self.state.cut = Some(Box::new(cut));
    }

    /// Whether a transaction is open, as the server has said with the last result: an error says nothing of it.
    #[inline]
    pub fn in_transaction(&self) -> bool {
        self.metadata.status & StatusFlags::SERVER_STATUS_IN_TRANS.bits() != 0
    }

    /// The stream that the connection runs over.
    pub fn stream(&self) -> &S {
        self.link.transport.stream()
    }

    /// The stream that the connection runs over, to be changed.
    pub fn stream_mut(&mut self) -> &mut S {
        self.link.transport.stream_mut()
    }

    /// Ends the connection without a word to the server and gives its stream back.
    pub fn into_stream(mut self) -> S {
        self.state.cut = None;
        self.link.transport.into_stream()
    }

    /// Marks the beginning of a command: unusable until [`Connection::finish`].
    #[inline]
    pub(crate) fn start(&mut self) -> Result<(), Error> {
        if !std::mem::replace(&mut self.state.usable, false) {
            return Err(Error::Unusable);
        }
        if self.stream().has_unread() { self.link.hear_unasked() } else { Ok(()) }
    }

    /// Marks the end of a command.
    #[inline]
    pub(crate) fn finish<T>(&mut self, result: Result<T, Error>) -> Result<T, Error> {
        self.state.usable = match &result {
            Ok(_) => true,
            Err(error) => !error.is_fatal(),
        };
        if !self.state.usable {
            // It has an end: the server is gone, or its answer cannot be understood.
            self.state.cut = None;
        }
        result
    }
}
