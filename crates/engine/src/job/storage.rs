//! Checks of a job for files and disks.

use std::collections::BTreeSet;

use assay_format::job::{DiskAction, DiskJob};
use assay_storage::{Verify, check as check_one};

/// Checks a job for files and disks as a whole.
///
/// # Errors
/// A number out of range, or two settings that exclude each other; the message names them.
pub(super) fn check(whole: &DiskJob) -> Result<(), String> {
    if whole.version != 1 {
        return Err(format!("version: this engine reads version 1, the job has {}", whole.version));
    }
    if whole.storage.is_empty() {
        return Err("storage: needs at least one job".into());
    }
    if whole.phases.interval_ms == 0 {
        return Err("phases.interval_ms: must be at least 1 ms".into());
    }
    if whole.phases.max_transactions > 0 {
        return Err("phases.max_transactions: the jobs of `storage` have limits of their own".into());
    }
    for job in &whole.storage {
        check_one(job).map_err(|error| error.to_string())?;
        let endless = job.repeat && job.limit_operations == 0 && job.limit_ms == 0;
        if endless && whole.phases.measure_ms == 0 && whole.action == DiskAction::Storage {
            return Err(format!("job {}: repeats without end: give phases.measure_ms", job.name));
        }
    }
    let mut ledgers = BTreeSet::new();
    for (job, ledger) in whole.storage.iter().filter_map(|job| Some((job, job.ledger.as_ref()?))) {
        let a_file = whole.storage.iter().any(|one| one.files.contains(ledger));
        if !ledgers.insert(ledger) || a_file || job.clones > 1 {
            return Err(format!(
                "job {}: each worker must have its own ledger, but {} is shared",
                job.name,
                ledger.display()
            ));
        }
    }
    let only = whole.storage.iter().filter(|job| job.verify == Verify::Only).count();
    if only > 0 && only < whole.storage.len() {
        return Err("storage: verify: only cannot be combined with a load".into());
    }
    Ok(())
}
