//! What one operation knows of itself.

use crate::ledger::ENTRY_MAX;
use crate::{LedgerEntry, LedgerId, Rng, rng_of_operation};

/// Index into [`Description::kinds`](crate::Description::kinds).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct KindId(pub u8);

/// Index into [`Description::counters`](crate::Description::counters).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CounterId(pub u8);

/// Counters that a workload may have of its own.
pub const COUNTERS_MAX: usize = 16;

/// One operation: its place in the stream and its own random numbers, [`rng_of_operation`], a function of
/// (seed, terminal, number) alone.
#[derive(Debug, Clone)]
pub struct Operation {
    /// The terminal's number in the whole run, from 0.
    pub terminal: u32,
    /// From 0, counted per terminal.
    pub number: u64,
    pub rng: Rng,
    /// The kind of this transaction among the workload's; a driver sets it before the first statement.
    pub kind: Option<KindId>,
    /// What the try has added to the workload's counters; taken over when it succeeds.
    pub counts: [u32; COUNTERS_MAX],
    /// The row that the transaction has committed, where the workload keeps a ledger of such.
    pub entry: Option<LedgerEntry>,
    /// The work itself comes later; see [`Operation::defer`].
    pub deferred: bool,
    /// Tries of this operation, where the workload says how many and not the job; a driver sets it before the first
    /// statement.
    pub most_tries: Option<u32>,
}

/// The time between two operations of a terminal; it belongs to neither.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Pause {
    /// Thinking about the operation before.
    pub think_ns: u64,
    /// Keying of the operation to come, after thinking.
    pub keying_ns: u64,
}

impl Operation {
    pub fn new(seed: u64, terminal: u32, number: u64) -> Self {
        let rng = rng_of_operation(seed, terminal, number);
        Self {
            terminal,
            number,
            rng,
            kind: None,
            counts: [0; COUNTERS_MAX],
            entry: None,
            deferred: false,
            most_tries: None,
        }
    }

    /// The transaction is over for its terminal once it returns; the work is queued, and done by
    /// [`Driver::deferred`](crate::Driver::deferred).
    pub fn defer(&mut self) {
        self.deferred = true;
    }

    /// Adds to a counter of the workload, which ends at the largest number that it can hold: a server may say any.
    #[inline]
    pub fn count(&mut self, counter: CounterId, amount: impl TryInto<u32>) {
        let count = &mut self.counts[usize::from(counter.0)];
        *count = count.saturating_add(amount.try_into().unwrap_or(u32::MAX));
    }

    /// Says which row the transaction has committed: to be called when COMMIT has succeeded.
    #[inline]
    pub fn acknowledge(&mut self, ledger: LedgerId, numbers: &[u64]) {
        let mut key = [0; ENTRY_MAX];
        key[..numbers.len()].copy_from_slice(numbers);
        self.entry = Some(LedgerEntry { ledger, key });
    }
}
