//! Intervals of the time line.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::event::{Counts, EngineUse, IoBytes, Kind, LabelTimes, Pacing, Phase};

/// One interval of the time line.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Interval {
    pub phase: Phase,
    /// Number within the phase, from 0.
    pub index: u64,
    pub start_ns: u64,
    pub end_ns: u64,
    #[serde(flatten)]
    pub counts: Counts,
    /// Operations in flight, and arrivals waiting for a connection, at the end.
    pub in_flight: u64,
    pub queued: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pacing: Option<Pacing>,
    /// By label; `transaction` is the whole unit, the others its statements.
    pub labels: BTreeMap<String, LabelTimes>,
    /// By kind of transaction, where the workload has kinds.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub kinds: BTreeMap<String, Kind>,
    pub engine: EngineUse,
    /// Storage jobs: bytes moved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub io_bytes: Option<IoBytes>,
}
