//! Everything that reads what a server sends, fed with conversations that were changed at random: whatever comes, this side
//! neither panics nor waits, and what it reports is fit to be shown.
//!
//! A bounded number of cases by default, always the same; `ASSAY_FUZZ_SECONDS=60` goes on with others for a minute each.

use std::io;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use assay_wire::{
    CapabilityFlags, Connection, Discard, Error, Options, Param, Prepared, Row, Rows, Stream, block_on,
};

use crate::answers::{COLUMN, END, END_MORE, STRING};
use crate::peer::{MYSQL, OK, err, greeting, packet};

/// Answers to one request: payloads, numbered from one on (the greeting from zero).
type Reply = Vec<Vec<u8>>;

/// A public key of 2048 bits, made for these tests.
const KEY: &[u8] = include_bytes!("key.pem");

/// SplitMix64 (Steele, Lea, Flood 2014).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit.max(1) as u64) as usize
    }
}

/// Plays one reply for each request, in pieces, then the end.
struct Tape {
    replies: std::vec::IntoIter<Vec<u8>>,
    saying: Vec<u8>,
    at: usize,
    piece: usize,
}

impl Stream for Tape {
    fn poll_read(&mut self, _: &mut Context<'_>, buf: &mut [u8]) -> Poll<io::Result<usize>> {
        let rest = &self.saying[self.at..];
        let count = rest.len().min(self.piece).min(buf.len());
        buf[..count].copy_from_slice(&rest[..count]);
        self.at += count;
        Poll::Ready(Ok(count))
    }

    fn poll_write(&mut self, _: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        (self.saying, self.at) = (self.replies.next().unwrap_or_default(), 0);
        Poll::Ready(Ok(buf.len()))
    }
}

/// Bytes that mean something somewhere: NULL, lengths, headers, signs.
const TELLING: [u8; 12] = [0, 1, 2, 0x7F, 0x80, 0x87, 0xFA, 0xFB, 0xFC, 0xFD, 0xFE, 0xFF];

fn mutate(bytes: &mut Vec<u8>, random: &mut Random) {
    let at = random.below(bytes.len() + 1);
    match random.below(8) {
        0 => bytes.truncate(at),
        1 => bytes.insert(at, random.next() as u8),
        2 => {
            let length = random.below(40);
            let junk: Vec<u8> = (0..length).map(|_| random.next() as u8).collect();
            bytes.splice(at..at, junk);
        }
        3 => {
            let end = (at + random.below(12)).min(bytes.len());
            bytes.drain(at..end);
        }
        4 => bytes.extend_from_within(at..),
        5 | 6 if at < bytes.len() => bytes[at] = TELLING[random.below(TELLING.len())],
        _ if at < bytes.len() => bytes[at] ^= 1 << random.below(8),
        _ => {}
    }
}

/// The conversation with a few changes: within payloads, of their order and number, of the bytes on the wire.
fn disturbed(first: u8, reply: &Reply, random: &mut Random) -> Vec<u8> {
    let mut payloads = reply.clone();
    if random.below(3) == 0 && !payloads.is_empty() {
        let (from, to) = (random.below(payloads.len()), random.below(payloads.len()));
        match random.below(3) {
            0 => payloads.swap(from, to),
            1 => drop(payloads.remove(from)),
            _ => payloads.insert(to, payloads[from].clone()),
        }
    }
    let changes = random.below(4);
    for _ in 0..changes {
        let which = random.below(payloads.len());
        if let Some(payload) = payloads.get_mut(which) {
            mutate(payload, random);
        }
    }
    let mut bytes = framed(first, &payloads);
    if random.below(8) == 0 {
        mutate(&mut bytes, random);
    }
    bytes
}

fn framed(first: u8, payloads: &[Vec<u8>]) -> Vec<u8> {
    let numbered = payloads.iter().zip((0..=255u8).cycle().skip(first.into()));
    numbered.flat_map(|(payload, number)| packet(number, payload)).collect()
}

/// Says which case it was when a case panics.
struct Case(&'static str, u64);

impl Drop for Case {
    #[allow(clippy::print_stderr, reason = "the test is about to fail")]
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("fuzz target {}, case {}", self.0, self.1);
        }
    }
}

/// Runs `cases` of a target, and more for `ASSAY_FUZZ_SECONDS`.
fn fuzz(target: &'static str, cases: u64, mut one: impl FnMut(&mut Random)) {
    let seconds = std::env::var("ASSAY_FUZZ_SECONDS").ok().and_then(|text| text.parse().ok());
    let end = Instant::now() + Duration::from_secs(seconds.unwrap_or(0));
    let mut number = 0;
    while number < cases || Instant::now() < end {
        let _case = Case(target, number);
        one(&mut Random(number.wrapping_mul(0xD134_2543_DE82_EF95)));
        number += 1;
    }
}

