//! When operations should start: load shapes as pure arithmetic on instants. No clock, no I/O.
//!
//! An instant is a `u64`: nanoseconds since the start of the phase. A [`Schedule`] gives the instants of one
//! [`Share`] of the [`Arrivals`]; every instant is a function of its number (and the seed), so that nothing drifts
//! over a long phase and a generator that falls behind cannot shift what comes after.

mod error;
mod schedule;
mod shape;

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use crate::error::ShapeError;
pub use crate::schedule::{Schedule, Share};
pub use crate::shape::trace::parse_trace;

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
    /// The same in a text file: one whole number of nanoseconds a line, `#` begins a comment. Whoever reads the plan
    /// reads the file and makes a `trace` of it; there is no I/O here.
    TraceFile { path: PathBuf },
}

impl Arrivals {
    /// The arrivals of `count` generators together, where those of one are even: each takes its [`Share`] of them, and
    /// nobody's instant is another's. `None` where they are apart already, by chance or as they were recorded.
    #[must_use]
    pub fn times(&self, count: u32) -> Option<Self> {
        let times = f64::from(count);
        Some(match self {
            Self::Constant { rate } => Self::Constant { rate: rate * times },
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
            Self::Poisson { .. } | Self::Trace { .. } | Self::TraceFile { .. } => return None,
        })
    }
}

/// One stretch of [`Arrivals::Step`].
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Step {
    pub rate: f64,
    pub duration_ms: u64,
}
