//! A rate that goes evenly from one value to another, then stays.

use crate::ShapeError;
use crate::error::{check_rate_or_zero, check_time};
use crate::shape::{SECOND_NS, nearest_ns};

/// Arrival i is where the cumulative rate a·t + s·t²/2 reaches i.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ramp {
    from: f64,
    to: f64,
    /// Change of the rate in one second.
    slope: f64,
    duration_s: f64,
    /// Arrivals on the ramp itself.
    climbed: f64,
}

impl Ramp {
    pub(crate) fn new(from: f64, to: f64, duration_ms: u64) -> Result<Self, ShapeError> {
        let (from, to) = (check_rate_or_zero("from", from)?, check_rate_or_zero("to", to)?);
        if from == 0.0 && to == 0.0 {
            return Err(ShapeError::Silent);
        }
        let duration_s = check_time("duration_ms", duration_ms)? as f64 / SECOND_NS;
        let climbed = f64::midpoint(from, to) * duration_s;
        Ok(Self { from, to, slope: (to - from) / duration_s, duration_s, climbed })
    }

    #[inline]
    pub(crate) fn at(&self, index: u64) -> Option<u64> {
        let count = index as f64;
        if count >= self.climbed {
            // A ramp down to 0 has no arrival after its last: the division gives infinity, which is no instant.
            return nearest_ns((self.duration_s + (count - self.climbed) / self.to) * SECOND_NS);
        }
        if index == 0 {
            return Some(0);
        }
        // The root in the form without cancellation. Rounding may push the discriminant of the last arrival below 0.
        let discriminant = (self.from * self.from + 2.0 * self.slope * count).max(0.0);
        nearest_ns(2.0 * count / (self.from + discriminant.sqrt()) * SECOND_NS)
    }
}
