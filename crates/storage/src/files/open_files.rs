//! Files and memory that workers share while they run.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::os::fd::{AsRawFd, RawFd};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::sync::Arc;

use super::forget;
use crate::error::StorageError;
use crate::memory::Memory;
use crate::spec::{IoKind, StorageJob, SyncOpen};

/// The things that the workers of a job share: its opened files, so that two thousand workers on many files stay within the limits,
/// and memory, which jobs with buffers of one kind share as well.
#[derive(Debug)]
pub struct Opened {
    files: Vec<File>,
    memory: Arc<Memory>,
    /// The number of the job's first worker in the memory.
    first: u32,
}

impl Opened {
    /// Opens the files that the jobs of a load work on, and drops them from memory where a job says so.
    ///
    /// # Errors
    /// A file cannot be opened so; a file system may not have direct I/O. The kernel has no memory left.
    pub fn all(jobs: &[StorageJob]) -> Result<Vec<Self>, StorageError> {
        let kind = |job: &StorageJob| (job.slots(), job.access.largest(), job.io.fixed_buffers);
        let mut workers = BTreeMap::new();
        let first = |job| {
            let so_far: &mut u32 = workers.entry(kind(job)).or_default();
            let first = *so_far;
            *so_far += job.clones;
            first
        };
        let first: Vec<u32> = jobs.iter().map(first).collect();
        let mut memories = BTreeMap::new();
        for (kind, workers) in workers {
            let (slots, bytes, fixed) = kind;
            let memory = Memory::new(workers as usize, slots as usize, bytes as usize, fixed);
            let memory = memory.map_err(|source| StorageError::Unsupported {
                what: "memory for the buffers".into(),
                hint: "use smaller blocks, less depth or fewer jobs",
                source,
            });
            memories.insert(kind, Arc::new(memory?));
        }
        jobs.iter()
            .zip(first)
            .map(|(job, first)| Self::new(job, memories[&kind(job)].clone(), first))
            .collect()
    }

    fn new(job: &StorageJob, memory: Arc<Memory>, first: u32) -> Result<Self, StorageError> {
        if job.io.kind == IoKind::Null {
            return Ok(Self { files: Vec::new(), memory, first });
        }
        let files: Vec<File> = job.files.iter().map(|path| open(job, path)).collect::<Result<_, _>>()?;
        if job.invalidate {
            files.iter().for_each(forget);
        }
        Ok(Self { files, memory, first })
    }

    pub(crate) fn numbers(&self) -> Vec<RawFd> {
        self.files.iter().map(AsRawFd::as_raw_fd).collect()
    }

    /// The buffers of one of the job's workers: their memory, and the number of the part in it.
    pub(crate) fn part(&self, clone: u32) -> (Arc<Memory>, usize) {
        (self.memory.clone(), (self.first + clone) as usize)
    }
}

fn open(job: &StorageJob, path: &Path) -> Result<File, StorageError> {
    let writes = job.access.read_share < 1.0;
    let mut flags = match job.io.open_sync {
        SyncOpen::None => 0,
        SyncOpen::Dsync => libc::O_DSYNC,
        SyncOpen::Sync => libc::O_SYNC,
    };
    if job.io.direct {
        flags |= libc::O_DIRECT;
    }
    let opened = OpenOptions::new().read(true).write(writes).custom_flags(flags).open(path);
    opened.map_err(|error| StorageError::io("open", path, error))
}
