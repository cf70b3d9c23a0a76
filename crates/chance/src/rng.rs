//! Streams of random numbers, each named by a key.

use crate::word::{STEP, mix, open_unit, unit};

/// A stream of SplitMix64: one word of state, so that seeding costs nothing.
///
/// The three ways to name a stream differ in how a key becomes the state. Each is what the numbers of recorded runs were
/// drawn from, which is why none of them replaces another.
#[derive(Debug, Clone)]
pub struct Rng {
    state: u64,
}

impl Rng {
    /// The stream of a key, as workloads name theirs: (purpose, seed, worker, operation) or (purpose, seed, table, chunk).
    pub fn keyed(key: &[u64]) -> Self {
        Self { state: key.iter().fold(STEP, |state, part| mix(state ^ part).wrapping_add(STEP)) }
    }

    /// The stream of a key whose parts are mixed one by one before they are joined, as loads on disks name theirs:
    /// (seed, job, clone).
    pub fn blended(key: &[u64]) -> Self {
        Self { state: key.iter().fold(STEP, |state, part| mix(state ^ mix(part.wrapping_add(STEP)))) }
    }

    /// The stream of one seed, as arrivals name theirs. The seed is mixed, so that the streams of seeds 1, 2, 3 … are not
    /// one stream shifted.
    pub fn seeded(seed: u64) -> Self {
        Self { state: mix(seed ^ STEP) }
    }

    /// The next word of the stream.
    #[inline]
    pub fn u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(STEP);
        mix(self.state)
    }

    /// The word that the stream has after `index` others, without walking there.
    #[inline]
    pub fn at(&self, index: u64) -> u64 {
        mix(self.state.wrapping_add(index.wrapping_add(1).wrapping_mul(STEP)))
    }

    /// A number in `[0, 1)`, uniform, 53 bits.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        unit(self.u64())
    }

    /// The number in `(0, 1]` that the stream has after `index` others.
    #[inline]
    pub fn open_unit_at(&self, index: u64) -> f64 {
        open_unit(self.at(index))
    }

    /// A whole number in `low..=high`, uniform without bias (Lemire 2019, "Fast random integer generation in an interval").
    #[inline]
    pub fn range(&mut self, low: u64, high: u64) -> u64 {
        debug_assert!(low <= high);
        let span = (high - low).wrapping_add(1);
        if span == 0 {
            return self.u64();
        }
        let mut product = u128::from(self.u64()) * u128::from(span);
        if (product as u64) < span {
            let threshold = span.wrapping_neg() % span;
            while (product as u64) < threshold {
                product = u128::from(self.u64()) * u128::from(span);
            }
        }
        low + (product >> 64) as u64
    }

    /// A whole number in `0..n` from exactly one word: Lemire's multiplication without the rejection, whose bias is below
    /// n / 2^64.
    #[inline]
    pub fn below(&mut self, n: u64) -> u64 {
        ((u128::from(self.u64()) * u128::from(n)) >> 64) as u64
    }
}
