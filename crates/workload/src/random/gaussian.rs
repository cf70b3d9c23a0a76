//! A bell around the middle of the table.

use crate::Rng;

/// The mean of `iter` uniform numbers, as sysbench has it: nearly normal, with the standard deviation n / sqrt(12 `iter`).
#[derive(Debug, Clone)]
pub struct Gaussian {
    n: u64,
    iter: u32,
}

impl Gaussian {
    pub(super) fn new(n: u64, iter: u32) -> Self {
        Self { n, iter }
    }

    #[inline]
    pub(super) fn draw(&self, rng: &mut Rng) -> u64 {
        // A float below n may still be n when n has more than 53 bits.
        ((self.n as f64 * mean_of_uniform(self.iter, rng)) as u64).min(self.n - 1) + 1
    }
}

/// The mean of `count` uniform numbers from 0 to 1.
#[inline]
pub(super) fn mean_of_uniform(count: u32, rng: &mut Rng) -> f64 {
    let sum: f64 = (0..count).map(|_| rng.unit()).sum();
    sum / f64::from(count)
}
