//! Slots: what an event loop knows of each socket, and the task that each socket wakes.
//!
//! A task may own any number of sockets. A slot that was given back is given out again with the next tenancy number, so
//! that an event of a closed socket, still in the batch that is being worked off, never wakes the socket's successor.

use std::cell::{Cell, RefCell};
use std::os::fd::RawFd;

use crate::reactor::TaskId;

/// Number of a slot within its event loop.
pub(super) type SlotId = u32;

/// The bit of readiness that says that there may be something to read.
pub(super) const READABLE: u8 = 1;
/// The bit of readiness that says that there is room to write.
pub(super) const WRITABLE: u8 = 2;
/// The bit of readiness that says that the peer has closed, or the connection is broken. Edge-triggered epoll says so
/// once: it must outlive every read but the last.
pub(super) const HUNG_UP: u8 = 4;
/// The bit that says that the socket still has to send something of an earlier command.
pub(super) const OWING: u8 = 8;
/// The bit that says that a command of the socket waits for those of others.
pub(super) const WAITING: u8 = 16;
/// The bit that says that something was received of the socket that its task has not read.
pub(super) const RECEIVED: u8 = 32;

/// A slot: one socket's readiness since it last said "would block", and whom it concerns. Sixteen bytes: a cache line
/// holds those of four sockets.
#[derive(Debug, Clone, Default)]
struct Slot {
    task: Cell<TaskId>,
    fd: Cell<RawFd>,
    /// The number of times that the slot was given away, which tells its tenants apart. A batch of events is the
    /// longest that a number must be unique for.
    tenancy: Cell<u16>,
    /// The place of what was received.
    place: Cell<u16>,
    readiness: Cell<u8>,
}

/// All slots of an event loop.
pub(super) struct Slots {
    /// The slots of as many sockets as were foreseen, in one array that never moves.
    reserved: Box<[Slot]>,
    /// The slots beyond the foreseen ones.
    grown: RefCell<Vec<Slot>>,
    free: RefCell<Vec<SlotId>>,
}

impl Slots {
    /// Slots for `foreseen` sockets: those that are open at the same time, as far as is known beforehand.
    pub(super) fn new(foreseen: usize) -> Self {
        Self {
            reserved: vec![Slot::default(); foreseen].into_boxed_slice(),
            grown: RefCell::default(),
            free: RefCell::new((0..foreseen as SlotId).rev().collect()),
        }
    }

    /// The number of sockets that were foreseen.
    pub(super) fn foreseen(&self) -> usize {
        self.reserved.len()
    }

    /// Gives out a slot of which nothing is known yet, for a socket of `task` with this descriptor.
    pub(super) fn take(&self, task: TaskId, fd: RawFd) -> SlotId {
        let free = self.free.borrow_mut().pop();
        let slot = free.unwrap_or_else(|| {
            let mut grown = self.grown.borrow_mut();
            grown.push(Slot::default());
            (self.reserved.len() + grown.len() - 1) as SlotId
        });
        self.with(slot, |slot| {
            slot.task.set(task);
            slot.fd.set(fd);
            slot.readiness.set(0);
        });
        slot
    }

    /// Takes a slot back: events of its socket that are still under way mean nothing from now on.
    pub(super) fn give_back(&self, slot: SlotId) {
        self.with(slot, |slot| slot.tenancy.set(slot.tenancy.get().wrapping_add(1)));
        self.free.borrow_mut().push(slot);
    }

    /// The word under which epoll reports the slot's socket.
    pub(super) fn word(&self, slot: SlotId) -> u64 {
        self.with(slot, |tenant| u64::from(tenant.tenancy.get()) << 32 | u64::from(slot))
    }

    /// Adds `bits` to what is known of the socket that `word` stands for, and names its task; `None` when the socket is
    /// closed.
    #[inline]
    pub(super) fn announce(&self, word: u64, bits: u8) -> Option<TaskId> {
        self.with(word as SlotId, |slot| {
            if u64::from(slot.tenancy.get()) != word >> 32 {
                return None;
            }
            slot.readiness.set(slot.readiness.get() | bits);
            Some(slot.task.get())
        })
    }

