//! Faults as a client meets them. What is checked is order and cause, never speed.

use std::collections::BTreeSet;
use std::io::ErrorKind;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use super::client::{Answer, Client, socket_path};
use assay_nullserver::fault::{Delay, Dribble, Freeze, InjectedError, Outcome, When};
use assay_nullserver::{Behaviour, Options, Server};

const MS: u64 = 1_000_000;
const SELECT: &str = "SELECT c FROM t WHERE id=1";

fn start(behaviour: Behaviour) -> (Server, PathBuf) {
    let socket = socket_path();
    let server =
        Server::start(&Options { socket: Some(socket.clone()), behaviour, ..Options::default() }).unwrap();
    (server, socket)
}

fn now_ns() -> u64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `time` is a valid place to write to.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &raw mut time) };
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

#[test]
fn nothing_is_answered_in_a_freeze() {
    let freeze = Freeze { length_ns: 40 * MS, every_ns: 100 * MS };
    let (server, socket) = start(Behaviour { freeze: Some(freeze), ..Behaviour::default() });
    let mut client = Client::connect(&socket, 0).unwrap();
    let mut frozen = BTreeSet::new();
    while frozen.len() < 3 {
        let sent = now_ns() - server.origin_ns();
        client.query(SELECT).unwrap();
        let answered = now_ns() - server.origin_ns();
        if let Some(end) = freeze.ends_at(sent) {
            assert!(answered >= end, "sent at {sent}, answered at {answered}, frozen until {end}");
            frozen.insert(end);
        }
    }
}

#[test]
fn replies_wait_out_their_delay() {
    let delay = Delay::Exponential { mean_ns: 2 * MS };
    let behaviour = Behaviour { seed: 5, delay: Some(delay), ..Behaviour::default() };
    let (server, socket) = start(behaviour);
    let mut client = Client::connect(&socket, 0).unwrap();
    for statement in 1..=50 {
        let begin = Instant::now();
        client.query(SELECT).unwrap();
        let waited = begin.elapsed().as_nanos() as u64;
        let planned = behaviour.fate(1, statement).delay_ns;
        assert!(waited >= planned, "statement {statement}: {waited} of {planned}");
    }
    assert_eq!(server.counter("Assay_delayed_replies"), Some(50));
    assert_eq!(server.counter("Assay_alarms"), Some(50));
}

#[test]
fn a_delayed_connection_holds_up_no_other() {
    // Half of the statements take an hour; the plan says which.
    let delay = Delay::Bimodal { first_ns: 0, second_ns: 3_600_000 * MS, probability: 0.5 };
    let behaviour = Behaviour { seed: 3, delay: Some(delay), ..Behaviour::default() };
    let (_server, socket) = start(behaviour);
    let mut clients: Vec<_> = (0..40).map(|_| Client::connect(&socket, 0).unwrap()).collect();
    let quick = |connection: u32| behaviour.fate(connection, 1).delay_ns == 0;
    for client in &mut clients {
        client.command(0x03, SELECT.as_bytes()).unwrap();
    }
    let mut answered = 0;
    for (connection, client) in (1..).zip(&mut clients).filter(|&(connection, _)| quick(connection)) {
        assert_eq!(client.answer().unwrap().rows().len(), 1, "connection {connection}");
        answered += 1;
    }
    assert!((5..=35).contains(&answered), "{answered} of 40 were quick");
    clients.clear();
}

#[test]
fn errors_come_as_planned() {
    let error = InjectedError { code: 1213, when: When::Probability(0.3) };
    let behaviour = Behaviour { seed: 11, error: Some(error), ..Behaviour::default() };
    let (server, socket) = start(behaviour);
    let mut client = Client::connect(&socket, 0).unwrap();
    client.query("SET NAMES utf8mb4").unwrap();
    let mut errors = 0;
    for statement in 1..=200 {
        let planned = behaviour.fate(1, statement).outcome == Outcome::Error { code: 1213 };
        match client.query("BEGIN").unwrap() {
            Answer::Error { code, state, .. } => {
                assert!(planned, "statement {statement}");
                assert_eq!((code, &*state), (1213, "40001"));
                errors += 1;
            }
            Answer::Ok { .. } => assert!(!planned, "statement {statement}"),
            Answer::Rows { rows, .. } => panic!("{rows:?}"),
        }
    }
    assert!((30..=90).contains(&errors), "{errors}");
    assert_eq!(server.counter("Assay_injected_errors"), Some(errors));
}

