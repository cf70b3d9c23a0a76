//! The limits of a worker, and when its writes are made durable.

use crate::pattern::Space;
use crate::spec::{StorageJob, SyncKind};

/// The bytes and operations left to a worker; time is its watch's.
#[derive(Debug)]
pub(super) struct Limits {
    bytes_left: u64,
    operations_left: u64,
}

impl Limits {
    pub(super) fn new(job: &StorageJob, space: Space) -> Self {
        let bytes = if job.limit_bytes > 0 { job.limit_bytes } else { space.total() };
        Self {
            bytes_left: if job.repeat { u64::MAX } else { bytes },
            operations_left: if job.limit_operations > 0 { job.limit_operations } else { u64::MAX },
        }
    }

    #[inline]
    pub(super) fn reached(&self) -> bool {
        self.bytes_left == 0 || self.operations_left == 0
    }

    /// Counts an operation that moved so many bytes.
    #[inline]
    pub(super) fn count(&mut self, bytes: u32) {
        self.bytes_left = self.bytes_left.saturating_sub(bytes.into());
        self.operations_left -= 1;
    }
}

/// The files that are to be made durable: which, how, and after how many writes.
#[derive(Debug)]
pub(super) struct Syncs {
    every: u32,
    kind: SyncKind,
    all_files: bool,
    count_reads: bool,
    /// Whether each is one of the operations of the limit.
    pub(super) in_limit: bool,
    writes: u32,
    /// Whether each file was written to since its last sync.
    dirty: Vec<bool>,
    /// Files that are due, the next one last.
    due: Vec<u32>,
    ended: bool,
}

impl Syncs {
    pub(super) fn new(job: &StorageJob, files: u32) -> Self {
        let each = job.sync;
        Self {
            every: each.map_or(u32::MAX, |each| each.writes),
            kind: each.map_or(SyncKind::default(), |each| each.kind),
            all_files: each.is_some_and(|each| each.all_files),
            count_reads: each.is_some_and(|each| each.count_reads),
            in_limit: each.is_some_and(|each| each.in_limit),
            writes: 0,
            dirty: vec![false; files as usize],
            due: Vec::new(),
            ended: false,
        }
    }

    #[inline]
    pub(super) fn wrote(&mut self, file: u32) {
        self.dirty[file as usize] = true;
        self.writes += 1;
        if self.writes >= self.every {
            self.make_due();
        }
    }

    #[inline]
    pub(super) fn read(&mut self) {
        if self.count_reads && self.writes > 0 {
            self.writes += 1;
            if self.writes >= self.every {
                self.make_due();
            }
        }
    }

    fn make_due(&mut self) {
        self.writes = 0;
        let all = self.all_files;
        let wanted = self.dirty.iter().enumerate().filter(|(_, dirty)| all || **dirty);
        self.due.extend(wanted.map(|(file, _)| file as u32).rev());
        self.dirty.fill(false);
    }

    /// Puts this file, and the others that are due, off to the end.
    pub(super) fn put_off(&mut self, file: u32) {
        self.due.push(file);
        for file in self.due.drain(..) {
            self.dirty[file as usize] = true;
        }
    }

    /// Makes due what was written since the last sync, once; whether anything is due.
    pub(super) fn mark_end(&mut self) -> bool {
        let first = !std::mem::replace(&mut self.ended, true);
        if first && self.dirty.contains(&true) {
            self.make_due();
        }
        self.due()
    }

    /// Whether what is due became so by [`mark_end`](Self::mark_end).
    pub(super) fn at_end(&self) -> bool {
        self.ended
    }

    #[inline]
    pub(super) fn due(&self) -> bool {
        !self.due.is_empty()
    }

    pub(super) fn next(&mut self) -> Option<u32> {
        self.due.pop()
    }

    pub(super) fn kind(&self) -> SyncKind {
        self.kind
    }
}
