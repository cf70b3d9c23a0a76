//! Keeps the phases of a storage run.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Duration;

use assay_storage::{Disk, DiskCounts, Layout};

use crate::clock::Clock;
use crate::emit::emit;
use crate::event::{Event, Phase, PhaseStart};
use crate::failure::Fatal;
use crate::job::Warmup;
use crate::signal;
use crate::steady::is_level;
use crate::storage::DiskJob;
use crate::storage::collector::Collector;
use crate::storage::message::Message;
use crate::timeline::{Control, UNKNOWN};

/// How often it looks up from its messages.
const LOOK_UP: Duration = Duration::from_millis(20);
/// Between the last worker's readiness and the first operation.
const START_DELAY_NS: u64 = 2_000_000;
/// Beyond the drain, a worker hangs in the kernel.
const HUNG_NS: u64 = 2_000_000_000;

pub struct Conductor<'a> {
    pub(super) job: &'a DiskJob,
    pub(super) clock: Clock,
    control: Arc<Control>,
    inbox: Receiver<Message>,
    pub(super) collector: Collector,
    pub(super) fatal: Option<Fatal>,
    pub(super) interrupted: bool,
    announced: BTreeSet<u64>,
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
            control,
            inbox,
            collector,
            fatal: None,
            interrupted: false,
            announced: BTreeSet::new(),
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
            match self.inbox.recv_timeout(LOOK_UP) {
                Ok(Message::Ready) => {
                    ready += 1;
                    if ready == total {
                        self.begin();
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
        let end = self.control.measure_end();
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

    fn begin(&mut self) {
        let start = self.clock.now() + START_DELAY_NS;
        match self.job.phases.warmup {
            Warmup::None => self.place_window(start),
            Warmup::Fixed { duration_ms } => {
                self.announce(Phase::Warmup, start, Some(duration_ms));
                self.place_window(start + duration_ms * 1_000_000);
            }
            Warmup::UntilSteady { cap_ms, .. } => self.announce(Phase::Warmup, start, Some(cap_ms)),
        }
        self.collector.begin(start);
        self.control.begin(start);
    }

    fn place_window(&mut self, start: u64) {
        let length = self.job.phases.measure_ms;
        self.control.place_window(start, (length > 0).then_some(length * 1_000_000));
        self.announce(Phase::Measure, start, (length > 0).then_some(length));
    }

    fn announce(&mut self, phase: Phase, start: u64, planned_ms: Option<u64>) {
        if self.announced.insert(start) {
            emit(&Event::Phase(PhaseStart { phase, start_ns: start, planned_ms }));
        }
    }

    fn look_up(&mut self) {
        let now = self.clock.now();
        if signal::received() && !self.interrupted {
            self.interrupted = true;
            self.control.end_by(now);
            if self.control.start() == UNKNOWN {
                self.control.abort();
            }
        }
        if self.before.is_none() && now >= self.control.measure_start() {
            self.before = Some(self.counts());
        }
        if now >= self.control.measure_end() {
            self.read_after();
        }
        self.end_warmup(now);
    }

    /// Places the window when the warm-up has become level.
    fn end_warmup(&mut self, now: u64) {
        let Warmup::UntilSteady { window_ms, tolerance, cap_ms } = self.job.phases.warmup else { return };
        let start = self.control.start();
        if start == UNKNOWN || self.control.measure_start() != UNKNOWN || self.interrupted {
            return;
        }
        let level = is_level(&self.collector.warmup_rates, window_ms * 1_000_000, tolerance);
        if level || now >= start + cap_ms * 1_000_000 {
            // On the interval grid, and far enough ahead that every worker hears of it before.
            let interval = self.job.phases.interval_ms * 1_000_000;
            let passed = (now - start) / interval;
            self.place_window(start + (passed + 2) * interval);
            self.collector.steady = Some(level);
        }
    }
}
