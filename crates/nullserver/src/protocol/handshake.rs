//! Greeting and login: protocol version 10, `mysql_native_password`, any password is right.

use crate::protocol::packet::Writer;

pub(crate) const CONNECT_WITH_DB: u32 = 1 << 3;
pub(crate) const PROTOCOL_41: u32 = 1 << 9;
pub(crate) const MULTI_STATEMENTS: u32 = 1 << 16;
pub(crate) const DEPRECATE_EOF: u32 = 1 << 24;

const LONG_PASSWORD: u32 = 1;
const FOUND_ROWS: u32 = 1 << 1;
const LONG_FLAG: u32 = 1 << 2;
const TRANSACTIONS: u32 = 1 << 13;
const SECURE_CONNECTION: u32 = 1 << 15;
const MULTI_RESULTS: u32 = 1 << 17;
const PS_MULTI_RESULTS: u32 = 1 << 18;
const PLUGIN_AUTH: u32 = 1 << 19;
const PLUGIN_AUTH_LENENC: u32 = 1 << 21;

const OFFERED: u32 = LONG_PASSWORD
    | FOUND_ROWS
    | LONG_FLAG
    | CONNECT_WITH_DB
    | PROTOCOL_41
    | TRANSACTIONS
    | SECURE_CONNECTION
    | MULTI_STATEMENTS
    | MULTI_RESULTS
    | PS_MULTI_RESULTS
    | PLUGIN_AUTH
    | PLUGIN_AUTH_LENENC
    | DEPRECATE_EOF;

/// `utf8mb4_general_ci`.
pub(crate) const CHARSET: u8 = 45;
/// The challenge; constant, because no password is checked.
const SCRAMBLE: &[u8; 20] = b"nullserver.challenge";

/// The server's first packet.
pub(crate) fn greeting(out: &mut Vec<u8>, version: &str, connection: u32, status: u16) {
    Writer::new(out, 0).packet(|body| {
        body.push(10);
        body.extend_from_slice(version.as_bytes());
        body.push(0);
        body.extend_from_slice(&connection.to_le_bytes());
        body.extend_from_slice(&SCRAMBLE[..8]);
        body.push(0);
        body.extend_from_slice(&OFFERED.to_le_bytes()[..2]);
        body.push(CHARSET);
        body.extend_from_slice(&status.to_le_bytes());
        body.extend_from_slice(&OFFERED.to_le_bytes()[2..]);
        body.push(SCRAMBLE.len() as u8 + 1);
        body.extend_from_slice(&[0; 10]);
        body.extend_from_slice(&SCRAMBLE[8..]);
        body.push(0);
        body.extend_from_slice(b"mysql_native_password\0");
    });
}

/// Asks for `caching_sha2_password` in place of the plugin of the greeting.
pub(crate) fn switch(out: &mut Vec<u8>, sequence: u8) {
    Writer::new(out, sequence).packet(|body| {
        body.extend_from_slice(b"\xFEcaching_sha2_password\0");
        body.extend_from_slice(SCRAMBLE);
        body.push(0);
    });
}

/// Says that the hash of the password is not in the server's cache: the password itself is wanted.
pub(crate) fn full_authentication(out: &mut Vec<u8>, sequence: u8) {
    Writer::new(out, sequence).packet(|body| body.extend_from_slice(&[1, 4]));
}

/// The key to encrypt the password with.
pub(crate) fn public_key(out: &mut Vec<u8>, sequence: u8, key: &[u8]) {
    Writer::new(out, sequence).packet(|body| {
        body.push(1);
        body.extend_from_slice(key);
    });
}

/// The parts of a client's answer that matter here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Login {
    /// Capabilities that both sides have.
    pub(crate) capabilities: u32,
    pub(crate) user: String,
}

/// `None`: not a login of protocol 4.1.
pub(crate) fn login(payload: &[u8]) -> Option<Login> {
    let (fixed, rest) = payload.split_at_checked(32)?;
    let capabilities = u32::from_le_bytes([fixed[0], fixed[1], fixed[2], fixed[3]]) & OFFERED;
    if capabilities & PROTOCOL_41 == 0 {
        return None;
    }
    let user = &rest[..memchr::memchr(0, rest)?];
    Some(Login { capabilities, user: String::from_utf8_lossy(user).into_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_login_is_read() {
        let mut payload = vec![0; 32];
        payload[..4].copy_from_slice(&(PROTOCOL_41 | DEPRECATE_EOF | 1 << 31).to_le_bytes());
        payload.extend_from_slice(b"root\0\0");
        let expected = Login { capabilities: PROTOCOL_41 | DEPRECATE_EOF, user: "root".into() };
        assert_eq!(login(&payload), Some(expected));
        assert_eq!(login(&payload[..20]), None);
        assert_eq!(login(&[0; 40]), None, "without protocol 4.1");
    }
}
