//! Keeps the phases of a storage run.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError};

use assay_storage::{Disk, DiskCounts, Layout};

use crate::clock::Clock;
use crate::course::Course;
use crate::failure::Fatal;
use crate::storage::DiskJob;
use crate::storage::collector::Collector;
use crate::storage::message::Message;
use crate::timeline::{Control, UNKNOWN};

/// Beyond the drain, a worker hangs in the kernel.
const HUNG_NS: u64 = 2_000_000_000;

pub struct Conductor<'a> {
    pub(super) job: &'a DiskJob,
    pub(super) clock: Clock,
    pub(super) course: Course<'a>,
    inbox: Receiver<Message>,
    pub(super) collector: Collector,
    pub(super) fatal: Option<Fatal>,
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
                Ok(Message::Closed { stretch, in_flight }) => {
                    self.collector.closed(stretch, in_flight);
                }
                Ok(Message::Fatal(fatal)) => {
                    self.fatal.get_or_insert(fatal);
                }
                Ok(Message::End(end)) => self.collector.end(*end),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            self.look_up();
            if self.hung() {
                self.read_after();
                return false;
            }
        }
        self.read_after();
        true
    }

    fn hung(&self) -> bool {
        let end = self.course.control.measure_end();
        let limit = self.job.phases.drain_ms * 1_000_000 + HUNG_NS;
        end != UNKNOWN && self.clock.now() > end.saturating_add(limit)
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
