//! Answers that servers give rarely, or should not give.

use std::cell::Cell;
use std::future::Future;
use std::pin::pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

use assay_wire::{CapabilityFlags, Discard, Error, Options, Outcome, Row, block_on};

use crate::peer::{MYSQL, OK, Peer, connect, connect_with, err, greeting, packet, packets};

/// Definition of an integer column `a`.
pub(crate) const COLUMN: &[u8] = b"\x03def\0\x01t\x01t\x01a\x01a\x0C\x3F\0\x0B\0\0\0\x03\0\0\0\0\0";
/// Definition of a column `s` of strings.
pub(crate) const STRING: &[u8] = b"\x03def\0\x01t\x01t\x01s\x01s\x0C\x2D\0\xFF\0\0\0\xFD\0\0\0\0\0";
/// End of rows, as an OK packet: one warning, and with more results to come.
pub(crate) const END: &[u8] = b"\xFE\0\0\x02\0\x01\0";
pub(crate) const END_MORE: &[u8] = b"\xFE\0\0\x0A\0\0\0";

#[test]
fn a_file_request_is_answered_with_nothing() {
    let mut connection = connect(|payload| match payload {
        [3, ..] => packet(1, b"\xFB/etc/passwd"),
        [] => packet(3, OK),
        _ => packet(1, OK),
    });
    let error = block_on(connection.run("LOAD DATA LOCAL INFILE ...")).expect_err("a refusal");
    assert!(matches!(&error, Error::LocalInfile(file) if file == "/etc/passwd"), "{error:?}");
    assert!(!error.is_fatal());
    block_on(connection.ping()).expect("still usable");

    let mut connection = connect(|payload| match payload {
        [22, ..] => packet(1, b"\0\x01\0\0\0\0\0\0\0\0\0\0"),
        [23, ..] => packet(1, b"\xFBfile"),
        [] => packet(3, OK),
        _ => packet(1, OK),
    });
    let mut prepared = block_on(connection.prepare("LOAD DATA LOCAL INFILE ...")).expect("a statement");
    let error = block_on(connection.execute(&mut prepared, &[], &mut Discard)).expect_err("a refusal");
    assert!(matches!(&error, Error::LocalInfile(file) if file == "file"), "{error:?}");
    block_on(connection.ping()).expect("still usable");

    let mut connection = connect(|payload| match payload {
        [3, ..] => packet(1, b"\xFBfile"),
        [] => packet(3, &err(1290, "HY000", "no empty files here")),
        _ => packet(1, OK),
    });
    let error = block_on(connection.run("LOAD DATA LOCAL INFILE ...")).expect_err("a refusal");
    assert!(matches!(&error, Error::LocalInfile(file) if file == "file"), "{error:?}");
    block_on(connection.ping()).expect("still usable");
}

#[test]
fn a_file_is_given_by_its_name_or_not_at_all() {
    for (asked, given) in [("mine", true), ("/etc/passwd", false), ("mine ", false)] {
        let mut connection = connect(move |payload| match payload {
            [3, ..] => packet(1, &[b"\xFB", asked.as_bytes()].concat()),
            b"(1)\n" => Vec::new(),
            [] if given => packet(4, b"\0\x01\0\x02\0\0\0"),
            [] => packet(3, OK),
            _ => packet(1, OK),
        });
        let file = |name: &str| (name == "mine").then(|| b"(1)\n".to_vec());
        let outcome = block_on(connection.query_with_file(b"LOAD DATA ...", &mut Discard, file));
        match outcome {
            Ok(outcome) => assert!(given && outcome.affected_rows == 1, "{asked}"),
            Err(error) => assert!(!given && matches!(error, Error::LocalInfile(_)), "{asked}: {error:?}"),
        }
        block_on(connection.ping()).expect("still usable");
    }
}

#[test]
fn results_without_an_end_end() {
    // The numbers of packets begin anew after 256 of them.
    let more = packets(1, &[&[0, 0, 0, 0x0A, 0, 0, 0][..]; 256]).repeat(1_000_001 / 256 + 1);
    let mut connection = connect(move |payload| match payload {
        [3, ..] => more.clone(),
        _ => packet(1, OK),
    });
    let error = block_on(connection.run("CALL p()")).expect_err("an end");
    assert!(error.to_string().contains("more than 1000000 results"), "{error}");
}

