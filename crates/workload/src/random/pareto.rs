//! The 80/20 rule: a power of a uniform number.

use crate::Rng;

/// A share 1 - h of the draws falls on the first share h of the rows, and so again within them (self-similar).
#[derive(Debug, Clone)]
pub struct Pareto {
    n: u64,
    power: f64,
}

impl Pareto {
    pub(super) fn new(n: u64, h: f64) -> Self {
        Self { n, power: h.ln() / (-h).ln_1p() }
    }

    #[inline]
    pub(super) fn draw(&self, rng: &mut Rng) -> u64 {
        let place = self.n as f64 * rng.unit().powf(self.power);
        (place as u64).min(self.n - 1) + 1
    }
}
