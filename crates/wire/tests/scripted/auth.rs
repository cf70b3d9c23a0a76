//! Plugins that need a MySQL 8, or a plugin file that is not everywhere.

use std::fs;
use std::process::Command;

use assay_wire::{CapabilityFlags, Error, Options};
use mysql_common::io::ParseBuf;
use mysql_common::packets::HandshakeResponse;
use ring::digest::{Algorithm, SHA1_FOR_LEGACY_USE_ONLY as SHA1, SHA256, digest};
use ring::signature::{ED25519, UnparsedPublicKey};

use crate::peer::{MYSQL, NONCE, OK, Peer, greeting, packet};

const PASSWORD: &str = "secret";
const SHA2: &str = "caching_sha2_password";
const FULL: &[u8] = b"\x01\x04";

fn options() -> Options {
    Options { user: "u".into(), password: Some(PASSWORD.into()), ..Options::default() }
}

/// Plays the payloads in `answers` one by one; gives what the client said, the handshake's response first.
fn play(plugin: &str, options: &Options, answers: &[&[u8]]) -> (Result<&'static str, Error>, Vec<Vec<u8>>) {
    let mut heard = Vec::new();
    let peer = Peer::new(&greeting("8.0.36", MYSQL, plugin), |count, sequence, payload| {
        heard.push(payload.to_vec());
        answers.get(count).map_or(Vec::new(), |answer| packet(sequence + 1, answer))
    });
    let result = peer.open(options).map(|connection| connection.server().auth_plugin);
    (result, heard)
}

/// Plugin and answer in the handshake's response.
fn first(response: &[u8]) -> (Vec<u8>, Vec<u8>) {
    let response: HandshakeResponse<'_> = ParseBuf(response).parse(()).expect("a response");
    let plugin = response.auth_plugin().expect("a plugin").as_bytes().to_vec();
    (plugin, response.scramble_buf().to_vec())
}

fn switch(plugin: &str, challenge: &[u8]) -> Vec<u8> {
    [b"\xFE", plugin.as_bytes(), b"\0", challenge].concat()
}

/// What the server keeps: the hash of the hash of the password.
fn stored(algorithm: &'static Algorithm) -> Vec<u8> {
    digest(algorithm, digest(algorithm, PASSWORD.as_bytes()).as_ref()).as_ref().to_vec()
}

/// Checks `answer` as a server does: undone with the mask and hashed once more, it must be what is kept.
fn proves(algorithm: &'static Algorithm, answer: &[u8], mask_of: &[&[u8]]) -> bool {
    let mask = digest(algorithm, &mask_of.concat());
    let undone: Vec<u8> = answer.iter().zip(mask.as_ref()).map(|(a, b)| a ^ b).collect();
    digest(algorithm, &undone).as_ref() == stored(algorithm)
}

#[test]
fn native_as_default_and_without_a_name() {
    for name in ["mysql_native_password", ""] {
        let (result, heard) = play(name, &options(), &[OK]);
        assert_eq!(result.expect("a login"), "mysql_native_password");
        let (plugin, answer) = first(&heard[0]);
        assert_eq!(plugin, b"mysql_native_password");
        assert!(proves(&SHA1, &answer, &[NONCE, &stored(&SHA1)]));
    }
}

#[test]
fn native_of_servers_before_plugins() {
    let capabilities = CapabilityFlags::CLIENT_PROTOCOL_41 | CapabilityFlags::CLIENT_SECURE_CONNECTION;
    let greeting = greeting("5.1.73", capabilities | CapabilityFlags::CLIENT_LONG_PASSWORD, "");
    let peer = Peer::new(&greeting, |_, sequence, payload| {
        let response: HandshakeResponse<'_> = ParseBuf(payload).parse(()).expect("a response");
        assert!(response.auth_plugin().is_none() && response.connect_attributes().is_none());
        assert!(proves(&SHA1, response.scramble_buf(), &[NONCE, &stored(&SHA1)]));
        packet(sequence + 1, OK)
    });
    let connection = peer.open(&options()).expect("a login");
    assert_eq!(connection.server().auth_plugin, "mysql_native_password");
}

#[test]
fn no_password_is_no_answer() {
    for name in ["mysql_native_password", SHA2] {
        let (result, heard) = play(name, &Options { password: None, ..options() }, &[OK]);
        assert_eq!(result.expect("a login"), name);
        assert!(first(&heard[0]).1.is_empty());
    }
}

