//! The events of every job: who speaks, its phases, its progress, errors and doubts.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::event::Connections;

/// First line: who measures, and where its epoch lies.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Hello {
    /// Version of the event format; 1.
    pub format: u32,
    pub version: String,
    /// `profile-guided` or `release`, which are for measuring, `quick`, which costs more a query, or `debug`, which is not fit for measurements.
    pub build: String,
    pub pid: u32,
    /// The epoch in nanoseconds since 1970 (wall clock).
    pub epoch_wall_ns: u64,
    /// The epoch on CLOCK_MONOTONIC.
    pub epoch_monotonic_ns: u64,
    pub seed: u64,
    pub threads: u32,
    pub connections: u32,
    pub workload: String,
    /// Measures that the workload has by names of its own; absent where the engine is too old to say.
    pub measures: Option<Vec<OwnMeasure>>,
}

/// A measure that a workload has by a name of its own: how many transactions of one kind fell due and ended inside the
/// measured window (`inside` of the kind), over its length.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OwnMeasure {
    pub name: String,
    /// What a figure of it is told in: `/min`.
    pub unit: String,
    /// The kind of transactions.
    pub kind: String,
    /// Seconds of the time in the unit: 60 of a minute.
    pub per_s: u32,
    /// Whether figures are cut to whole numbers.
    pub whole: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    Connect,
    Load,
    Index,
    Check,
    Cleanup,
    Warmup,
    Measure,
    Drain,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct PhaseStart {
    pub phase: Phase,
    pub start_ns: u64,
    /// Planned length, where there is one.
    pub planned_ms: Option<u64>,
}

/// Progress of a long step.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Progress {
    pub phase: Phase,
    pub done: u64,
    pub total: u64,
    /// `rows`, `indexes`, `connections`, `tables`, `checks`.
    pub unit: String,
    pub elapsed_s: f64,
}

/// The engine's own use of the machine in a stretch of time.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct EngineUse {
    pub user_us: u64,
    pub system_us: u64,
    /// Resident set at the end of the stretch; in `result` its peak.
    pub rss_bytes: u64,
    pub voluntary_switches: u64,
    pub involuntary_switches: u64,
}

/// Something that went wrong. `fatal` ends the job.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct ErrorEvent {
    pub kind: ErrorKind,
    /// Server error code and SQLSTATE, where the server sent them.
    #[serde(default)]
    pub code: Option<u16>,
    #[serde(default)]
    pub state: Option<String>,
    pub message: String,
    /// Advice: what to do about the error.
    #[serde(default)]
    pub hint: Option<String>,
    pub at_ns: u64,
    pub fatal: bool,
}

/// By cause; each has an exit code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ErrorKind {
    /// The job is wrong (exit 2).
    Job,
    /// No connection, or no login (exit 3).
    Connect,
    /// The server refused a statement (exit 4).
    Server,
    /// The server went away (exit 5).
    Lost,
    /// Something in this machine (exit 6).
    Host,
    /// What was read back is not what was written (exit 8).
    Data,
}

/// A reason to distrust this run, found by the engine.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Doubt {
    /// Kind of the doubt: a short fixed name, e.g. `littles-law`.
    pub kind: String,
    pub message: String,
    pub value: f64,
    pub limit: f64,
}

/// What a script wrote to its standard output, or its state to standard error: whole lines, unless it ended within one.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct ScriptOutput {
    pub text: String,
    /// Whether it was written to standard error.
    pub error: bool,
}

/// The parts of the threads of a script, since the last checkpoint or the start of the measured window.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct ScriptThreads {
    /// Whether this is a checkpoint of the script's options, not the end of the load.
    pub checkpoint: bool,
    pub end_ns: u64,
    /// Events of each thread.
    pub events: Connections,
    /// Nanoseconds that each thread's events took.
    pub busy_ns: Connections,
}

/// The hooks of a script that take the place of reports.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct ScriptHooks {
    /// The script reports intervals itself.
    pub intermediate: bool,
    /// The script reports the totals itself.
    pub cumulative: bool,
}
