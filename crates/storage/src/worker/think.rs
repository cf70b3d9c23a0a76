//! Pauses of a worker between its operations.

use crate::spec::Think;

/// The pauses a job asks for: after every so many operations, once all of them have ended.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Thinking {
    think: Option<Think>,
    /// The end of the current pause on the worker's clock.
    until: u64,
    /// Operations started since the last pause.
    since: u32,
}

impl Thinking {
    pub(crate) fn new(think: Option<Think>) -> Self {
        Self { think, until: 0, since: 0 }
    }

    #[inline]
    pub(crate) fn started(&mut self) {
        self.since += 1;
    }

    /// Whether no operation may start: the pause has not ended, or one is due. It begins when nothing is in flight.
    #[inline]
    pub(crate) fn pauses(&mut self, now: u64, in_flight: u32) -> bool {
        if now < self.until {
            return true;
        }
        let Some(think) = self.think else { return false };
        if self.since < think.operations {
            return false;
        }
        if in_flight == 0 {
            self.since = 0;
            self.until = now.saturating_add(think.us.saturating_mul(1000));
        }
        true
    }

    /// The end of the current pause on the worker's clock.
    pub(crate) fn until(&self) -> u64 {
        self.until
    }
}