#[test]
fn switched_to_native_with_a_new_challenge() {
    let challenge = b"ABCDEFGHIJabcdefghij";
    let request = switch("mysql_native_password", &[challenge, &b"\0"[..]].concat());
    let (result, heard) = play(SHA2, &options(), &[&request, OK]);
    assert_eq!(result.expect("a login"), "mysql_native_password");
    assert!(proves(&SHA1, &heard[1], &[challenge, &stored(&SHA1)]));
}

#[test]
fn caching_sha2_fast() {
    // The server says that the hash was right, and OK without being asked in between.
    let peer = Peer::new(&greeting("8.0.36", MYSQL, SHA2), |_, sequence, payload| {
        let (plugin, answer) = first(payload);
        assert_eq!(plugin, SHA2.as_bytes());
        assert!(proves(&SHA256, &answer, &[&stored(&SHA256), NONCE]));
        [packet(sequence + 1, b"\x01\x03"), packet(sequence + 2, OK)].concat()
    });
    assert_eq!(peer.open(&options()).expect("a login").server().auth_plugin, SHA2);
}

#[test]
fn caching_sha2_full_over_a_unix_socket() {
    let local = Options { local: true, ..options() };
    let (result, heard) = play(SHA2, &local, &[FULL, OK]);
    assert_eq!(result.expect("a login"), SHA2);
    assert_eq!(heard[1], b"secret\0", "in clear, with its end");
}

#[test]
fn caching_sha2_full_by_the_servers_key() {
    let directory = tempfile::tempdir().expect("a directory");
    let (private, public) = (directory.path().join("private.pem"), directory.path().join("public.pem"));
    openssl(Command::new("openssl").args(["genrsa", "-out"]).arg(&private).arg("2048"));
    openssl(Command::new("openssl").args(["rsa", "-pubout", "-in"]).arg(&private).arg("-out").arg(&public));
    let key = fs::read(&public).expect("a key");

    // Asked for, given, and with another challenge after a switch.
    let said = [b"\x01", key.as_slice()].concat();
    let asking = Options { get_server_public_key: true, ..options() };
    let (result, asked) = play(SHA2, &asking, &[FULL, &said, OK]);
    assert_eq!(result.expect("a login"), SHA2);
    assert_eq!(asked[1], [2], "the request for the key");
    let given = Options { server_public_key: Some(key), ..options() };
    let (result, told) = play(SHA2, &given, &[FULL, OK]);
    assert_eq!(result.expect("a login"), SHA2);
    let challenge = b"ABCDEFGHIJabcdefghij";
    let request = switch(SHA2, &[challenge, &b"\0"[..]].concat());
    let (result, switched) = play("mysql_native_password", &given, &[&request, FULL, OK]);
    assert_eq!(result.expect("a login"), SHA2);

    // The older plugin: the same secret, with its own way to ask for the key.
    let request = switch("sha256_password", &[challenge, &b"\0"[..]].concat());
    let (result, older) = play(SHA2, &asking, &[&request, &said, OK]);
    assert_eq!(result.expect("a login"), "sha256_password");
    assert_eq!(older[1], [1], "the request for the key");

    for (encrypted, nonce) in
        [(&asked[2], NONCE), (&told[1], NONCE), (&switched[2], challenge), (&older[2], challenge)]
    {
        let file = directory.path().join("encrypted");
        fs::write(&file, encrypted).expect("a file");
        let masked = openssl(
            Command::new("openssl")
                .args(["pkeyutl", "-decrypt", "-pkeyopt", "rsa_padding_mode:oaep", "-inkey"])
                .arg(&private)
                .arg("-in")
                .arg(&file),
        );
        let password: Vec<u8> = masked.iter().zip(nonce.iter().cycle()).map(|(a, b)| a ^ b).collect();
        assert_eq!(password, b"secret\0");
    }
}

#[test]
fn the_servers_key_is_not_asked_for_over_an_open_line() {
    let challenge = b"ABCDEFGHIJabcdefghij";
    let older = switch("sha256_password", &[challenge, &b"\0"[..]].concat());
    for (plugin, wish) in [(SHA2, FULL.to_vec()), ("mysql_native_password", older)] {
        let (result, heard) = play(plugin, &options(), &[&wish, b"\x01key", OK]);
        let reason = "get_server_public_key";
        assert!(matches!(&result, Err(Error::Auth(text)) if text.contains(reason)), "{result:?}");
        assert_eq!(heard.len(), 1, "nothing more was said");
    }
    // Over a unix socket nobody is between; the older plugin takes no password in clear there.
    let older = switch("sha256_password", &[challenge, &b"\0"[..]].concat());
    let (result, heard) = play(SHA2, &Options { local: true, ..options() }, &[&older, b"\x01key", OK]);
    assert!(result.is_err());
    assert_eq!(heard[1], [1], "the request for the key");
}

