//! One connection: bytes in, bytes out, and what it is waiting for.

use std::os::fd::{AsFd, OwnedFd};

use crate::counters::Counter;
use crate::desk::Desk;
use crate::fault::{Outcome, Stage, error::describe};
use crate::outbox::{Outbox, Sent};
use crate::protocol::misdeed::{Then, Torrent, commit};
use crate::protocol::packet::{Request, first_request};
use crate::protocol::reply::put_error;
use crate::protocol::session::{Effect, Session};
use crate::sys::clock::now_ns;
use crate::sys::socket::{self, Transfer};

/// The things a connection can wait for before it goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stall {
    /// The next request.
    None,
    /// An instant: the end of a delay, or of a pause between pieces.
    Until(u64),
    /// The socket, to take more.
    Socket,
    /// Nothing: it hangs for ever.
    Hung,
}

/// The next step of the event loop with a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Next {
    /// Wait for readiness.
    Wait,
    /// Call [`Connection::resume`] at this instant.
    WakeAt(u64),
    Close,
}

#[derive(Debug)]
pub(crate) struct Connection {
    fd: OwnedFd,
    id: u32,
    session: Session,
    /// The beginning of a request that is not whole yet, or requests that wait behind a stall.
    input: Vec<u8>,
    outbox: Outbox,
    stall: Stall,
    /// The socket may have bytes.
    readable: bool,
    /// The client sends no more: what it sent is still read to its end.
    hung_up: bool,
    close_after_output: bool,
    /// Statements of the load so far.
    statements: u64,
    /// Requests so far of the stage in which the misdeed happens.
    tempted: u64,
    /// The bytes that are sent for ever.
    torrent: Option<Torrent>,
}

impl Connection {
    /// Greets the client.
    pub(crate) fn open(fd: OwnedFd, id: u32, desk: &mut Desk) -> (Self, Next) {
        desk.write.clear();
        let session = Session::new(id, &desk.service, &mut desk.write);
        desk.service.counters.add(Counter::Connections, 1);
        let mut connection = Self {
            fd,
            id,
            session,
            input: Vec::new(),
            outbox: Outbox::default(),
            stall: Stall::None,
            readable: false,
            hung_up: false,
            close_after_output: false,
            statements: 0,
            tempted: 0,
            torrent: None,
        };
        connection.misbehave(Stage::Greeting, (0, 0), false, desk);
        let next = connection.send_new(desk);
        (connection, next)
    }

    pub(crate) fn fd(&self) -> &OwnedFd {
        &self.fd
    }

    /// The socket became ready for something.
    #[inline]
    pub(crate) fn on_ready(
        &mut self,
        readable: bool,
        writable: bool,
        hung_up: bool,
        desk: &mut Desk,
    ) -> Next {
        self.readable |= readable;
        self.hung_up |= hung_up;
        if hung_up && self.stall != Stall::None {
            return Next::Close;
        }
        match self.stall {
            Stall::None if self.readable => self.work(desk),
            Stall::Socket if writable => self.resume(desk),
            _ => Next::Wait,
        }
    }

    /// The stall is over.
    pub(crate) fn resume(&mut self, desk: &mut Desk) -> Next {
        self.stall = Stall::None;
        let mut sent = self.outbox.send_kept(self.fd.as_fd(), desk);
        if let (Sent::All, Some(torrent)) = (sent, &mut self.torrent) {
            desk.write.clear();
            torrent.fill(&mut desk.write);
            sent = self.outbox.send(self.fd.as_fd(), desk);
        }
        match self.after(sent) {
            Next::Wait if self.stall == Stall::None => self.work(desk),
            next => next,
        }
    }

    /// Serves what has arrived, and what arrives meanwhile, until there is nothing more or something stalls it.
    fn work(&mut self, desk: &mut Desk) -> Next {
        loop {
            desk.write.clear();
            if self.input.is_empty() {
                if !self.readable {
                    return Next::Wait;
                }
                let mut read = std::mem::take(&mut desk.read);
                let count = self.receive(&mut read);
                if let Some(count) = count {
                    let used = self.serve(&read[..count], desk);
                    self.input.extend_from_slice(&read[used..count]);
                }
                desk.read = read;
                if count.is_none() {
                    return Next::Close;
                }
            } else {
                let mut input = std::mem::take(&mut self.input);
                let used = self.serve(&input, desk);
                if used < input.len() {
                    input.drain(..used);
                    self.input = input;
                }
                if used == 0 {
                    // Not whole yet.
                    if !self.readable {
                        return Next::Wait;
                    }
                    let Some(count) = self.receive(&mut desk.read) else { return Next::Close };
                    self.input.extend_from_slice(&desk.read[..count]);
                    continue;
                }
            }
            let next = self.send_new(desk);
            if next != Next::Wait || self.stall != Stall::None {
                return next;
            }
        }
    }

    /// Reads once; 0 when there is nothing now, `None` when the client is gone.
    #[inline]
    fn receive(&mut self, buffer: &mut [u8]) -> Option<usize> {
        match socket::read(self.fd.as_fd(), buffer) {
            Transfer::Bytes(count) => {
                // A short read has emptied the socket: the next edge tells of more.
                self.readable = count == buffer.len() || self.hung_up;
                Some(count)
            }
            Transfer::Later => {
                self.readable = false;
                Some(0)
            }
            Transfer::Over => None,
        }
    }

