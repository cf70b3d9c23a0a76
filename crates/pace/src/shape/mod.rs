//! The shapes: one file each, all with `at(index)`, the instant of arrival number `index`.

mod constant;
mod poisson;
mod ramp;
mod step;
pub(crate) mod trace;
mod wave;

use crate::{Arrivals, ShapeError};

#[derive(Debug, Clone)]
pub(crate) enum Shape {
    Constant(constant::Constant),
    Poisson(poisson::Poisson),
    Ramp(ramp::Ramp),
    Step(step::Steps),
    Wave(wave::Wave),
    Trace(trace::Trace),
}

impl Shape {
    pub(crate) fn new(arrivals: &Arrivals, seed: u64) -> Result<Self, ShapeError> {
        Ok(match arrivals {
            Arrivals::Constant { rate } => Self::Constant(constant::Constant::new(*rate)?),
            Arrivals::Poisson { rate } => Self::Poisson(poisson::Poisson::new(*rate, seed)?),
            Arrivals::Ramp { from, to, duration_ms } => {
                Self::Ramp(ramp::Ramp::new(*from, *to, *duration_ms)?)
            }
            Arrivals::Step { steps } => Self::Step(step::Steps::new(steps)?),
            Arrivals::Wave { mean, amplitude, period_ms } => {
                Self::Wave(wave::Wave::new(*mean, *amplitude, *period_ms)?)
            }
            Arrivals::Trace { instants_ns } => Self::Trace(trace::Trace::new(instants_ns)?),
            Arrivals::TraceFile { path } => {
                return Err(ShapeError::Unread { path: path.display().to_string() });
            }
        })
    }

    /// The instant of arrival `index`, or `None` when the shape has ended before it. Asked in rising order.
    #[inline]
    pub(crate) fn at(&mut self, index: u64) -> Option<u64> {
        match self {
            Self::Constant(shape) => shape.at(index),
            Self::Poisson(shape) => shape.at(index),
            Self::Ramp(shape) => shape.at(index),
            Self::Step(shape) => shape.at(index),
            Self::Wave(shape) => shape.at(index),
            Self::Trace(shape) => shape.at(index),
        }
    }
}

pub(crate) const SECOND_NS: f64 = 1e9;

/// The nearest instant; `None` past the end of representable time (584 years).
#[inline]
pub(crate) fn nearest_ns(ns: f64) -> Option<u64> {
    (ns < u64::MAX as f64).then(|| ns.round() as u64)
}
