//! The read buffers that all connections of a thread share.

use std::cell::RefCell;
use std::ops::{Deref, DerefMut};

/// Size of a read buffer, in bytes: as many are asked for in one read.
const BYTES: usize = 64 * 1024;

thread_local! {
    static FREE: RefCell<Vec<Box<[u8]>>> = const { RefCell::new(Vec::new()) };
}

/// A read buffer on loan for the length of one poll: an idle connection owns no read buffer at all. A thread has as
/// many as were ever on loan at once: one, two with TLS, more when a row callback polls other connections.
pub(crate) struct Scratch(Box<[u8]>);

impl Scratch {
    #[inline]
    pub(crate) fn borrow() -> Self {
        let free = FREE.with_borrow_mut(Vec::pop);
        Self(free.unwrap_or_else(|| vec![0; BYTES].into_boxed_slice()))
    }
}

impl Deref for Scratch {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

impl DerefMut for Scratch {
    fn deref_mut(&mut self) -> &mut [u8] {
        &mut self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let buffer = std::mem::take(&mut self.0);
        FREE.with_borrow_mut(|free| free.push(buffer));
    }
}