#[test]
fn a_file_is_told_from_memory_and_ended_by_an_empty_packet() {
    let mut connection = connect(|payload| match payload {
        [3, ..] => packet(1, b"\xFBwhatever"),
        b"(1)\n" => Vec::new(),
        [] => packet(4, b"\0\x01\0\x02\0\0\0"),
        _ => packet(1, OK),
    });
    let outcome = block_on(connection.load(b"LOAD DATA LOCAL INFILE ...", b"(1)\n")).expect("an outcome");
    assert_eq!(outcome, Outcome { affected_rows: 1, ..Outcome::default() });
    block_on(connection.ping()).expect("still usable");
}

#[test]
fn a_long_file_is_told_in_packets_that_every_server_takes() {
    let mut connection = connect(|payload| match payload {
        [3, ..] => packet(1, b"\xFBwhatever"),
        [] => packet(6, b"\0\x01\0\x02\0\0\0"),
        piece => {
            assert!(piece.len() <= 16 << 10);
            Vec::new()
        }
    });
    let rows = b"x".repeat(40_000);
    block_on(connection.load(b"LOAD DATA LOCAL INFILE ...", &rows)).expect("an outcome");
}

#[test]
fn session_state_in_ok_packets_is_skipped() {
    // Status 0x4000: session state follows the message.
    let ok = b"\0\xFC\x2C\x01\x07\x02\x40\x03\0\x05hello\x0A\0\x08\x0Aautocommit";
    let mut connection = connect(|_| packet(1, ok));
    let outcome = block_on(connection.run("SET autocommit = 1")).expect("an outcome");
    assert_eq!(outcome, Outcome { affected_rows: 300, last_insert_id: 7, warnings: 3, ..Outcome::default() });
}

#[test]
fn results_of_servers_with_eof_packets() {
    let old = MYSQL.difference(CapabilityFlags::CLIENT_DEPRECATE_EOF);
    let (eof, more): (&[u8], &[u8]) = (b"\xFE\0\0\x02\0", b"\xFE\x02\0\x0A\0");
    let mut connection = connect_with(old, vec![usize::MAX], |payload| match payload {
        [3, ..] => packets(1, &[b"\x01", COLUMN, eof, b"\x017", b"\xFB", more, b"\x01", COLUMN, eof, eof]),
        // Prepared: two columns, one parameter.
        [22, ..] => packets(1, &[b"\0\x09\0\0\0\x02\0\x01\0\0\0\0", COLUMN, eof, COLUMN, STRING, eof]),
        _ => packets(1, &[b"\x02", COLUMN, STRING, eof, b"\0\0\x07\0\0\0\x02ab", b"\0\x08\x08\0\0\0", eof]),
    });
    block_on(async {
        let mut values = Vec::new();
        let mut take = |row: &Row<'_>| values.push(row.int(0));
        let outcome = connection.query(b"CALL p()", &mut take).await.expect("two results");
        assert_eq!(values, [Some(7), None]);
        assert_eq!((outcome.rows, outcome.warnings), (2, 2));
        for _ in 0..2 {
            let mut prepared =
                connection.prepare("SELECT a, s FROM t WHERE a = ?").await.expect("a statement");
            assert_eq!((prepared.id(), prepared.params(), prepared.columns()), (9, 1, 2));
            let mut values = Vec::new();
            let mut take =
                |row: &Row<'_>| values.push((row.int(0), row.bytes(1).map(std::borrow::Cow::into_owned)));
            let params = [assay_wire::Param::Int(1)];
            connection.execute(&mut prepared, &params, &mut take).await.expect("rows");
            assert_eq!(values, [(Some(7), Some(b"ab".to_vec())), (Some(8), None)]);
        }
    });
}

