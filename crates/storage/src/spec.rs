//! What one storage job is: the part of a job file that says which files, which bytes, by which calls.

use std::path::PathBuf;

use assay_pace::Arrivals;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A job: one kind of work on a set of files, carried out by `clones` workers, each a thread with `depth` operations in flight.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StorageJob {
    pub name: String,
    /// The number of workers, which share the files and draw different random numbers.
    #[serde(default = "one")]
    pub clones: u32,
    /// The number of a group: jobs of one group are reported together; without it every worker is reported alone.
    #[serde(default)]
    pub group: Option<u32>,
    /// Files of one size, or one block device.
    pub files: Vec<PathBuf>,
    /// Bytes of each file; 0 takes the size it has.
    #[serde(default)]
    pub file_bytes: u64,
    /// The first byte of each file that is touched.
    #[serde(default)]
    pub offset: u64,
    /// Whether the whole file has data before the load even where nothing is read. Of a file that was there what is missing (its
    /// holes, its end) is written, which is refused without this; a device is used whatever lies on it.
    #[serde(default)]
    pub fill: bool,
    /// Whether files that are not there are made; without it they must be there.
    #[serde(default = "yes")]
    pub create: bool,
    /// Whether files that are there are removed first and made anew: their creation is what is measured.
    #[serde(default)]
    pub anew: bool,
    /// Whether files that are only written get their room beforehand; without it they grow as they are written.
    #[serde(default = "yes")]
    pub reserve: bool,
    /// Whether files that this run made are removed when it ends.
    #[serde(default)]
    pub remove: bool,
    pub access: Access,
    pub io: Io,
    /// Operations in flight of each worker; engines that wait for each operation have one.
    #[serde(default = "one")]
    pub depth: u32,
    #[serde(default)]
    pub batch: Batch,
    /// Syncs among the writes: written data is made durable after every so many of them.
    #[serde(default)]
    pub sync: Option<SyncEach>,
    /// Whether written data is made durable once more when the worker ends.
    #[serde(default)]
    pub end_sync: bool,
    /// The arrivals of each worker's operations; absent: an operation is wanted as soon as the one before it has ended.
    #[serde(default)]
    pub arrivals: Option<Arrivals>,
    #[serde(default)]
    pub think: Option<Think>,
    /// Bytes after which a worker ends; 0: as many as the files hold. See `repeat`.
    #[serde(default)]
    pub limit_bytes: u64,
    /// Operations after which a worker ends; 0: no limit.
    #[serde(default)]
    pub limit_operations: u64,
    /// Milliseconds from the beginning of the measured window after which a worker ends; 0: with the window.
    #[serde(default)]
    pub limit_ms: u64,
    /// Whether a worker starts again after `limit_bytes` until time is over.
    #[serde(default)]
    pub repeat: bool,
    #[serde(default)]
    pub verify: Verify,
    /// Where a verified job notes which of its writes were acknowledged and which were durable, so that a later job can
    /// tell what was lost. On another disk it outlives what happens to this one.
    #[serde(default)]
    pub ledger: Option<PathBuf>,
    /// Whether the files' pages are dropped from memory before the load.
    #[serde(default = "yes")]
    pub invalidate: bool,
}

impl StorageJob {
    /// Operations that each worker has room for.
    pub fn slots(&self) -> u32 {
        if self.io.kind.queued() { self.depth } else { 1 }
    }
}

fn one() -> u32 {
    1
}
fn yes() -> bool {
    true
}

/// The bytes that are touched, and how.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Access {
    pub order: Order,
    /// Share of reads among the operations: 1 reads only, 0 writes only.
    pub read_share: f64,
    #[serde(default)]
    pub distribution: Distribution,
    pub read_blocks: Blocks,
    pub write_blocks: Blocks,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Order {
    /// File after file, from the first byte to the last.
    Sequential,
    /// From the first byte to the last of all files, in turn: one operation each.
    SequentialInTurn,
    /// One walk of all workers together: each takes every `clones`-th block. Blocks of one size only.
    SequentialShared,
    Random,
}