/// What an error says can be shown.
fn look_at<T>(result: Result<T, Error>) -> Option<T> {
    match result {
        Ok(value) => Some(value),
        Err(error) => {
            let text = error.to_string();
            assert!(!text.contains(char::is_control), "{text:?}");
            assert!(text.len() < 10_000, "{} bytes", text.len());
            None
        }
    }
}

fn options() -> Options {
    Options {
        user: "u".into(),
        password: Some("secret".into()),
        get_server_public_key: true,
        ..Options::default()
    }
}

/// Opens a connection to a tape of these replies, the greeting first, of which those from `from` on are disturbed.
fn open(
    replies: &[(u8, Reply)],
    from: usize,
    random: &mut Random,
    options: &Options,
) -> Option<Connection<Tape>> {
    let mut said: Vec<Vec<u8>> = Vec::new();
    for (number, (first, reply)) in replies.iter().enumerate() {
        let bytes = if number < from { framed(*first, reply) } else { disturbed(*first, reply, random) };
        said.push(bytes);
    }
    let saying = said.remove(0);
    let piece = if random.below(2) == 0 { usize::MAX } else { 1 + random.below(60) };
    look_at(block_on(Connection::open(Tape { replies: said.into_iter(), saying, at: 0, piece }, options)))
}

fn greeted(capabilities: CapabilityFlags, plugin: &str) -> (u8, Reply) {
    (0, vec![greeting("8.0.36", capabilities, plugin)])
}

/// Reads every field as everything.
#[derive(Default)]
struct Curious(usize);

impl Rows for Curious {
    fn row(&mut self, row: &Row<'_>) {
        for index in 0..=row.len() {
            let value = row.value(index);
            self.0 += usize::from(row.int(index).is_some()) + usize::from(row.uint(index).is_some());
            self.0 += usize::from(row.double(index).is_some()) + usize::from(value.as_str().is_some());
            self.0 += row.bytes(index).map_or(0, |bytes| bytes.len());
        }
        self.0 += row.columns().iter().map(|column| column.name().len()).sum::<usize>();
    }
}

/// A definition of this type.
fn column(kind: u8) -> Vec<u8> {
    let mut definition = COLUMN.to_vec();
    definition[22] = kind;
    definition
}

/// Types that rows are read as.
const TYPES: [u8; 14] = [0x00, 0x01, 0x03, 0x04, 0x05, 0x07, 0x08, 0x0A, 0x0B, 0x0C, 0x0D, 0x10, 0xF6, 0xFD];

#[test]
fn greetings() {
    fuzz("greeting", 20_000, |random| {
        let plugin = ["mysql_native_password", "caching_sha2_password", ""][random.below(3)];
        let version = ["8.0.36", "5.5.5-10.11.6-MariaDB", "8.٠.1", "9999999999.1.1"][random.below(4)];
        let hello = (0, vec![greeting(version, MYSQL, plugin)]);
        open(&[hello, (2, vec![OK.to_vec()])], 0, random, &options());
    });
}

#[test]
fn logins() {
    let challenge = [&b"ABCDEFGHIJabcdefghij"[..], &b"\0"[..]].concat();
    let long = [b'n'; 32];
    let switch = |plugin: &str, challenge: &[u8]| [b"\xFE", plugin.as_bytes(), b"\0", challenge].concat();
    let replies: Vec<Vec<(u8, Reply)>> = vec![
        vec![(2, vec![switch("mysql_native_password", &challenge)]), (4, vec![OK.to_vec()])],
        vec![(2, vec![switch("client_ed25519", &long)]), (4, vec![OK.to_vec()])],
        vec![
            (2, vec![switch("caching_sha2_password", &challenge)]),
            (4, vec![b"\x01\x03".to_vec(), OK.to_vec()]),
        ],
        vec![(2, vec![switch("mysql_clear_password", b"")]), (4, vec![OK.to_vec()])],
        vec![(2, vec![err(1045, "28000", "Access denied \x1B[2J")])],
    ];
    let mut good = 0;
    fuzz("login", 20_000, |random| {
        let mut talk = vec![greeted(MYSQL, "mysql_native_password")];
        talk.extend(replies[random.below(replies.len())].clone());
        good += usize::from(open(&talk, 1, random, &options()).is_some());
    });
    assert!(good > 0, "no conversation got through");
}

#[test]
fn keys() {
    let challenge = [&b"ABCDEFGHIJabcdefghij"[..], &b"\0"[..]].concat();
    let switch = [&b"\xFEcaching_sha2_password\0"[..], &challenge].concat();
    let mut good = 0;
    fuzz("key", 600, |random| {
        let mut key = [b"\x01", KEY].concat();
        for _ in 0..random.below(4) {
            mutate(&mut key, random);
        }
        let talk = [
            greeted(MYSQL, "mysql_native_password"),
            (2, vec![switch.clone()]),
            (4, vec![b"\x01\x04".to_vec()]),
            (6, vec![key]),
            (8, vec![OK.to_vec()]),
        ];
        good += usize::from(open(&talk, 4, random, &options()).is_some());
    });
    assert!(good > 0, "no conversation got through");
}

