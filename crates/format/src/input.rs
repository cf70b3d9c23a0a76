//! What the engine is told after its job, where it listens: one JSON object a line on standard input.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "command", rename_all = "lowercase")]
pub enum Command {
    /// Ends the job as a first signal does: what was measured is said, and is not complete. The end of the input is one too.
    Stop,
}
