//! A job for the machine itself: what `action: "machine"` reads.

use assay_machine::MachineLoad;
use assay_pace::Arrivals;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::job::Phases;

/// One measurement of the machine itself: no server, no files. `max_transactions` of the phases are events.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MachineJob {
    /// Version of this format; 1.
    pub version: u32,
    pub action: MachineAction,
    /// Seed of arrivals and of what events draw.
    #[serde(default)]
    pub seed: u64,
    pub machine: MachineLoad,
    /// Threads of the operating system, each with one event at a time.
    #[serde(default = "one")]
    pub threads: u32,
    /// Absent: a thread begins an event as soon as the one before it has ended. Present: events arrive by this schedule, and
    /// wait for the first free thread.
    #[serde(default)]
    pub arrivals: Option<Arrivals>,
    /// With `measure_ms` 0 and no limit of events the load ends by a signal alone, unless it has an end of its own.
    #[serde(default)]
    pub phases: Phases,
}

fn one() -> u32 {
    1
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum MachineAction {
    /// Drive the load and measure.
    Machine,
}
