//! A job for disks: what `action: "storage"` reads.

use std::collections::BTreeSet;

use assay_storage::{StorageJob, Verify, check};
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

impl DiskJob {
    /// # Errors
    /// A number out of range, or two settings that exclude each other; the message names them.
    pub fn validate(&self) -> Result<(), String> {
        if self.version != 1 {
            return Err(format!("version: this engine reads version 1, the job has {}", self.version));
        }
        if self.storage.is_empty() {
            return Err("storage: at least one job is needed".into());
        }
        if self.phases.interval_ms == 0 {
            return Err("phases.interval_ms: an interval has at least 1 ms".into());
        }
        if self.phases.max_transactions > 0 {
            return Err("phases.max_transactions: the jobs of `storage` have limits of their own".into());
        }
        for job in &self.storage {
            check(job).map_err(|error| error.to_string())?;
            let endless = job.repeat && job.limit_operations == 0 && job.limit_ms == 0;
            if endless && self.phases.measure_ms == 0 && self.action == DiskAction::Storage {
                return Err(format!("job {}: repeats for ever: give phases.measure_ms", job.name));
            }
        }
        let mut ledgers = BTreeSet::new();
        for (job, ledger) in self.storage.iter().filter_map(|job| Some((job, job.ledger.as_ref()?))) {
            let a_file = self.storage.iter().any(|one| one.files.contains(ledger));
            if !ledgers.insert(ledger) || a_file || job.clones > 1 {
                return Err(format!(
                    "job {}: {} is not the ledger of one worker alone",
                    job.name,
                    ledger.display()
                ));
            }
        }
        let only = self.storage.iter().filter(|job| job.verify == Verify::Only).count();
        if only > 0 && only < self.storage.len() {
            return Err("storage: reading back alone (verify: only) goes with no load beside it".into());
        }
        Ok(())
    }
}
