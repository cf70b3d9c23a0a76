//! Kinds of transactions: what became of each, beside its times.

use std::collections::BTreeMap;

/// Counters of one kind of transactions in a stretch of time.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KindCounts {
    /// Of those that succeeded in the measured window, the ones that also began in it.
    pub inside: u64,
    /// Tries after the first, and transactions given up.
    pub retries: u64,
    pub failed: u64,
    /// Failed tries by server error code; 0 is a lost connection.
    pub errors: BTreeMap<u16, u64>,
}

impl KindCounts {
    pub fn merge(&mut self, other: &Self) {
        self.inside += other.inside;
        self.retries += other.retries;
        self.failed += other.failed;
        for (code, count) in &other.errors {
            *self.errors.entry(*code).or_default() += count;
        }
    }

    pub fn error(&mut self, code: u16) {
        *self.errors.entry(code).or_default() += 1;
    }
}
