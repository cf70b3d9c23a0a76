//! The greeting, and what is agreed on it.

use assay_wire::{
    CapabilityFlags, Error, Flavour, MariadbCapabilities, Options, TlsFiles, TlsMode, TlsOptions,
};
use mysql_common::io::ParseBuf;
use mysql_common::packets::HandshakeResponse;

use crate::peer::{MYSQL, OK, Peer, err, greeting, packet};

fn refused(greeting: &[u8], options: &Options) -> Error {
    let peer = Peer::new(greeting, |_, sequence, _| packet(sequence + 1, OK));
    peer.open(options).err().expect("a refusal")
}

#[test]
fn what_is_told_to_the_server() {
    let options = Options {
        user: "somebody".into(),
        database: Some("sbtest".into()),
        program_name: Some("a test".into()),
        multi_statements: true,
        max_packet_bytes: Some(1 << 24),
        ..Options::default()
    };
    let peer = Peer::new(&greeting("8.0.36", MYSQL, "mysql_native_password"), |_, sequence, payload| {
        assert_eq!(sequence, 1);
        let told: HandshakeResponse<'_> = ParseBuf(payload).parse(()).expect("a response");
        assert_eq!((told.user(), told.db_name()), (&b"somebody"[..], Some(&b"sbtest"[..])));
        assert_eq!(told.collation(), 45, "utf8mb4_general_ci");
        assert_eq!(payload[4..8], (1u32 << 24).to_le_bytes());
        let attributes = told.connect_attributes().expect("attributes");
        assert_eq!(attributes["program_name"], "a test");
        assert_eq!(attributes["_client_name"], "assay-wire");
        let flags = told.capabilities();
        assert!(flags.contains(CapabilityFlags::CLIENT_MULTI_STATEMENTS));
        assert!(!flags.contains(CapabilityFlags::CLIENT_LOCAL_FILES), "files are not offered");
        assert!(!flags.contains(CapabilityFlags::CLIENT_FOUND_ROWS));
        assert!(!flags.contains(CapabilityFlags::CLIENT_SESSION_TRACK));
        assert_eq!(told.mariadb_ext_capabilities(), MariadbCapabilities::empty());
        packet(sequence + 1, OK)
    });
    let connection = peer.open(&options).expect("a connection");
    let server = connection.server();
    assert_eq!((server.flavour, server.version.as_str()), (Flavour::MySql, "8.0.36"));
    assert_eq!((server.version_number, server.connection_id), ((8, 0, 36), 42));
}

#[test]
fn mariadb_is_told_what_it_understands() {
    let capabilities = MYSQL.difference(CapabilityFlags::CLIENT_LONG_PASSWORD);
    let greeting = greeting("5.5.5-11.4.5-MariaDB", capabilities, "mysql_native_password");
    let peer = Peer::new(&greeting, |_, sequence, payload| {
        let told: HandshakeResponse<'_> = ParseBuf(payload).parse(()).expect("a response");
        assert!(!told.capabilities().contains(CapabilityFlags::CLIENT_LONG_PASSWORD));
        let understood = MariadbCapabilities::MARIADB_CLIENT_CACHE_METADATA
            | MariadbCapabilities::MARIADB_CLIENT_STMT_BULK_OPERATIONS;
        assert_eq!(told.mariadb_ext_capabilities(), understood);
        packet(sequence + 1, OK)
    });
    let connection = peer.open(&Options::default()).expect("a connection");
    assert_eq!(connection.server().flavour, Flavour::MariaDb);
    assert_eq!(connection.server().version_number, (11, 4, 5));
}

#[test]
fn servers_that_refuse_to_talk() {
    // Before the handshake there is no SQLSTATE, or there is: both are seen.
    let bare = b"\xFF\x6A\x04Host '10.0.0.1' is not allowed to connect";
    let Error::Server(error) = refused(bare, &Options::default()) else { panic!() };
    assert_eq!((error.code, error.state.as_str()), (1130, "HY000"));
    assert_eq!(&*error.message, "Host '10.0.0.1' is not allowed to connect");
    let Error::Server(error) = refused(&err(1040, "08004", "Too many connections"), &Options::default())
    else {
        panic!()
    };
    assert_eq!((error.code, error.state.as_str()), (1040, "08004"));
}

#[test]
fn servers_that_are_too_old_or_no_servers() {
    for (greeting, reason) in [
        (b"\x093.20.1\0".to_vec(), "protocol version 9"),
        (greeting("4.0.30", CapabilityFlags::CLIENT_LONG_PASSWORD, ""), "older than 4.1"),
        (b"SSH-2.0-OpenSSH_9.2".to_vec(), "protocol version 83"),
        (b"\x0A8.0.36\0short".to_vec(), "malformed handshake"),
        (Vec::new(), "malformed handshake"),
    ] {
        let error = refused(&greeting, &Options::default());
        assert!(matches!(&error, Error::Protocol(text) if text.contains(reason)), "{error:?}");
    }
}

#[test]
fn tls_that_is_not_offered() {
    let greeting = greeting("8.0.36", MYSQL, "mysql_native_password");
    let load = |mode| Options {
        tls: TlsOptions::load(mode, &TlsFiles::default()).expect("a configuration"),
        ..Options::default()
    };
    let error = refused(&greeting, &load(TlsMode::Required));
    assert!(matches!(&error, Error::Tls(text) if text.contains("required")), "{error:?}");
    let peer = Peer::new(&greeting, |_, sequence, _| packet(sequence + 1, OK));
    assert!(peer.open(&load(TlsMode::Preferred)).expect("in clear").server().tls.is_none());
}
