//! The first operation of an event loop: its instant is told where the load was held.

use super::Shard;
use crate::load::message::{Message, ServerMessage};
use crate::process::priority::Urgent;

impl Shard {
    /// Readies this event loop for a start that it has in common with other engines: its thread goes before others until the
    /// first operation. From the first turn on: a thread that is put off for 0.2 s hears too late when the start is.
    pub(super) fn await_start(&self) {
        if self.unstarted.get() && !self.awaits_start.replace(true) {
            self.urgent.replace(Urgent::new());
        }
    }

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
        self.urgent.take();
        self.send(Message::Own(ServerMessage::Started(started)));
    }
}
