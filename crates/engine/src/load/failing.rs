//! Transactions that fail from the start: a load whose every transaction of a kind fails says nothing, and ends.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use assay_workload::KindId;

/// Nanoseconds for which all transactions of a kind must have failed.
const PATIENCE_NS: u64 = 1_000_000_000;
/// Failures that say something, however long each took: one may have waited for a lock.
const ENOUGH: u64 = 20;

/// The kinds of a load, on all its event loops: what fails on one may succeed on another.
#[derive(Debug)]
pub(crate) struct Failing(Box<[Kind]>);

#[derive(Debug)]
struct Kind {
    succeeded: AtomicBool,
    failed: AtomicU64,
    /// The instant at which the first of them began; `u64::MAX` where none has failed.
    since: AtomicU64,
}

impl Failing {
    /// `kinds`: the number of kinds, or 0 where all transactions are alike.
    pub(crate) fn new(kinds: usize) -> Self {
        let kind = || Kind {
            succeeded: AtomicBool::new(false),
            failed: AtomicU64::new(0),
            since: AtomicU64::new(u64::MAX),
        };
        Self((0..kinds.max(1)).map(|_| kind()).collect())
    }

    #[inline]
    pub(crate) fn succeeded(&self, kind: Option<KindId>) {
        // Read first: after the first success nobody writes to what all loops read.
        if let Some(kind) = self.0.get(index(kind))
            && !kind.succeeded.load(Ordering::Relaxed)
        {
            kind.succeeded.store(true, Ordering::Relaxed);
        }
    }

    /// Notes that a transaction which began at `began` was given up at `now`. Returns how many of its kind have failed, where
    /// none has succeeded for too long.
    pub(crate) fn failed(&self, kind: Option<KindId>, began: u64, now: u64) -> Option<u64> {
        let kind = self.0.get(index(kind))?;
        let since = kind.since.fetch_min(began, Ordering::Relaxed).min(began);
        let failed = kind.failed.fetch_add(1, Ordering::Relaxed) + 1;
        let hopeless = failed >= ENOUGH && now.saturating_sub(since) >= PATIENCE_NS;
        (hopeless && !kind.succeeded.load(Ordering::Relaxed)).then_some(failed)
    }
}

fn index(kind: Option<KindId>) -> usize {
    kind.map_or(0, |kind| usize::from(kind.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kind_is_given_up_where_nothing_of_it_has_succeeded_for_a_second() {
        let (failing, kind) = (Failing::new(2), |number| Some(KindId(number)));
        assert_eq!(failing.failed(kind(0), 5, 9_000_000_000), None, "one waited long");
        assert_eq!(failing.failed(kind(1), 5, 10), None);
        failing.succeeded(kind(1));
        for _ in 2..ENOUGH {
            assert_eq!(failing.failed(kind(0), 900_000_000, 1_000_000_004), None);
        }
        assert_eq!(failing.failed(kind(0), 900_000_000, 1_000_000_005), Some(ENOUGH));
        assert_eq!(failing.failed(kind(1), 5, 9_000_000_000), None);
        let alike = Failing::new(0);
        let all: Vec<_> = (0..ENOUGH).map(|_| alike.failed(None, 0, 1_000_000_000)).collect();
        assert_eq!(all.last(), Some(&Some(ENOUGH)));
    }
}
