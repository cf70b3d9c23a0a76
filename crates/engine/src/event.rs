//! What the engine says: one JSON object a line on standard output. Times are nanoseconds since the engine's
//! epoch, which `hello` places on the wall clock and on CLOCK_MONOTONIC.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::job::LoadAs;
use crate::storage::{IoBytes, StorageResult, Verified};

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "event", rename_all = "lowercase")]
pub enum Event {
    Hello(Hello),
    Phase(PhaseStart),
    Progress(Progress),
    Interval(Box<Interval>),
    Error(ErrorEvent),
    Doubt(Doubt),
    Result(Box<RunResult>),
    Check(CheckOutcome),
    Verified(Box<Verified>),
    /// The outcome of prepare, check and cleanup.
    Done(Done),
}

/// First line: who measures, and where its epoch lies.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Hello {
    /// Version of the event format; 1.
    pub format: u32,
    pub version: String,
    /// `release` or `debug`; a debug engine is not fit for measurements.
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

/// How far a long step is.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Progress {
    pub phase: Phase,
    pub done: u64,
    pub total: u64,
    /// `rows`, `indexes`, `connections`, `tables`, `checks`.
    pub unit: String,
    pub elapsed_s: f64,
}

/// Counters of a stretch of time; every one is a count of things that ended in it.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct Counts {
    /// Transactions that succeeded (sysbench: events).
    pub transactions: u64,
    /// Statements that succeeded: reads + writes + other.
    pub queries: u64,
    /// Statements with a result set.
    pub reads: u64,
    /// Statements that changed rows.
    pub writes: u64,
    /// The others: BEGIN, COMMIT, an UPDATE that hit nothing.
    pub other: u64,
    /// Failed statements by server error code; 0 is a lost connection.
    pub errors: BTreeMap<u16, u64>,
    /// Tries of transactions after the first.
    pub retries: u64,
    /// Transactions given up after an error.
    pub failed: u64,
    pub reconnects: u64,
    /// Tries of transactions given up because no answer came in time. They are in no other counter of errors.
    #[serde(default)]
    pub timeouts: u64,
    /// Open loop: arrivals that were never sent, the sum of `drops`.
    pub dropped: u64,
    /// What the workload counts itself, by name; a transaction's part is added when it succeeds.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub counters: BTreeMap<String, u64>,
    /// By cause: `queue-full`, and `unserved-at-end` for those still queued when the drain ended.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub drops: BTreeMap<String, u64>,
}

/// Open loop: how well the schedule was kept. Arrivals belong to the stretch in which their instant lies.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Pacing {
    /// Arrivals of the schedule in this stretch, dropped ones included: over its length, the rate that was achieved.
    pub arrivals: u64,
    /// Operations started in this stretch for which a connection was free at their instant.
    pub prompt: u64,
    /// How late those started (HDR histogram as in `labels`): the pacer's own part of the wait.
    pub lateness: String,
}

/// What the histograms of a result measure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Latency {
    /// Closed loop: from the start of an operation. What a user would have waited for its start is not in it.
    Service,
    /// Open loop, terminals that share connections: from the instant at which the operation was wanted.
    Response,
}

/// The times of one label: counts and HDR histograms (V2 + DEFLATE, base64; nanoseconds; 3 significant digits).
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct LabelTimes {
    /// How many ended in the stretch. In an open loop's `result` the histograms have those that were scheduled in the window,
    /// whenever they ended, and their counts are others.
    pub count: u64,
    /// ended − started
    pub service: String,
    /// started − scheduled. Absent where there is no schedule: the wait is zero by definition. Of terminals that share
    /// connections it is the time until one is free.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wait: Option<String>,
    /// ended − scheduled. Absent where there is no schedule: equal to service.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub response: Option<String>,
}

/// One kind of transactions of the workload, where it has several.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct Kind {
    /// Absent when none succeeded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub times: Option<LabelTimes>,
    /// Of those that ended in the measured window, the ones that were also wanted in it.
    pub inside: u64,
    /// Tries after the first; the time of all tries is in the transaction's.
    pub retries: u64,
    /// Given up after an error.
    pub failed: u64,
    /// Tries given up because no answer came in time; they are not in `errors`.
    #[serde(default)]
    pub timeouts: u64,
    /// Time of tries that failed, their rollbacks and reconnects included, in transactions that succeeded in the end:
    /// what is left of `service` is that of the tries that succeeded.
    #[serde(default)]
    pub retry_ns: u64,
    /// Time of transactions that were given up, from their start.
    #[serde(default)]
    pub failed_ns: u64,
    /// Think times after transactions of this kind that ended in the stretch (a histogram as in `times`), where terminals
    /// think.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub think: Option<String>,
    /// Failed tries by server error code; 0 is a lost connection.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub errors: BTreeMap<u16, u64>,
}

