//! A rate that swings around its mean as a sine.

use std::f64::consts::TAU;

use crate::ShapeError;
use crate::error::{check_rate, check_rate_or_zero, check_time};
use crate::shape::{SECOND_NS, nearest_ns};

/// Arrival i is where the cumulative rate reaches i. A whole period holds mean · period arrivals, whatever the
/// amplitude, so only the part of a period is solved for:
/// mean·t + amplitude·period/2π · (1 − cos 2πt/period) = rest.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wave {
    mean: f64,
    amplitude: f64,
    period_s: f64,
}

impl Wave {
    pub(crate) fn new(mean: f64, amplitude: f64, period_ms: u64) -> Result<Self, ShapeError> {
        let mean = check_rate("mean", mean)?;
        let amplitude = check_rate_or_zero("amplitude", amplitude)?;
        if amplitude > mean {
            return Err(ShapeError::Amplitude { amplitude, mean });
        }
        let period_s = check_time("period_ms", period_ms)? as f64 / SECOND_NS;
        Ok(Self { mean, amplitude, period_s })
    }

    #[inline]
    pub(crate) fn at(&self, index: u64) -> Option<u64> {
        let per_period = self.mean * self.period_s;
        let periods = (index as f64 / per_period).floor();
        let rest = (index as f64 - periods * per_period).clamp(0.0, per_period);
        nearest_ns((periods * self.period_s + self.within(rest)) * SECOND_NS)
    }

    /// Seconds into a period at which `rest` arrivals have come: Newton's method, kept in a bracket by bisection
    /// because the rate may touch 0.
    fn within(&self, rest: f64) -> f64 {
        const TOLERANCE_S: f64 = 1e-10;
        let angular = TAU / self.period_s;
        let swing = self.amplitude / angular;
        let (mut low, mut high) = (0.0, self.period_s);
        let mut at = rest / self.mean;
        while high - low > TOLERANCE_S {
            let (sine, cosine) = (angular * at).sin_cos();
            let excess = self.mean * at + swing * (1.0 - cosine) - rest;
            if excess > 0.0 {
                high = at;
            } else {
                low = at;
            }
            let newton = at - excess / (self.mean + self.amplitude * sine);
            let inside = newton > low && newton < high;
            let next = if inside { newton } else { f64::midpoint(low, high) };
            if (next - at).abs() <= TOLERANCE_S {
                return next;
            }
            at = next;
        }
        at
    }
}