#[test]
fn text_answers() {
    let mut good = 0;
    fuzz("text", 20_000, |random| {
        let old = random.below(2) == 0;
        let capabilities = if old { MYSQL.difference(CapabilityFlags::CLIENT_DEPRECATE_EOF) } else { MYSQL };
        let (eof, end, more) = if old {
            (Some(&b"\xFE\0\0\x02\0"[..]), &b"\xFE\0\0\x02\0"[..], &b"\xFE\0\0\x0A\0"[..])
        } else {
            (None, END, END_MORE)
        };
        let fields: [&[u8]; 6] =
            [b"\x0242", b"\x0A2024-02-30", b"\x0F-838:59:59.0001", b"\xFB", b"\x031.5", b"\xFC\x03\0abc"];
        let mut reply = vec![b"\x02".to_vec(), column(TYPES[random.below(TYPES.len())]), STRING.to_vec()];
        reply.extend(eof.map(<[u8]>::to_vec));
        for _ in 0..random.below(4) {
            reply.push([fields[random.below(6)], fields[random.below(6)]].concat());
        }
        match random.below(3) {
            0 => reply.push(err(1213, "40001", "Deadlock \u{202E}")),
            1 => reply.extend([more.to_vec(), OK.to_vec()]),
            _ => reply.push(end.to_vec()),
        }
        let talk = [greeted(capabilities, ""), (2, vec![OK.to_vec()]), (1, reply), (1, vec![OK.to_vec()])];
        let Some(mut connection) = open(&talk, 2, random, &options()) else { return };
        let sql = [&b"SELECT"[..], b"INSERT", b"CALL p()"][random.below(3)];
        let read = random.below(3) > 0;
        let said = if read {
            block_on(connection.query(sql, &mut Curious::default()))
        } else {
            block_on(connection.query(sql, &mut Discard))
        };
        good += usize::from(look_at(said).is_some());
        look_at(block_on(connection.ping()));
    });
    assert!(good > 0, "no conversation got through");
}

#[test]
fn prepared_statements() {
    let mut good = 0;
    fuzz("prepared", 20_000, |random| {
        let maria = random.below(2) == 0;
        let capabilities =
            if maria { MYSQL.difference(CapabilityFlags::CLIENT_LONG_PASSWORD) } else { MYSQL };
        let first = column(TYPES[random.below(TYPES.len())]);
        let told =
            vec![b"\0\x09\0\0\0\x02\0\x01\0\0\0\0".to_vec(), COLUMN.to_vec(), first.clone(), STRING.to_vec()];
        let head = if maria { b"\x02\x01".to_vec() } else { b"\x02".to_vec() };
        let row = [&b"\0\0"[..], &[random.below(14) as u8], b"\x07\0\0\0\x02ab\0\0\0\0\0\0"].concat();
        let rows = vec![head, first, STRING.to_vec(), row, b"\0\x0C".to_vec(), END.to_vec()];
        let talk =
            [greeted(capabilities, ""), (2, vec![OK.to_vec()]), (1, told), (1, rows.clone()), (1, rows)];
        let from = 2 + random.below(2);
        let Some(mut connection) = open(&talk, from, random, &options()) else { return };
        let prepared: Option<Prepared> =
            look_at(block_on(connection.prepare("SELECT a, s FROM t WHERE a = ?")));
        let Some(mut prepared) = prepared else { return };
        let params = vec![Param::Int(1); prepared.params()];
        look_at(block_on(connection.execute(&mut prepared, &params, &mut Curious::default())));
        let last = look_at(block_on(connection.execute(&mut prepared, &params, &mut Discard)));
        good += usize::from(last.is_some());
    });
    assert!(good > 0, "no conversation got through");
}

#[test]
fn files_and_errors() {
    fuzz("file", 10_000, |random| {
        let talk = [
            greeted(MYSQL, ""),
            (2, vec![OK.to_vec()]),
            (1, vec![b"\xFBfile\x1B".to_vec()]),
            (4, vec![b"\0\x01\0\x02\0\0\0".to_vec()]),
        ];
        let files = Options { local_files: true, ..options() };
        let Some(mut connection) = open(&talk, 2, random, &files) else { return };
        if random.below(2) == 0 {
            look_at(block_on(connection.load(b"LOAD DATA LOCAL INFILE ''", b"1\n")));
        } else {
            look_at(block_on(connection.run("LOAD DATA LOCAL INFILE ''")));
        }
    });
}
