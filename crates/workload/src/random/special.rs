//! The default of sysbench 1.0: a few hot rows in the middle of the table, and a bell over all of it.

use crate::Rng;

/// `res` % of the draws fall evenly on the middle `pct` % of the rows; the others on the mean of `iter` uniform numbers.
#[derive(Debug, Clone)]
pub struct Special {
    n: u64,
    iter: u32,
    /// Share of the draws that are hot, of 1.
    share: f64,
    first_hot: u64,
    last_hot: u64,
}

impl Special {
    pub(super) fn new(n: u64, iter: u32, pct: u32, res: u32) -> Self {
        let hot = ((u128::from(n) * u128::from(pct) / 100) as u64).clamp(1, n);
        let first_hot = (n - hot) / 2 + 1;
        Self { n, iter, share: f64::from(res) / 100.0, first_hot, last_hot: first_hot + hot - 1 }
    }

    #[inline]
    pub(super) fn draw(&self, rng: &mut Rng) -> u64 {
        if rng.unit() < self.share {
            return rng.range(self.first_hot, self.last_hot);
        }
        let sum: f64 = (0..self.iter).map(|_| rng.unit()).sum();
        let place = self.n as f64 * (sum / f64::from(self.iter));
        (place as u64).min(self.n - 1) + 1
    }
}
