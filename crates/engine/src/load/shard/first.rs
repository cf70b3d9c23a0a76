//! The first operation of an event loop: its instant is told where the load was held.

use super::Shard;
use crate::load::message::{Message, Own};

impl Shard {
    /// Notes that an operation begins at `started`.
    #[inline]
    pub(crate) fn note_begun(&self, started: u64) {
        if self.unstarted.get() {
            self.tell_first(started);
        }
    }

    #[cold]
    fn tell_first(&self, started: u64) {
        self.unstarted.set(false);
        self.send(Message::Own(Own::Started(started)));
    }
}
