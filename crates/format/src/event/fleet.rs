//! The events of a load whose start a coordinator tells: that it is ready, and that it has begun.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The load on a server waits for its start (`phases.hold`): every connection is open.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Ready {
    /// Connections and event loops of this engine.
    pub connections: u64,
    pub loops: u64,
    /// SHA-256 of the engine's binary, in hexadecimal: generators of a fleet should be of one build. Absent where it cannot be read.
    #[serde(default)]
    pub engine_sha256: Option<String>,
    /// Files that this process may have open.
    pub max_fds: u64,
}

/// The load that was held has begun.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Started {
    /// The instant at which the first operation began, over all event loops of this engine.
    pub first_operation_ns: u64,
}

/// One generator of a load that several carried out together. The lab says it in the result that it merges from theirs.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct GeneratorResult {
    pub name: String,
    pub host: String,
    pub loops: u64,
    pub connections: u64,
    /// Open loop: arrivals of its share of the schedule in the measured window, and those of them that came due while it was
    /// there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub planned_arrivals: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started_arrivals: Option<u64>,
    /// Closed loop: its connections, times the part of the measured window in which it was lost, in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lost_connection_s: Option<f64>,
    /// The instant at which the generator was lost; absent, as its cause is, where it came to its end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lost_at_ns: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<String>,
    /// Its exit code; below 0 the signal that ended it. Absent where it did not end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i32>,
}
