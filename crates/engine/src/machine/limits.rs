//! How many events there may be: of all threads together, and of each.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The events that all threads together may still begin.
#[derive(Debug)]
pub(super) struct Tickets(AtomicU64);

impl Tickets {
    /// Tickets for `limit` events; `None` for 0, which means no limit.
    pub(super) fn of(limit: u64) -> Option<Arc<Self>> {
        (limit > 0).then(|| Arc::new(Self(AtomicU64::new(limit))))
    }

    fn take(&self) -> bool {
        self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).is_ok()
    }

    pub(super) fn all_taken(&self) -> bool {
        self.0.load(Ordering::Relaxed) == 0
    }
}

/// The limits of one thread.
#[derive(Debug)]
pub(super) struct Limits {
    tickets: Option<Arc<Tickets>>,
    /// Events that the thread may still begin.
    left: u64,
}

impl Limits {
    /// `own`: events of the thread itself, where the load gives it a number of them.
    pub(super) fn new(tickets: Option<Arc<Tickets>>, own: Option<u64>) -> Self {
        Self { tickets, left: own.unwrap_or(u64::MAX) }
    }

    /// Takes an event; false when there is none left.
    #[inline]
    pub(super) fn take(&mut self) -> bool {
        if self.left == 0 || self.tickets.as_ref().is_some_and(|tickets| !tickets.take()) {
            return false;
        }
        self.left -= 1;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_take_exactly_what_there_is() {
        let tickets = Tickets::of(10_007);
        let taken: u64 = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..4)
                .map(|_| {
                    let mut limits = Limits::new(tickets.clone(), None);
                    scope.spawn(move || {
                        std::iter::repeat_with(|| limits.take()).take_while(|more| *more).count()
                    })
                })
                .collect();
            threads.into_iter().map(|thread| thread.join().unwrap() as u64).sum()
        });
        assert_eq!(taken, 10_007);
        assert!(tickets.unwrap().all_taken());
    }

    #[test]
    fn a_thread_ends_at_its_own_limit_first() {
        let mut limits = Limits::new(Tickets::of(5), Some(2));
        assert_eq!([limits.take(), limits.take(), limits.take()], [true, true, false]);
        assert!(Tickets::of(0).is_none());
    }
}
