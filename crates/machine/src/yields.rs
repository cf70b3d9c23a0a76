//! The scheduler: threads that give way to each other while they hold a lock.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::lock::Lock;
use crate::work::Work;

/// The locks of all threads.
pub(crate) struct Turnstiles {
    locks: Box<[Lock]>,
    /// Number of the next event of all threads, which says whose turn a lock's is.
    turn: AtomicU64,
    yields: u64,
}

impl Turnstiles {
    pub(crate) fn new(locks: u32, yields: u64) -> Self {
        Self { locks: Lock::array(locks), turn: AtomicU64::new(0), yields }
    }
}

pub(crate) struct Yields<'a> {
    pub shared: &'a Turnstiles,
}

impl Work for Yields<'_> {
    #[inline]
    fn event(&mut self) {
        let Turnstiles { locks, turn, yields } = self.shared;
        let lock = &locks[(turn.fetch_add(1, Ordering::Relaxed) % locks.len() as u64) as usize];
        for _ in 0..*yields {
            lock.held(|times| {
                *times += 1;
                // SAFETY: no pointers; it cannot fail on Linux.
                unsafe { libc::sched_yield() };
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_take_the_locks_in_turn() {
        let shared = Turnstiles::new(3, 10);
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    let mut work = Yields { shared: &shared };
                    (0..6).for_each(|_| work.event());
                });
            }
        });
        for lock in &shared.locks {
            lock.held(|times| assert_eq!(*times, 2 * 6 / 3 * 10));
        }
    }
}
