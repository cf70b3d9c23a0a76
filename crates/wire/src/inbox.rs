//! Packets out of the bytes that arrive.

use crate::error::Error;
use crate::server_error::ServerError;

/// Length of a packet's header: three bytes of payload length, one of sequence number.
pub(crate) const HEADER: usize = 4;

/// Payload length, in bytes, of a packet whose payload goes on in the next one.
pub(crate) const FULL: usize = 0xFF_FFFF;

/// Longest payload, in bytes, of anything but rows and greetings: OK, ERR, a definition, what a login says.
pub(crate) const ORDINARY_BYTES: usize = 1 << 20;

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

/// A parser of the answer to a command, which gets its packets one by one.
pub(crate) trait Answer {
    /// Reads the payload of the next packet.
    fn packet(&mut self, payload: &[u8]) -> Result<Step, Error>;

    /// Longest payload, in bytes, that may come now; a longer one ends the connection.
    fn limit(&self) -> usize {
        ORDINARY_BYTES
    }

    /// Whether nobody reads a payload that begins with this byte. Where it does not arrive in one piece, its bytes are
    /// not kept, and [`Answer::packet`] gets the first one alone.
    fn passes_over(&self, first: u8) -> bool {
        let _ = first;
        false
    }

    /// Hears how many bytes of the payload that comes next were passed over.
    fn passed_over(&mut self, bytes: usize) {
        let _ = bytes;
    }
}

/// Cuts what was read into packets, and keeps what has arrived of a payload that did not come in one piece.
#[derive(Debug, Default)]
pub(crate) struct Inbox {
    /// The beginning of one payload without its headers, or of a header.
    kept: Vec<u8>,
    /// Sequence number that the next packet must have.
    sequence: u8,
    stage: Stage,
    /// Bytes of the payload so far by its headers, whether kept or passed over.
    announced: usize,
    /// Whether the payload is passed over.
    skipping: bool,
    /// The current packet's header, as far as it has come.
    header: [u8; HEADER],
}

/// Part of a packet that is due.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Stage {
    /// The first packet of a payload, of which nothing is here.
    #[default]
    Nothing,
    /// The rest of a packet's header, of which so many bytes are here.
    Header(u8),
    /// The last `left` bytes of a packet; `last`: no further packet continues its payload.
    Payload { left: u32, last: bool },
}

/// Capacity, in bytes, above which the memory of a kept payload is given back.
const KEEP_CAPACITY: usize = 1024;

impl Inbox {
    /// The sequence number that the next packet must have.
    pub(crate) fn sequence(&self) -> u8 {
        self.sequence
    }

    /// Sets the sequence number that the next packet must have.
    pub(crate) fn expect(&mut self, sequence: u8) {
        self.sequence = sequence;
    }

    /// Hands the packets in `input` to `answer`; true when the answer is whole.
    #[inline]
    pub(crate) fn feed(&mut self, mut input: &[u8], answer: &mut impl Answer) -> Result<bool, Error> {
        loop {
            if self.stage == Stage::Nothing
                && let Some((header, rest)) = input.split_first_chunk::<HEADER>()
                && let length = payload_length(*header)
                && length < FULL
                && let Some((payload, rest)) = rest.split_at_checked(length)
            {
                // The whole of it is here. What fits into one read is below every limit.
                input = rest;
                if header[3] != self.sequence {
                    return Err(out_of_order(header[3], self.sequence, payload));
                }
                self.sequence = self.sequence.wrapping_add(1);
                if self.step(answer.packet(payload)?) {
                    return finished(input);
                }
                continue;
            }
            match self.piece(&mut input, answer)? {
                None => return Ok(false),
                Some(step) if self.step(step) => return finished(input),
                Some(_) => {}
            }
        }
    }

    /// Whether an answer is whole after this step.
    #[inline]
    fn step(&mut self, step: Step) -> bool {
        if step == Step::NextCommand {
            self.sequence = 1;
        }
        step == Step::Done
    }

