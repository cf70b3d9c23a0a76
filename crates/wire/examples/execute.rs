//! Executes a prepared point select over and over against a peer in memory: the user-space cost of an execution and
//! its answer, for a profiler (`valgrind --tool=callgrind target/release/examples/execute ROUNDS`) or a stopwatch.
//!
//! The difference of two numbers of rounds is the cost of an execution. As in an event loop each is polled twice: once
//! to send, when nothing can be read yet, and once when the answer is there.

use std::future::Future;
use std::io;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use assay_wire::{Connection, Discard, Options, Param, Stream};
use mysql_common::constants::{CapabilityFlags, Command, StatusFlags};
use mysql_common::packets::HandshakePacket;
use mysql_common::proto::MySerialize;

const OK: &[u8] = b"\0\0\0\x02\0\0\0";
/// The answer to `COM_STMT_PREPARE`: statement 1, a column, a parameter, no warnings.
const PREPARED: &[u8] = b"\0\x01\0\0\0\x01\0\x01\0\0\0\0";
const STRING: &[u8] = b"\x03def\x04test\x01t\x01t\x01c\x01c\x0C\x21\0\x68\x01\0\0\xFE\x01\0\0\0\0";
const END: &[u8] = b"\xFE\0\0\x22\0\0\0";

/// A server that answers every command at once, and is found readable only when asked again.
struct Peer {
    answer: Vec<u8>,
    /// The answer to each execution: a column, its row of 119 characters, the end.
    result: Vec<u8>,
    readable: bool,
}

impl Peer {
    fn new() -> Self {
        let capabilities = CapabilityFlags::all().difference(CapabilityFlags::CLIENT_SSL);
        let (nonce, rest) = (*b"01234567", b"89abcdefghij\0".to_vec());
        let plugin = Some(b"mysql_native_password".to_vec());
        let status = StatusFlags::empty();
        let mut greeting = Vec::new();
        HandshakePacket::new(10, b"8.0.36", 1, nonce, Some(rest), capabilities, 45, status, plugin)
            .serialize(&mut greeting);
        let row = [b"\0\0\x77".as_slice(), &[b'c'; 119]].concat();
        Self {
            answer: packets(0, &[&greeting]),
            result: packets(1, &[b"\x01", STRING, &row, END]),
            readable: true,
        }
    }
}

impl Stream for Peer {
    fn poll_readable(&mut self, _: &mut Context<'_>) -> Poll<()> {
        if std::mem::replace(&mut self.readable, true) { Poll::Ready(()) } else { Poll::Pending }
    }

    fn poll_read(&mut self, _: &mut Context<'_>, buffer: &mut [u8]) -> Poll<io::Result<usize>> {
        let count = self.answer.len();
        buffer[..count].copy_from_slice(&self.answer);
        self.readable = false;
        Poll::Ready(Ok(count))
    }

    fn poll_write(&mut self, _: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.readable = false;
        if bytes.get(4) == Some(&(Command::COM_STMT_EXECUTE as u8)) {
            // What is asked does not matter, but it must be looked at, or the compiler would not write it.
            std::hint::black_box(bytes);
            self.answer.clone_from(&self.result);
        } else if bytes.get(4) == Some(&(Command::COM_STMT_PREPARE as u8)) {
            self.answer = packets(1, &[PREPARED, STRING, STRING]);
        } else {
            self.answer = packets(bytes[3] + 1, &[OK]);
        }
        Poll::Ready(Ok(bytes.len()))
    }
}

/// Packets numbered from `first`.
fn packets(first: u8, payloads: &[&[u8]]) -> Vec<u8> {
    let numbered = payloads.iter().zip(first..);
    let packet = |(payload, sequence): (&&[u8], u8)| {
        let [a, b, c, _] = u32::try_from(payload.len()).unwrap_or_default().to_le_bytes();
        [&[a, b, c, sequence], *payload].concat()
    };
    numbered.flat_map(packet).collect()
}

/// Polls until the future is done: what an event loop does when the peer has news.
fn drive<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            return output;
        }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let rounds: i64 = std::env::args().nth(1).ok_or("give a number of rounds")?.parse()?;
    drive(async {
        let mut connection = Connection::open(Peer::new(), &Options::default()).await?;
        let mut select = connection.prepare("SELECT c FROM t WHERE id = ?").await?;
        for round in 0..rounds {
            connection.execute(&mut select, &[Param::Int(round % 100 + 1)], &mut Discard).await?;
        }
        Ok(())
    })
}
