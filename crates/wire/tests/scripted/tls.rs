//! A scripted server behind TLS: the password of `caching_sha2_password` in clear, inside.

use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::thread;

use assay_wire::{
    Blocking, CapabilityFlags, Connection, Error, Options, TlsFiles, TlsMode, TlsOptions, block_on,
};
use rustls::crypto::ring;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::{ClientHello, ResolvesServerCert};
use rustls::sign::CertifiedKey;
use rustls::version::{TLS12, TLS13};
use rustls::{ServerConfig, ServerConnection, StreamOwned, SupportedProtocolVersion};

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

/// Presents a certificate with whatever key.
#[derive(Debug)]
struct Presents(Arc<CertifiedKey>);

impl ResolvesServerCert for Presents {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(self.0.clone())
    }
}

/// Logs in at a server that presents a certificate and speaks one version of TLS.
fn log_in(
    presented: Arc<CertifiedKey>,
    version: &'static SupportedProtocolVersion,
    tls: TlsOptions,
) -> Result<&'static str, Error> {
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_protocol_versions(&[version])
        .expect("a version")
        .with_no_client_auth()
        .with_cert_resolver(Arc::new(Presents(presented)));
    let (ours, mut theirs) = UnixStream::pair().expect("a pair");
    let server = thread::spawn(move || {
        let greeting = greeting("8.4.0", MYSQL | CapabilityFlags::CLIENT_SSL, "mysql_native_password");
        theirs.write_all(&packet(0, &greeting)).expect("a greeting");
        hear(&mut theirs);
        let mut stream =
            StreamOwned::new(ServerConnection::new(Arc::new(config)).expect("a session"), theirs);
        // A client that refuses the certificate says no more.
        if stream.read_exact(&mut [0; 4]).is_ok() {
            let _ = stream.write_all(&packet(3, OK));
        }
    });
    let options =
        Options { user: "u".into(), server_name: Some("db.assay.test".into()), tls, ..Options::default() };
    let opened = block_on(Connection::open(Blocking(ours), &options));
    let protocol = opened.map(|connection| connection.server().tls.map_or("", |tls| tls.protocol));
    server.join().expect("a good end");
    protocol
}

/// Makes a certificate that the authority in the directory signs, without extensions, as `openssl x509 -req` does.
fn without_extensions(directory: &Path, name: &str, kind: &[&str]) {
    let file = |end: &str| directory.join(format!("{name}{end}"));
    let mut request = Command::new("openssl");
    request.args(["req", "-nodes", "-subj", "/CN=db.assay.test", "-newkey"]).args(kind);
    run(request.arg("-keyout").arg(file("-key.pem")).arg("-out").arg(file(".csr")));
    let mut signing = Command::new("openssl");
    signing.args(["x509", "-req", "-days", "2", "-CAcreateserial"]).arg("-in").arg(file(".csr"));
    signing.arg("-CA").arg(directory.join("ca.pem")).arg("-CAkey").arg(directory.join("ca-key.pem"));
    run(signing.arg("-out").arg(file(".pem")));
}

#[test]
fn certificates_of_version_1_encrypt_and_prove_nothing() {
    let directory = tempfile::tempdir().expect("a directory");
    let root = directory.path();
    certificates::make(root, "db.assay.test");
    without_extensions(root, "rsa", &["rsa:2048"]);
    without_extensions(root, "curve", &["ec", "-pkeyopt", "ec_paramgen_curve:P-384"]);
    without_extensions(root, "rsa-thief", &["rsa:2048"]);
    without_extensions(root, "curve-thief", &["ec", "-pkeyopt", "ec_paramgen_curve:P-384"]);
    let key_of = |name: &str| {
        let key = PrivateKeyDer::from_pem_file(root.join(format!("{name}-key.pem"))).expect("a key");
        ring::sign::any_supported_type(&key).expect("a kind of key that is known")
    };
    let presented = |certificate: &str, key: &str| {
        let der =
            CertificateDer::from_pem_file(root.join(format!("{certificate}.pem"))).expect("a certificate");
        Arc::new(CertifiedKey::new(vec![der], key_of(key)))
    };
    let options = |mode| {
        let files = TlsFiles { ca: Some(root.join("ca.pem")), ..TlsFiles::default() };
        TlsOptions::load(mode, &files).expect("a configuration")
    };
    for (version, name) in [(&TLS12, "TLSv1_2"), (&TLS13, "TLSv1_3")] {
        for certificate in ["rsa", "curve", "server"] {
            for mode in [TlsMode::Preferred, TlsMode::Required, TlsMode::VerifyCa, TlsMode::VerifyIdentity] {
                let outcome = log_in(presented(certificate, certificate), version, options(mode));
                let verified = matches!(mode, TlsMode::VerifyCa | TlsMode::VerifyIdentity);
                if verified && certificate != "server" {
                    let error = outcome.expect_err("a certificate of version 1");
                    let words = error.to_string();
                    assert!(words.contains("X.509 version 1") && !words.contains("Other"), "{words}");
                } else {
                    assert_eq!(outcome.expect("a login"), name, "{certificate} {mode}");
                }
            }
            // Whoever shows a certificate without holding its key has only copied it.
            let stolen = match certificate {
                "server" => "client",
                "rsa" => "rsa-thief",
                _ => "curve-thief",
            };
            let outcome = log_in(presented(certificate, stolen), version, options(TlsMode::Required));
            assert!(outcome.is_err(), "{certificate} {name}: the signature of another key was taken");
        }
    }
}
