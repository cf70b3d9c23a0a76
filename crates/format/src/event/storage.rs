//! What a result says about disks, beside what it says about every load.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Bytes moved in a stretch of time.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct IoBytes {
    pub read: u64,
    pub written: u64,
}

/// The disks' part of a result, over the measured window.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct StorageResult {
    /// By group, or by worker where a job has none, in their order.
    pub jobs: Vec<JobResult>,
    /// The block devices beneath the files.
    pub disks: Vec<DiskUse>,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct JobResult {
    /// Name of the first job in the group.
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<u32>,
    pub workers: u32,
    /// From the beginning of the window to the last worker's end.
    pub elapsed_s: f64,
    /// Operations in flight: asked for, of all workers together, and the mean over the window.
    pub depth: u64,
    pub mean_depth: f64,
    pub read: Direction,
    pub write: Direction,
    /// fsync and fdatasync: how many, and an HDR histogram of their times.
    pub syncs: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sync: Option<String>,
    /// Syncs of files when the load was over, which are not among those.
    #[serde(default)]
    pub end_syncs: u64,
    /// Operations by the depth at which they were handed over (1, 2-3, 4-7 … 64 and more).
    pub depths: [u64; 7],
    /// Calls by the operations that they handed over, or collected: 0, up to 4, 8, 16, 32, 64, more.
    pub submit_sizes: [u64; 7],
    pub collect_sizes: [u64; 7],
    /// Processor use of the workers' threads in the window.
    pub cpu: ThreadUse,
    /// Reads and writes of each worker.
    pub worker_operations: Vec<u64>,
    /// Length of an interval of the series.
    pub interval_ms: u64,
}

/// Reads, or writes.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct Direction {
    pub operations: u64,
    pub bytes: u64,
    /// Operations that moved fewer bytes than asked.
    pub short: u64,
    /// HDR histograms: of the whole operation, of handing it over, of the rest. The last two are absent where one
    /// call does everything.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub total: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub submit: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub completion: Option<String>,
    /// By whole interval of the window: bytes and operations.
    pub series_bytes: Vec<u64>,
    pub series_operations: Vec<u64>,
    /// Bytes by whole interval of each worker alone; absent where none moved any in one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub worker_bytes: Option<Spread>,
}

/// The spread of a number of values.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Spread {
    pub samples: u64,
    pub min: f64,
    pub max: f64,
    pub mean: f64,
    pub stdev: f64,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ThreadUse {
    pub user_us: u64,
    pub system_us: u64,
    pub switches: u64,
    pub major_faults: u64,
    pub minor_faults: u64,
}

/// How far the counters of a block device moved in the window; times in milliseconds.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct DiskUse {
    pub name: String,
    pub read: DiskSide,
    pub write: DiskSide,
    /// Time with anything in flight, and the sum of the times of all requests.
    pub busy_ms: u64,
    pub queue_ms: u64,
    /// Share of the window in which anything was in flight.
    pub utilisation: f64,
}

#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize, JsonSchema)]
pub struct DiskSide {
    pub operations: u64,
    pub merges: u64,
    pub bytes: u64,
    pub ms: u64,
}

/// Blocks of one worker that were read back, each counted once.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct Verified {
    pub name: String,
    pub blocks: u64,
    /// Blocks as new as was promised, or newer.
    pub whole: u64,
    /// Blocks that were never written.
    pub blank: u64,
    /// Not written by this load: what was there before.
    pub stale: u64,
    /// Parts of several writes, none older than what was durable.
    pub torn: u64,
    /// Older than the last write that was acknowledged; nothing had made that one durable.
    pub lost: u64,
    /// Older than a write that was durable: an fsync after it was acknowledged, or the load ended by itself.
    pub lost_durable: u64,
    /// Blocks of another place.
    pub misplaced: u64,
    /// Blocks that hold nothing that was ever written.
    pub damaged: u64,
    /// Blocks of the above that neither a kill nor a power cut excuses.
    pub bad: u64,
    /// The promises of the ledger; absent where there was none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub promised: Option<Promised>,
    /// The first few blocks that are not as they should be, bad ones before others.
    pub described: Vec<Flawed>,
}

/// Writes of a load, by number.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize, JsonSchema)]
pub struct Promised {
    pub begun: u64,
    pub acknowledged: u64,
    /// Acknowledged, and an fsync after them as well.
    pub durable: u64,
    /// The machine has not been started anew since.
    pub same_boot: bool,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct Flawed {
    /// `lost-durable`, `lost`, `torn`, `misplaced`, `damaged`.
    pub flaw: String,
    pub file: String,
    pub offset: u64,
    /// What the block holds, and what it should hold.
    pub what: String,
}