#[test]
fn a_default_plugin_that_needs_a_key_is_no_guess() {
    let native = switch("mysql_native_password", &[NONCE, &b"\0"[..]].concat());
    let (result, heard) = play("sha256_password", &options(), &[&native, OK]);
    assert_eq!(result.expect("a login"), "mysql_native_password");
    assert_eq!(heard[1].len(), 20, "the scramble");
}

#[test]
fn a_key_that_is_none_is_refused() {
    let asking = Options { get_server_public_key: true, ..options() };
    let huge = format!("-----BEGIN PUBLIC KEY-----\n{}\n-----END PUBLIC KEY-----", "A".repeat(600_000));
    for key in
        [&b""[..], b"not a key", huge.as_bytes(), b"-----BEGIN PUBLIC KEY----------END PUBLIC KEY-----"]
    {
        let (result, heard) = play(SHA2, &asking, &[FULL, &[b"\x01", key].concat(), OK]);
        assert!(matches!(&result, Err(Error::Auth(text)) if text.contains("public key")), "{result:?}");
        assert_eq!(heard.len(), 2, "the response, and the request for the key");
    }
}

#[test]
fn ed25519_signs_the_challenge() {
    // Public key of password "secret", from MariaDB's documentation of the plugin.
    const KEY: &str = "ZIgUREUg5PVgQ6LskhXmO+eZLS0nC8be6HPjYWR4YJY=";
    let key = <[u8; 32]>::try_from(decode64(KEY)).expect("32 bytes");
    for challenge in [*b"0123456789abcdef0123456789abcdef", [0; 32]] {
        let (result, heard) =
            play("mysql_native_password", &options(), &[&switch("client_ed25519", &challenge), OK]);
        assert_eq!(result.expect("a login"), "client_ed25519");
        UnparsedPublicKey::new(&ED25519, key).verify(&challenge, &heard[1]).expect("a signature");
    }
}

#[test]
fn clear_text_only_where_it_is_safe_and_allowed() {
    let request = switch("mysql_clear_password", b"");
    for (options, reason) in [
        (Options { local: true, ..options() }, "not allowed"),
        (Options { clear_password: true, ..options() }, "open line"),
    ] {
        let (result, heard) = play("mysql_native_password", &options, &[&request, OK]);
        assert!(matches!(&result, Err(Error::Auth(text)) if text.contains(reason)), "{result:?}");
        assert_eq!(heard.len(), 1, "nothing more was said");
    }
    let both = Options { clear_password: true, local: true, ..options() };
    let (result, heard) = play("mysql_native_password", &both, &[&request, OK]);
    assert_eq!(result.expect("a login"), "mysql_clear_password");
    assert_eq!(heard[1], b"secret\0");
    // Not even when it is the server's default.
    let (result, heard) = play("mysql_clear_password", &options(), &[OK]);
    assert_eq!(result.expect("a login"), "mysql_native_password");
    assert_ne!(first(&heard[0]).1, b"secret\0");
}

#[test]
fn plugins_that_are_not_answered() {
    for (request, reason) in [
        (b"\xFE".to_vec(), "before 4.1"),
        (switch("mysql_old_password", b"12345678"), "mysql_old_password"),
        (switch("auth_gssapi_client", b""), "auth_gssapi_client"),
        (switch("client_ed25519", b"short"), "client_ed25519"),
    ] {
        let (result, heard) = play("mysql_native_password", &options(), &[&request, OK]);
        assert!(matches!(&result, Err(Error::Auth(text)) if text.contains(reason)), "{result:?}");
        assert_eq!(heard.len(), 1);
    }
}

/// Output of a good end.
fn openssl(command: &mut Command) -> Vec<u8> {
    let output = command.output().expect("openssl: install it (`apt-get install openssl`)");
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

fn decode64(text: &str) -> Vec<u8> {
    let alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let digits: Vec<usize> =
        text.bytes().filter_map(|byte| alphabet.iter().position(|known| *known == byte)).collect();
    let bits = digits.iter().flat_map(|digit| (0..6).rev().map(move |bit| u8::from(digit >> bit & 1 == 1)));
    let bits: Vec<u8> = bits.collect();
    bits.chunks_exact(8).map(|byte| byte.iter().fold(0, |value, bit| value << 1 | bit)).collect()
}
