//! One worker: keeps its operations in flight, at their instants, until it is over.

mod drive;
mod operation_schedule;
mod plan;
mod sleep;
mod slots;
mod stamped;
mod think;

use crate::device::{Device, OnDevice, Setup, with_device};
use crate::error::StorageError;
use crate::files::{Layout, Opened};
use crate::ledger::Ledger;
use crate::spec::StorageJob;
use crate::watch::Watch;
use crate::worker::drive::Drive;
use crate::worker::sleep::wake_exactly;

pub use crate::worker::stamped::new_run;

/// Everything a worker needs to begin.
pub struct Worker<'a> {
    pub job: &'a StorageJob,
    pub layout: &'a Layout,
    pub opened: &'a Opened,
    pub seed: u64,
    /// The number of the job in its run, and of this worker among the job's clones.
    pub number: u64,
    pub clone: u32,
    pub schedule: Option<assay_pace::Schedule>,
    /// The account of a verified job's writes.
    pub ledger: Option<&'a Ledger>,
}

/// What a worker says at its end: the operations that it left undone, and what came after the last of its load.
#[derive(Debug, Default)]
pub struct WorkerEnd {
    /// Operations that were never collected.
    pub abandoned: u32,
    /// Operations that fell due and were never started.
    pub unserved: u64,
    /// Syncs of files when the load was over; see [`StorageJob::end_sync`]. The watch has not heard of them.
    pub end_syncs: u64,
}

/// Drives the load in this thread, from the gate to the end.
///
/// # Errors
/// The kernel, or an operation failed.
pub fn run_worker<W: Watch>(worker: &Worker<'_>, watch: &mut W) -> Result<WorkerEnd, StorageError> {
    let job = worker.job;
    wake_exactly();
    let depth = job.slots();
    let setup = Setup {
        files: worker.opened.numbers(),
        file_bytes: worker.layout.space.file_bytes,
        depth,
        seed: worker.seed ^ u64::from(worker.clone),
        writes: job.access.read_share < 1.0,
        part: worker.opened.part(worker.clone),
    };
    with_device(&job.io, setup, Begin { worker, watch, depth })?
}

struct Begin<'a, W> {
    worker: &'a Worker<'a>,
    watch: &'a mut W,
    depth: u32,
}

impl<W: Watch> OnDevice for Begin<'_, W> {
    type Output = Result<WorkerEnd, StorageError>;

    fn carry_out<D: Device>(self, device: D) -> Self::Output {
        let Some(start) = self.watch.gate() else { return Ok(WorkerEnd::default()) };
        Drive::new(self.worker, device, self.watch, self.depth, start).run()
    }
}
