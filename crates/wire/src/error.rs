//! What can go wrong, sorted by what the caller does next.

use std::fmt;
use std::io;

use crate::printable::{MESSAGE_BYTES, printable};

/// Every failure of a connection. [`Error::is_fatal`] says whether the connection lives on.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The server refused; the connection usually lives.
    #[error("{0}")]
    Server(#[from] ServerError),

    /// The transport failed, or the server closed it.
    #[error("connection lost: {0}")]
    Io(#[from] io::Error),

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
            Self::Io(_) | Self::Protocol(_) | Self::Auth(_) | Self::Tls(_) | Self::Unusable => true,
        }
    }

    /// The server's error code, if it was the server that refused.
    #[must_use]
    pub fn code(&self) -> Option<u16> {
        match self {
            Self::Server(error) => Some(error.code),
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

/// An error as the server reports it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ServerError {
    pub code: u16,
    /// SQLSTATE, five characters; `HY000` when the server sent none.
    pub state: String,
    /// Fit to be shown: control characters are escaped, and it is cut at 4 kB.
    pub message: String,
}

/// Room for five characters, each escaped.
const STATE_BYTES: usize = 40;

impl ServerError {
    /// The payload of an ERR packet, its first byte (0xFF) included. Before the handshake servers send no SQLSTATE.
    pub(crate) fn parse(payload: &[u8]) -> Result<Self, Error> {
        let [0xFF, low, high, rest @ ..] = payload else {
            return Err(Error::malformed("ERR packet"));
        };
        let (state, message) = match rest {
            [b'#', rest @ ..] if rest.len() >= 5 => rest.split_at(5),
            rest => (b"HY000".as_slice(), rest),
        };
        Ok(Self {
            code: u16::from_le_bytes([*low, *high]),
            state: printable(state, STATE_BYTES),
            message: printable(message, MESSAGE_BYTES),
        })
    }

    /// The server closes the connection after these.
    fn ends_connection(&self) -> bool {
        matches!(
            self.code,
            1053 // ER_SERVER_SHUTDOWN
            | 1080 // ER_FORCING_CLOSE
            | 1152 // ER_ABORTING_CONNECTION
            | 1153 // ER_NET_PACKET_TOO_LARGE
            | 1158
                ..=1161 // ER_NET_READ_ERROR ... ER_NET_WRITE_INTERRUPTED
            | 1184 // ER_NEW_ABORTING_CONNECTION
            | 1927 // ER_CONNECTION_KILLED, MariaDB
            | 3169 // ER_SESSION_WAS_KILLED, MySQL
            | 4031 // ER_CLIENT_INTERACTION_TIMEOUT, MySQL
        )
    }
}

impl fmt::Display for ServerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "server error {} ({}): {}", self.code, self.state, self.message)
    }
}

impl std::error::Error for ServerError {}
