//! Logins that ask for the password itself, over TCP without TLS.

use assay_nullserver::{Content, Options};
use serde_json::json;

use super::server::{Hostile, Way, refusal};
use crate::drive::Said;

/// A server that asks for full authentication and sends this as its key.
fn log_in(key: &[u8], way: Way, tls: serde_json::Value) -> Said {
    let content = Content { public_key: Some(key.to_vec()), ..Content::default() };
    let hostile = Hostile::with(Options { content, ..Options::default() }, way);
    let changes = json!({
        "target": {"password_env": "SECRET", "tls": tls},
        "phases": {"measure_ms": 0, "max_transactions": 10},
    });
    hostile.carry_out("run", changes)
}

/// A key made for this test; its private half is nowhere.
const KEY: &str = "-----BEGIN RSA PUBLIC KEY-----\n\
    MIIBCgKCAQEAtMCMuoqaRbkgKlXdkaL/oZu88u7maPOTzipioHpo4ZflJ+HxfrSm\n\
    k+OFqLZKW1xYC30Rbs073YIbU0ZHF1QXNWhbTJWXRSUO4uiu40i1nt4QXyxmqG71\n\
    ZlPRyhfuLCj2kPyISHZ7VzjDIAyyvOy8S1dV8C9XULSvOVyIQDO1704Ck4ZCMwro\n\
    vvNRXtXD7T0+fbeHlmYQtlYswfQQ3sNdK1rjjB3PiozZQN7zP5q7FbXo0mU3Ici2\n\
    QWXWpFrQR6/YAt96yjfyIAMjB+wdrWkr5JA7chHWPG7+m3/Y95B1smj59Zf6gwLi\n\
    iv+NfB1rVVtvn1U5DrKJmMFV0LO3xpRW6QIDAQAB\n\
    -----END RSA PUBLIC KEY-----\n";

#[test]
fn the_servers_key_is_used_only_where_that_is_allowed() {
    let said = log_in(KEY.as_bytes(), Way::Tcp, json!({}));
    let message = refusal(&said, 3);
    assert!(message.contains("get_server_public_key"), "{message}");
    let said = log_in(KEY.as_bytes(), Way::Tcp, json!({"get_server_public_key": true}));
    assert_eq!(said.exit_code, 0, "{:#?}", said.events);
    let said = log_in(KEY.as_bytes(), Way::Unix, json!({}));
    assert_eq!(said.exit_code, 0, "a unix socket needs no key: {:#?}", said.events);
    let file = tempfile::NamedTempFile::new().expect("a file");
    std::fs::write(file.path(), KEY).expect("a key");
    let said = log_in(b"of somebody else", Way::Tcp, json!({"server_public_key": file.path()}));
    assert_eq!(said.exit_code, 0, "the pinned one is used: {:#?}", said.events);
}

#[test]
fn keys_that_are_none_end_the_login() {
    let huge =
        format!("-----BEGIN RSA PUBLIC KEY-----\n{}\n-----END RSA PUBLIC KEY-----\n", "A".repeat(40_000));
    for key in ["", "no key", &KEY[..200], &KEY.replace("AQAB\n", "AQAA\n"), &huge] {
        let said = log_in(key.as_bytes(), Way::Tcp, json!({"get_server_public_key": true}));
        let message = refusal(&said, 3);
        assert!(message.contains("public key"), "{message}");
    }
}
