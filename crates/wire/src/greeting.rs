//! The first packet of a server: version, challenge, capabilities.

use mysql_common::constants::{CapabilityFlags, MariadbCapabilities};

use crate::answer::ERR;
use crate::error::Error;
use crate::reader::Reader;
use crate::server_error::ServerError;

/// Bytes of the challenge's first part.
const FIRST: usize = 8;

/// Fewest bytes of the challenge's second part, with the zero at its end.
const SECOND: usize = 13;

/// The fields of a server's handshake packet, protocol version 10, that this side uses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Greeting<'a> {
    pub(crate) version: &'a [u8],
    pub(crate) connection_id: u32,
    pub(crate) capabilities: CapabilityFlags,
    pub(crate) mariadb_capabilities: MariadbCapabilities,
    /// The challenge in one piece, without the zero at its end.
    pub(crate) challenge: Vec<u8>,
    /// The server's default plugin; empty for servers before 5.5, and for some later ones.
    pub(crate) plugin: &'a [u8],
}

impl<'a> Greeting<'a> {
    /// Reads the payload of a handshake packet.
    ///
    /// # Errors
    /// [`Error::Server`] where the server refuses to talk; [`Error::Protocol`] for servers before 4.1, and for what is
    /// no server of MySQL's kind.
    pub(crate) fn parse(payload: &'a [u8]) -> Result<Self, Error> {
        match payload.first() {
            Some(10) => {}
            Some(&ERR) => return Err(ServerError::parse(payload)?.into()),
            Some(version) => {
                let what =
                    format!("the server speaks protocol version {version}; only version 10 is supported");
                return Err(Error::Protocol(what));
            }
            None => return Err(Error::malformed("handshake")),
        }
        let greeting = Self::fields(payload).ok_or_else(|| Error::malformed("handshake"))?;
        let needed = CapabilityFlags::CLIENT_PROTOCOL_41 | CapabilityFlags::CLIENT_SECURE_CONNECTION;
        if !greeting.capabilities.contains(needed) {
            let version = crate::printable::printable(greeting.version, 64);
            return Err(Error::Protocol(format!(
                "server {version} is older than 4.1, the oldest supported version"
            )));
        }
        Ok(greeting)
    }

    fn fields(payload: &'a [u8]) -> Option<Self> {
        let mut fields = Reader(payload);
        fields.u8()?;
        let version = fields.until_zero()?;
        let connection_id = fields.u32()?;
        let mut challenge = fields.bytes(FIRST)?.to_vec();
        fields.u8()?;
        let low = u32::from(fields.u16()?);
        // Collation and status.
        fields.bytes(3)?;
        let high = u32::from(fields.u16()?);
        let length = usize::from(fields.u8()?);
        fields.bytes(6)?;
        let mariadb = fields.u32()?;
        let capabilities = CapabilityFlags::from_bits_truncate(high << 16 | low);
        if capabilities.contains(CapabilityFlags::CLIENT_SECURE_CONNECTION) {
            challenge.extend_from_slice(fields.bytes(length.saturating_sub(FIRST).max(SECOND))?);
            if challenge.last() == Some(&0) {
                challenge.pop();
            }
        }
        let mut plugin = &b""[..];
        if capabilities.contains(CapabilityFlags::CLIENT_PLUGIN_AUTH) {
            // Some servers forget the zero.
            plugin = fields.0.strip_suffix(b"\0").unwrap_or(fields.0);
        }
        let mariadb_capabilities = MariadbCapabilities::from_bits_truncate(mariadb);
        Some(Self { version, connection_id, capabilities, mariadb_capabilities, challenge, plugin })
    }
}
