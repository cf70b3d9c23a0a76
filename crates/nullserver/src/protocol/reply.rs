//! Replies as bytes: built once, then copied, with the status flags put in at places known beforehand.

use crate::protocol::handshake::CHARSET;
use crate::protocol::packet::{Writer, put_integer, put_string, renumber};
use crate::protocol::table::Encoding;

pub(crate) const IN_TRANSACTION: u16 = 0x0001;
pub(crate) const AUTOCOMMIT: u16 = 0x0002;
pub(crate) const MORE_RESULTS: u16 = 0x0008;

pub(crate) const TYPE_LONGLONG: u8 = 0x08;
pub(crate) const TYPE_VAR_STRING: u8 = 0xFD;
pub(crate) const TYPE_STRING: u8 = 0xFE;

/// A prebuilt reply, numbered from 1.
#[derive(Debug, Clone)]
pub(crate) struct Reply {
    bytes: Box<[u8]>,
    /// Offsets of the status flags: in the OK packet, or in one or two EOF packets.
    status_at: Vec<usize>,
}

impl Reply {
    fn new(build: impl FnOnce(&mut Writer<'_>, &mut Vec<usize>)) -> Self {
        let (mut bytes, mut status_at) = (Vec::new(), Vec::new());
        build(&mut Writer::new(&mut bytes, 1), &mut status_at);
        Self { bytes: bytes.into(), status_at }
    }

    /// OK with so many affected rows.
    pub(crate) fn ok(affected_rows: u64) -> Self {
        Self::new(|writer, status_at| status_at.push(put_ok(writer, affected_rows)))
    }

    /// A column with the same value in each row.
    pub(crate) fn result_set(encoding: Encoding, column_type: u8, value: &[u8], rows: usize) -> Self {
        Self::new(|writer, status_at| {
            writer.packet(|body| put_integer(body, 1));
            let (name, length) = if column_type == TYPE_LONGLONG { ("n", 20) } else { ("c", 120 * 4) };
            writer.packet(|body| column(body, name, column_type, length));
            status_at.extend(end_of_columns(writer, encoding, 0));
            for _ in 0..rows {
                writer.packet(|body| put_row(body, encoding.binary, column_type, value));
            }
            status_at.push(end_of_rows(writer, encoding, 0));
        })
    }

    #[inline]
    pub(crate) fn append(&self, out: &mut Vec<u8>, sequence: u8, status: u16) {
        let start = out.len();
        out.extend_from_slice(&self.bytes);
        for &at in &self.status_at {
            out[start + at..start + at + 2].copy_from_slice(&status.to_le_bytes());
        }
        if sequence != 1 {
            renumber(&mut out[start..], sequence);
        }
    }
}

pub(crate) fn put_row(body: &mut Vec<u8>, binary: bool, column_type: u8, value: &[u8]) {
    if !binary {
        return put_string(body, value);
    }
    // The row's mark and the bit map of NULLs.
    body.extend_from_slice(&[0, 0]);
    if column_type == TYPE_LONGLONG {
        let number: i64 = std::str::from_utf8(value).ok().and_then(|text| text.parse().ok()).unwrap_or(0);
        body.extend_from_slice(&number.to_le_bytes());
    } else {
        put_string(body, value);
    }
}

/// An OK packet. Returns where its status flags lie.
fn put_ok(writer: &mut Writer<'_>, affected_rows: u64) -> usize {
    writer.packet(|body| {
        body.push(0);
        put_integer(body, affected_rows);
        put_integer(body, 0);
        body.extend_from_slice(&[0; 4]);
    });
    writer.position() - 4
}

fn put_eof(writer: &mut Writer<'_>, status: u16) -> usize {
    writer.packet(|body| {
        body.extend_from_slice(&[0xFE, 0, 0]);
        body.extend_from_slice(&status.to_le_bytes());
    });
    writer.position() - 2
}

/// Closes the column definitions: with nothing, or with EOF for older clients. Returns the offset of the status flags.
pub(crate) fn end_of_columns(writer: &mut Writer<'_>, encoding: Encoding, status: u16) -> Option<usize> {
    (!encoding.deprecate_eof).then(|| put_eof(writer, status))
}

/// Closes the rows: with an OK of mark 0xFE, or with EOF for older clients. Returns the offset of the status flags.
pub(crate) fn end_of_rows(writer: &mut Writer<'_>, encoding: Encoding, status: u16) -> usize {
    if !encoding.deprecate_eof {
        return put_eof(writer, status);
    }
    writer.packet(|body| {
        body.extend_from_slice(&[0xFE, 0, 0]);
        body.extend_from_slice(&status.to_le_bytes());
        body.extend_from_slice(&[0; 2]);
    });
    writer.position() - 4
}

/// A column definition; `length` in bytes.
pub(crate) fn column(body: &mut Vec<u8>, name: &str, column_type: u8, length: u32) {
    put_string(body, b"def");
    for empty_or_name in ["", "", "", name, name] {
        put_string(body, empty_or_name.as_bytes());
    }
    put_integer(body, 0x0C);
    // Numbers carry the binary character set.
    body.extend_from_slice(&[if column_type == TYPE_LONGLONG { 63 } else { CHARSET }, 0]);
    body.extend_from_slice(&length.to_le_bytes());
    body.push(column_type);
    body.extend_from_slice(&[0; 5]);
}

/// An error packet.
pub(crate) fn put_error(out: &mut Vec<u8>, sequence: u8, code: u16, state: &str, message: &str) {
    debug_assert_eq!(state.len(), 5);
    Writer::new(out, sequence).packet(|body| {
        body.push(0xFF);
        body.extend_from_slice(&code.to_le_bytes());
        body.push(b'#');
        body.extend_from_slice(state.as_bytes());
        body.extend_from_slice(message.as_bytes());
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ok_carries_status_and_sequence() {
        let mut out = Vec::new();
        Reply::ok(1).append(&mut out, 3, AUTOCOMMIT | IN_TRANSACTION);
        assert_eq!(out, [7, 0, 0, 3, 0, 1, 0, 3, 0, 0, 0]);
    }

    #[test]
    fn a_result_set_for_older_clients_has_two_eofs() {
        let encoding = Encoding { binary: false, deprecate_eof: false };
        let mut out = Vec::new();
        Reply::result_set(encoding, TYPE_STRING, b"ab", 2).append(&mut out, 1, AUTOCOMMIT);
        let eof = [5, 0, 0, 3, 0xFE, 0, 0, 2, 0];
        assert_eq!(
            out.windows(9).filter(|bytes| bytes[..3] == eof[..3] && bytes[4..] == eof[4..]).count(),
            2
        );
        assert!(out.ends_with(&[3, 0, 0, 5, 2, b'a', b'b', 5, 0, 0, 6, 0xFE, 0, 0, 2, 0]));
    }

    #[test]
    fn errors_have_code_and_state() {
        let mut out = Vec::new();
        put_error(&mut out, 1, 1213, "40001", "no");
        assert_eq!(out, [11, 0, 0, 1, 0xFF, 0xBD, 4, b'#', b'4', b'0', b'0', b'0', b'1', b'n', b'o']);
    }
}
