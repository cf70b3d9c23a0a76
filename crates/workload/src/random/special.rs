//! The default of sysbench 1.0: a few hot rows in the middle of the table, and a bell over all of it.

use super::gaussian::mean_of_uniform;
use crate::Rng;

/// The distribution of sysbench 1.0.20, as its draws show it: `res` % fall evenly on the upper `res` % of the middle `pct` % of
/// the rows, and the others on the mean of `iter` uniform numbers.
#[derive(Debug, Clone)]
pub struct Special {
    n: u64,
    iter: u32,
    /// Share of the draws that are hot, of 1.
    share: f64,
    /// Where the hot rows begin, counted from the first row, and how many they are; a part of a row is hit less often.
    first_hot: f64,
    hot: f64,
}

impl Special {
    pub(super) fn new(n: u64, iter: u32, pct: u32, res: u32) -> Self {
        let (last, pct, share) = ((n - 1) as f64, f64::from(pct) / 100.0, f64::from(res) / 100.0);
        let middle = last * pct + 1.0;
        let first_hot = (last - last * pct) / 2.0 + middle * (1.0 - share);
        Self { n, iter, share, first_hot, hot: middle * share }
    }

    #[inline]
    pub(super) fn draw(&self, rng: &mut Rng) -> u64 {
        let place = if rng.unit() < self.share {
            self.first_hot + self.hot * rng.unit()
        } else {
            (self.n - 1) as f64 * mean_of_uniform(self.iter, rng)
        };
        (place as u64).min(self.n - 1) + 1
    }
}
