//! Commands of a batch of tasks, handed to the kernel by one call.
//!
//! A send wakes a thread of the server. Where the server shares the processors, that thread takes the one of the event loop
//! as soon as the call returns: at every second command. Many commands in one call are one such instant.

use std::cell::RefCell;
use std::os::fd::RawFd;

use io_uring::{opcode, types};

use crate::reactor::ring::Ring;
use crate::reactor::slot::SlotId;

/// Commands that one call hands over: half as many as the loop has tasks, within these bounds. Of so many answers the first
/// one waits for the last before its task's next command leaves.
const FEWEST: usize = 16;
const MOST: usize = 128;
/// Nanoseconds for which the first command waits at most, for each of them: a script may compute for long.
const EACH_NS: u64 = 8_000;
/// Bytes of the longest command that waits for others.
const LONGEST: usize = 1024;
/// Bytes for each of the commands, on average.
const ROOM: usize = 256;

/// Commands that wait for the call that hands them over, of different sockets.
pub(super) struct Sends {
    most: usize,
    waiting: RefCell<Waiting>,
}

struct Waiting {
    ring: Ring,
    commands: Vec<Command>,
    /// The bytes of all commands, one after the other.
    bytes: Vec<u8>,
}

struct Command {
    slot: SlotId,
    fd: RawFd,
    /// Where its bytes begin and end.
    begin: usize,
    end: usize,
}

impl Sends {
    /// `None`: this kernel, or the container, has no io_uring.
    pub(super) fn new(tasks: usize) -> Option<Self> {
        let most = (tasks / 2).clamp(FEWEST, MOST);
        let (ring, commands, bytes) =
            (Ring::new(most)?, Vec::with_capacity(most), Vec::with_capacity(most * ROOM));
        Some(Self { most, waiting: RefCell::new(Waiting { ring, commands, bytes }) })
    }

    /// Nanoseconds for which a command may wait for others.
    pub(super) fn patience_ns(&self) -> u64 {
        self.most as u64 * EACH_NS
    }

    /// False once the kernel has refused a call: commands are sent one by one from then on.
    #[inline]
    pub(super) fn is_usable(&self) -> bool {
        self.waiting.borrow().ring.is_usable()
    }

    pub(super) fn takes(bytes: &[u8]) -> bool {
        bytes.len() <= LONGEST
    }

    /// Takes a command of a socket that has none here; true when the next one has no place before
    /// [`hand_over`](Self::hand_over).
    #[inline]
    pub(super) fn put(&self, slot: SlotId, fd: RawFd, command: &[u8]) -> bool {
        let Waiting { commands, bytes, .. } = &mut *self.waiting.borrow_mut();
        let begin = bytes.len();
        bytes.extend_from_slice(command);
        commands.push(Command { slot, fd, begin, end: bytes.len() });
        commands.len() == self.most || bytes.capacity() - bytes.len() < LONGEST
    }

    /// Hands all commands over; `handed` hears of each what the kernel has not taken of it, for whatever reason.
    #[inline]
    pub(super) fn hand_over(&self, handed: impl FnMut(SlotId, &[u8])) {
        let waiting = &mut *self.waiting.borrow_mut();
        if !waiting.commands.is_empty() {
            waiting.hand_over(handed);
        }
    }
}

impl Waiting {
    fn hand_over(&mut self, mut handed: impl FnMut(SlotId, &[u8])) {
        let Self { ring, commands, bytes } = self;
        let mut sent = [0; MOST];
        let sends = commands.iter().map(|command| {
            let command_bytes = &bytes[command.begin..command.end];
            opcode::Send::new(types::Fd(command.fd), command_bytes.as_ptr(), command_bytes.len() as u32)
                .flags(libc::MSG_NOSIGNAL | libc::MSG_DONTWAIT)
                .build()
        });
        // SAFETY: no sending waits, and the bytes stay where they are.
        unsafe {
            ring.carry_out(sends, |number, result| sent[number] = usize::try_from(result).unwrap_or(0));
        }
        for (command, sent) in commands.drain(..).zip(sent) {
            handed(command.slot, &bytes[command.begin + sent..command.end]);
        }
        bytes.clear();
    }
}
