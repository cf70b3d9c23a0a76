//! What each statement of a file has found and changed: counted by every event loop for itself, read by whoever judges.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use assay_wire::Outcome;

/// The counts of one statement in one event loop.
#[derive(Debug, Default)]
struct Tally {
    executions: AtomicU64,
    reads: AtomicU64,
    misses: AtomicU64,
    rows: AtomicU64,
    bytes: AtomicU64,
    changed: AtomicU64,
    /// Refusals of the server by code.
    errors: Mutex<BTreeMap<u16, u64>>,
}

/// Sums of a statement over event loops.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Sums {
    pub(super) executions: u64,
    /// Executions that were answered with rows, or with none; and those with none.
    pub(super) reads: u64,
    pub(super) misses: u64,
    pub(super) rows: u64,
    pub(super) bytes: u64,
    /// Rows that others than reads affected.
    pub(super) changed: u64,
    pub(super) errors: BTreeMap<u16, u64>,
}

/// The counts of a statement in all event loops.
pub(super) fn sums_of(loops: &[Arc<Tallies>], statement: usize) -> Sums {
    let mut sums = Sums::default();
    for tallies in loops {
        tallies.add_to(statement, &mut sums);
    }
    sums
}

/// The counts of an event loop, by statement.
#[derive(Debug)]
pub struct Tallies(Box<[Tally]>);

/// Adds where nobody else writes: cheaper than an addition that is atomic.
#[inline]
fn add(count: &AtomicU64, amount: u64) {
    count.store(count.load(Ordering::Relaxed).wrapping_add(amount), Ordering::Relaxed);
}

impl Tallies {
    pub(super) fn new(statements: usize) -> Self {
        Self((0..statements).map(|_| Tally::default()).collect())
    }

    #[inline]
    pub(super) fn count(&self, statement: usize, outcome: &Outcome) {
        let tally = &self.0[statement];
        add(&tally.executions, 1);
        if outcome.result_set {
            add(&tally.reads, 1);
            add(&tally.misses, u64::from(outcome.rows == 0));
            add(&tally.rows, outcome.rows);
            add(&tally.bytes, outcome.bytes);
        } else {
            add(&tally.changed, outcome.affected_rows);
        }
    }

    /// Counts a refusal of the server.
    #[cold]
    pub(super) fn refused(&self, statement: usize, code: u16) {
        let mut errors = self.0[statement].errors.lock().unwrap_or_else(PoisonError::into_inner);
        *errors.entry(code).or_default() += 1;
    }

    /// Adds a statement's counts to sums.
    fn add_to(&self, statement: usize, sums: &mut Sums) {
        let Some(tally) = self.0.get(statement) else { return };
        let read = |count: &AtomicU64| count.load(Ordering::Relaxed);
        sums.executions += read(&tally.executions);
        sums.reads += read(&tally.reads);
        sums.misses += read(&tally.misses);
        sums.rows += read(&tally.rows);
        sums.bytes += read(&tally.bytes);
        sums.changed += read(&tally.changed);
        for (code, count) in tally.errors.lock().unwrap_or_else(PoisonError::into_inner).iter() {
            *sums.errors.entry(*code).or_default() += count;
        }
    }
}
