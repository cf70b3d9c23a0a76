//! The three instants of an operation, and the only place where they are subtracted.

/// The three instants of an operation: wanted, sent, answered; nanoseconds on one clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Times {
    /// The instant at which the schedule wanted it. A closed loop has no schedule: `scheduled` is `started`, or after a
    /// think time its planned end.
    pub scheduled: u64,
    /// The instant at which its first byte left.
    pub started: u64,
    /// The instant at which its last byte was read.
    pub ended: u64,
}

impl Times {
    /// started − scheduled
    #[inline]
    pub fn wait(&self) -> u64 {
        self.started.saturating_sub(self.scheduled)
    }

    /// ended − started
    #[inline]
    pub fn service(&self) -> u64 {
        self.ended.saturating_sub(self.started)
    }

    /// ended − scheduled
    #[inline]
    pub fn response(&self) -> u64 {
        self.ended.saturating_sub(self.scheduled)
    }
}
