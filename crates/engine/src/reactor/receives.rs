//! Answers that are received before their tasks ask for them: those of a batch of sockets by one call, and that of an
//! only task by the call that waits for it.

use std::cell::RefCell;
use std::io;
use std::os::fd::RawFd;

use io_uring::{opcode, types};

use crate::reactor::ring::Ring;
use crate::reactor::slot::{READABLE, RECEIVED, SlotId, Slots};
use crate::reactor::socket;

/// Sockets of which one call receives: so many answers stay in the processor's caches until their turns.
pub(super) const MOST: usize = 32;
/// Bytes that are received of each at most; its task reads the others itself.
const ROOM: usize = 2048;
/// Errors of a call that say nothing of the socket: its task tries by itself.
const NOT_OF_THE_SOCKET: [i32; 5] = [libc::EAGAIN, libc::EINTR, libc::ECANCELED, libc::ENOMEM, libc::ENOBUFS];
/// The place of what was not read in its turn.
const ELSEWHERE: u16 = u16::MAX;

/// What the kernel had for sockets whose turns come next.
pub(super) struct Receives(RefCell<All>);

struct All {
    ring: Ring,
    /// The answers of the last call, each at its place.
    answers: Vec<Received>,
    bytes: Box<[u8]>,
    /// Answers of earlier calls that their tasks did not read in their turns.
    others: Vec<(Received, Vec<u8>)>,
}

/// What was received of a socket.
#[derive(Clone, Copy)]
struct Received {
    slot: SlotId,
    /// Bytes, or the code of an error as a negative number; 0: the peer has closed.
    result: i32,
    /// Bytes that were read.
    read: usize,
}

/// What a read came to.
pub(super) struct Read {
    pub result: io::Result<usize>,
    /// Whether the socket had no more when it was received, and its peer had not closed.
    pub drained: bool,
}

impl Receives {
    /// `None`: this kernel, or the container, has no io_uring.
    pub(super) fn new() -> Option<Self> {
        Some(Self::by(Ring::new(MOST)?, MOST))
    }

    /// Room for the answer that an only task waits for.
    pub(super) fn of_one() -> Self {
        Self::by(Ring::none(), 1)
    }

    fn by(ring: Ring, most: usize) -> Self {
        let (answers, bytes) = (Vec::with_capacity(most), vec![0; most * ROOM].into_boxed_slice());
        Self(RefCell::new(All { ring, answers, bytes, others: Vec::new() }))
    }

    /// Waits for an answer by receiving it, for as long as the socket says; false where none came.
    #[inline]
    pub(super) fn wait(&self, slots: &Slots, slot: SlotId, fd: RawFd) -> bool {
        let All { answers, bytes, .. } = &mut *self.0.borrow_mut();
        let result = match socket::receive(fd, &mut bytes[..ROOM], 0) {
            ..0 => -io::Error::last_os_error().raw_os_error().unwrap_or(libc::EAGAIN),
            length => length as i32,
        };
        if NOT_OF_THE_SOCKET.contains(&-result) {
            return false;
        }
        answers.push(Received { slot, result, read: 0 });
        slots.set(slot, READABLE);
        slots.note_received(slot, 0);
        true
    }

    /// Receives of these sockets, as far as nothing was received of them that their tasks have not read.
    pub(super) fn receive(&self, slots: &Slots, sockets: impl Iterator<Item = (SlotId, RawFd)>) {
        let all = &mut *self.0.borrow_mut();
        all.keep_unread(slots);
        if all.ring.is_usable() {
            all.receive(slots, sockets);
        }
    }

    /// Keeps the answers that their tasks have not read in their turns, which are over.
    pub(super) fn keep_unread(&self, slots: &Slots) {
        self.0.borrow_mut().keep_unread(slots);
    }

    /// Reads what was received of a socket; to be called only if something was.
    #[inline]
    pub(super) fn read(&self, slots: &Slots, slot: SlotId, buffer: &mut [u8]) -> Read {
        let all = &mut *self.0.borrow_mut();
        let place = slots.place(slot);
        if place == ELSEWHERE {
            return all.read_other(slots, slot, buffer);
        }
        let place = usize::from(place);
        let (read, over) = all.answers[place].read(&all.bytes[place * ROOM..][..ROOM], buffer);
        if over {
            slots.clear(slot, RECEIVED);
        }
        read
    }

    /// Forgets what was received of a socket that is about to be closed.
    pub(super) fn forget(&self, slot: SlotId) {
        self.0.borrow_mut().others.retain(|(other, _)| other.slot != slot);
    }
}

impl All {
    /// Keeps what has not been read: its place is needed.
    fn keep_unread(&mut self, slots: &Slots) {
        for (place, answer) in self.answers.drain(..).enumerate() {
            if slots.readiness(answer.slot) & RECEIVED != 0 && usize::from(slots.place(answer.slot)) == place
            {
                self.others.push((answer, self.bytes[place * ROOM..][..ROOM].to_vec()));
                slots.note_received(answer.slot, ELSEWHERE);
            }
        }
    }

    fn receive(&mut self, slots: &Slots, sockets: impl Iterator<Item = (SlotId, RawFd)>) {
        let Self { ring, answers, bytes, .. } = self;
        let operations = sockets.zip(bytes.chunks_exact_mut(ROOM)).map(|((slot, fd), room)| {
            answers.push(Received { slot, result: -libc::EAGAIN, read: 0 });
            opcode::Recv::new(types::Fd(fd), room.as_mut_ptr(), ROOM as u32).flags(libc::MSG_DONTWAIT).build()
        });
        let mut results = [-libc::EAGAIN; MOST];
        // SAFETY: no receiving waits, and the room is ours.
        unsafe { ring.carry_out(operations, |place, result| results[place] = result) };
        for ((place, answer), result) in answers.iter_mut().enumerate().zip(results) {
            answer.result = result;
            if !NOT_OF_THE_SOCKET.contains(&-result) {
                slots.note_received(answer.slot, place as u16);
            }
        }
    }

    #[cold]
    fn read_other(&mut self, slots: &Slots, slot: SlotId, buffer: &mut [u8]) -> Read {
        let at = self.others.iter().position(|(other, _)| other.slot == slot).expect("what was kept");
        let (other, bytes) = &mut self.others[at];
        let (read, over) = other.read(bytes, buffer);
        if over {
            self.others.swap_remove(at);
            slots.clear(slot, RECEIVED);
        }
        // More may have come since, and been announced.
        Read { drained: false, ..read }
    }
}

impl Received {
    /// Reads of these bytes; also returns whether that was the last of them.
    #[inline]
    fn read(&mut self, bytes: &[u8], buffer: &mut [u8]) -> (Read, bool) {
        let Ok(length) = usize::try_from(self.result) else {
            let result = Err(io::Error::from_raw_os_error(-self.result));
            return (Read { result, drained: false }, true);
        };
        let rest = &bytes[self.read..length];
        let count = rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&rest[..count]);
        self.read += count;
        let over = self.read == length;
        (Read { result: Ok(count), drained: over && length > 0 && length < ROOM }, over)
    }
}
