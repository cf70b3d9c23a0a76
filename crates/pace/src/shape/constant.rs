//! Evenly spaced arrivals: number i at ⌊i / rate⌋ exactly.

use crate::ShapeError;
use crate::error::check_rate;

/// A double is a whole number over a power of two, so i / rate is exact in integers: i · 10⁹ · 2ᵏ / m.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Constant {
    /// m: the rate's significand, below 2⁵³.
    numerator: u64,
    /// 10⁹ · 2ᵏ.
    scale: u128,
}

impl Constant {
    pub(crate) fn new(rate: f64) -> Result<Self, ShapeError> {
        let rate = check_rate("rate", rate)?;
        let (mut numerator, mut shift) = (rate, 0u32);
        // Rates are at least 10⁻⁶, so the shift stays below 73; doubling a double is exact.
        while numerator.fract() != 0.0 {
            numerator *= 2.0;
            shift += 1;
        }
        Ok(Self { numerator: numerator as u64, scale: 1_000_000_000u128 << shift })
    }

    #[inline]
    pub(crate) fn at(&self, index: u64) -> Option<u64> {
        // The product is instant · m: it only overflows long after the instant itself would.
        let product = self.scale.checked_mul(u128::from(index))?;
        u64::try_from(product / u128::from(self.numerator)).ok()
    }
}
