//! Misdeeds as bytes.

use crate::fault::Deed;
use crate::protocol::packet::{Writer, put_integer};
use crate::protocol::reply::{AUTOCOMMIT, Reply, TYPE_STRING, column, end_of_columns, put_error, put_row};
use crate::protocol::table::Encoding;

const FULL: usize = 0xFF_FFFF;
/// Bytes of a torrent that are made at once.
const CHUNK: usize = 64 * 1024;
const VALUE: &[u8] = &[b'x'; 200];

/// The continuation of a misdeed after its first bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Then {
    /// The conversation goes on as if nothing had happened.
    Nothing,
    /// The connection is closed.
    Close,
    /// Bytes without end.
    Torrent(Torrent),
}

/// Packets without end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Torrent {
    kind: Endless,
    /// Sequence number of the next packet.
    sequence: u8,
    encoding: Encoding,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Endless {
    Rows,
    Columns,
    /// Full packets of one payload; of the present one this is left.
    Chain(usize),
}

impl Torrent {
    /// The next bytes.
    pub(crate) fn fill(&mut self, out: &mut Vec<u8>) {
        let end = out.len() + CHUNK;
        while out.len() < end {
            let sequence = self.sequence;
            let encoding = self.encoding;
            match &mut self.kind {
                Endless::Chain(left) if *left > 0 => {
                    let length = (*left).min(end - out.len());
                    out.resize(out.len() + length, b'x');
                    *left -= length;
                    continue;
                }
                Endless::Chain(left) => {
                    *left = FULL;
                    out.extend_from_slice(&[0xFF, 0xFF, 0xFF, sequence]);
                }
                Endless::Rows => Writer::new(out, sequence)
                    .packet(|body| put_row(body, encoding.binary, TYPE_STRING, VALUE)),
                Endless::Columns => {
                    Writer::new(out, sequence).packet(|body| column(body, "c", TYPE_STRING, 480));
                }
            }
            self.sequence = sequence.wrapping_add(1);
        }
    }
}

/// Puts a misdeed in the place of the reply that begins at `start`, whose first packet has this sequence number.
pub(crate) fn commit(deed: Deed, out: &mut Vec<u8>, start: usize, sequence: u8, encoding: Encoding) -> Then {
    let reply = &out[start..];
    let is_ok = reply.get(4) == Some(&0);
    let torrent = |kind, sequence| Then::Torrent(Torrent { kind, sequence, encoding });
    match deed {
        Deed::Cut => {
            let half = reply.len() / 2;
            out.truncate(start + half);
            return Then::Close;
        }
        Deed::Surplus => return surplus(out, start),
        Deed::Warnings(warnings) => {
            // The last two bytes of an OK packet.
            let end = out.len();
            out[end - 2..].copy_from_slice(&warnings.to_le_bytes());
            return Then::Nothing;
        }
        _ => out.truncate(start),
    }
    match deed {
        Deed::EndlessRows => torrent(Endless::Rows, put_head(out, sequence, encoding)),
        Deed::EndlessRow => torrent(Endless::Chain(0), put_head(out, sequence, encoding)),
        Deed::EndlessChain => torrent(Endless::Chain(0), sequence),
        Deed::EndlessColumns => {
            Writer::new(out, sequence).packet(|body| put_integer(body, u64::MAX));
            torrent(Endless::Columns, sequence.wrapping_add(1))
        }
        Deed::NoColumns => {
            Writer::new(out, sequence).packet(|body| body.extend_from_slice(&[0xFC, 0, 0]));
            torrent(Endless::Columns, sequence.wrapping_add(1))
        }
        Deed::WrongKind => {
            if is_ok {
                Reply::result_set(encoding, TYPE_STRING, VALUE, 1).append(out, sequence, AUTOCOMMIT);
            } else {
                Reply::ok(0).append(out, sequence, AUTOCOMMIT);
            }
            Then::Nothing
        }
        Deed::FileRequest => {
            Writer::new(out, sequence).packet(|body| body.extend_from_slice(b"\xFB/etc/passwd"));
            Then::Nothing
        }
        Deed::Controls => {
            put_error(out, sequence, 1105, "\x1B[2J\n", &controls());
            Then::Nothing
        }
        Deed::Affected(rows) => {
            Reply::ok(rows).append(out, sequence, AUTOCOMMIT);
            Then::Nothing
        }
        Deed::Cut | Deed::Surplus | Deed::Warnings(_) => Then::Nothing,
    }
}

/// The reply once more, numbered as if it were the next one.
fn surplus(out: &mut Vec<u8>, start: usize) -> Then {
    out.extend_from_within(start..);
    Then::Nothing
}

/// Appends a column and what comes before its rows; returns the number of the next packet.
fn put_head(out: &mut Vec<u8>, sequence: u8, encoding: Encoding) -> u8 {
    let mut writer = Writer::new(out, sequence);
    writer.packet(|body| put_integer(body, 1));
    writer.packet(|body| column(body, "c", TYPE_STRING, 480));
    let eof = end_of_columns(&mut writer, encoding, AUTOCOMMIT);
    sequence.wrapping_add(if eof.is_some() { 3 } else { 2 })
}

/// A title, a cleared screen, a forged line, a changed direction of writing, and 40 kB more.
fn controls() -> String {
    "\x1B]0;owned\x07\x1B[2J\rERROR\n\u{9B}31m\u{202E}gnp.exe ".to_owned() + &"\x1B[1m".repeat(10_000)
}
