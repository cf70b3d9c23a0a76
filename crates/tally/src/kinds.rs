//! Kinds of transactions: what became of each, beside its times.

use std::collections::BTreeMap;

/// Counters of one kind of transactions in a stretch of time.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KindCounts {
    /// Transactions that succeeded in the measured window and were also wanted in it.
    pub inside: u64,
    /// Tries after the first, and transactions given up.
    pub retries: u64,
    pub failed: u64,
    /// Failed tries by server error code; 0 is a lost connection.
    pub errors: BTreeMap<u16, u64>,
    /// Tries that had no answer in time.
    pub timeouts: u64,
    /// Time of tries that failed, their rollbacks and reconnects included: of transactions that succeeded later, and of
    /// those that were given up.
    pub retry_ns: u64,
    pub failed_ns: u64,
}

impl KindCounts {
    pub fn merge(&mut self, other: &Self) {
        self.inside += other.inside;
        self.retries += other.retries;
        self.failed += other.failed;
        self.timeouts += other.timeouts;
        self.retry_ns += other.retry_ns;
        self.failed_ns += other.failed_ns;
        for (code, count) in &other.errors {
            *self.errors.entry(*code).or_default() += count;
        }
    }

    pub fn error(&mut self, code: u16) {
        *self.errors.entry(code).or_default() += 1;
    }
}