/// The distribution of the offsets of random access.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Distribution {
    /// Every block once in random order before any comes again. Blocks of one size only; else as `uniform`.
    #[default]
    Once,
    /// Every block is as likely each time.
    Uniform,
    /// Block of rank k with weight 1/k^theta; ranks lie scattered over the files.
    Zipf { theta: f64 },
    /// Stretches of the space, from its beginning, each with its share of the operations.
    Zones { zones: Vec<Zone> },
}

/// A share of the operations on a share of the space; a hot spot is two of them.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Zone {
    pub operations: f64,
    pub space: f64,
}

/// Sizes of operations, in bytes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Blocks {
    One(u32),
    /// Sizes with weights.
    Split(Vec<Share>),
    /// Any multiple of `from` up to `to`, equally likely.
    Range(Range),
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Share {
    pub bytes: u32,
    pub weight: f64,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Range {
    pub from: u32,
    pub to: u32,
}

/// The I/O engine: by which system calls, and past which caches.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Io {
    pub kind: IoKind,
    /// O_DIRECT: past the page cache.
    #[serde(default)]
    pub direct: bool,
    /// O_SYNC or O_DSYNC.
    #[serde(default)]
    pub open_sync: SyncOpen,
    /// io_uring: buffers that the kernel knows beforehand.
    #[serde(default)]
    pub fixed_buffers: bool,
    /// io_uring: files that the kernel knows beforehand.
    #[serde(default)]
    pub registered_files: bool,
    /// io_uring: completions are polled for, where the device has queues for it.
    #[serde(default)]
    pub polled: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum IoKind {
    /// pread and pwrite: one operation at a time for each worker.
    Psync,
    /// The calls io_submit and io_getevents.
    Libaio,
    IoUring,
    /// Copies from and to a mapping of the file.
    Mmap,
    /// No I/O at all: every operation ends at once. What is left is the generator itself.
    Null,
}

impl IoKind {
    /// Whether a worker can have more than one operation in flight.
    pub fn queued(self) -> bool {
        matches!(self, Self::Libaio | Self::IoUring | Self::Null)
    }
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SyncOpen {
    #[default]
    None,
    Dsync,
    Sync,
}

/// How operations are handed over and collected. 0 lets the worker choose: whatever is free goes in one call, what has
/// ended is collected as soon as there is any, at most an eighth of the depth at once.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Batch {
    /// Operations in one submission.
    #[serde(default)]
    pub submit: u32,
    /// Completions to wait for, and to take at most.
    #[serde(default)]
    pub complete_min: u32,
    #[serde(default)]
    pub complete_max: u32,
    /// A full queue is only filled again when it has fallen to this depth.
    #[serde(default)]
    pub low: u32,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SyncEach {
    /// Writes between two syncs.
    pub writes: u32,
    #[serde(default)]
    pub kind: SyncKind,
    /// Whether every file is synced, not only those written to since.
    #[serde(default)]
    pub all_files: bool,
    /// Whether reads count as well, once anything was written.
    #[serde(default)]
    pub count_reads: bool,
    /// Whether each sync of a file is one of the operations of `limit_operations`. What is due when they are done is left to the
    /// end.
    #[serde(default)]
    pub in_limit: bool,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SyncKind {
    #[default]
    Fsync,
    Fdatasync,
}

/// A pause after every so many operations, when they have ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Pause")]
pub struct Think {
    pub us: u64,
    #[serde(default = "one")]
    pub operations: u32,
}

/// The check of written blocks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Verify {
    #[default]
    Off,
    /// Blocks carry their place, a sequence number and a checksum; all are read back when the load has ended.
    After,
    /// Blocks carry their place, a sequence number and a checksum; reading them back is left to a later job.
    Stamp,
    /// No load: blocks of an earlier run are read back, as after a kill, and held against its ledger where there is one.
    Only,
}
