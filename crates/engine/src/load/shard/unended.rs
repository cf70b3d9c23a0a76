//! Transactions that have not ended when their event loop does: in flight, or still without a connection.

use assay_tally::UnendedOperation;

use super::Shard;

/// A transaction that is in flight on a connection. One that is dropped before it is [over](Self::over) never ended: its
/// connection was cut off at the end of the drain.
pub(crate) struct Running<'a> {
    shard: &'a Shard,
    scheduled: u64,
    started: u64,
}

impl Running<'_> {
    /// Ends the transaction, however it ended; returns its instants.
    #[inline]
    pub(crate) fn over(self) -> (u64, u64) {
        let instants = (self.scheduled, self.started);
        self.shard.finish_operation();
        std::mem::forget(self);
        instants
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.shard.note_unended(self.scheduled, self.started);
    }
}

impl Shard {
    /// A transaction that was wanted and started at these instants is in flight.
    #[inline]
    pub(crate) fn running(&self, scheduled: u64, started: u64) -> Running<'_> {
        Running { shard: self, scheduled, started }
    }

    /// Notes a transaction whose connection was cut off.
    pub(crate) fn note_unended(&self, scheduled: u64, started: u64) {
        self.unended.borrow_mut().push(UnendedOperation { scheduled, started: Some(started) });
    }

    /// Takes the transactions of the measured window that have not ended. In an open loop these are the ones that were
    /// wanted in it. Otherwise they are all that were in flight, and where they kept every connection to the end, also the
    /// ones that waited for one.
    pub(super) fn take_unended(&self) -> Vec<UnendedOperation> {
        let edges = self.control.edges();
        let keeps_schedule = self.plan.load.keeps_schedule;
        let mut found = self.unended.take();
        if keeps_schedule || self.in_flight.get() >= self.plan.part.connections.into() {
            let waiting = self.discipline.borrow().waiting();
            found.extend(waiting.into_iter().map(|scheduled| UnendedOperation { scheduled, started: None }));
        }
        found.retain(|one| {
            if keeps_schedule { edges.measures(one.scheduled) } else { one.scheduled < edges.measure_end }
        });
        found
    }
}
