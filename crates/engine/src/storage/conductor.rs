//! Keeps the phases of a storage run.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError};

use assay_storage::{Disk, DiskCounts, Layout};

use crate::course::Course;
use crate::course::timeline::Control;
use crate::process::clock::{Clock, UNKNOWN, ns};
use crate::process::failure::Fatal;
use crate::storage::DiskJob;
use crate::storage::collector::Collector;
use crate::storage::message::Message;

/// Beyond the drain, and longer than a device waits for what it gave up: a worker hangs in the kernel.
const HUNG_NS: u64 = 4_000_000_000;
/// Where no time ends the window, a worker hangs that has left no interval behind for so long (ten minutes).
const SILENT_NS: u64 = 600_000_000_000;

pub struct Conductor<'a> {
    pub(super) job: &'a DiskJob,
    pub(super) clock: Clock,
    pub(super) course: Course<'a>,
    inbox: Receiver<Message>,
    pub(super) collector: Collector,
    pub(super) fatal: Option<Fatal>,
    /// Workers that hang in the kernel.
    pub(super) hung: Vec<usize>,
    /// When the load was first seen to be broken off.
    aborted_at: Option<u64>,
    /// The devices beneath, and what they had counted when the window began and ended.
    pub(super) disks: Vec<Disk>,
    pub(super) before: Option<Vec<DiskCounts>>,
    pub(super) after: Option<Vec<DiskCounts>>,
}

impl<'a> Conductor<'a> {
    pub fn new(
        job: &'a DiskJob,
        clock: Clock,
        control: Arc<Control>,
        inbox: Receiver<Message>,
        collector: Collector,
        layouts: &[Layout],
    ) -> Self {
        let disks = assay_storage::beneath(layouts.iter().flat_map(|layout| &layout.paths));
        Self {
            job,
            clock,
            course: Course::new(&job.phases, clock, control),
            inbox,
            collector,
            fatal: None,
            hung: Vec::new(),
            aborted_at: None,
            disks,
            before: None,
            after: None,
        }
    }

    /// Follows the phases until every worker has ended; false when some hang.
    pub fn conduct(&mut self) -> bool {
        let total = self.collector.ends.len();
        let mut ready = 0;
        while !self.collector.all_ended() {
            match self.inbox.recv_timeout(self.course.patience()) {
                Ok(Message::Ready) => {
                    ready += 1;
                    if ready == total {
                        self.course.begin(|start| self.collector.begin(start));
                    }
                }
                Ok(Message::Closed { worker, stretch, in_flight, window }) => {
                    let now = self.clock.now();
                    self.collector.closed(worker, stretch, in_flight, *window, now);
                }
                Ok(Message::Fatal(fatal)) => {
                    self.fatal.get_or_insert(fatal);
                }
                Ok(Message::End(end)) => self.collector.end(*end),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            self.look_up();
            if !self.collector.all_ended() && self.hung() {
                self.hung = self.collector.left().collect();
                self.collector.give_up(&self.hung);
                self.read_after();
                return false;
            }
        }
        self.read_after();
        true
    }

    /// Whether those who have not ended by now never will.
    fn hung(&mut self) -> bool {
        let now = self.clock.now();
        if self.course.control.aborted() {
            self.aborted_at.get_or_insert(now);
        }
        let end = self.course.control.measure_end().min(self.aborted_at.unwrap_or(UNKNOWN));
        if end == UNKNOWN {
            let begun = self.course.control.start() != UNKNOWN;
            let heard = self.collector.longest_silent().unwrap_or(now);
            let silence = SILENT_NS.saturating_add(ns(self.job.phases.interval_ms));
            return begun && now > heard.saturating_add(silence);
        }
        now > end.saturating_add(ns(self.job.phases.drain_ms)).saturating_add(HUNG_NS)
    }

    fn counts(&self) -> Vec<DiskCounts> {
        self.disks.iter().map(assay_storage::counts).collect()
    }

    fn read_after(&mut self) {
        if self.after.is_none() {
            self.after = Some(self.counts());
        }
    }

    fn look_up(&mut self) {
        self.course.look_up(&self.collector.warmup_rates);
        let now = self.clock.now();
        if self.before.is_none() && now >= self.course.control.measure_start() {
            self.before = Some(self.counts());
        }
        if now >= self.course.control.measure_end() {
            self.read_after();
        }
    }
}
