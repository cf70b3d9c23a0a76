//! The memory of a task that is fetched shortly before it is polled.

use std::cell::Cell;
use std::ptr;

/// Memory that a task will touch, beside its future.
pub(crate) type Touched = [*const [u8]; 3];

/// Memory that a task touches whenever it is polled, beside its future.
#[derive(Clone, Copy)]
pub(crate) enum Lasting {
    /// A future of its own in which most of its work is.
    Work,
    Connection,
}

/// What a task touches when it is polled: what it has said that it will next, and what it always does.
pub(super) struct Fetched {
    pub next: Cell<Touched>,
    pub lasting: [Cell<*const [u8]>; 2],
}

impl Fetched {
    pub(super) fn nothing() -> Self {
        let none = ptr::slice_from_raw_parts(ptr::null(), 0);
        Self { next: Cell::new([none; 3]), lasting: [none; 2].map(Cell::new) }
    }

    /// Keeps what the task always touches, up to its first so many bytes.
    pub(super) fn keep<T: ?Sized>(&self, which: Lasting, what: &T, bytes: usize) {
        let start = ptr::from_ref(what).cast();
        self.lasting[which as usize].set(ptr::slice_from_raw_parts(start, size_of_val(what).min(bytes)));
    }
}
