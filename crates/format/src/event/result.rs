//! The result of a measured window.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::event::{
    Connections, Counts, Deferred, EngineUse, GeneratorResult, Latency, MachineResult, StorageResult, Tallied,
};

/// The measured window as a whole.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct RunResult {
    #[serde(flatten)]
    pub window: WindowResult,
    #[serde(flatten)]
    pub tallied: Tallied,
    /// Empty where the load was on no server.
    #[serde(flatten)]
    pub server: ServerResult,
    /// Storage jobs: what else there is to say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub storage: Option<Box<StorageResult>>,
    /// Loads on the machine itself: what else there is to say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub machine: Option<Box<MachineResult>>,
    /// The generators of a load that several carried out, where the lab merged their results.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub generators: Vec<GeneratorResult>,
}

/// The part of a result that every load has: its measured window.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct WindowResult {
    pub start_ns: u64,
    pub end_ns: u64,
    pub elapsed_s: f64,
    pub connections: Connections,
    /// The engine's use of the machine in the measured window.
    pub engine: EngineUse,
    /// The engine's use of the machine over the whole process, set-up included.
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
    /// False when a signal or an error ended the window early.
    pub complete: bool,
}

/// The part of a result that only a load on a server has.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct ServerResult {
    /// What is worth knowing about the workload: what it found in the tables, what it drew.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub facts: BTreeMap<String, String>,
    /// The session of the load's connections as the server has shown it before the load: `autocommit`, `sql_mode`,
    /// `transaction_isolation` and what else decides what statements mean. Empty where it was not read.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub session: BTreeMap<String, String>,
    /// The server's version, as its variable of that name says it; absent where it was not read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub server_version: Option<String>,
    /// Transactions by terminal, where terminals share connections.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub terminals: Option<Connections>,
    /// Work that transactions left for later, where the workload does that: from the start of the load to its end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deferred: Option<Deferred>,
    #[serde(flatten)]
    pub loops: LoopTotals,
    /// Closed loop with think time: its mean per transaction, as it was spent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mean_think_ms: Option<f64>,
    /// How far the server's own `Questions` moved from the start of the load to its end; absent when it did not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub server_questions: Option<u64>,
}

/// Totals that each event loop counts from the start of the load to its end; [`merge`](Self::merge) makes those of all
/// of them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LoopTotals {
    /// Open loop: arrivals of the warm-up that were still queued when the window began. They are served first, as
    /// users of an overloaded server see it.
    #[serde(default)]
    pub carried_over: u64,
    /// Statements sent on all connections from the start of the load to the last one's end: warm-up, drain, ROLLBACKs
    /// and failed ones included.
    #[serde(default)]
    pub sent_statements: u64,
    /// Largest time by which an event loop was late for its own next turn, in the window.
    #[serde(default)]
    pub longest_stall_ns: u64,
    /// Operations that ended inside an open transaction, warm-up and drain included.
    #[serde(default)]
    pub ended_open: u64,
    /// Operations of `ended_open` that no commit has followed on their connection: they were counted, and the server has not kept them.
    #[serde(default)]
    pub uncommitted: u64,
    /// Connections that were closed inside a transaction that held something.
    #[serde(default)]
    pub left_open: u64,
    /// INSERTs and REPLACEs of a script that stored no row: duplicate keys under IGNORE, for one.
    #[serde(default)]
    pub unstored: u64,
    /// Statements that the server could not prepare and that went as text, counted on each connection; transaction control is
    /// not among them.
    #[serde(default)]
    pub unprepared: u64,
}

impl LoopTotals {
    pub fn merge(&mut self, other: &Self) {
        self.carried_over += other.carried_over;
        self.sent_statements += other.sent_statements;
        self.longest_stall_ns = self.longest_stall_ns.max(other.longest_stall_ns);
        self.ended_open += other.ended_open;
        self.uncommitted += other.uncommitted;
        self.left_open += other.left_open;
        self.unstored += other.unstored;
        self.unprepared += other.unprepared;
    }
}
