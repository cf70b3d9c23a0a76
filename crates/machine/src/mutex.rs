//! Mutexes: random ones of an array, one after the other.

use std::hint::black_box;

use assay_chance::Rng;

use crate::lock::Lock;
use crate::work::Work;

const STREAM: u64 = 0x6d75_7465;

/// The mutexes of all threads, and what an event does with them.
pub(crate) struct Mutexes {
    array: Box<[Lock]>,
    locks: u64,
    loops: u64,
}

impl Mutexes {
    pub(crate) fn new(mutexes: u32, locks: u64, loops: u64) -> Self {
        Self { array: Lock::array(mutexes), locks, loops }
    }

    pub(crate) fn work(&self, thread: u32, seed: u64) -> Locking<'_> {
        Locking { shared: self, rng: Rng::keyed(&[STREAM, seed, thread.into()]) }
    }
}

pub(crate) struct Locking<'a> {
    shared: &'a Mutexes,
    rng: Rng,
}

impl Work for Locking<'_> {
    #[inline]
    fn event(&mut self) {
        let Mutexes { array, locks, loops } = self.shared;
        for _ in 0..*locks {
            let lock = &array[self.rng.below(array.len() as u64) as usize];
            for turn in 0..*loops {
                black_box(turn);
            }
            lock.held(|value| *value += 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_lock_is_taken_and_none_is_lost() {
        let shared = Mutexes::new(7, 1_000, 3);
        std::thread::scope(|scope| {
            for thread in 0..3 {
                let shared = &shared;
                scope.spawn(move || shared.work(thread, 5).event());
            }
        });
        let mut values = Vec::new();
        shared.array.iter().for_each(|lock| lock.held(|value| values.push(*value)));
        assert_eq!(values.iter().sum::<u64>(), 3_000);
        assert!(values.iter().all(|value| (300..600).contains(value)), "{values:?}");
    }
}
