//! TLS in its five modes.

use assay_wire::{Connection, Discard, Error, Options, Row, TlsFiles, TlsMode, TlsOptions, block_on};

use crate::support::{NAME, Server, server};

fn options(server: &Server, mode: TlsMode, ca: Option<&str>) -> Options {
    let files = TlsFiles { ca: ca.map(|name| server.file(name)), ..TlsFiles::default() };
    Options { tls: TlsOptions::load(mode, &files).expect("a configuration"), ..server.known() }
}

fn open(server: &Server, options: &Options) -> Result<Option<String>, Error> {
    block_on(async {
        let mut connection = Connection::open(server.tcp(), options).await?;
        let mut cipher = None;
        let mut take = |row: &Row<'_>| cipher = row.value(1).as_str().map(str::to_owned);
        connection.query(b"SHOW STATUS LIKE 'Ssl_cipher'", &mut take).await?;
        let told = connection.server().tls;
        assert_eq!(told.is_some(), cipher.as_ref().is_some_and(|name| !name.is_empty()));
        if let Some(told) = told {
            assert_eq!(told.protocol, "TLSv1_3");
            assert!(told.cipher.starts_with("TLS13_"), "{}", told.cipher);
        }
        Ok(cipher.filter(|name| !name.is_empty()))
    })
}

#[test]
fn modes_that_verify_nothing() {
    let server = server();
    assert!(open(&server, &options(&server, TlsMode::Disabled, None)).expect("in clear").is_none());
    assert!(open(&server, &options(&server, TlsMode::Preferred, None)).expect("TLS").is_some());
    assert!(open(&server, &options(&server, TlsMode::Required, None)).expect("TLS").is_some());
}

#[test]
fn preferred_leaves_unix_sockets_alone() {
    let server = server();
    for (mode, encrypted) in [(TlsMode::Preferred, false), (TlsMode::Required, true)] {
        let options = Options { local: true, ..options(&server, mode, None) };
        assert_eq!(server.connect(&options).server().tls.is_some(), encrypted);
    }
}

#[test]
fn verify_ca_looks_at_the_authority_only() {
    let server = server();
    assert!(open(&server, &options(&server, TlsMode::VerifyCa, Some("ca.pem"))).expect("TLS").is_some());
    let named = Options {
        server_name: Some("other.assay.test".into()),
        ..options(&server, TlsMode::VerifyCa, Some("ca.pem"))
    };
    assert!(open(&server, &named).expect("TLS").is_some());
    let error = open(&server, &options(&server, TlsMode::VerifyCa, Some("stranger.pem")));
    assert!(matches!(&error, Err(Error::Tls(text)) if text.contains("UnknownIssuer")), "{error:?}");
}

#[test]
fn verify_identity_looks_at_the_name_too() {
    let server = server();
    let with = |name: Option<&str>, ca| Options {
        server_name: name.map(str::to_owned),
        ..options(&server, TlsMode::VerifyIdentity, Some(ca))
    };
    assert!(open(&server, &with(Some(NAME), "ca.pem")).expect("TLS").is_some());
    for (options, reason) in [
        (with(Some("other.assay.test"), "ca.pem"), "not valid for name"),
        (with(Some("127.0.0.1"), "ca.pem"), "not valid for name"),
        (with(Some(NAME), "stranger.pem"), "UnknownIssuer"),
        (with(None, "ca.pem"), "needs the server's name"),
    ] {
        let error = open(&server, &options);
        assert!(matches!(&error, Err(Error::Tls(text)) if text.contains(reason)), "{error:?}");
    }
}

#[test]
fn certificates_of_clients() {
    let server = server();
    let mut options = Options { user: "guarded".into(), database: None, ..server.known() };
    let mut files = TlsFiles { ca: Some(server.file("ca.pem")), ..TlsFiles::default() };
    options.tls = TlsOptions::load(TlsMode::VerifyCa, &files).expect("a configuration");
    assert_eq!(open(&server, &options).expect_err("no certificate").code(), Some(1045));
    files.cert = Some(server.file("client.pem"));
    assert!(matches!(TlsOptions::load(TlsMode::VerifyCa, &files), Err(Error::Tls(_))), "no key");
    files.key = Some(server.file("client-key.pem"));
    options.tls = TlsOptions::load(TlsMode::VerifyCa, &files).expect("a configuration");
    assert!(open(&server, &options).expect("a login").is_some());
}

#[test]
fn configurations_that_cannot_be() {
    let server = server();
    for (ca, reason) in [
        (None, "needs a file"),
        (Some(server.file("nowhere.pem")), "nowhere.pem"),
        (Some(server.file("server-key.pem")), "no certificate"),
    ] {
        let files = TlsFiles { ca, ..TlsFiles::default() };
        let error = TlsOptions::load(TlsMode::VerifyCa, &files).expect_err("no authority");
        assert!(error.to_string().contains(reason), "{error}");
    }
    assert_eq!("VERIFY_IDENTITY".parse::<TlsMode>().expect("a mode"), TlsMode::VerifyIdentity);
    assert!("sometimes".parse::<TlsMode>().is_err());
}

#[test]
fn long_answers_and_long_questions() {
    let server = server();
    block_on(async {
        let options = options(&server, TlsMode::Required, None);
        let mut connection = Connection::open(server.tcp(), &options).await.expect("a connection");
        let sql = format!("SELECT LENGTH('{}')", "x".repeat(20 << 20));
        let mut length = None;
        connection.query(sql.as_bytes(), &mut |row: &Row<'_>| length = row.int(0)).await.expect("a row");
        assert_eq!(length, Some(20 << 20));
        let sql = b"SELECT seq, REPEAT('y', 100) FROM seq_1_to_50000";
        assert_eq!(connection.query(sql, &mut Discard).await.expect("rows").rows, 50_000);
        let mut length = None;
        let mut take = |row: &Row<'_>| length = row.bytes(0).map(|bytes| bytes.len());
        connection.query(b"SELECT REPEAT('z', 20 << 20)", &mut take).await.expect("a row");
        assert_eq!(length, Some(20 << 20));
    });
}
