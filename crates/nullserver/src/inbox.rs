//! How one event loop is reached from outside: new connections, and the order to stop.

use std::os::fd::OwnedFd;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::sys::wake::Wake;

/// An accepted connection and its number.
pub(crate) type Accepted = (OwnedFd, u32);

#[derive(Debug)]
pub(crate) struct Inbox {
    accepted: Mutex<Vec<Accepted>>,
    stop: AtomicBool,
    pub(crate) wake: Wake,
}

impl Inbox {
    pub(crate) fn new() -> std::io::Result<Self> {
        Ok(Self { accepted: Mutex::new(Vec::new()), stop: AtomicBool::new(false), wake: Wake::new()? })
    }

    pub(crate) fn hand_over(&self, accepted: Accepted) {
        self.lock().push(accepted);
        self.wake.wake();
    }

    pub(crate) fn take(&self) -> Vec<Accepted> {
        std::mem::take(&mut *self.lock())
    }

    pub(crate) fn stop(&self) {
        self.stop.store(true, Ordering::Release);
        self.wake.wake();
    }

    pub(crate) fn stopped(&self) -> bool {
        self.stop.load(Ordering::Acquire)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<Accepted>> {
        // A list of descriptors is whole even if another thread panicked.
        self.accepted.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}