    /// The task of the slot that `word` names, whoever has it now; `None` where `word` names no slot.
    #[inline]
    pub(super) fn task(&self, word: u64) -> Option<TaskId> {
        let slot = self.reserved.get(usize::try_from(word & u64::from(SlotId::MAX)).ok()?)?;
        Some(slot.task.get())
    }

    /// The socket that `word` stands for, with its descriptor, if nothing was received of it, and nothing is owed by it.
    #[inline]
    pub(super) fn receivable(&self, word: u64) -> Option<(SlotId, RawFd)> {
        self.with(word as SlotId, |slot| {
            let is_open = u64::from(slot.tenancy.get()) == word >> 32;
            (is_open && slot.readiness.get() & (RECEIVED | OWING) == 0)
                .then(|| (word as SlotId, slot.fd.get()))
        })
    }

    /// Notes that something was received of the socket, and where that is.
    #[inline]
    pub(super) fn note_received(&self, slot: SlotId, place: u16) {
        self.with(slot, |slot| {
            slot.readiness.set(slot.readiness.get() | RECEIVED);
            slot.place.set(place);
        });
    }

    /// The place of what was received of the socket.
    #[inline]
    pub(super) fn place(&self, slot: SlotId) -> u16 {
        self.with(slot, |slot| slot.place.get())
    }

    #[inline]
    pub(super) fn readiness(&self, slot: SlotId) -> u8 {
        self.with(slot, |slot| slot.readiness.get())
    }

    /// The task of a socket that is open.
    pub(super) fn task_of(&self, slot: SlotId) -> TaskId {
        self.with(slot, |slot| slot.task.get())
    }

    /// The descriptor of a socket that is open.
    pub(super) fn fd(&self, slot: SlotId) -> RawFd {
        self.with(slot, |slot| slot.fd.get())
    }

    /// Adds `bits` to what is known of the socket.
    #[inline]
    pub(super) fn set(&self, slot: SlotId, bits: u8) {
        self.with(slot, |slot| slot.readiness.set(slot.readiness.get() | bits));
    }

    /// Takes `bits` away from what is known of the socket.
    #[inline]
    pub(super) fn clear(&self, slot: SlotId, bits: u8) {
        self.with(slot, |slot| slot.readiness.set(slot.readiness.get() & !bits));
    }

    #[inline]
    fn with<T>(&self, slot: SlotId, look: impl FnOnce(&Slot) -> T) -> T {
        let at = slot as usize;
        match self.reserved.get(at) {
            Some(slot) => look(slot),
            None => look(&self.grown.borrow()[at - self.reserved.len()]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_of_the_tenant_before_is_nobodys() {
        let slots = Slots::new(1);
        let first = slots.take(7, -1);
        let stale = slots.word(first);
        assert_eq!(slots.announce(stale, READABLE), Some(7));
        slots.give_back(first);
        let second = slots.take(8, -1);
        assert_eq!((first, slots.readiness(second)), (second, 0), "the slot is used again, empty");
        assert_eq!(slots.announce(stale, READABLE), None);
        assert_eq!(slots.readiness(second), 0);
        assert_eq!(slots.announce(slots.word(second), HUNG_UP), Some(8));
    }

    #[test]
    fn slots_grow_beyond_what_was_foreseen_and_are_used_again() {
        let slots = Slots::new(2);
        let taken: Vec<SlotId> = (0..5).map(|task| slots.take(task, -1)).collect();
        assert_eq!(taken, [0, 1, 2, 3, 4]);
        for slot in &taken {
            assert_eq!(slots.announce(slots.word(*slot), WRITABLE), Some(*slot));
        }
        slots.give_back(3);
        assert_eq!((slots.take(9, -1), slots.take(10, -1)), (3, 5));
        slots.clear(4, WRITABLE);
        assert_eq!((slots.readiness(4), slots.readiness(3)), (0, 0));
    }
}
