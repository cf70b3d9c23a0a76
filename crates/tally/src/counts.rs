//! Counters of a stretch of time.

use std::collections::BTreeMap;

/// Counts of things that ended in a stretch of time; `merge` adds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Counts {
    /// Transactions that succeeded.
    pub transactions: u64,
    /// Statements with a result set, that changed rows, and the rest.
    pub reads: u64,
    pub writes: u64,
    pub other: u64,
    /// Failed statements by server error code; 0 is a lost connection.
    pub errors: BTreeMap<u16, u64>,
    /// Tries of transactions after the first.
    pub retries: u64,
    /// Transactions given up.
    pub failed: u64,
    pub reconnects: u64,
    /// Connections closed and opened again because the job wants it so.
    pub renewals: u64,
    /// Operations given up because they took longer than they may.
    pub timeouts: u64,
    /// Open loop: arrivals whose instant lay in the stretch, whatever became of them.
    pub arrivals: u64,
    /// Open loop: arrivals that found the queue full.
    pub queue_full: u64,
    /// Open loop: arrivals that were still queued when the drain ended.
    pub unserved: u64,
    /// Closed loop with think time: time thought, in nanoseconds, over all connections.
    pub thinking_ns: u64,
}

impl Counts {
    /// Statements that succeeded.
    pub fn queries(&self) -> u64 {
        self.reads + self.writes + self.other
    }

    /// Arrivals that were never sent.
    pub fn dropped(&self) -> u64 {
        self.queue_full + self.unserved
    }

    pub fn error(&mut self, code: u16) {
        *self.errors.entry(code).or_default() += 1;
    }

    pub fn merge(&mut self, other: &Self) {
        self.transactions += other.transactions;
        self.reads += other.reads;
        self.writes += other.writes;
        self.other += other.other;
        for (code, count) in &other.errors {
            *self.errors.entry(*code).or_default() += count;
        }
        self.retries += other.retries;
        self.failed += other.failed;
        self.reconnects += other.reconnects;
        self.renewals += other.renewals;
        self.timeouts += other.timeouts;
        self.arrivals += other.arrivals;
        self.queue_full += other.queue_full;
        self.unserved += other.unserved;
        self.thinking_ns += other.thinking_ns;
    }
}