#[test]
fn every_third_statement_fails_prepared_or_not() {
    let error = InjectedError { code: 1205, when: When::Every(3) };
    let (_server, socket) = start(Behaviour { error: Some(error), ..Behaviour::default() });
    let mut client = Client::connect(&socket, 0).unwrap();
    let (statement, _, _) = client.prepare("UPDATE t SET k=1 WHERE id=?").unwrap();
    for number in 1..=12 {
        let answer = if number % 2 == 0 { client.query(SELECT) } else { client.execute(statement) };
        let failed = matches!(answer.unwrap(), Answer::Error { code: 1205, .. });
        assert_eq!(failed, number % 3 == 0, "statement {number}");
    }
}

#[test]
fn a_connection_is_cut_after_its_replies() {
    let (server, socket) = start(Behaviour { reset: Some(When::After(3)), ..Behaviour::default() });
    for _ in 0..2 {
        let mut client = Client::connect(&socket, 0).unwrap();
        for _ in 0..3 {
            client.query(SELECT).unwrap();
        }
        client.query("SHOW GLOBAL STATUS").unwrap();
        let error = client.query(SELECT).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::UnexpectedEof | ErrorKind::ConnectionReset), "{error}");
    }
    assert_eq!(server.counter("Assay_injected_resets"), Some(2));
}

#[test]
fn a_port_is_cut_by_a_reset() {
    let behaviour = Behaviour { reset: Some(When::After(0)), ..Behaviour::default() };
    let server = Server::start(&Options { port: Some(0), behaviour, ..Options::default() }).unwrap();
    let stream = std::net::TcpStream::connect(("127.0.0.1", server.port().unwrap())).unwrap();
    let mut client = Client::greeted(stream, 0).unwrap();
    client.log_in(0).unwrap();
    assert_eq!(client.query(SELECT).unwrap_err().kind(), ErrorKind::ConnectionReset);
}

#[test]
fn a_hung_connection_stays_open_and_silent() {
    let (server, socket) = start(Behaviour { hang: Some(When::After(1)), ..Behaviour::default() });
    let mut hung = Client::connect(&socket, 0).unwrap();
    hung.query(SELECT).unwrap();
    hung.stream.set_read_timeout(Some(Duration::from_millis(30))).unwrap();
    assert_eq!(hung.query(SELECT).unwrap_err().kind(), ErrorKind::WouldBlock, "no reply, and no end");
    let mut other = Client::connect(&socket, 0).unwrap();
    other.query(SELECT).unwrap();
    assert_eq!(other.status("Threads_connected").unwrap(), 2);
    drop(hung);
    while other.status("Threads_connected").unwrap() != 1 {
        std::thread::yield_now();
    }
    assert_eq!(server.counter("Assay_injected_hangs"), Some(1));
}

#[test]
fn dribbled_replies_are_whole_in_the_end() {
    let dribble = Dribble { bytes: 7, pause_ns: MS / 10 };
    let (server, socket) = start(Behaviour { dribble: Some(dribble), ..Behaviour::default() });
    let mut client = Client::connect(&socket, 0).unwrap();
    let sent = server.counter("Assay_alarms").unwrap();
    assert_eq!(client.query("SELECT c FROM t WHERE id BETWEEN 1 AND 100").unwrap().rows().len(), 100);
    // 100 rows of 124 bytes, 7 at a time.
    assert!(server.counter("Assay_alarms").unwrap() - sent >= 100 * 124 / 7);
}

#[test]
fn logins_are_refused() {
    let (_server, socket) = start(Behaviour { refuse_logins: true, ..Behaviour::default() });
    let stream = std::os::unix::net::UnixStream::connect(&socket).unwrap();
    let mut client = Client::greeted(stream, 0).unwrap();
    let Answer::Error { code, state, message } = client.log_in(0).unwrap() else { panic!("logged in") };
    assert_eq!((code, &*state), (1045, "28000"));
    assert!(message.contains("'tester'@'localhost'"), "{message}");
    assert!(client.packet().is_err(), "and hung up on");
}
