//! The server behind a connection, and the capabilities agreed with it.

use mysql_common::constants::{CapabilityFlags, MariadbCapabilities};

use crate::printable::printable;

/// Family of a server, as far as the protocol differs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Flavour {
    /// MySQL, Percona Server, and everything else that speaks its protocol.
    MySql,
    MariaDb,
}

/// TLS protection of a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TlsInfo {
    /// `TLSv1_3` or `TLSv1_2`.
    pub protocol: &'static str,
    /// The cipher suite by its IANA name, with rustls's `TLS13_` prefix for TLS 1.3.
    pub cipher: &'static str,
}

/// The server behind a connection.
#[derive(Debug, Clone)]
pub struct ServerInfo {
    pub flavour: Flavour,
    /// Version text as the server gives it, without the `5.5.5-` that MariaDB puts before its own.
    pub version: String,
    /// Major, minor and patch number of the version; zeros when the text has none.
    pub version_number: (u16, u16, u16),
    /// The server's number of this connection (`CONNECTION_ID()`), for `KILL`.
    pub connection_id: u32,
    /// Capabilities agreed by both sides.
    pub capabilities: CapabilityFlags,
    /// MariaDB's own capabilities agreed by both sides.
    pub mariadb_capabilities: MariadbCapabilities,
    /// TLS protection; `None` in clear.
    pub tls: Option<TlsInfo>,
    /// The plugin that authenticated the user.
    pub auth_plugin: &'static str,
    /// Longest row that is taken, in bytes.
    pub(crate) max_row_bytes: u32,
}

impl ServerInfo {
    pub(crate) fn dialect(&self) -> Dialect {
        Dialect {
            deprecate_eof: self.capabilities.contains(CapabilityFlags::CLIENT_DEPRECATE_EOF),
            cache_metadata: self
                .mariadb_capabilities
                .contains(MariadbCapabilities::MARIADB_CLIENT_CACHE_METADATA),
            multi_statements: self.capabilities.contains(CapabilityFlags::CLIENT_MULTI_STATEMENTS),
            max_row_bytes: self.max_row_bytes,
        }
    }
}

/// The agreed capabilities that change how answers are read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Dialect {
    /// Whether rows end with an OK packet and definitions with nothing (`CLIENT_DEPRECATE_EOF`).
    pub(crate) deprecate_eof: bool,
    /// Whether definitions that have not changed are left out (`MARIADB_CLIENT_CACHE_METADATA`).
    pub(crate) cache_metadata: bool,
    /// Whether a text may hold several statements (`CLIENT_MULTI_STATEMENTS`).
    pub(crate) multi_statements: bool,
    /// Longest row, in bytes; a longer one ends the connection.
    pub(crate) max_row_bytes: u32,
}

/// Longest version text that is kept, in bytes.
const VERSION_BYTES: usize = 256;

/// Flavour, version text and number out of the greeting's version, which is text of a server: made printable, and read
/// without trust.
pub(crate) fn identify(version: &[u8], capabilities: CapabilityFlags) -> (Flavour, String, (u16, u16, u16)) {
    let version = printable(version, VERSION_BYTES);
    // MariaDB 10.2 and later leave this bit unset to be told apart.
    let mariadb =
        version.contains("MariaDB") || !capabilities.contains(CapabilityFlags::CLIENT_LONG_PASSWORD);
    let flavour = if mariadb { Flavour::MariaDb } else { Flavour::MySql };
    // Replicas of old refused masters that did not call themselves 5.x.
    let version = version.strip_prefix("5.5.5-").filter(|_| mariadb).unwrap_or(&version);
    let end = version.find(|c: char| c != '.' && !c.is_ascii_digit()).unwrap_or(version.len());
    let mut parts = version[..end].split('.').map(|part| part.parse().unwrap_or(0));
    let mut next = || parts.next().unwrap_or(0);
    (flavour, version.to_owned(), (next(), next(), next()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_and_flavours() {
        let mysql = CapabilityFlags::CLIENT_LONG_PASSWORD;
        let none = CapabilityFlags::empty();
        for (said, capabilities, flavour, version, number) in [
            (
                "5.5.5-10.11.19-MariaDB-0+deb12u1",
                none,
                Flavour::MariaDb,
                "10.11.19-MariaDB-0+deb12u1",
                (10, 11, 19),
            ),
            ("11.4.5-MariaDB", none, Flavour::MariaDb, "11.4.5-MariaDB", (11, 4, 5)),
            ("5.5.9", mysql, Flavour::MySql, "5.5.9", (5, 5, 9)),
            ("8.0.36-28", mysql, Flavour::MySql, "8.0.36-28", (8, 0, 36)),
            ("strange", mysql, Flavour::MySql, "strange", (0, 0, 0)),
            // Digits of other scripts are digits to some parsers.
            ("8.٠.٣٦", mysql, Flavour::MySql, "8.٠.٣٦", (8, 0, 0)),
            ("99999.70000.1", mysql, Flavour::MySql, "99999.70000.1", (0, 0, 1)),
            ("8.0\u{1B}[2J", mysql, Flavour::MySql, "8.0\\x1b[2J", (8, 0, 0)),
        ] {
            assert_eq!(identify(said.as_bytes(), capabilities), (flavour, version.into(), number));
        }
    }
}
