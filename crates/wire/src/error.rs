//! What can go wrong, sorted by what the caller does next.

use std::io;

use crate::server_error::ServerError;

/// Every failure of a connection. [`Error::is_fatal`] says whether the connection lives on.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The server refused; the connection usually lives.
    #[error("{0}")]
    Server(#[from] ServerError),

    /// The transport failed, or the server closed it.
    #[error("connection lost: {0}")]
    Io(#[from] io::Error),

    /// The server closed the connection while nothing was asked of it: no command of this side was on its way.
    #[error("the server closed the idle connection: {0}")]
    Idle(Box<Error>),

    /// The server sent what the protocol does not allow here.
    #[error("protocol: {0}")]
    Protocol(String),

    /// The session could not be authenticated, for a reason on our side.
    #[error("authentication: {0}")]
    Auth(String),

    /// TLS could not be set up as asked.
    #[error("TLS: {0}")]
    Tls(String),

    /// `LOAD DATA LOCAL INFILE`: the server asked for a file of ours and did not get it.
    #[error("LOCAL INFILE refused: the server asked for the local file \"{0}\"")]
    LocalInfile(String),

    /// Whoever takes the rows of an answer takes no more of them.
    #[error("{0}")]
    Refused(String),

    /// The statement takes another number of parameters. Nothing was sent.
    #[error("the statement takes {expected} parameters, {given} given")]
    ParameterCount { expected: usize, given: usize },

    /// An earlier command failed half-way or was dropped; open a new connection.
    #[error("the connection is no longer usable: an earlier command on it failed or was abandoned")]
    Unusable,
}

impl Error {
    /// Whether the connection is no longer usable.
    #[must_use]
    pub fn is_fatal(&self) -> bool {
        match self {
            Self::Server(error) => error.ends_connection(),
            Self::LocalInfile(_) | Self::ParameterCount { .. } => false,
            Self::Refused(_)
            | Self::Io(_)
            | Self::Idle(_)
            | Self::Protocol(_)
            | Self::Auth(_)
            | Self::Tls(_)
            | Self::Unusable => true,
        }
    }

    /// The server's error code, if it was the server that refused.
    #[must_use]
    pub fn code(&self) -> Option<u16> {
        match self {
            Self::Server(error) => Some(error.code),
            Self::Idle(error) => error.code(),
            _ => None,
        }
    }

    pub(crate) fn closed() -> Self {
        Self::Io(io::Error::new(io::ErrorKind::UnexpectedEof, "the server closed the connection"))
    }

    pub(crate) fn malformed(what: &str) -> Self {
        Self::Protocol(format!("malformed {what}"))
    }
}
