//! Gathers what workers report, and keeps the totals of the load by lane.

use std::collections::BTreeMap;
use std::sync::Arc;

use assay_format::event::{IoBytes, Latency, Phase, Tallied, WindowResult};
use assay_tally::Recorder;

use crate::course::accounts::{Accounts, Worked};
use crate::course::conductor::{IntervalFacts, Load};
use crate::course::timeline::{Control, Stretch};
use crate::process::failure::Fatal;
use crate::say::tallied::{counts, labels, pacing};
use crate::storage::counters::Counters;
use crate::storage::lane::{Lane, NAMES, Sums, complete, recorder};
use crate::storage::message::{Closed, LastKnown, WorkerEnd};
use crate::storage::watch::Window;

/// The measured window of one lane (a line of the report).
pub(super) struct LaneTotal {
    pub recorder: Recorder,
    pub sums: Sums,
    /// Bytes and operations of each whole interval, of reads and of writes.
    pub series: Vec<([u64; 2], [u64; 2])>,
}

pub(super) struct Collector {
    lanes: Vec<Arc<Lane>>,
    open_loop: bool,
    /// An empty recorder for the next interval.
    spare: Option<Recorder>,
    /// The last report of each worker that has ended, by the worker's number.
    pub ends: Vec<Option<WorkerEnd>>,
    pub totals: Vec<LaneTotal>,
    pub disks: Counters,
    interval_ns: u64,
}

impl Load for Collector {
    type Slice = Closed;
    type End = Box<WorkerEnd>;
    /// No message is a storage load's own.
    type Own = std::convert::Infallible;

    fn awaited(&self) -> (u64, &'static str) {
        (self.ends.len() as u64, "workers")
    }

    fn whole(&mut self, stretch: &Stretch, closed: &Closed) -> IntervalFacts {
        let mut whole = self.spare.take().unwrap_or_else(|| recorder(self.open_loop));
        let mut moved = IoBytes::default();
        for (lane, total) in self.lanes.iter().zip(&mut self.totals) {
            let tally = lane.take(stretch.start);
            if stretch.phase == Phase::Measure {
                let (bytes, done) = tally
                    .as_ref()
                    .map_or_else(Default::default, |tally| (tally.sums.bytes, tally.sums.operations));
                // A last piece of an interval says nothing about a rate.
                if stretch.end - stretch.start == self.interval_ns {
                    total.series.push((bytes, done));
                }
            }
            let Some(tally) = tally else { continue };
            moved.read += tally.sums.bytes[0];
            moved.written += tally.sums.bytes[1];
            whole.merge(&tally.recorder);
            if stretch.phase == Phase::Measure {
                total.recorder.merge(&tally.recorder);
                total.sums.merge(&tally.sums);
            }
            lane.give_back(tally);
        }
        complete(&mut whole);
        let told = IntervalFacts {
            counted: whole.counts.clone(),
            tallied: tallied(&whole, moved),
            in_flight: closed.in_flight,
            queued: 0,
        };
        whole.clear();
        self.spare = Some(whole);
        told
    }

    fn ended(&mut self, end: Box<WorkerEnd>) -> usize {
        let worker = end.worker;
        self.ends[worker] = Some(*end);
        worker
    }

    /// Gives up a worker that hangs: what it did up to the last interval that it left behind counts.
    fn give_up(&mut self, worker: usize, last: Option<LastKnown>) {
        let LastKnown { window, in_flight } = last.unwrap_or_default();
        // Whatever holds it is an operation in flight, or the fsync after them.
        let abandoned = in_flight.max(1) as u32;
        self.ends[worker] = Some(WorkerEnd { worker, window, abandoned, unserved: 0, end_syncs: 0 });
    }

    fn own(&mut self, message: Self::Own) -> Result<(), Fatal> {
        match message {}
    }

    fn look_up(&mut self, control: &Control, now: u64) {
        self.disks.look_up(control, now);
    }
}

impl Collector {
    pub(super) fn new(
        lanes: Vec<Arc<Lane>>,
        workers: usize,
        open_loop: bool,
        interval_ns: u64,
        disks: Counters,
    ) -> Self {
        let total = |_: &Arc<Lane>| LaneTotal {
            recorder: recorder(open_loop),
            sums: Sums::default(),
            series: Vec::new(),
        };
        Self {
            totals: lanes.iter().map(total).collect(),
            lanes,
            open_loop,
            spare: None,
            ends: (0..workers).map(|_| None).collect(),
            disks,
            interval_ns,
        }
    }

    /// The measured windows of all workers.
    pub(super) fn windows(&self) -> impl Iterator<Item = (usize, &Window)> {
        self.ends.iter().flatten().map(|end| (end.worker, &end.window))
    }

    /// Puts what was scheduled in the window in the place of what ended in it, and completes the labels.
    fn settle(&mut self) -> Recorder {
        let mut whole = recorder(self.open_loop);
        for (lane, total) in self.lanes.iter().zip(&mut self.totals) {
            if let Some(window) = lane.take_window() {
                total.recorder.labels = window.labels;
            }
            complete(&mut total.recorder);
            whole.merge(&total.recorder);
        }
        whole
    }

    /// The measured window, and what was tallied in it; `None` when it never began. `finished`: nothing ended it early.
    pub(super) fn window(&mut self, accounts: &Accounts, finished: bool) -> Option<(WindowResult, Tallied)> {
        let (mut busy_ns, mut abandoned, mut unserved) = (0, 0, 0);
        let mut operations = Vec::new();
        for worker in self.ends.iter().flatten() {
            busy_ns += worker.window.busy_ns;
            abandoned += u64::from(worker.abandoned);
            operations.push(worker.window.operations);
            unserved += worker.unserved;
        }
        let latency = if self.open_loop { Latency::Response } else { Latency::Service };
        let window = accounts.result(&Worked { operations, busy_ns, abandoned, latency }, finished)?;
        let mut whole = self.settle();
        whole.counts.unserved += unserved;
        whole.counts.arrivals += unserved;
        let moved = self.totals.iter().fold(IoBytes::default(), |sum, lane| IoBytes {
            read: sum.read + lane.sums.bytes[0],
            written: sum.written + lane.sums.bytes[1],
        });
        Some((window, tallied(&whole, moved)))
    }
}

fn tallied(recorder: &Recorder, moved: IoBytes) -> Tallied {
    Tallied {
        counts: counts(&recorder.counts),
        labels: labels(NAMES.into_iter().zip(0..), recorder),
        kinds: BTreeMap::new(),
        pacing: pacing(recorder),
        reading: None,
        io_bytes: Some(moved),
    }
}
