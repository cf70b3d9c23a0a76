//! What the engine reads on standard input, one JSON object a line: commands after its job, where it listens, and the
//! warm-up of a fleet.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, tag = "command", rename_all = "lowercase")]
pub enum Command {
    /// Ends the job as a first signal does: what was measured is said, and is not complete. The end of the input is one too.
    Stop,
    /// Says when the load begins, where the job has `phases.hold` and everything is ready: on the wall clock, in nanoseconds
    /// since 1970.
    Start { at_wall_ns: u64 },
    /// Says when the load begins, as `start` does, but on this machine's CLOCK_MONOTONIC. A start that can no longer be kept
    /// ends the job (doubt `late-start`): the other generators of a fleet begin without it.
    Go { start_monotonic_ns: u64 },
    /// Says when the measured window begins, where the job's warm-up is `until_told` and the load has begun: on the wall
    /// clock, in nanoseconds since 1970, or on this machine's CLOCK_MONOTONIC. One of the two.
    Window {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        start_wall_ns: Option<u64>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        start_monotonic_ns: Option<u64>,
    },
}

/// The warm-up of a fleet's load, as its coordinator has it: a line for `assay-engine steady`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WarmupSoFar {
    /// Nanoseconds since the load began.
    pub passed_ns: u64,
    /// The intervals since the last line: nanoseconds from the beginning of the load to the interval's end, and its rate.
    #[serde(default)]
    pub rates: Vec<(u64, f64)>,
}
