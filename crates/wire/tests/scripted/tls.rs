//! A scripted server behind TLS: the password of `caching_sha2_password` in clear, inside.

use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::thread;

use assay_wire::{
    Blocking, CapabilityFlags, Connection, Error, Options, TlsFiles, TlsMode, TlsOptions, block_on,
};
use rustls::crypto::ring;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};

use crate::peer::{MYSQL, OK, greeting, packet};

#[path = "../support/certificates.rs"]
mod certificates;

/// Runs a program to its end, which must be a good one.
fn run(command: &mut std::process::Command) {
    let output = command.output().expect("openssl: install it (`apt-get install openssl`)");
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
}

fn hear(stream: &mut impl Read) -> Vec<u8> {
    let mut header = [0; 4];
    stream.read_exact(&mut header).expect("a header");
    let mut payload = vec![0; u32::from_le_bytes([header[0], header[1], header[2], 0]) as usize];
    stream.read_exact(&mut payload).expect("a payload");
    payload
}

#[test]
fn caching_sha2_full_over_tls() {
    let directory = tempfile::tempdir().expect("a directory");
    certificates::make(directory.path(), "db.assay.test");
    let file = |name: &str| directory.path().join(name);
    let certificate = CertificateDer::from_pem_file(file("server.pem")).expect("a certificate");
    let key = PrivateKeyDer::from_pem_file(file("server-key.pem")).expect("a key");
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .expect("versions")
        .with_no_client_auth()
        .with_single_cert(vec![certificate], key)
        .expect("a configuration");

    let (ours, mut theirs) = UnixStream::pair().expect("a pair");
    let server = thread::spawn(move || {
        let capabilities = MYSQL | CapabilityFlags::CLIENT_SSL;
        let greeting = greeting("8.4.0", capabilities, "caching_sha2_password");
        theirs.write_all(&packet(0, &greeting)).expect("a greeting");
        assert_eq!(hear(&mut theirs).len(), 32, "a request for TLS and nothing of the user");
        let tls = ServerConnection::new(Arc::new(config)).expect("a session");
        let mut stream = StreamOwned::new(tls, theirs);
        hear(&mut stream);
        stream.write_all(&packet(3, b"\x01\x04")).expect("full authentication");
        assert_eq!(hear(&mut stream), b"secret\0");
        stream.write_all(&packet(5, OK)).expect("an OK");
        // A ping, then the end without a farewell.
        assert_eq!(hear(&mut stream), [14]);
        stream.write_all(&packet(1, OK)).expect("an OK");
    });

    let files = TlsFiles { ca: Some(file("ca.pem")), ..TlsFiles::default() };
    let options = Options {
        user: "u".into(),
        password: Some("secret".into()),
        server_name: Some("db.assay.test".into()),
        tls: TlsOptions::load(TlsMode::VerifyIdentity, &files).expect("a configuration"),
        ..Options::default()
    };
    let mut connection = block_on(Connection::open(Blocking(ours), &options)).expect("a login");
    assert_eq!(connection.server().auth_plugin, "caching_sha2_password");
    assert_eq!(connection.server().tls.expect("TLS").protocol, "TLSv1_3");
    block_on(connection.ping()).expect("a sign of life");
    server.join().expect("a good end");
    let error = block_on(connection.ping()).expect_err("nobody there");
    assert!(matches!(error, Error::Io(_)), "{error:?}");
}
