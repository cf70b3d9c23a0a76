//! Intervals of the time line.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::event::{EngineUse, Phase, Tallied};

/// One interval of the time line.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Interval {
    pub phase: Phase,
    /// Number of the interval within its phase, from 0.
    pub index: u64,
    pub start_ns: u64,
    pub end_ns: u64,
    #[serde(flatten)]
    pub tallied: Tallied,
    /// Operations in flight, and arrivals queued for a connection, at the interval's end.
    pub in_flight: u64,
    pub queued: u64,
    pub engine: EngineUse,
}
