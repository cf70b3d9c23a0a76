//! Events that arrive by a schedule: one line for all threads, whose first the first free thread takes.

use std::sync::Mutex;

use assay_pace::{Arrivals, Schedule, ShapeError, Share};

use crate::process::poison::unpoisoned;

/// The instants of a schedule on the engine's clock, one after the other.
#[derive(Debug, Clone)]
pub(super) struct Line {
    schedule: Schedule,
    /// Zero of the schedule on the engine's clock, once it is known.
    origin: Option<u64>,
    /// The next instant, where there is one.
    next: Option<u64>,
}

impl Line {
    /// The instants of `arrivals` from the start of the load on.
    ///
    /// # Errors
    /// A rate, time or list out of range.
    pub(super) fn new(arrivals: &Arrivals, seed: u64) -> Result<Self, ShapeError> {
        Ok(Self { schedule: Schedule::new(arrivals, seed, Share::WHOLE)?, origin: None, next: None })
    }

    /// The load begins at `start`; whoever says so after the first says nothing new.
    pub(super) fn begin(&mut self, start: u64) {
        if self.origin.is_none() {
            self.origin = Some(start);
            self.advance();
        }
    }

    fn advance(&mut self) {
        let origin = self.origin.unwrap_or_default();
        self.next = self.schedule.next().map(|instant| origin.saturating_add(instant));
    }

    /// Takes the next instant.
    fn take(&mut self) -> Option<u64> {
        let taken = self.next;
        self.advance();
        taken
    }

    /// Takes all instants before `until`; returns the number of those that lie at or after `from`.
    pub(super) fn pass(&mut self, from: u64, until: u64) -> u64 {
        let mut passed = 0;
        while let Some(instant) = self.next.filter(|instant| *instant < until) {
            passed += u64::from(instant >= from);
            self.advance();
        }
        passed
    }
}

/// The line in which events wait for a free thread.
#[derive(Debug)]
pub(super) struct Queue(Mutex<Line>);

impl Queue {
    pub(super) fn new(line: Line) -> Self {
        Self(Mutex::new(line))
    }

    /// The load begins at `start`: each thread says so before it takes an instant.
    pub(super) fn begin(&self, start: u64) {
        unpoisoned(self.0.lock()).begin(start);
    }

    /// The instant of the next event that no thread has; `None` when there is none any more.
    pub(super) fn take(&self) -> Option<u64> {
        unpoisoned(self.0.lock()).take()
    }

    /// The events that fell due from `from` on and before `until`, and that no thread has taken.
    pub(super) fn left(&self, from: u64, until: u64) -> u64 {
        unpoisoned(self.0.lock()).pass(from, until)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn queue() -> Queue {
        let queue = Queue::new(Line::new(&Arrivals::Trace { instants_ns: vec![10, 20, 30, 40] }, 0).unwrap());
        queue.begin(1_000);
        queue
    }

    #[test]
    fn each_instant_is_taken_once_and_in_order() {
        let queue = queue();
        let taken: Vec<_> = std::iter::from_fn(|| queue.take()).collect();
        assert_eq!(taken, [1_010, 1_020, 1_030, 1_040]);
        assert_eq!(queue.left(0, u64::MAX), 0);
    }

    #[test]
    fn what_is_left_is_counted_where_it_was_wanted() {
        let queue = queue();
        queue.take();
        assert_eq!(queue.left(1_025, 1_040), 1, "1020 is before, 1040 beyond");
        assert_eq!(queue.take(), Some(1_040));
    }
}
