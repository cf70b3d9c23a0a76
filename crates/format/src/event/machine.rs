//! What a result says about a load on the machine itself, beside what it says about every load.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Events that ended in the measured window or in the drain after it: all that a thread had begun counts to its end.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct MachineResult {
    /// From the beginning of the window to the end of the last event.
    pub elapsed_s: f64,
    pub events: u64,
    /// The shortest and the longest time, and the sum of all: of service in a closed loop, else of response.
    pub min_ns: u64,
    pub max_ns: u64,
    pub sum_ns: u64,
    /// HDR histogram of the same times; absent where no event ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub latency: Option<String>,
    /// Bytes of memory that events read or wrote.
    pub bytes: u64,
    pub threads: Vec<ThreadEvents>,
}

/// One thread's part.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ThreadEvents {
    pub events: u64,
    /// The sum of their service times.
    pub busy_ns: u64,
}
