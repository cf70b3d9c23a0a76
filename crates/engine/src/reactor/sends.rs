//! Commands of a batch of tasks, handed to the kernel by one call.
//!
//! A send wakes a thread of the server. Where the server shares the processors, that thread takes the one of the event loop
//! as soon as the call returns: at every second command. Sixteen commands in one call are one such instant.

use std::array;
use std::cell::{Cell, RefCell};
use std::os::fd::RawFd;

use io_uring::{IoUring, opcode, types};

use crate::reactor::slot::SlotId;

/// Commands that one call hands over: of so many answers the first one waits for the last before its task's next command
/// leaves.
const MOST: usize = 16;
/// Bytes of the longest command that waits for others.
const ROOM: usize = 1024;

/// Commands that wait for the call that hands them over, of different sockets.
pub(super) struct Sends {
    ring: RefCell<Option<IoUring>>,
    slots: [Cell<SlotId>; MOST],
    waiting: RefCell<Box<[Waiting; MOST]>>,
    count: Cell<usize>,
}

struct Waiting {
    fd: RawFd,
    length: usize,
    bytes: [u8; ROOM],
}

impl Sends {
    /// `None`: this kernel, or the container, has no io_uring.
    pub(super) fn new() -> Option<Self> {
        let ring = IoUring::new(MOST as u32).ok()?;
        let waiting = array::from_fn(|_| Waiting { fd: -1, length: 0, bytes: [0; ROOM] });
        Some(Self {
            ring: RefCell::new(Some(ring)),
            slots: array::from_fn(|_| Cell::new(0)),
            waiting: RefCell::new(Box::new(waiting)),
            count: Cell::new(0),
        })
    }

    /// False once the kernel has refused a call: commands are sent one by one from then on.
    #[inline]
    pub(super) fn is_usable(&self) -> bool {
        self.ring.borrow().is_some()
    }

    pub(super) fn takes(bytes: &[u8]) -> bool {
        bytes.len() <= ROOM
    }

    /// Whether a command of this socket waits. The next one must not go with it: of two sends to one socket in one call,
    /// the kernel may take the second after it had no room for the first.
    #[inline]
    pub(super) fn holds(&self, slot: SlotId) -> bool {
        self.slots[..self.count.get()].iter().any(|one| one.get() == slot)
    }

    /// Takes a command of a socket that has none here; true when the next one has no place before
    /// [`hand_over`](Self::hand_over).
    #[inline]
    pub(super) fn put(&self, slot: SlotId, fd: RawFd, bytes: &[u8]) -> bool {
        let count = self.count.get();
        self.slots[count].set(slot);
        let waiting = &mut self.waiting.borrow_mut()[count];
        (waiting.fd, waiting.length) = (fd, bytes.len());
        waiting.bytes[..bytes.len()].copy_from_slice(bytes);
        self.count.set(count + 1);
        count + 1 == MOST
    }

    /// Hands all commands over; `unsent` hears what the kernel has not taken, for whatever reason.
    #[inline]
    pub(super) fn hand_over(&self, unsent: impl FnMut(SlotId, &[u8])) {
        if self.count.get() > 0 {
            self.hand_over_all(unsent);
        }
    }

    fn hand_over_all(&self, mut unsent: impl FnMut(SlotId, &[u8])) {
        let waiting = self.waiting.borrow();
        let waiting = &waiting[..self.count.replace(0)];
        let mut sent = [0; MOST];
        let mut ring = self.ring.borrow_mut();
        if let Some(submitted) = &mut *ring
            && !submit(submitted, waiting, &mut sent)
        {
            // What is still in line there must not be sent a second time.
            *ring = None;
        }
        for ((command, slot), sent) in waiting.iter().zip(&self.slots).zip(sent) {
            if sent < command.length {
                unsent(slot.get(), &command.bytes[sent..command.length]);
            }
        }
    }
}

/// Has the ring send the commands, and notes how many bytes of each the kernel has taken; false: the ring cannot be used.
fn submit(ring: &mut IoUring, waiting: &[Waiting], sent: &mut [usize; MOST]) -> bool {
    let mut line = ring.submission();
    for (number, command) in waiting.iter().enumerate() {
        let send = opcode::Send::new(types::Fd(command.fd), command.bytes.as_ptr(), command.length as u32)
            .flags(libc::MSG_NOSIGNAL | libc::MSG_DONTWAIT)
            .build()
            .user_data(number as u64);
        // SAFETY: the bytes stay where they are until all sends have ended, below.
        if unsafe { line.push(&send) }.is_err() {
            return false;
        }
    }
    drop(line);
    // None of them waits for anything: this returns at once, when the kernel is done with all.
    let submitted = ring.submit_and_wait(waiting.len());
    for ended in ring.completion() {
        sent[ended.user_data() as usize] = usize::try_from(ended.result()).unwrap_or(0);
    }
    submitted.is_ok_and(|count| count == waiting.len())
}
