//! A server made of a function from packets to bytes.

use std::collections::VecDeque;
use std::io;
use std::task::{Context, Poll};

use assay_wire::{Connection, Error, Options, Stream, block_on};
use mysql_common::constants::{CapabilityFlags, MariadbCapabilities, StatusFlags};
use mysql_common::packets::HandshakePacket;
use mysql_common::proto::MySerialize;

/// The greeting's challenge.
pub(crate) const NONCE: &[u8; 20] = b"0123456789abcdefghij";
pub(crate) const OK: &[u8] = b"\0\0\0\x02\0\0\0";

/// What a MySQL 8 offers.
pub(crate) const MYSQL: CapabilityFlags = CapabilityFlags::all().difference(CapabilityFlags::CLIENT_SSL);

/// A packet with this sequence number.
pub(crate) fn packet(sequence: u8, payload: &[u8]) -> Vec<u8> {
    let length = u32::try_from(payload.len()).expect("short").to_le_bytes();
    [&[length[0], length[1], length[2], sequence], payload].concat()
}

/// Packets numbered from `first`.
pub(crate) fn packets(first: u8, payloads: &[&[u8]]) -> Vec<u8> {
    let numbered = payloads.iter().zip((0..=255).cycle().skip(first.into()));
    numbered.flat_map(|(payload, sequence)| packet(sequence, payload)).collect()
}

pub(crate) fn err(code: u16, state: &str, message: &str) -> Vec<u8> {
    [b"\xFF", &code.to_le_bytes()[..], b"#", state.as_bytes(), message.as_bytes()].concat()
}

pub(crate) fn greeting(version: &str, capabilities: CapabilityFlags, plugin: &str) -> Vec<u8> {
    let mut first = [0; 8];
    first.copy_from_slice(&NONCE[..8]);
    let rest = [&NONCE[8..], b"\0"].concat();
    let mut payload = Vec::new();
    HandshakePacket::new(
        10,
        version.as_bytes(),
        42,
        first,
        Some(rest),
        capabilities,
        45,
        StatusFlags::empty(),
        Some(plugin.as_bytes()),
    )
    .with_mariadb_ext_capabilities(MariadbCapabilities::all())
    .serialize(&mut payload);
    payload
}

/// Answers whole packets through a function: number of the packet, sequence number, payload; bytes to send.
pub(crate) struct Peer<F> {
    answer: F,
    heard: Vec<u8>,
    count: usize,
    saying: VecDeque<u8>,
    /// Lengths of the pieces in which bytes come, over and over; each after a `Pending` where it is timid.
    pieces: Vec<usize>,
    turn: usize,
    shy: bool,
    timid: bool,
}

impl<F: FnMut(usize, u8, &[u8]) -> Vec<u8>> Peer<F> {
    pub(crate) fn new(greeting: &[u8], answer: F) -> Self {
        let saying = packet(0, greeting).into();
        Self {
            answer,
            heard: Vec::new(),
            count: 0,
            saying,
            pieces: vec![usize::MAX],
            turn: 0,
            shy: false,
            timid: false,
        }
    }

    pub(crate) fn in_pieces(self, pieces: Vec<usize>) -> Self {
        let timid = pieces != [usize::MAX];
        Self { pieces, shy: true, timid, ..self }
    }

    /// Each piece comes at once.
    pub(crate) fn in_prompt_pieces(self, pieces: Vec<usize>) -> Self {
        Self { pieces, ..self }
    }

    pub(crate) fn open(self, options: &Options) -> Result<Connection<Self>, Error> {
        block_on(Connection::open(self, options))
    }
}

/// A connection to a scripted server.
pub(crate) type Scripted<'a> = Connection<Peer<Box<dyn FnMut(usize, u8, &[u8]) -> Vec<u8> + 'a>>>;

/// A connection to a MySQL 8 that lets everybody in; `answer` gets the commands.
pub(crate) fn connect<'a>(answer: impl FnMut(&[u8]) -> Vec<u8> + 'a) -> Scripted<'a> {
    connect_with(MYSQL, vec![usize::MAX], answer)
}

pub(crate) fn connect_with<'a>(
    capabilities: CapabilityFlags,
    pieces: Vec<usize>,
    mut answer: impl FnMut(&[u8]) -> Vec<u8> + 'a,
) -> Scripted<'a> {
    let greeting = greeting("8.0.36", capabilities, "mysql_native_password");
    let answer = move |count: usize, sequence: u8, payload: &[u8]| match count {
        0 => packet(sequence + 1, OK),
        _ => answer(payload),
    };
    let peer = Peer::new(&greeting, Box::new(answer) as Box<dyn FnMut(usize, u8, &[u8]) -> Vec<u8>>);
    peer.in_pieces(pieces).open(&Options::default()).expect("a connection")
}

impl<F: FnMut(usize, u8, &[u8]) -> Vec<u8>> Stream for Peer<F> {
    fn poll_read(&mut self, cx: &mut Context<'_>, buf: &mut [u8]) -> Poll<io::Result<usize>> {
        if self.shy {
            self.shy = false;
            cx.waker().wake_by_ref();
            return Poll::Pending;
        }
        self.shy = self.timid;
        let piece = self.pieces[self.turn % self.pieces.len()];
        self.turn += 1;
        let count = self.saying.len().min(piece).min(buf.len());
        for (place, byte) in buf.iter_mut().zip(self.saying.drain(..count)) {
            *place = byte;
        }
        Poll::Ready(Ok(count))
    }

    fn poll_write(&mut self, _cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        self.heard.extend_from_slice(buf);
        while let [a, b, c, sequence, rest @ ..] = self.heard.as_slice() {
            let length = u32::from_le_bytes([*a, *b, *c, 0]) as usize;
            let Some(payload) = rest.get(..length) else { break };
            let said = (self.answer)(self.count, *sequence, payload);
            self.saying.extend(said);
            self.count += 1;
            self.heard.drain(..4 + length);
        }
        Poll::Ready(Ok(buf.len()))
    }

    fn has_unread(&self) -> bool {
        !self.saying.is_empty()
    }
}
