//! Transactions that fail from the start: a load whose every transaction of a kind fails says nothing, and ends.

use std::cell::RefCell;

use assay_workload::KindId;

/// Nanoseconds for which all transactions of a kind must have failed.
const PATIENCE_NS: u64 = 1_000_000_000;
/// Failures that say something, however long each took: one may have waited for a lock.
const ENOUGH: u64 = 20;

/// The kinds of an event loop.
#[derive(Debug)]
pub(crate) struct Failing(RefCell<Box<[Kind]>>);

#[derive(Debug, Clone, Copy, Default)]
struct Kind {
    succeeded: bool,
    failed: u64,
    /// The instant at which the first of them began.
    since: u64,
}

impl Failing {
    /// `kinds`: the number of kinds, or 0 where all transactions are alike.
    pub(crate) fn new(kinds: usize) -> Self {
        Self(RefCell::new(vec![Kind::default(); kinds.max(1)].into()))
    }

    #[inline]
    pub(crate) fn succeeded(&self, kind: Option<KindId>) {
        if let Some(kind) = self.0.borrow_mut().get_mut(index(kind)) {
            kind.succeeded = true;
        }
    }

    /// Notes that a transaction which began at `began` was given up at `now`. Returns how many of its kind have failed, where
    /// none has succeeded for too long.
    pub(crate) fn failed(&self, kind: Option<KindId>, began: u64, now: u64) -> Option<u64> {
        let mut kinds = self.0.borrow_mut();
        let kind = kinds.get_mut(index(kind))?;
        if kind.failed == 0 {
            kind.since = began;
        }
        kind.failed += 1;
        let hopeless = kind.failed >= ENOUGH && now.saturating_sub(kind.since) >= PATIENCE_NS;
        (!kind.succeeded && hopeless).then_some(kind.failed)
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
        let last = (0..ENOUGH).map(|_| alike.failed(None, 0, 1_000_000_000)).last();
        assert_eq!(last, Some(Some(ENOUGH)));
    }
}
