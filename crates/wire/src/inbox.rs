//! Packets out of the bytes that arrive.

use crate::error::Error;

/// Length of a packet's header: three bytes of payload length, one of sequence number.
pub(crate) const HEADER: usize = 4;

/// A payload of this length goes on in the next packet.
pub(crate) const FULL: usize = 0xFF_FFFF;

/// What an answer expects after a packet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    /// More packets of the same answer.
    More,
    /// The answer to the next pipelined command.
    NextCommand,
    /// Nothing: the answer is whole.
    Done,
}

/// Takes the packets of the answer to a command, one by one.
pub(crate) trait Answer {
    fn packet(&mut self, payload: &[u8]) -> Result<Step, Error>;
}

/// Cuts what was read into packets and keeps the bytes of a packet that the end of a read cut.
#[derive(Debug, Default)]
pub(crate) struct Inbox {
    /// The beginning of one packet (of all parts of one payload), or nothing.
    kept: Vec<u8>,
    /// Of the next packet.
    sequence: u8,
}

/// Capacity above which the kept bytes' memory is given back.
const KEEP_CAPACITY: usize = 1024;

impl Inbox {
    /// The sequence number that the next packet must have.
    pub(crate) fn sequence(&self) -> u8 {
        self.sequence
    }

    pub(crate) fn expect(&mut self, sequence: u8) {
        self.sequence = sequence;
    }

    /// Hands the packets in `input` to `answer`; true when the answer is whole.
    #[inline]
    pub(crate) fn feed(&mut self, mut input: &[u8], answer: &mut impl Answer) -> Result<bool, Error> {
        if !self.kept.is_empty() {
            match self.complete(&mut input, answer)? {
                None => return Ok(false),
                Some(Step::Done) => return finished(input),
                Some(_) => {}
            }
        }
        while let Ok(length) = measure(input) {
            let (packet, rest) = input.split_at(length);
            input = rest;
            if self.deliver(packet, answer)? == Step::Done {
                return finished(input);
            }
        }
        self.kept.extend_from_slice(input);
        Ok(false)
    }

    /// Adds to the kept bytes what their packet lacks. `None`: `input` was not enough.
    fn complete(&mut self, input: &mut &[u8], answer: &mut impl Answer) -> Result<Option<Step>, Error> {
        loop {
            match measure(&self.kept) {
                Ok(_) => {
                    let packet = std::mem::take(&mut self.kept);
                    let step = self.deliver(&packet, answer)?;
                    if packet.capacity() <= KEEP_CAPACITY {
                        self.kept = packet;
                        self.kept.clear();
                    }
                    return Ok(Some(step));
                }
                Err(_) if input.is_empty() => return Ok(None),
                Err(needed) => {
                    let lacking = needed - self.kept.len();
                    let (head, rest) = input.split_at(lacking.min(input.len()));
                    self.kept.extend_from_slice(head);
                    *input = rest;
                }
            }
        }
    }

    #[inline]
    fn deliver(&mut self, packet: &[u8], answer: &mut impl Answer) -> Result<Step, Error> {
        let payload = &packet[HEADER..];
        if packet[3] != self.sequence {
            return Err(out_of_order(packet[3], self.sequence, payload));
        }
        self.sequence = self.sequence.wrapping_add(1);
        let step = if payload.len() < FULL {
            answer.packet(payload)?
        } else {
            let joined = self.join(packet)?;
            answer.packet(&joined)?
        };
        if step == Step::NextCommand {
            self.sequence = 1;
        }
        Ok(step)
    }

    /// One payload out of several packets.
    #[cold]
    fn join(&mut self, packets: &[u8]) -> Result<Vec<u8>, Error> {
        let mut joined = Vec::with_capacity(packets.len());
        let (first, mut rest) = packets.split_at(HEADER + FULL);
        joined.extend_from_slice(&first[HEADER..]);
        while !rest.is_empty() {
            if rest[3] != self.sequence {
                return Err(out_of_order(rest[3], self.sequence, &[]));
            }
            self.sequence = self.sequence.wrapping_add(1);
            let (packet, next) = rest.split_at(HEADER + payload_length(rest));
            joined.extend_from_slice(&packet[HEADER..]);
            rest = next;
        }
        Ok(joined)
    }
}

/// The answer is whole, and nothing may follow it: a server speaks only when asked.
fn finished(rest: &[u8]) -> Result<bool, Error> {
    match rest.len() {
        0 => Ok(true),
        length => Err(Error::Protocol(format!("the server sent {length} bytes more than an answer"))),
    }
}

#[cold]
fn out_of_order(sent: u8, expected: u8, payload: &[u8]) -> Error {
    // A server that closes an idle connection says why in an unasked packet, numbered as it likes.
    if payload.first() == Some(&0xFF)
        && let Ok(error) = crate::error::ServerError::parse(payload)
    {
        return error.into();
    }
    Error::Protocol(format!("packet number {sent} came where {expected} was due"))
}

fn payload_length(packet: &[u8]) -> usize {
    usize::from(packet[0]) | usize::from(packet[1]) << 8 | usize::from(packet[2]) << 16
}

/// Length of the first payload in `bytes` with all its headers, or how many bytes are needed to know more.
#[inline]
fn measure(bytes: &[u8]) -> Result<usize, usize> {
    let mut length = 0;
    loop {
        if bytes.len() < length + HEADER {
            return Err(length + HEADER);
        }
        let payload = payload_length(&bytes[length..]);
        length += HEADER + payload;
        if bytes.len() < length {
            return Err(length);
        }
        if payload < FULL {
            return Ok(length);
        }
    }
}
