//! When operations should start: load shapes as pure arithmetic on instants. No clock, no I/O.
//!
//! An instant is a `u64`: nanoseconds since the start of the phase.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How the arrivals of an open loop are spaced.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Arrivals {
    /// Evenly spaced.
    Constant { rate: f64 },
    /// Exponential gaps with this mean rate (a Poisson process).
    Poisson { rate: f64 },
}
