//! The ledgers of a run: one for each verified worker.

use std::sync::Arc;

use assay_storage::{Flusher, Layout, Ledger, Made, Origin, Verify, new_run};

use crate::process::failure::Fatal;
use crate::say::doubts::doubt;
use crate::say::emit::emit;
use crate::storage::{DiskJob, Place};
use assay_format::event::Event;

/// Opens the ledger of each worker; one is in memory alone where the job names no file.
pub(super) fn open(
    job: &DiskJob,
    layouts: &[Layout],
    places: &[Place],
    made: &mut Made,
) -> Result<Vec<Option<Arc<Ledger>>>, Fatal> {
    let one = |place: &Place| {
        let job_of = &job.storage[place.job];
        if job_of.verify == Verify::Off {
            return Ok(None);
        }
        let key = (job.seed, place.job as u64, place.clone);
        let origin = Origin::new(job_of, layouts[place.job].space, new_run(), key);
        let ledger = Ledger::new(origin, job_of.depth, job_of.ledger.as_deref())
            .map_err(|error| Fatal::storage(&error))?;
        // The ledger's file is removed with the files that it speaks of.
        made.paths.extend(job_of.ledger.clone());
        if ledger.beside(&job_of.files) {
            let message = format!(
                "{}: the ledger is on the same file system as the files: it survives a kill of the process, but \
                a power cut may damage both",
                job_of.name
            );
            emit(&Event::Doubt(doubt("ledger-beside-files", message, 1.0, 0.0)));
        }
        Ok(Some(Arc::new(ledger)))
    };
    places.iter().map(one).collect()
}

/// Starts the thread that flushes ledgers with a file to disk; `None` where no ledger has a file.
pub(super) fn flusher(ledgers: &[Option<Arc<Ledger>>]) -> Result<Option<Flusher>, Fatal> {
    let kept: Vec<_> = ledgers.iter().flatten().filter(|ledger| ledger.kept()).cloned().collect();
    if kept.is_empty() {
        return Ok(None);
    }
    let started = Flusher::start(kept);
    started.map(Some).map_err(|error| Fatal::host(format!("cannot start the ledger's thread: {error}")))
}