#[test]
fn an_error_after_rows_leaves_the_connection_usable() {
    let deadlock = err(1213, "40001", "Deadlock found when trying to get lock; try restarting transaction");
    let mut connection = connect(move |payload| match payload {
        [3, ..] => packets(1, &[b"\x01", COLUMN, b"\x011", b"\x012", &deadlock]),
        _ => packet(1, OK),
    });
    let mut rows = 0;
    let error = block_on(connection.query(b"SELECT", &mut |_: &Row<'_>| rows += 1)).expect_err("a deadlock");
    assert_eq!((error.code(), rows), (Some(1213), 2));
    block_on(connection.ping()).expect("still usable");
}

#[test]
fn what_the_protocol_does_not_allow_ends_the_connection() {
    let cases: Vec<(&str, Vec<u8>)> = vec![
        ("a wrong number", packet(2, OK)),
        ("a number twice", [packet(1, b"\x01"), packet(1, COLUMN)].concat()),
        ("more than was asked", [packet(1, OK), packet(2, OK)].concat()),
        ("a half OK", packet(1, b"\0\0\0")),
        ("an empty packet", packet(1, b"")),
        ("a row that is too short", packets(1, &[b"\x01", COLUMN, b"\x05ab"])),
        ("a row that is too long", packets(1, &[b"\x01", COLUMN, b"\x01a\x01b"])),
        ("no column", packets(1, &[b"\x01", b"what?"])),
        ("an end before the end", packet(1, b"\x01")),
        ("no columns", packets(1, &[b"\xFC\0\0", COLUMN, END])),
        ("more columns than there can be", packets(1, &[b"\xFC\x01\x10", COLUMN])),
        ("an end for a definition", packets(1, &[b"\x01", END])),
        ("OK for rows", packet(1, OK)),
        ("a result too many", packets(1, &[b"\x01", COLUMN, END_MORE, b"\x01", COLUMN, END])),
    ];
    for (what, said) in cases {
        let mut connection = connect(move |_| said.clone());
        let error = block_on(connection.query(b"SELECT", &mut |_: &Row<'_>| {})).expect_err(what);
        assert!(error.is_fatal(), "{what}: {error:?}");
        assert!(!connection.is_usable());
        let error = block_on(connection.ping()).expect_err(what);
        assert!(matches!(error, Error::Unusable), "{what}: {error:?}");
    }
}

#[test]
fn a_server_that_says_why_it_closes() {
    // MySQL numbers the packet as if it began a conversation.
    let mut connection = connect(|_| packet(0, &err(4031, "HY000", "disconnected because of inactivity")));
    let error = block_on(connection.ping()).expect_err("a farewell");
    assert_eq!(error.code(), Some(4031));
    assert!(error.is_fatal() && !connection.is_usable());
}

#[test]
fn a_command_dropped_half_way() {
    let mut connection = connect_with(MYSQL, vec![1], |_| packet(1, OK));
    {
        let mut ping = pin!(connection.ping());
        let poll = ping.as_mut().poll(&mut Context::from_waker(Waker::noop()));
        assert!(matches!(poll, Poll::Pending));
    }
    assert!(!connection.is_usable());
    assert!(matches!(block_on(connection.run("SELECT 1")), Err(Error::Unusable)));
}

#[test]
fn skimming_decodes_nothing() {
    // The definitions are rubbish: who only counts rows does not see it.
    let mut connection = connect(|_| packets(1, &[b"\x01", b"what?", b"\x011", b"\xFB", END]));
    let outcome = block_on(connection.query(b"SELECT", &mut Discard)).expect("two rows");
    assert_eq!(outcome, Outcome { result_set: true, rows: 2, bytes: 3, warnings: 1, ..Outcome::default() });
}

#[test]
fn what_comes_between_two_commands_ends_the_connection() {
    let duplicate = err(1062, "23000", "Duplicate entry");
    let farewell = err(4031, "HY000", "disconnected because of inactivity");
    for (unasked, reason) in [
        (packet(1, OK), "nobody asked for"),
        (packet(0, &duplicate), "unasked: server error 1062"),
        (packet(0, &farewell), "server error 4031"),
    ] {
        let hello = greeting("8.0.36", MYSQL, "mysql_native_password");
        let peer = Peer::new(&hello, |count, sequence, _| match count {
            0 => packet(sequence + 1, OK),
            _ => [packet(1, OK), unasked.clone()].concat(),
        });
        // The greeting, the login's OK, the ping's, and what nobody asked for: a read each.
        let ok = packet(1, OK).len();
        let peer = peer.in_prompt_pieces(vec![4 + hello.len(), ok, ok, usize::MAX]);
        let mut connection = peer.open(&Options::default()).expect("a connection");
        block_on(connection.ping()).expect("an answer");
        let error = block_on(connection.ping()).expect_err("more than an answer");
        assert!(error.is_fatal() && error.to_string().contains(reason), "{error}");
        assert!(!connection.is_usable());
    }
}

#[test]
fn an_error_among_definitions_is_the_servers() {
    let refusal = err(1105, "HY000", "out of memory");
    let old = MYSQL.difference(CapabilityFlags::CLIENT_DEPRECATE_EOF);
    for payloads in [vec![&b"\x01"[..], &refusal], vec![b"\x01", COLUMN, &refusal]] {
        let mut connection = connect_with(old, vec![usize::MAX], |payload| match payload {
            [3, ..] => packets(1, &payloads),
            _ => packet(1, OK),
        });
        let error = block_on(connection.run("SELECT 1")).expect_err("a refusal");
        assert_eq!(error.code(), Some(1105));
        block_on(connection.ping()).expect("still usable");
    }
    // Behind a PREPARE others may be on their way.
    let head: &[u8] = b"\0\x01\0\0\0\x01\0\0\0\0\0\0";
    let mut connection = connect(|_| packets(1, &[head, &refusal]));
    let error = block_on(connection.prepare("SELECT 1")).expect_err("a refusal");
    assert!(error.is_fatal() && error.to_string().contains("1105"), "{error}");
}

#[test]
fn sums_of_results_do_not_wrap() {
    let most = b"\0\xFE\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\0\x0A\0\0\0";
    let last = b"\0\xFE\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\0\x02\0\0\0";
    let mut connection = connect(|_| packets(1, &[most, last]));
    let outcome = block_on(connection.run("CALL p()")).expect("two results");
    assert_eq!(outcome.affected_rows, u64::MAX);
}

#[test]
fn texts_of_several_statements_have_as_many_results() {
    for (results, good) in [(1, false), (2, true), (3, false)] {
        let more = b"\0\0\0\x0A\0\0\0";
        let payloads: Vec<&[u8]> = (1..=results).map(|n| if n < results { &more[..] } else { OK }).collect();
        let mut connection = connect(|_| packets(1, &payloads));
        let outcome = block_on(connection.query_many(b"UPDATE t SET a = 1; COMMIT", 2, &mut Discard));
        assert_eq!((outcome.is_ok(), connection.is_usable()), (good, good), "{results}: {outcome:?}");
    }
}

#[test]
fn who_watches_a_connection_hears_that_a_command_was_cut_off() {
    let cut = Rc::new(Cell::new(0));
    let watched = |answer: Vec<u8>| {
        let mut connection = connect(move |_| answer.clone());
        let heard = cut.clone();
        connection.when_cut(move || heard.set(heard.get() + 1));
        connection
    };
    let mut idle = watched(packet(1, OK));
    block_on(idle.ping()).expect("an answer");
    drop(idle);
    assert_eq!(cut.get(), 0, "nothing was under way");
    let refused = watched(packet(1, &err(1064, "42000", "no")));
    block_on(async {
        let mut refused = refused;
        refused.ping().await.expect_err("a refusal");
    });
    assert_eq!(cut.get(), 0, "it was answered");
    block_on(watched(Vec::new()).quit()).expect("a goodbye");
    assert_eq!(cut.get(), 0, "it took leave");
    let mut gone = watched(Vec::new());
    block_on(gone.ping()).expect_err("the server has gone");
    drop(gone);
    assert_eq!(cut.get(), 0, "nobody is at work");
    let mut waiting = connect_with(MYSQL, vec![1, 1], |_| packet(1, OK));
    let heard = cut.clone();
    waiting.when_cut(move || heard.set(heard.get() + 1));
    {
        let mut ping = pin!(waiting.ping());
        assert!(ping.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
    }
    drop(waiting);
    assert_eq!(cut.get(), 1, "its answer was not awaited");
}
