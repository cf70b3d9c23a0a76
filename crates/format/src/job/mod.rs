//! What the engine is told: one workload, one target, one load shape, phases. Read once, from JSON.

mod dump;
mod errors;
mod load;
mod machine;
mod part;
mod storage;
mod target;

use std::collections::BTreeMap;
use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use self::dump::{ColumnOfRows, Dump, DumpFile, RowsOfTable};
pub use self::errors::{ErrorPolicy, OnError, Reaction};
pub use self::load::{Load, Phases, Think, Warmup};
pub use self::machine::{MachineAction, MachineJob};
pub use self::part::{FleetPart, PrepareStep};
pub use self::storage::{DiskAction, DiskJob};
pub use self::target::{PsMode, Target, Tls, TlsMode};

/// What a job file holds: work on a server, on disks, or on the machine itself. The action says which.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum AnyJob {
    Server(Box<Job>),
    Disks(DiskJob),
    Machine(MachineJob),
}

/// One job: everything the engine needs for one measurement or one piece of data work.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Job {
    /// Version of this format; 1.
    pub version: u32,
    pub action: Action,
    /// Seed of the operation stream and of the data: same seed, same operations, same rows.
    #[serde(default)]
    pub seed: u64,
    pub target: Target,
    pub workload: WorkloadChoice,
    #[serde(default)]
    pub load: Load,
    #[serde(default)]
    pub phases: Phases,
    #[serde(default)]
    pub errors: ErrorPolicy,
    #[serde(default)]
    pub engine: EngineOptions,
    /// Files from which `prepare` makes the tables, whatever the workload.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dump: Option<Dump>,
}

/// The action: what to do with the workload.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Action {
    /// Create and fill the tables.
    Prepare,
    /// Say whether the tables are there and whole.
    Check,
    /// Drive the load and measure.
    Run,
    /// Drop the tables.
    Cleanup,
    /// Carry out a command of a script: `workload.script.command`.
    Command,
}

/// A workload and its options, by their sysbench names with underscores.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WorkloadChoice {
    /// The name of a shipped workload; or `lua:` and the path of a script for sysbench, or the name of one that comes with
    /// the engine.
    pub name: String,
    #[serde(default)]
    pub options: serde_json::Map<String, serde_json::Value>,
    /// What only a script has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub script: Option<ScriptChoice>,
}

/// What a job says of a script beside its options.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ScriptChoice {
    /// The command that action `command` carries out.
    #[serde(default)]
    pub command: Option<String>,
    /// The script itself, where it is in no file; the name of the workload is then only its name.
    #[serde(default)]
    pub source: Option<String>,
    /// Texts of the files that `source` loads with require, dofile or loadfile, by their paths from where the script's own
    /// name begins. Where they are given, a script finds no others beside it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub files: Option<BTreeMap<String, String>>,
    /// File with the samples that a file of statements draws from (`sql:`): the same values on every server that has these
    /// data. Where it is not there, or lacks some, they are taken from the server and kept in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub samples: Option<PathBuf>,
    /// The command line that the script sees, the program first.
    #[serde(default)]
    pub argv: Vec<String>,
    /// Servers beside the target: the connections of a script take turns, the target first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub servers: Vec<Target>,
    /// Bytes that the Lua state of one thread may use; 0: 1 GiB.
    #[serde(default)]
    pub memory_bytes: u64,
}

/// Options of the engine itself.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EngineOptions {
    /// Event-loop threads; 0 lets the engine choose.
    #[serde(default)]
    pub threads: u32,
    /// Connections that load data in `prepare`; 0 lets the engine choose.
    #[serde(default)]
    pub loaders: u32,
    /// `prepare` goes on with a load that was broken off: chunks that are there are kept.
    #[serde(default)]
    pub resume: bool,
    /// `prepare` makes the secondary indexes on the empty tables, not after the rows.
    #[serde(default)]
    pub index_first: bool,
    /// The form in which the rows of `prepare` travel.
    #[serde(default)]
    pub load_as: LoadAs,
    /// File of acknowledged commits, of workloads that keep such a ledger: `run` writes it anew, `check` looks for what it
    /// says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ledger: Option<PathBuf>,
    /// Rows of one statement of `prepare`; 0: as many as make it cheap. Only the last one of a chunk has fewer.
    #[serde(default)]
    pub rows_per_statement: u32,
    /// The step of `prepare` to carry out; absent: all of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prepare_step: Option<PrepareStep>,
}

/// The form in which rows travel into a table.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LoadAs {
    /// The quickest that the server takes.
    #[default]
    Auto,
    /// `LOAD DATA LOCAL INFILE`, from memory; the server's `local_infile` must be on.
    File,
    /// A prepared INSERT for many rows at once (MariaDB 10.2 and later).
    Bulk,
    /// `INSERT … VALUES` of many rows, as text.
    Insert,
}
