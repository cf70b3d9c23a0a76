//! A Poisson process: exponential gaps, each a function of (seed, number).

use assay_chance::Rng;

use crate::ShapeError;
use crate::error::check_rate;
use crate::shape::SECOND_NS;

/// Parts of a nanosecond that the sum is kept in. The sum is an integer: adding gaps loses nothing.
const PARTS: f64 = 65_536.0;

/// The instant of arrival i is the sum of gaps 0..=i, which has no closed form. Every share therefore walks the
/// gaps of the whole process and keeps the instants that are its own: shares merged are the whole, bit for bit.
#[derive(Debug, Clone)]
pub(crate) struct Poisson {
    gaps: Rng,
    mean_gap_parts: f64,
    /// Gaps summed so far, and their sum in parts of a nanosecond.
    walked: u64,
    sum: u128,
}

impl Poisson {
    pub(crate) fn new(rate: f64, seed: u64) -> Result<Self, ShapeError> {
        let mean_gap_parts = SECOND_NS * PARTS / check_rate("rate", rate)?;
        Ok(Self { gaps: Rng::seeded(seed), mean_gap_parts, walked: 0, sum: 0 })
    }

    #[inline]
    pub(crate) fn at(&mut self, index: u64) -> Option<u64> {
        while self.walked <= index {
            let gap = -self.gaps.open_unit_at(self.walked).ln() * self.mean_gap_parts;
            self.sum += gap.round() as u128;
            self.walked += 1;
        }
        u64::try_from(self.sum / PARTS as u128).ok()
    }
}
