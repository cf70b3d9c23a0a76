//! How a connection is opened.

use std::fmt;

use crate::tls::TlsOptions;

/// Everything about a connection but the stream. Shared by reference over thousands of connections.
#[derive(Clone, Default)]
pub struct Options {
    pub user: String,
    /// `None` and empty mean the same: no password.
    pub password: Option<String>,
    /// The default database.
    pub database: Option<String>,
    pub tls: TlsOptions,
    /// The name the server's certificate must carry in mode verify-identity; also sent to the server in TLS.
    pub server_name: Option<String>,
    /// The server's RSA public key (PEM), for `caching_sha2_password` and `sha256_password` over TCP without TLS.
    pub server_public_key: Option<Vec<u8>>,
    /// Whether the server is asked for its RSA key where none is given. Whoever stands between can send one of their
    /// own and read the password: over TCP it is not done unless allowed here. Over a unix socket it always may be.
    pub get_server_public_key: bool,
    /// Name of this program, which the server shows in `performance_schema.session_connect_attrs` as `program_name`.
    pub program_name: Option<String>,
    /// Longest row that this side takes, in bytes, as it tells the server; `None` is 64 MiB. A longer one ends the
    /// connection.
    pub max_packet_bytes: Option<u32>,
    /// Whether one text may hold several statements.
    pub multi_statements: bool,
    /// Whether [`Connection::load`](crate::Connection::load) is offered to the server. No file is ever opened for it.
    pub local_files: bool,
    /// Whether the stream is a unix socket: passwords may go over it in clear, TLS mode preferred leaves it alone.
    pub local: bool,
    /// Whether `mysql_clear_password` may be answered, over TLS or a unix socket; in clear over TCP it never is.
    pub clear_password: bool,
}

impl fmt::Debug for Options {
    /// Everything but the password and what fills pages.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Options")
            .field("user", &self.user)
            .field("password", &self.password.as_ref().map(|_| "..."))
            .field("database", &self.database)
            .field("tls", &self.tls.mode())
            .field("server_name", &self.server_name)
            .field("local", &self.local)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_are_not_printed() {
        let options = Options { password: Some("hunter2".into()), ..Options::default() };
        let printed = format!("{options:?}");
        assert!(!printed.contains("hunter2") && printed.contains("password"), "{printed}");
    }
}
