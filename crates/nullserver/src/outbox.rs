//! Replies on their way out: at once, or kept and sent in pieces.

use std::os::fd::BorrowedFd;

use crate::counters::Counter;
use crate::desk::Desk;
use crate::sys::clock::now_ns;
use crate::sys::socket::{self, Transfer};

/// How far sending came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sent {
    All,
    /// The socket takes no more for now.
    Full,
    /// A piece went out; the next one follows at this instant.
    PauseUntil(u64),
    /// The client is gone.
    Over,
}

/// The bytes that could not be sent yet; an empty one holds no memory.
#[derive(Debug, Default)]
pub(crate) struct Outbox {
    kept: Vec<u8>,
    /// The number of bytes at the front that were sent already.
    sent: usize,
}

impl Outbox {
    pub(crate) fn keep(&mut self, bytes: &[u8]) {
        self.kept.extend_from_slice(bytes);
    }

    /// Sends what lies at the desk; what does not fit is kept. Nothing was kept before.
    #[inline]
    pub(crate) fn send(&mut self, fd: BorrowedFd<'_>, desk: &Desk) -> Sent {
        if desk.behaviour.dribble.is_some() {
            self.keep(&desk.write);
            return self.send_kept(fd, desk);
        }
        let Some(sent) = transmit(fd, &desk.write, desk) else { return Sent::Over };
        if sent == desk.write.len() {
            return Sent::All;
        }
        self.keep(&desk.write[sent..]);
        Sent::Full
    }

    /// Sends what was kept: the rest, or the next piece of it.
    pub(crate) fn send_kept(&mut self, fd: BorrowedFd<'_>, desk: &Desk) -> Sent {
        let rest = &self.kept[self.sent..];
        let piece = desk.behaviour.dribble.map_or(rest.len(), |dribble| dribble.bytes.min(rest.len()));
        let Some(sent) = transmit(fd, &rest[..piece], desk) else { return Sent::Over };
        self.sent += sent;
        if sent < piece {
            return Sent::Full;
        }
        match desk.behaviour.dribble {
            Some(dribble) if self.sent < self.kept.len() => Sent::PauseUntil(now_ns() + dribble.pause_ns),
            _ => {
                *self = Self::default();
                Sent::All
            }
        }
    }
}

/// Sends as much as the socket takes; `None` when the client is gone.
#[inline]
fn transmit(fd: BorrowedFd<'_>, bytes: &[u8], desk: &Desk) -> Option<usize> {
    if bytes.is_empty() {
        return Some(0);
    }
    match socket::write(fd, bytes) {
        Transfer::Bytes(count) => {
            desk.service.counters.add(Counter::BytesSent, count as u64);
            Some(count)
        }
        Transfer::Later => Some(0),
        Transfer::Over => None,
    }
}
