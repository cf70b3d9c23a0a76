//! The conversation as a client sees it, packet by packet.

use std::io::Write;
use std::net::TcpStream;

use super::client::{Answer, Client, DEPRECATE_EOF, MULTI_STATEMENTS, socket_path};
use assay_nullserver::{Content, Options, Server};

const AUTOCOMMIT: u16 = 2;
const IN_TRANSACTION: u16 = 1;
const MORE_RESULTS: u16 = 8;

fn start() -> (Server, std::path::PathBuf) {
    let socket = socket_path();
    let server = Server::start(&Options { socket: Some(socket.clone()), ..Options::default() }).unwrap();
    (server, socket)
}

#[test]
fn result_sets_have_the_rows_that_the_statement_suggests() {
    let (_server, socket) = start();
    for capabilities in [0, DEPRECATE_EOF] {
        let mut client = Client::connect(&socket, capabilities).unwrap();
        for (sql, rows) in [
            ("SELECT c FROM sbtest1 WHERE id=5", 1),
            ("SELECT c FROM sbtest1 WHERE id BETWEEN 1 AND 100", 100),
            ("SELECT SUM(k) FROM sbtest1 WHERE id BETWEEN 1 AND 100", 1),
            ("SHOW TABLES", 0),
        ] {
            assert_eq!(client.query(sql).unwrap().rows().len(), rows, "{sql}");
            let (statement, columns, _) = client.prepare(sql).unwrap();
            assert_eq!(columns, 1);
            assert_eq!(client.execute(statement).unwrap().rows().len(), rows, "prepared: {sql}");
        }
    }
}

#[test]
fn text_and_binary_rows_differ() {
    let socket = socket_path();
    let content = Content { rows: 3, ..Content::default() };
    let _server =
        Server::start(&Options { socket: Some(socket.clone()), content, ..Options::default() }).unwrap();
    let mut client = Client::connect(&socket, DEPRECATE_EOF).unwrap();
    let text = client.query("SELECT c FROM t WHERE id=1").unwrap().rows();
    assert_eq!(text.len(), 3);
    assert_eq!((text[0].len(), text[0][0]), (120, 119), "a length and 119 characters");
    let (statement, _, parameters) = client.prepare("SELECT c FROM t WHERE id=?").unwrap();
    assert_eq!(parameters, 1);
    let binary = client.execute(statement).unwrap().rows();
    assert_eq!(&binary[0][..2], [0, 0], "the mark and no NULLs");
    assert_eq!(binary[0][2..], text[0]);
    let (sum, _, _) = client.prepare("SELECT SUM(k) FROM t").unwrap();
    assert_eq!(client.execute(sum).unwrap().rows(), [[0, 0, 100, 0, 0, 0, 0, 0, 0, 0]]);
}

#[test]
fn transactions_show_in_the_status_flags() {
    let (_server, socket) = start();
    let mut client = Client::connect(&socket, DEPRECATE_EOF).unwrap();
    let ok = |affected_rows, status| Answer::Ok { affected_rows, status };
    assert_eq!(client.query("BEGIN").unwrap(), ok(0, AUTOCOMMIT | IN_TRANSACTION));
    assert_eq!(client.query("UPDATE t SET k=k+1 WHERE id=1").unwrap(), ok(1, AUTOCOMMIT | IN_TRANSACTION));
    let Answer::Rows { status, .. } = client.query("SELECT c FROM t WHERE id=1").unwrap() else { panic!() };
    assert_eq!(status, AUTOCOMMIT | IN_TRANSACTION);
    let (commit, columns, _) = client.prepare("COMMIT").unwrap();
    assert_eq!(columns, 0);
    assert_eq!(client.execute(commit).unwrap(), ok(0, AUTOCOMMIT));
    assert_eq!(client.query("INSERT INTO t VALUES (1,'a'),(2,'b'),(3,'c')").unwrap(), ok(3, AUTOCOMMIT));
}

#[test]
fn statements_are_closed_and_forgotten() {
    let (_server, socket) = start();
    let mut client = Client::connect(&socket, 0).unwrap();
    let (first, _, _) = client.prepare("SELECT c FROM t WHERE id=?").unwrap();
    client.command(0x19, &first.to_le_bytes()).unwrap();
    let Answer::Error { code, .. } = client.execute(first).unwrap() else { panic!("a closed statement ran") };
    assert_eq!(code, 1243);
    let (second, _, _) = client.prepare("COMMIT").unwrap();
    client.command(0x1F, &[]).unwrap();
    assert!(matches!(client.answer().unwrap(), Answer::Ok { .. }), "reset connection");
    assert!(matches!(client.execute(second).unwrap(), Answer::Error { code: 1243, .. }));
}

