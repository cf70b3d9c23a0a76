//! Gathers the intervals of all lanes, says them as events, and keeps the totals.

use std::collections::BTreeMap;
use std::sync::Arc;

use assay_tally::{Counts, Recorder};

use crate::course::timeline::Stretch;
use crate::process::usage::{engine_use, peak_resident_bytes, since};
use crate::say::emit::emit;
use crate::say::tallied::{counts, labels, pacing};
use crate::storage::lane::{Lane, NAMES, Sums, complete, recorder};
use crate::storage::message::WorkerEnd;
use crate::storage::watch::Window;
use assay_format::event::{Connections, EngineUse, Event, Interval, IoBytes, Latency, Phase, RunResult};

/// An interval that not every worker has left yet.
struct Pending {
    stretch: Stretch,
    in_flight: u64,
    closed: usize,
    usage: Option<EngineUse>,
}

/// How far a worker is known to have come: the last interval that it left behind.
#[derive(Debug, Clone, Copy, Default)]
struct Seen {
    window: Window,
    in_flight: u32,
    until: u64,
    /// When the message came.
    heard: u64,
}

/// The window of one lane.
pub struct LaneTotal {
    pub recorder: Recorder,
    pub sums: Sums,
    /// By interval: bytes and operations, of reads and of writes.
    pub series: Vec<([u64; 2], [u64; 2])>,
}

pub struct Collector {
    lanes: Vec<Arc<Lane>>,
    open_loop: bool,
    /// Empty, for the next interval.
    spare: Option<Recorder>,
    workers: usize,
    pending: BTreeMap<u64, Pending>,
    pub ends: Vec<Option<WorkerEnd>>,
    seen: Vec<Seen>,
    pub totals: Vec<LaneTotal>,
    warmup: Counts,
    drained: u64,
    usage_before: EngineUse,
    usage_at_start: EngineUse,
    usage_at_end: Option<EngineUse>,
    warmup_start: u64,
    pub measure: Option<(u64, u64)>,
    /// Operations per second of the finished warm-up intervals, oldest first.
    pub warmup_rates: Vec<(u64, f64)>,
    interval_ns: u64,
}

