//! The counters of the block devices beneath the files, at both ends of the measured window.

use assay_format::event::{DiskSide, DiskUse};
use assay_storage::{Disk, DiskCounts, Layout};

use crate::course::timeline::Control;

const SECTOR: u64 = 512;

pub(super) struct Counters {
    disks: Vec<Disk>,
    before: Option<Vec<DiskCounts>>,
    after: Option<Vec<DiskCounts>>,
}

impl Counters {
    pub(super) fn of(layouts: &[Layout]) -> Self {
        let disks = assay_storage::beneath(layouts.iter().flat_map(|layout| &layout.paths));
        Self { disks, before: None, after: None }
    }

    /// Reads the devices' counters when the window has begun, and when it has ended.
    pub(super) fn look_up(&mut self, control: &Control, now: u64) {
        if self.before.is_none() && now >= control.measure_start() {
            self.before = Some(self.read());
        }
        if now >= control.measure_end() {
            self.end();
        }
    }

    /// Reads the devices' counters at the end of the load, unless they were read at the end of the window.
    pub(super) fn end(&mut self) {
        if self.after.is_none() {
            self.after = Some(self.read());
        }
    }

    fn read(&self) -> Vec<DiskCounts> {
        self.disks.iter().map(assay_storage::counts).collect()
    }

    /// The use of each device: how far its counters moved in a window of this length.
    pub(super) fn moved(&self, elapsed_s: f64) -> Vec<DiskUse> {
        let (Some(before), Some(after)) = (&self.before, &self.after) else { return Vec::new() };
        let pairs = self.disks.iter().zip(before.iter().zip(after));
        pairs.map(|(disk, (before, after))| moved(&disk.name, before, after, elapsed_s)).collect()
    }
}

fn moved(name: &str, before: &DiskCounts, after: &DiskCounts, elapsed_s: f64) -> DiskUse {
    let side = |operations: [u64; 2], merges: [u64; 2], sectors: [u64; 2], ms: [u64; 2]| DiskSide {
        operations: operations[1].saturating_sub(operations[0]),
        merges: merges[1].saturating_sub(merges[0]),
        bytes: sectors[1].saturating_sub(sectors[0]) * SECTOR,
        ms: ms[1].saturating_sub(ms[0]),
    };
    let busy_ms = after.busy_ms.saturating_sub(before.busy_ms);
    DiskUse {
        name: name.to_owned(),
        read: side(
            [before.reads, after.reads],
            [before.read_merges, after.read_merges],
            [before.read_sectors, after.read_sectors],
            [before.read_ms, after.read_ms],
        ),
        write: side(
            [before.writes, after.writes],
            [before.write_merges, after.write_merges],
            [before.write_sectors, after.write_sectors],
            [before.write_ms, after.write_ms],
        ),
        busy_ms,
        queue_ms: after.queue_ms.saturating_sub(before.queue_ms),
        utilisation: (busy_ms as f64 / 1e3 / elapsed_s.max(1e-9)).min(1.0),
    }
}
