//! Logging in.

use assay_wire::{Connection, Error, Flavour, Options, Row, block_on};

use crate::support::server;

#[test]
fn native_password_over_unix_and_tcp() {
    let server = server();
    let options = Options { program_name: Some("assay tests".into()), ..server.known() };
    let mut local = server.connect(&options);
    let mut remote = block_on(Connection::open(server.tcp(), &options)).expect("a connection over TCP");
    for (user, database) in [
        block_on(who(&mut local)).expect("an answer over the unix socket"),
        block_on(who(&mut remote)).expect("an answer over TCP"),
    ] {
        assert_eq!(user, "known@%");
        assert_eq!(database, "test");
    }
    let info = remote.server();
    assert_eq!(info.flavour, Flavour::MariaDb);
    assert_eq!(info.version_number.0, 10);
    assert_eq!(info.auth_plugin, "mysql_native_password");
    assert!(!info.version.starts_with("5.5.5-"), "{}", info.version);
    assert!(info.tls.is_none());
    assert_ne!(info.connection_id, local.server().connection_id);
}

async fn who<S: assay_wire::Stream>(connection: &mut Connection<S>) -> Result<(String, String), Error> {
    let mut fields = Vec::new();
    let mut take = |row: &Row<'_>| {
        for index in 0..row.len() {
            fields.push(String::from_utf8(row.bytes(index).expect("no NULL").into_owned()).expect("text"));
        }
    };
    connection.query(b"SELECT CURRENT_USER(), DATABASE()", &mut take).await?;
    Ok((fields[0].clone(), fields[1].clone()))
}

#[test]
fn empty_password() {
    let server = server();
    let mut connection = server.connect(&Options { user: "empty".into(), ..Options::default() });
    block_on(connection.ping()).expect("a sign of life");
}

#[test]
fn wrong_password_is_the_servers_error() {
    let server = server();
    for password in [None, Some("wrong".to_owned())] {
        let options = Options { password, ..server.known() };
        let error = block_on(Connection::open(server.unix(), &options)).expect_err("no entry");
        let Error::Server(error) = error else { panic!("{error:?}") };
        assert_eq!((error.code, error.state.as_str()), (1045, "28000"));
        assert!(error.message.contains("Access denied"), "{}", error.message);
    }
}

#[test]
fn unknown_database() {
    let server = server();
    let options = Options { database: Some("nowhere".into()), ..server.known() };
    let error = block_on(Connection::open(server.unix(), &options)).expect_err("no database");
    assert_eq!(error.code(), Some(1049));
}

#[test]
fn quitting_and_being_killed() {
    let server = server();
    let connection = server.connect(&server.known());
    let stream = block_on(connection.quit()).expect("a farewell");
    let mut rest = Vec::new();
    std::io::Read::read_to_end(&mut { stream.0 }, &mut rest).expect("the end of the stream");
    assert!(rest.is_empty());

    let mut victim = server.connect(&server.known());
    let mut killer = server.connect(&server.root());
    block_on(async {
        killer.run(&format!("KILL {}", victim.server().connection_id)).await.expect("a kill");
        let error = victim.run("SELECT 1").await.expect_err("a dead connection");
        assert!(error.is_fatal(), "{error:?}");
        assert!(!victim.is_usable());
        let error = victim.ping().await.expect_err("a dead connection");
        assert!(matches!(error, Error::Unusable), "{error:?}");
    });
}