impl Collector {
    pub fn new(lanes: Vec<Arc<Lane>>, workers: usize, open_loop: bool, interval_ns: u64) -> Self {
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
            workers,
            pending: BTreeMap::new(),
            ends: (0..workers).map(|_| None).collect(),
            seen: vec![Seen::default(); workers],
            warmup: Counts::default(),
            drained: 0,
            usage_before: EngineUse::default(),
            usage_at_start: EngineUse::default(),
            usage_at_end: None,
            warmup_start: 0,
            measure: None,
            warmup_rates: Vec::new(),
            interval_ns,
        }
    }

    /// The load begins.
    pub fn begin(&mut self, start: u64) {
        self.warmup_start = start;
        self.seen.fill(Seen { until: start, heard: start, ..Seen::default() });
        self.usage_before = engine_use();
        self.usage_at_start = self.usage_before.clone();
    }

    pub fn closed(&mut self, worker: usize, stretch: Stretch, in_flight: u32, window: Window, now: u64) {
        self.seen[worker] = Seen { window, in_flight, until: stretch.end, heard: now };
        let pending = self.pending.entry(stretch.start).or_insert_with(|| Pending {
            stretch,
            in_flight: 0,
            closed: 0,
            usage: Some(engine_use()),
        });
        pending.stretch.end = pending.stretch.end.max(stretch.end);
        pending.in_flight += u64::from(in_flight);
        pending.closed += 1;
        self.flush();
    }

    pub fn end(&mut self, end: WorkerEnd) {
        let worker = end.worker;
        self.ends[worker] = Some(end);
        self.flush();
    }

    pub fn all_ended(&self) -> bool {
        self.ends.iter().all(Option::is_some)
    }

    /// The workers that have not ended.
    pub fn left(&self) -> impl Iterator<Item = usize> {
        let ends = self.ends.iter().enumerate();
        ends.filter(|(_, end)| end.is_none()).map(|(worker, _)| worker)
    }

    /// When the worker that has been silent for longest was heard last; `None` when all have ended.
    pub fn longest_silent(&self) -> Option<u64> {
        self.left().map(|worker| self.seen[worker].heard).min()
    }

    /// Workers that have not ended never will: what they did up to the last interval that they left behind counts, and
    /// the intervals that waited for them go out without them.
    pub fn give_up(&mut self, workers: &[usize]) {
        for &worker in workers {
            let Seen { mut window, in_flight, until, .. } = self.seen[worker];
            window.ended = until;
            // Whatever holds it is an operation in flight, or the fsync after them.
            let abandoned = in_flight.max(1);
            self.ends[worker] = Some(WorkerEnd { worker, window, abandoned, unserved: 0 });
        }
        self.flush();
    }

    /// Emits intervals, oldest first, that every worker has left or ended before.
    fn flush(&mut self) {
        let gone = |start: u64, ends: &[Option<WorkerEnd>]| {
            // A worker that ended inside an earlier interval never closes this one.
            ends.iter().flatten().filter(|end| end.window.ended > 0 && end.window.ended <= start).count()
                + ends.iter().flatten().filter(|end| end.window.ended == 0).count()
        };
        while let Some(entry) = self.pending.first_entry() {
            let start = *entry.key();
            if entry.get().closed + gone(start, &self.ends) < self.workers
                && !self.ends.iter().all(Option::is_some)
            {
                return;
            }
            let pending = entry.remove();
            self.interval(pending);
        }
    }

    fn interval(&mut self, pending: Pending) {
        let stretch = pending.stretch;
        let mut whole = self.spare.take().unwrap_or_else(|| recorder(self.open_loop));
        let mut bytes = IoBytes::default();
        for (lane, total) in self.lanes.iter().zip(&mut self.totals) {
            let tally = lane.take(stretch.start);
            if stretch.phase == Phase::Measure {
                let (moved, done) = tally
                    .as_ref()
                    .map_or_else(Default::default, |tally| (tally.sums.bytes, tally.sums.operations));
                // A last piece of an interval says nothing about a rate.
                if stretch.end - stretch.start == self.interval_ns {
                    total.series.push((moved, done));
                }
            }
            let Some(tally) = tally else { continue };
            bytes.read += tally.sums.bytes[0];
            bytes.written += tally.sums.bytes[1];
            whole.merge(&tally.recorder);
            if stretch.phase == Phase::Measure {
                total.recorder.merge(&tally.recorder);
                total.sums.merge(&tally.sums);
            }
            lane.give_back(tally);
        }
        complete(&mut whole);
        self.account(&stretch, &whole.counts, pending.usage.clone());
        if stretch.end <= stretch.start {
            return;
        }
        let usage = pending.usage.unwrap_or_else(engine_use);
        emit(&Event::Interval(Box::new(Interval {
            phase: stretch.phase,
            index: stretch.index,
            start_ns: stretch.start,
            end_ns: stretch.end,
            counts: counts(&whole.counts),
            in_flight: pending.in_flight,
            queued: 0,
            pacing: pacing(&whole),
            labels: labels(names(), &whole),
            kinds: BTreeMap::new(),
            engine: since(&usage, &self.usage_before),
            io_bytes: Some(bytes),
        })));
        self.usage_before = usage;
        whole.clear();
        self.spare = Some(whole);
    }

    fn account(&mut self, stretch: &Stretch, counted: &Counts, usage: Option<EngineUse>) {
        match stretch.phase {
            Phase::Measure => {
                let start = self.measure.map_or(stretch.start, |(start, _)| start);
                self.measure = Some((start, stretch.end));
                self.usage_at_end = usage;
            }
            Phase::Drain => self.drained += counted.transactions,
            _ => {
                self.warmup.merge(counted);
                self.usage_at_start = usage.unwrap_or_else(engine_use);
                let seconds = (stretch.end - stretch.start) as f64 / 1e9;
                if seconds > 0.0 {
                    self.warmup_rates.push((stretch.end, counted.transactions as f64 / seconds));
                }
            }
        }
    }

    /// The measured windows of all workers.
    pub fn windows(&self) -> impl Iterator<Item = (usize, &Window)> {
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

    /// The measured window as a whole; `None` when it never began.
    pub fn result(&mut self, finished: bool) -> Option<RunResult> {
        let (start, end) = self.measure.filter(|(start, end)| end > start)?;
        let mut whole = self.settle();
        let total = engine_use();
        let after = self.usage_at_end.take().unwrap_or_else(|| total.clone());
        let peak = peak_resident_bytes();
        let (mut busy_ns, mut abandoned) = (0, 0);
        let mut operations = Vec::new();
        for worker in self.ends.iter().flatten() {
            busy_ns += worker.window.busy_ns;
            abandoned += u64::from(worker.abandoned);
            operations.push(worker.window.operations);
            whole.counts.unserved += worker.unserved;
            whole.counts.arrivals += worker.unserved;
        }
        let moved = self.totals.iter().fold(IoBytes::default(), |sum, lane| IoBytes {
            read: sum.read + lane.sums.bytes[0],
            written: sum.written + lane.sums.bytes[1],
        });
        Some(RunResult {
            start_ns: start,
            end_ns: end,
            elapsed_s: (end - start) as f64 / 1e9,
            counts: counts(&whole.counts),
            labels: labels(names(), &whole),
            kinds: BTreeMap::new(),
            facts: BTreeMap::new(),
            terminals: None,
            deferred: None,
            connections: Connections {
                count: operations.len() as u64,
                min: operations.iter().copied().min().unwrap_or(0),
                mean: operations.iter().sum::<u64>() as f64 / operations.len().max(1) as f64,
                max: operations.iter().copied().max().unwrap_or(0),
            },
            engine: EngineUse { rss_bytes: peak, ..since(&after, &self.usage_at_start) },
            engine_total: EngineUse { rss_bytes: peak, ..total },
            warmup: counts(&self.warmup),
            warmup_s: (start - self.warmup_start) as f64 / 1e9,
            drained: self.drained,
            abandoned,
            mean_in_flight: busy_ns as f64 / (end - start) as f64,
            latency: if self.open_loop { Latency::Response } else { Latency::Service },
            pacing: pacing(&whole),
            carried_over: 0,
            mean_think_ms: None,
            sent_statements: 0,
            server_questions: None,
            longest_stall_ns: 0,
            complete: finished,
            io_bytes: Some(moved),
            storage: None,
        })
    }
}

fn names() -> impl Iterator<Item = (&'static str, usize)> {
    NAMES.into_iter().zip(0..)
}
