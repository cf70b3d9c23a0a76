//! A job for disks: what `action: "storage"` reads.

use assay_storage::StorageJob;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::job::Phases;

/// One measurement of files or block devices. All of its jobs run at the same time, in the same phases.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DiskJob {
    /// Version of this format; 1.
    pub version: u32,
    pub action: DiskAction,
    /// Seed of offsets, sizes and contents: same seed, same operations.
    #[serde(default)]
    pub seed: u64,
    pub storage: Vec<StorageJob>,
    /// `measure_ms` 0 leaves the end to the limits of the jobs.
    #[serde(default)]
    pub phases: Phases,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum DiskAction {
    /// Lay out the files, drive the load, measure.
    Storage,
    /// Lay out the files and do nothing else.
    Layout,
}