    /// Answers whole requests into the desk's buffer until one stalls. Returns the bytes used.
    #[inline]
    fn serve(&mut self, bytes: &[u8], desk: &mut Desk) -> usize {
        let mut used = 0;
        while let Some(request) = first_request(&bytes[used..]) {
            used += request.length;
            let start = desk.write.len();
            let logged_in = self.session.is_logged_in();
            let effect = self.session.handle(request, &desk.service, &mut desk.write);
            match effect {
                Effect::Reply { load: true } if desk.disturbed => {
                    self.disturb(start, request.reply_sequence, desk);
                }
                Effect::Reply { .. } | Effect::Silent => {}
                Effect::Close => self.close_after_output = true,
            }
            if desk.behaviour.misdeed.is_some() && desk.write.len() > start {
                let stage = stage(logged_in, request, effect);
                let binary = request.payload.first() == Some(&0x17);
                self.misbehave(stage, (start, request.reply_sequence), binary, desk);
            }
            if self.torrent.is_some() || self.stall != Stall::None || self.close_after_output {
                break;
            }
        }
        desk.service.counters.add(Counter::BytesReceived, used as u64);
        used
    }

    /// Lets the statement's fate take its course; its reply begins at `start` in the desk's buffer.
    fn disturb(&mut self, start: usize, sequence: u8, desk: &mut Desk) {
        self.statements += 1;
        let fate = desk.behaviour.fate(self.id, self.statements);
        let counters = &desk.service.counters;
        match fate.outcome {
            Outcome::Reply => {}
            Outcome::Error { code } => {
                desk.write.truncate(start);
                let (state, message) = describe(code);
                put_error(&mut desk.write, sequence, code, state, message);
                self.session.failed(code);
                counters.add(Counter::InjectedErrors, 1);
            }
            Outcome::Reset => {
                desk.write.truncate(start);
                socket::set_reset_on_close(self.fd.as_fd());
                self.close_after_output = true;
                counters.add(Counter::InjectedResets, 1);
            }
            Outcome::Hang => {
                desk.write.truncate(start);
                self.stall = Stall::Hung;
                counters.add(Counter::InjectedHangs, 1);
                return;
            }
        }
        if fate.delay_ns > 0 {
            self.stall = Stall::Until(now_ns() + fate.delay_ns);
            counters.add(Counter::DelayedReplies, 1);
        }
    }

    /// Puts a misdeed in the place of the reply at `start` of the desk's buffer, if this is the request for it.
    fn misbehave(&mut self, stage: Stage, (start, sequence): (usize, u8), binary: bool, desk: &mut Desk) {
        let Some(misdeed) = desk.behaviour.misdeed.filter(|misdeed| misdeed.stage == stage) else { return };
        self.tempted += 1;
        let Some(deed) = misdeed.at(stage, self.tempted) else { return };
        desk.service.counters.add(Counter::Misdeeds, 1);
        match commit(deed, &mut desk.write, start, sequence, self.session.encoding(binary)) {
            Then::Nothing => {}
            Then::Close => self.close_after_output = true,
            Then::Torrent(torrent) => self.torrent = Some(torrent),
        }
    }

    /// Sends what was just written at the desk, or keeps it where something holds it back.
    #[inline]
    fn send_new(&mut self, desk: &mut Desk) -> Next {
        match self.stall {
            Stall::Until(instant) => {
                self.outbox.keep(&desk.write);
                Next::WakeAt(instant)
            }
            Stall::Hung => match self.outbox.send(self.fd.as_fd(), desk) {
                // Replies to what came before it in the same read; if they do not fit, they hang as well.
                Sent::Over => Next::Close,
                _ => Next::Wait,
            },
            Stall::None | Stall::Socket => {
                let sent = self.outbox.send(self.fd.as_fd(), desk);
                self.after(sent)
            }
        }
    }

    #[inline]
    fn after(&mut self, sent: Sent) -> Next {
        match sent {
            Sent::All if self.close_after_output => Next::Close,
            Sent::All if self.torrent.is_some() => {
                // The others have their turn between two pieces.
                let now = now_ns();
                self.stall = Stall::Until(now);
                Next::WakeAt(now)
            }
            Sent::All => Next::Wait,
            Sent::Full => {
                self.stall = Stall::Socket;
                Next::Wait
            }
            Sent::PauseUntil(instant) => {
                self.stall = Stall::Until(instant);
                Next::WakeAt(instant)
            }
            Sent::Over => Next::Close,
        }
    }
}

/// The stage of a conversation that a request belongs to.
fn stage(logged_in: bool, request: Request<'_>, effect: Effect) -> Stage {
    match (logged_in, request.payload.first(), effect) {
        (false, ..) => Stage::Login,
        (true, Some(0x16), _) => Stage::Prepare,
        (true, _, Effect::Reply { load: true }) => Stage::Statement,
        _ => Stage::Question,
    }
}
