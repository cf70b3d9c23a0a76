//! Framing: a packet is a length (3 bytes), a sequence number and a payload; 16 MiB − 1 means "more follows".

pub(crate) const HEADER: usize = 4;
const FULL: usize = 0xFF_FFFF;

/// A request as it lies in the read buffer.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Request<'a> {
    /// The payload. Of a request over 16 MiB the headers in between are still inside: nobody here looks that far.
    pub(crate) payload: &'a [u8],
    /// Sequence number that the reply starts with.
    pub(crate) reply_sequence: u8,
    /// Bytes to skip to the next request.
    pub(crate) length: usize,
}

/// The first request in the buffer, once it is whole.
#[inline]
pub(crate) fn first_request(buffer: &[u8]) -> Option<Request<'_>> {
    let mut end = 0;
    loop {
        let header = buffer.get(end..end + HEADER)?;
        let length = usize::from(header[0]) | usize::from(header[1]) << 8 | usize::from(header[2]) << 16;
        end += HEADER + length;
        if length < FULL {
            let payload = buffer.get(HEADER..end)?;
            return Some(Request { payload, reply_sequence: header[3].wrapping_add(1), length: end });
        }
    }
}

/// Appends packets to a buffer, numbering them.
#[derive(Debug)]
pub(crate) struct Writer<'a> {
    out: &'a mut Vec<u8>,
    sequence: u8,
}

impl<'a> Writer<'a> {
    pub(crate) fn new(out: &'a mut Vec<u8>, sequence: u8) -> Self {
        Self { out, sequence }
    }

    /// Appends a packet whose payload `body` writes. Replies here stay far below 16 MiB.
    pub(crate) fn packet(&mut self, body: impl FnOnce(&mut Vec<u8>)) {
        let start = self.out.len();
        self.out.extend_from_slice(&[0, 0, 0, self.sequence]);
        body(self.out);
        let length = self.out.len() - start - HEADER;
        debug_assert!(length < FULL);
        self.out[start..start + 3].copy_from_slice(&(length as u32).to_le_bytes()[..3]);
        self.sequence = self.sequence.wrapping_add(1);
    }

    /// Length of everything in the buffer.
    pub(crate) fn position(&self) -> usize {
        self.out.len()
    }
}

/// An integer in MySQL's length-encoded form.
pub(crate) fn put_integer(out: &mut Vec<u8>, value: u64) {
    match value {
        0..=250 => out.push(value as u8),
        251..=0xFFFF => {
            out.push(0xFC);
            out.extend_from_slice(&(value as u16).to_le_bytes());
        }
        0x1_0000..=0xFF_FFFF => {
            out.push(0xFD);
            out.extend_from_slice(&value.to_le_bytes()[..3]);
        }
        _ => {
            out.push(0xFE);
            out.extend_from_slice(&value.to_le_bytes());
        }
    }
}

/// A string with its length before it.
pub(crate) fn put_string(out: &mut Vec<u8>, value: &[u8]) {
    put_integer(out, value.len() as u64);
    out.extend_from_slice(value);
}

/// Renumbers the packets in `packets` so that they go on from `sequence`; returns the next number.
pub(crate) fn renumber(packets: &mut [u8], mut sequence: u8) -> u8 {
    let mut at = 0;
    while let Some(header) = packets.get_mut(at..at + HEADER) {
        header[3] = sequence;
        sequence = sequence.wrapping_add(1);
        at += HEADER + (usize::from(header[0]) | usize::from(header[1]) << 8 | usize::from(header[2]) << 16);
    }
    sequence
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_waits_until_it_is_whole() {
        let bytes = [2, 0, 0, 0, 3, b'x', 1, 0, 0, 0, 14];
        for end in 0..6 {
            assert!(first_request(&bytes[..end]).is_none(), "{end}");
        }
        let request = first_request(&bytes).unwrap();
        assert_eq!((request.payload, request.reply_sequence, request.length), (&[3, b'x'][..], 1, 6));
        assert_eq!(first_request(&bytes[6..]).unwrap().payload, [14]);
    }

    #[test]
    fn a_request_over_16_mib_spans_packets() {
        let mut bytes = vec![0xFF, 0xFF, 0xFF, 0];
        bytes.resize(HEADER + FULL, b'a');
        assert!(first_request(&bytes).is_none(), "the rest must follow");
        bytes.extend_from_slice(&[1, 0, 0, 1, b'b']);
        let request = first_request(&bytes).unwrap();
        assert_eq!((request.length, request.reply_sequence), (bytes.len(), 2));
    }

    #[test]
    fn packets_are_numbered_and_renumbered() {
        let mut out = Vec::new();
        let mut writer = Writer::new(&mut out, 1);
        writer.packet(|body| body.push(7));
        writer.packet(|body| put_string(body, b"abc"));
        assert_eq!(out, [1, 0, 0, 1, 7, 4, 0, 0, 2, 3, b'a', b'b', b'c']);
        assert_eq!(renumber(&mut out, 9), 11);
        assert_eq!((out[3], out[8]), (9, 10));
    }

    #[test]
    fn integers_take_one_to_nine_bytes() {
        for (value, length) in [(0, 1), (250, 1), (251, 3), (65_535, 3), (65_536, 4), (1 << 24, 9)] {
            let mut out = Vec::new();
            put_integer(&mut out, value);
            assert_eq!(out.len(), length, "{value}");
        }
    }
}
