//! The load shapes. A shape has a file for its instants, `at(index)`, and in this one its kind in a job, its place among the
//! others, and what becomes of it at another rate.

mod constant;
mod poisson;
mod ramp;
mod step;
pub(crate) mod trace;
mod wave;

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ShapeError;
use crate::error::check_rate;

/// How the arrivals of an open loop are spaced. Rates are arrivals per second.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Arrivals {
    /// Evenly spaced.
    Constant { rate: f64 },
    /// Exponential gaps with this mean rate (a Poisson process).
    Poisson { rate: f64 },
    /// A rate that goes evenly from `from` to `to` over `duration_ms`, then stays at `to`.
    Ramp { from: f64, to: f64, duration_ms: u64 },
    /// One constant rate after the other; the last one stays. A rate of 0 is a pause.
    Step { steps: Vec<Step> },
    /// A rate that swings around `mean` by `amplitude`, as a sine that starts at the mean and rises first.
    Wave { mean: f64, amplitude: f64, period_ms: u64 },
    /// Recorded instants, in nanoseconds since the start of the phase; ends with the last one.
    Trace { instants_ns: Vec<u64> },
    /// Recorded instants in a text file: one whole number of nanoseconds a line, `#` begins a comment. Whoever reads the
    /// plan reads the file and makes a `trace` of it; there is no I/O here.
    TraceFile { path: PathBuf },
    /// Another shape whose rates are multiplied by `rate`: a shape around 1 becomes one around `rate` arrivals per second.
    /// A trace keeps its instants in proportion: its gaps are divided by `rate`.
    Scaled { rate: f64, shape: Box<Arrivals> },
}

/// A stretch of [`Arrivals::Step`] with one rate.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Step {
    pub rate: f64,
    pub duration_ms: u64,
}

impl Arrivals {
    /// The arrivals of `count` generators together, where those of one are even: each takes its
    /// [`Share`](crate::Share) of them, and nobody's instant is another's. `None` where they are apart already, by chance
    /// or as they were recorded.
    #[must_use]
    pub fn times(&self, count: u32) -> Option<Self> {
        (!self.apart()).then(|| self.faster(f64::from(count)))
    }

    /// Whether generators with this shape meet by chance only, or as they were recorded.
    fn apart(&self) -> bool {
        match self {
            Self::Constant { .. } | Self::Ramp { .. } | Self::Step { .. } | Self::Wave { .. } => false,
            Self::Poisson { .. } | Self::Trace { .. } | Self::TraceFile { .. } => true,
            Self::Scaled { shape, .. } => shape.apart(),
        }
    }

    /// The shape with `times` as many arrivals in each second.
    fn faster(&self, times: f64) -> Self {
        match self {
            Self::Constant { rate } => Self::Constant { rate: rate * times },
            Self::Poisson { rate } => Self::Poisson { rate: rate * times },
            Self::Ramp { from, to, duration_ms } => {
                Self::Ramp { from: from * times, to: to * times, duration_ms: *duration_ms }
            }
            Self::Step { steps } => {
                let more = |step: &Step| Step { rate: step.rate * times, ..*step };
                Self::Step { steps: steps.iter().map(more).collect() }
            }
            Self::Wave { mean, amplitude, period_ms } => {
                Self::Wave { mean: mean * times, amplitude: amplitude * times, period_ms: *period_ms }
            }
            Self::Trace { instants_ns } => {
                let sooner = |instant: &u64| (*instant as f64 / times).round() as u64;
                Self::Trace { instants_ns: instants_ns.iter().map(sooner).collect() }
            }
            Self::TraceFile { path } => Self::TraceFile { path: path.clone() },
            Self::Scaled { rate, shape } => Self::Scaled { rate: rate * times, shape: shape.clone() },
        }
    }
}

/// A shape with its constants worked out.
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
            Arrivals::Scaled { rate, shape } => Self::new(&shape.faster(check_rate("rate", *rate)?), seed)?,
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