    /// Takes what is there of a payload that comes in pieces. `None`: all of `input`, and it is not whole yet.
    #[expect(clippy::cast_possible_truncation, reason = "parts of a header and of a payload below 16 MiB")]
    fn piece(&mut self, input: &mut &[u8], answer: &mut impl Answer) -> Result<Option<Step>, Error> {
        loop {
            match self.stage {
                Stage::Nothing if input.is_empty() => return Ok(None),
                Stage::Nothing => {
                    (self.announced, self.skipping) = (0, false);
                    self.stage = Stage::Header(0);
                }
                Stage::Header(have) => {
                    let have = usize::from(have);
                    let (head, rest) = input.split_at(input.len().min(HEADER - have));
                    *input = rest;
                    self.header[have..have + head.len()].copy_from_slice(head);
                    if have + head.len() < HEADER {
                        self.stage = Stage::Header((have + head.len()) as u8);
                        return Ok(None);
                    }
                    self.open(answer)?;
                }
                Stage::Payload { left, last } => {
                    let (head, rest) = input.split_at(input.len().min(left as usize));
                    *input = rest;
                    self.take(head, answer)?;
                    let left = left - head.len() as u32;
                    if left > 0 {
                        self.stage = Stage::Payload { left, last };
                        return Ok(None);
                    }
                    if !last {
                        self.stage = Stage::Header(0);
                        continue;
                    }
                    return self.close(answer).map(Some);
                }
            }
        }
    }

    /// Begins a packet whose header is whole.
    #[expect(clippy::cast_possible_truncation, reason = "a length of three bytes")]
    fn open(&mut self, answer: &impl Answer) -> Result<(), Error> {
        let length = payload_length(self.header);
        let sent = self.header[3];
        // The first packet of a payload may be a farewell, numbered as the server likes: its first byte tells.
        if sent != self.sequence && (self.announced > 0 || length == 0 || length > ORDINARY_BYTES) {
            return Err(out_of_order(sent, self.sequence, &[]));
        }
        self.announced += length;
        let limit = answer.limit();
        if self.announced > limit {
            return Err(Error::Protocol(format!(
                "a packet of more than {limit} bytes, the most that may come here"
            )));
        }
        self.sequence = self.sequence.wrapping_add(1);
        self.stage = Stage::Payload { left: length as u32, last: length < FULL };
        Ok(())
    }

    /// Takes bytes of the current payload.
    fn take(&mut self, bytes: &[u8], answer: &impl Answer) -> Result<(), Error> {
        if let Some(&first) = bytes.first()
            && self.kept.is_empty()
        {
            let due = self.sequence.wrapping_sub(1);
            if self.header[3] != due && first != 0xFF {
                return Err(out_of_order(self.header[3], due, &[]));
            }
            self.skipping = answer.passes_over(first);
            self.kept.push(first);
            if !self.skipping {
                self.kept.extend_from_slice(&bytes[1..]);
            }
        } else if !self.skipping {
            self.kept.extend_from_slice(bytes);
        }
        Ok(())
    }

    /// Hands over a payload that is whole.
    fn close(&mut self, answer: &mut impl Answer) -> Result<Step, Error> {
        self.stage = Stage::Nothing;
        let mut payload = std::mem::take(&mut self.kept);
        let due = self.sequence.wrapping_sub(1);
        if self.header[3] != due {
            return Err(out_of_order(self.header[3], due, &payload));
        }
        if self.skipping {
            answer.passed_over(self.announced.saturating_sub(payload.len()));
        }
        let step = answer.packet(&payload)?;
        if payload.capacity() <= KEEP_CAPACITY {
            payload.clear();
            self.kept = payload;
        }
        Ok(step)
    }
}

/// Error for bytes that came before any command was sent: the reason why the server closes, or a breach of protocol.
#[cold]
pub(crate) fn unasked(bytes: &[u8]) -> Error {
    if let Some((header, payload)) = bytes.split_first_chunk::<HEADER>()
        && payload_length(*header) == payload.len()
        && let Ok(error) = ServerError::parse(payload)
    {
        let error = Error::from(error);
        if error.is_fatal() {
            return error;
        }
        return Error::Protocol(format!("unasked: {error}"));
    }
    Error::Protocol(format!("the server sent {} bytes that nobody asked for", bytes.len()))
}

/// True for a whole answer that nothing follows: a server speaks only when asked.
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
        && let Ok(error) = ServerError::parse(payload)
    {
        let error = Error::from(error);
        if error.is_fatal() {
            return error;
        }
        return Error::Protocol(format!("packet number {sent} came where {expected} was due: {error}"));
    }
    Error::Protocol(format!("packet number {sent} came where {expected} was due"))
}

fn payload_length([a, b, c, _]: [u8; HEADER]) -> usize {
    usize::from(a) | usize::from(b) << 8 | usize::from(c) << 16
}