#[test]
fn several_statements_in_one_text() {
    let (_server, socket) = start();
    let mut client = Client::connect(&socket, DEPRECATE_EOF | MULTI_STATEMENTS).unwrap();
    client.command(0x03, b"BEGIN; SELECT c FROM t WHERE id=1; COMMIT;").unwrap();
    // The packets of all results are numbered as one reply: 1, then 2 to 5, then 6.
    let mut numbers = Vec::new();
    let mut last = Vec::new();
    for _ in 0..6 {
        let (number, payload) = client.packet().unwrap();
        numbers.push(number);
        last = payload;
    }
    assert_eq!(numbers, [1, 2, 3, 4, 5, 6]);
    assert_eq!(last, [0, 0, 0, 2, 0, 0, 0], "the last result is an OK without the flag that more follows");
    client.command(0x03, b"SET x=1; COMMIT").unwrap();
    assert_eq!(client.answer().unwrap(), Answer::Ok { affected_rows: 0, status: AUTOCOMMIT | MORE_RESULTS });
    assert_eq!(client.answer().unwrap(), Answer::Ok { affected_rows: 0, status: AUTOCOMMIT });
}

#[test]
fn every_command_has_its_answer() {
    let (_server, socket) = start();
    let mut client = Client::connect(&socket, 0).unwrap();
    for command in [0x0E, 0x02, 0x1A, 0x11] {
        client.command(command, b"abcd").unwrap();
        assert!(matches!(client.answer().unwrap(), Answer::Ok { .. }), "command {command:#x}");
    }
    client.command(0x77, &[]).unwrap();
    assert!(matches!(client.answer().unwrap(), Answer::Error { code: 1047, .. }));
    client.command(0x01, &[]).unwrap();
    assert!(client.packet().is_err(), "after COM_QUIT the server hangs up");
}

#[test]
fn requests_in_pieces_in_bulk_and_over_16_mib() {
    let (_server, socket) = start();
    let mut client = Client::connect(&socket, 0).unwrap();
    for byte in [1, 0, 0, 0, 0x0E] {
        client.stream.write_all(&[byte]).unwrap();
    }
    assert!(matches!(client.answer().unwrap(), Answer::Ok { .. }));

    let pings = [1, 0, 0, 0, 0x0E].repeat(50_000);
    let mut writer = client.stream.try_clone().unwrap();
    let thread = std::thread::spawn(move || writer.write_all(&pings).unwrap());
    for _ in 0..50_000 {
        assert!(matches!(client.answer().unwrap(), Answer::Ok { .. }));
    }
    thread.join().unwrap();

    for length in [0xFF_FFFE, 0xFF_FFFF, 20 << 20] {
        let mut sql = String::from("INSERT INTO t VALUES (1)");
        sql.push_str(&" ".repeat(length - sql.len() - 1));
        assert!(matches!(client.query(&sql).unwrap(), Answer::Ok { affected_rows: 1, .. }), "{length}");
    }
}

#[test]
fn counters_are_exact() {
    let (server, socket) = start();
    let mut client = Client::connect(&socket, DEPRECATE_EOF).unwrap();
    let (select, _, _) = client.prepare("SELECT c FROM t WHERE id=?").unwrap();
    for _ in 0..25 {
        client.query("BEGIN").unwrap();
        client.execute(select).unwrap();
        client.execute(select).unwrap();
        client.query("COMMIT").unwrap();
    }
    for (name, value) in
        [("Com_select", 50), ("Com_begin", 25), ("Com_stmt_execute", 50), ("Com_stmt_prepare", 1)]
    {
        assert_eq!(client.status(name).unwrap(), value, "{name}");
    }
    assert_eq!(
        client.status("Questions").unwrap(),
        100 + 5,
        "four questions about status came before, and this one"
    );
    assert_eq!(server.counter("Com_commit"), Some(25));
    assert_eq!(server.counter("Threads_connected"), Some(1));
}

#[test]
fn many_loops_share_the_connections_of_a_port() {
    let options = Options { port: Some(0), threads: 3, ..Options::default() };
    let server = Server::start(&options).unwrap();
    let address = ("127.0.0.1", server.port().unwrap());
    let mut clients: Vec<_> = (0..10)
        .map(|_| {
            let mut client = Client::greeted(TcpStream::connect(address).unwrap(), 0).unwrap();
            client.log_in(0).unwrap();
            client
        })
        .collect();
    for client in &mut clients {
        client.query("SELECT c FROM t WHERE id=1").unwrap();
    }
    assert_eq!(clients[0].status("Com_select").unwrap(), 10);
    assert_eq!(clients[9].status("Threads_connected").unwrap(), 10);
    server.stop().unwrap();
    assert!(clients[4].query("SELECT 1").is_err(), "stopped");
}
