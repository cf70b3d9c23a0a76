//! Commands on their way to the server.

use crate::inbox::{FULL, HEADER};

/// Packets to send, in one buffer that is used again.
#[derive(Debug, Default)]
pub(crate) struct Outbox {
    bytes: Vec<u8>,
    /// Where the packet under construction begins.
    start: usize,
    sequence: u8,
}

/// Capacity, in bytes, above which the buffer is given back after a command: thousands of connections keep one each.
const KEEP_CAPACITY: usize = 4 * 1024;

impl Outbox {
    /// Empties the buffer for the next command.
    #[inline]
    pub(crate) fn clear(&mut self) {
        if self.bytes.capacity() > KEEP_CAPACITY {
            self.bytes = Vec::new();
        }
        self.bytes.clear();
    }

    /// Begins a packet with this sequence number and gives the place to put its payload.
    #[inline]
    pub(crate) fn begin(&mut self, sequence: u8) -> &mut Vec<u8> {
        self.start = self.bytes.len();
        self.sequence = sequence;
        self.bytes.extend_from_slice(&[0; HEADER]);
        &mut self.bytes
    }

    /// Begins the only packet of a new command with bytes that are known, its header's place among them.
    #[inline]
    pub(crate) fn begin_with(&mut self, image: &[u8]) -> &mut Vec<u8> {
        self.clear();
        self.start = 0;
        self.sequence = 0;
        self.bytes.extend_from_slice(image);
        &mut self.bytes
    }

    /// Ends the packet; the sequence number that the answer's first packet will have.
    #[inline]
    pub(crate) fn end(&mut self) -> u8 {
        let length = self.bytes.len() - self.start - HEADER;
        if length >= FULL {
            return self.split();
        }
        self.put_header(self.start, length);
        self.sequence.wrapping_add(1)
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    #[expect(clippy::cast_possible_truncation, reason = "lengths are below 2^24, bytes are cut on purpose")]
    fn put_header(&mut self, at: usize, length: usize) {
        let header = [length as u8, (length >> 8) as u8, (length >> 16) as u8, self.sequence];
        self.bytes[at..at + HEADER].copy_from_slice(&header);
    }

    /// Cuts a payload of 16 MiB - 1 or more into several packets, the last of them shorter, perhaps empty.
    #[cold]
    fn split(&mut self) -> u8 {
        let payload = self.bytes.split_off(self.start + HEADER);
        self.bytes.truncate(self.start);
        self.bytes.reserve(payload.len() + HEADER * (payload.len() / FULL + 1));
        let mut rest = payload.as_slice();
        loop {
            let (part, next) = rest.split_at(rest.len().min(FULL));
            let at = self.bytes.len();
            self.bytes.extend_from_slice(&[0; HEADER]);
            self.bytes.extend_from_slice(part);
            self.put_header(at, part.len());
            self.sequence = self.sequence.wrapping_add(1);
            rest = next;
            if part.len() < FULL {
                return self.sequence;
            }
        }
    }
}