/// What the engine itself used in a stretch of time.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct EngineUse {
    pub user_us: u64,
    pub system_us: u64,
    /// Resident set at the end of the stretch; in `result` its peak.
    pub rss_bytes: u64,
    pub voluntary_switches: u64,
    pub involuntary_switches: u64,
}

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
    /// What to do about it.
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
    /// A short fixed name, e.g. `littles-law`.
    pub kind: String,
    pub message: String,
    pub value: f64,
    pub limit: f64,
}

/// Work that was left for later (TPC-C: queued Deliveries). Its times are those of its kind, from the queue on.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct Deferred {
    pub queued: u64,
    pub completed: u64,
    /// Given up after an error.
    pub failed: u64,
    /// Not completed when the drain ended.
    pub unfinished: u64,
    /// The most that waited at once: the sum over event loops, each at its worst.
    pub longest_queue: u64,
}

/// Operations per connection: is everybody served?
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct Connections {
    pub count: u64,
    pub min: u64,
    pub mean: f64,
    pub max: u64,
}

/// The measured window as a whole.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct RunResult {
    pub start_ns: u64,
    pub end_ns: u64,
    pub elapsed_s: f64,
    #[serde(flatten)]
    pub counts: Counts,
    pub labels: BTreeMap<String, LabelTimes>,
    /// By kind of transaction, where the workload has kinds.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub kinds: BTreeMap<String, Kind>,
    /// What is worth knowing about the workload: what it found in the tables, what it drew.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub facts: BTreeMap<String, String>,
    pub connections: Connections,
    /// The same by terminal, where terminals share connections.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub terminals: Option<Connections>,
    /// Work that transactions left for later, where the workload does that: from the start of the load to its end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deferred: Option<Deferred>,
    /// In the measured window.
    pub engine: EngineUse,
    /// Over the whole process, set-up included.
    pub engine_total: EngineUse,
    /// Transactions of the warm-up, kept apart.
    pub warmup: Counts,
    pub warmup_s: f64,
    /// What was in flight when the window closed: finished in the drain, and given up.
    pub drained: u64,
    pub abandoned: u64,
    /// Transactions in flight, averaged over the window: their time inside it, by its length.
    #[serde(default)]
    pub mean_in_flight: f64,
    /// What times mean here: `response` where there is a schedule, else `service`.
    pub latency: Latency,
    /// Open loop only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pacing: Option<Pacing>,
    /// Open loop: arrivals of the warm-up that were still queued when the window began. They are served first, as
    /// users of an overloaded server see it.
    #[serde(default)]
    pub carried_over: u64,
    /// Closed loop with think time: its mean per transaction, as it was spent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mean_think_ms: Option<f64>,
    /// Statements sent on all connections from the start of the load to the last one's end: warm-up, drain, ROLLBACKs
    /// and failed ones included.
    #[serde(default)]
    pub sent_statements: u64,
    /// How far the server's own `Questions` moved meanwhile; absent when it did not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub server_questions: Option<u64>,
    /// Largest time by which an event loop was late for its own next turn, in the window.
    #[serde(default)]
    pub longest_stall_ns: u64,
    /// False when a signal or an error ended the window early.
    pub complete: bool,
    /// Storage jobs: bytes moved, and what else there is to say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub io_bytes: Option<IoBytes>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub storage: Option<Box<StorageResult>>,
}

/// One condition of the tables, tried by `check`.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct CheckOutcome {
    /// Short and fixed, e.g. `consistency-3`.
    pub name: String,
    /// What must hold.
    pub title: String,
    /// Places that break it; counting stops at 1000 for each part of the tables.
    pub violations: u64,
    /// The first few: column = value.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub places: Vec<String>,
    pub elapsed_s: f64,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Done {
    pub action: String,
    pub elapsed_s: f64,
    pub rows: u64,
    /// Cleanup: those that were there.
    pub tables: u64,
    /// Prepare and check: the rows of each table that a workload loads; empty where a resumed prepare found them whole and
    /// looked at none.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub rows_by_table: BTreeMap<String, u64>,
    /// Prepare: what the rows travelled in; absent when none did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub loaded_as: Option<LoadAs>,
    /// Prepare: statements that carried them.
    #[serde(default)]
    pub load_statements: u64,
    pub engine: EngineUse,
}
