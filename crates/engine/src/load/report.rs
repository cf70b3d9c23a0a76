//! What happened in a stretch of a load, for a workload that reports it itself.

use assay_tally::{Counts, Histogram, Recorder};

#[derive(Debug, Clone, Default)]
pub(crate) struct Report {
    pub start_ns: u64,
    pub end_ns: u64,
    pub counts: Counts,
    /// Response times of whole transactions.
    pub times: Histogram,
    /// Transactions in flight, and arrivals queued for a connection, at its end.
    pub in_flight: u64,
    pub queued: u64,
}

impl Report {
    /// Adds the stretch that follows.
    pub(crate) fn add(&mut self, next: &Self) {
        self.end_ns = next.end_ns;
        self.counts.merge(&next.counts);
        self.times.merge(&next.times);
        (self.in_flight, self.queued) = (next.in_flight, next.queued);
    }

    pub(crate) fn of((start_ns, end_ns): (u64, u64), recorder: &Recorder) -> Self {
        let times = recorder.labels.first().map(|whole| whole.response().clone()).unwrap_or_default();
        Self { start_ns, end_ns, counts: recorder.counts.clone(), times, ..Self::default() }
    }
}
