//! Tallies of a stretch of time: counters, histograms, how a schedule was kept.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::event::IoBytes;

/// What was tallied in a stretch of time: in an interval, or in the measured window.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct Tallied {
    #[serde(flatten)]
    pub counts: Counts,
    /// By label; `transaction` is the whole unit, the others its statements.
    pub labels: BTreeMap<String, LabelTimes>,
    /// By kind of transaction, where the workload has kinds.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub kinds: BTreeMap<String, KindTally>,
    /// Pacing: how well the schedule was kept. Open loop only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pacing: Option<Pacing>,
    /// Lateness of reading answers. Loads on servers only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reading: Option<Reading>,
    /// Storage jobs: bytes moved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub io_bytes: Option<IoBytes>,
}

/// Counters of a stretch of time; every one is a count of things that ended in it.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Counts {
    /// Transactions that succeeded (sysbench: events).
    pub transactions: u64,
    /// Statements that succeeded: reads + writes + other.
    pub queries: u64,
    /// Statements with a result set.
    pub reads: u64,
    /// Statements that changed rows.
    pub writes: u64,
    /// Statements that are neither: BEGIN, COMMIT, an UPDATE that hit nothing.
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
    /// By cause: `queue-full`, `unserved-at-end` for those still queued when the drain ended, and `generator-lost` for those
    /// of a generator that was lost.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub drops: BTreeMap<String, u64>,
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
    /// Operations among them that never ended, of whole transactions in a `result`; absent where none is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unended: Option<UnendedTimes>,
}

/// Operations that were in flight, or still waited for a connection, when the drain ended. The histograms of their label
/// have the times that they had taken by then, which are lower bounds; these here have the bounds alone.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct UnendedTimes {
    pub count: u64,
    /// end − started, of those that had started; absent where none had.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub service: Option<String>,
    /// end − scheduled, of those that had not started; absent where all had.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wait: Option<String>,
    /// end − scheduled
    pub response: String,
}

/// One kind of transactions of the workload, where it has several.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct KindTally {
    /// Times of the kind; absent when none of its transactions succeeded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub times: Option<LabelTimes>,
    /// Transactions of this kind that ended in the measured window and were wanted in it.
    pub inside: u64,
    /// Tries after the first; the time of all tries is in the transaction's.
    pub retries: u64,
    /// Transactions given up after an error.
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

/// How late answers were read: their time between epoll's return and the turn of their connection, behind others of
/// their batch. That wait is the generator's own, and part of the service times.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Reading {
    /// Answers of statements that succeeded.
    pub answers: u64,
    /// HDR histogram as in `labels`.
    pub lateness: String,
}

/// The time that the histograms of a result measure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Latency {
    /// Closed loop: from the start of an operation. What a user would have waited for its start is not in it.
    Service,
    /// Open loop, terminals that share connections: from the instant at which the operation was wanted.
    Response,
}

/// Work that was left for later (TPC-C: queued Deliveries). Its times are those of its kind, from the queue on.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct Deferred {
    pub queued: u64,
    pub completed: u64,
    /// Work given up after an error.
    pub failed: u64,
    /// Work that was not completed when the drain ended.
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
    /// The standard deviation, over all of them; absent where the engine is too old to say.
    #[serde(default)]
    pub stdev: Option<f64>,
}
