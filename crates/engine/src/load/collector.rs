//! Gathers what the event loops send, says it as events, and keeps the totals.

use std::collections::BTreeMap;
use std::sync::mpsc::Sender;

use assay_tally::{Counts, Recorder, Scheduled, Shape};

use crate::course::timeline::Stretch;
use crate::load::discipline::Properties;
use crate::load::doubts::Facts;
use crate::load::message::{DeferredCounts, ShardEnd, Slice};
use crate::load::names::Names;
use crate::load::record::RecordFile;
use crate::load::told::{all_counts, kinds};
use crate::process::failure::Fatal;
use crate::process::usage::{engine_use, peak_resident_bytes, since};
use crate::say::emit::emit;
use crate::say::tallied::{counts, labels, pacing};
use assay_format::event::{Connections, EngineUse, Event, Interval, Latency, Pacing, Phase, RunResult};

/// Names and sizes the collector needs.
pub struct Setup {
    pub names: Names,
    /// What the workload says of itself.
    pub facts: BTreeMap<String, String>,
    /// As [`assay_workload::Workload::reach`] says.
    pub reach: Option<(u64, u64)>,
    pub shards: usize,
    pub load: Properties,
    /// What its recorders keep.
    pub shape: Shape,
    /// Whether transactions leave work for later.
    pub defers: bool,
    /// Where lines about it go.
    pub records: Option<RecordFile>,
}

/// An interval that not every event loop has reported yet.
struct Pending {
    stretch: Stretch,
    in_flight: u64,
    queued: u64,
    recorder: Box<Recorder>,
    usage: Option<EngineUse>,
    /// By event loop.
    reported: Vec<bool>,
}

pub struct Collector {
    setup: Setup,
    /// Where used recorders go back to, by event loop.
    spares: Vec<Sender<Box<Recorder>>>,
    pending: BTreeMap<u64, Pending>,
    ended: Vec<bool>,
    measured: Recorder,
    warmup: Counts,
    /// Everything from the start of the load to its end, drain included.
    whole: Counts,
    drained: u64,
    abandoned: u64,
    busy_ns: u64,
    sent: u64,
    unsure: u64,
    carried_over: u64,
    longest_stall_ns: u64,
    operations: Vec<u64>,
    by_terminal: Vec<u64>,
    deferred: DeferredCounts,
    window: Option<Box<Recorder>>,
    usage_before: EngineUse,
    /// Where the measured window's use begins: the end of the last warm-up interval.
    usage_at_start: EngineUse,
    usage_at_end: Option<EngineUse>,
    warmup_start: u64,
    measure: Option<(u64, u64)>,
    /// Transactions per second of the finished warm-up intervals, oldest first.
    pub warmup_rates: Vec<(u64, f64)>,
}

impl Collector {
    pub fn new(setup: Setup, spares: Vec<Sender<Box<Recorder>>>) -> Self {
        let measured = Recorder::new(setup.shape);
        Self {
            ended: vec![false; setup.shards],
            setup,
            spares,
            pending: BTreeMap::new(),
            measured,
            warmup: Counts::default(),
            whole: Counts::default(),
            drained: 0,
            abandoned: 0,
            busy_ns: 0,
            sent: 0,
            unsure: 0,
            carried_over: 0,
            longest_stall_ns: 0,
            operations: Vec::new(),
            by_terminal: Vec::new(),
            deferred: DeferredCounts::default(),
            window: None,
            usage_before: EngineUse::default(),
            usage_at_start: EngineUse::default(),
            usage_at_end: None,
            warmup_start: 0,
            measure: None,
            warmup_rates: Vec::new(),
        }
    }

    /// The load begins.
    pub fn begin(&mut self, start: u64) {
        self.warmup_start = start;
        self.usage_before = engine_use();
        self.usage_at_start = self.usage_before.clone();
    }

    pub fn slice(&mut self, slice: Slice) {
        self.keep_records(&slice.records);
        let key = slice.stretch.start;
        match self.pending.get_mut(&key) {
            None => {
                let mut reported = vec![false; self.setup.shards];
                reported[slice.shard] = true;
                let pending = Pending {
                    stretch: slice.stretch,
                    in_flight: slice.in_flight,
                    queued: slice.queued,
                    recorder: slice.recorder,
                    usage: slice.usage,
                    reported,
                };
                self.pending.insert(key, pending);
            }
            Some(pending) => {
                pending.stretch.end = pending.stretch.end.max(slice.stretch.end);
                pending.in_flight += slice.in_flight;
                pending.queued += slice.queued;
                pending.recorder.merge(&slice.recorder);
                pending.usage = pending.usage.take().or(slice.usage);
                pending.reported[slice.shard] = true;
                self.recycle(slice.shard, slice.recorder);
            }
        }
        self.flush();
    }

    pub fn end(&mut self, end: ShardEnd) {
        self.ended[end.shard] = true;
        self.operations.extend(end.operations);
        self.by_terminal.extend(end.by_terminal);
        self.deferred.merge(&end.deferred);
        self.abandoned += end.abandoned;
        self.busy_ns += end.busy_ns;
        self.sent += end.sent;
        self.unsure += end.unsure;
        self.carried_over += end.carried_over;
        self.longest_stall_ns = self.longest_stall_ns.max(end.longest_stall_ns);
        self.measured.counts.unserved += end.unserved;
        match (&mut self.window, end.window) {
            (Some(mine), Some(theirs)) => mine.merge(&theirs),
            (mine @ None, theirs) => *mine = theirs,
            _ => {}
        }
        self.flush();
    }

    fn keep_records(&mut self, lines: &str) {
        if let Some(file) = &mut self.setup.records
            && let Err(error) = file.append(lines)
        {
            self.setup.records = None;
            let message = format!("load.deferred_file: {error}: the rest is not in it");
            emit(&Event::Error(Fatal::host(message).notice(self.measure.map_or(0, |(_, end)| end))));
        }
    }

    pub fn all_ended(&self) -> bool {
        self.ended.iter().all(|ended| *ended)
    }

    fn recycle(&self, shard: usize, mut recorder: Box<Recorder>) {
        recorder.clear();
        // An event loop that has ended needs no more recorders.
        let _ = self.spares[shard].send(recorder);
    }

    /// Emits intervals, oldest first, that every event loop has reported or never will.
    fn flush(&mut self) {
        while let Some(entry) = self.pending.first_entry() {
            let mut heard = entry.get().reported.iter().zip(&self.ended);
            if !heard.all(|(reported, ended)| *reported || *ended) {
                return;
            }
            let pending = entry.remove();
            self.account(&pending);
            self.emit_interval(pending);
        }
    }

    fn account(&mut self, pending: &Pending) {
        let stretch = pending.stretch;
        self.whole.merge(&pending.recorder.counts);
        match stretch.phase {
            Phase::Measure => {
                self.measured.merge(&pending.recorder);
                let start = self.measure.map_or(stretch.start, |(start, _)| start);
                self.measure = Some((start, stretch.end));
                self.usage_at_end = pending.usage.clone().or_else(|| Some(engine_use()));
            }
            Phase::Drain => self.drained += pending.recorder.counts.transactions,
            _ => {
                self.warmup.merge(&pending.recorder.counts);
                self.usage_at_start = pending.usage.clone().unwrap_or_else(engine_use);
                let seconds = (stretch.end - stretch.start) as f64 / 1e9;
                if seconds > 0.0 {
                    let rate = pending.recorder.counts.transactions as f64 / seconds;
                    self.warmup_rates.push((stretch.end, rate));
                }
            }
        }
    }

    fn emit_interval(&mut self, pending: Pending) {
        if pending.stretch.end > pending.stretch.start {
            let usage = pending.usage.unwrap_or_else(engine_use);
            emit(&Event::Interval(Box::new(Interval {
                phase: pending.stretch.phase,
                index: pending.stretch.index,
                start_ns: pending.stretch.start,
                end_ns: pending.stretch.end,
                counts: all_counts(&self.setup.names, &pending.recorder),
                in_flight: pending.in_flight,
                queued: pending.queued,
                pacing: self.pacing(&pending.recorder),
                labels: labels(self.setup.names.labels(), &pending.recorder),
                kinds: kinds(&self.setup.names, &pending.recorder),
                engine: since(&usage, &self.usage_before),
                io_bytes: None,
            })));
            self.usage_before = usage;
        }
        self.recycle(0, pending.recorder);
    }

    /// The measured window as a whole; `None` when it never began.
    pub fn result(&mut self, complete: bool) -> Option<RunResult> {
        let (start, end) = self.measure.filter(|(start, end)| end > start)?;
        let total = engine_use();
        let after = self.usage_at_end.take().unwrap_or_else(|| total.clone());
        let peak = peak_resident_bytes();
        // How many ended in the window, as all counts.
        let ended: Vec<u64> = self.measured.labels.iter().map(|label| label.service.count()).collect();
        // Open loop: latencies of what was scheduled in the window, whenever it ended; the worst are not lost.
        if let Some(window) = self.window.take() {
            self.measured.labels = window.labels;
        }
        let mut labels = labels(self.setup.names.labels(), &self.measured);
        let mut kinds = kinds(&self.setup.names, &self.measured);
        for (name, number) in self.setup.names.labels() {
            labels.entry(name.to_owned()).and_modify(|label| label.count = ended[number]);
        }
        for (name, count) in self.setup.names.kinds.iter().zip(&ended[self.setup.names.first_kind()..]) {
            if let Some(times) = kinds.get_mut(*name).and_then(|kind| kind.times.as_mut()) {
                times.count = *count;
            }
        }
        let transactions = self.measured.counts.transactions;
        let thought = self.measured.counts.thinking_ns;
        Some(RunResult {
            start_ns: start,
            end_ns: end,
            elapsed_s: (end - start) as f64 / 1e9,
            counts: all_counts(&self.setup.names, &self.measured),
            labels,
            kinds,
            facts: self.setup.facts.clone(),
            connections: spread(&self.operations),
            terminals: (!self.by_terminal.is_empty()).then(|| spread(&self.by_terminal)),
            deferred: self.setup.defers.then(|| self.deferred.said()),
            engine: EngineUse { rss_bytes: peak, ..since(&after, &self.usage_at_start) },
            engine_total: EngineUse { rss_bytes: peak, ..total },
            warmup: counts(&self.warmup),
            warmup_s: (start - self.warmup_start) as f64 / 1e9,
            drained: self.drained,
            abandoned: self.abandoned,
            mean_in_flight: self.busy_ns as f64 / (end - start) as f64,
            latency: match self.setup.load.times {
                Scheduled::Nothing => Latency::Service,
                Scheduled::Whole | Scheduled::All => Latency::Response,
            },
            pacing: self.pacing(&self.measured),
            carried_over: self.carried_over,
            mean_think_ms: (thought > 0).then(|| thought as f64 / 1e6 / transactions.max(1) as f64),
            sent_statements: self.sent,
            server_questions: None,
            longest_stall_ns: self.longest_stall_ns,
            complete,
            io_bytes: None,
            storage: None,
        })
    }

    /// How the schedule was kept; absent where there is none.
    fn pacing(&self, recorder: &Recorder) -> Option<Pacing> {
        self.setup.load.keeps_schedule.then(|| pacing(recorder)).flatten()
    }

    /// What doubts are drawn from, beside the result. `steady`: whether the warm-up became level, where it was to.
    pub fn facts(&self, threads: usize, steady: Option<bool>) -> Facts {
        Facts {
            load: self.setup.load,
            // Lost connections and silent ones: what the server made of their last statement is not known.
            unsure: self.unsure
                + self.whole.errors.get(&0).copied().unwrap_or(0)
                + self.whole.timeouts
                + self.abandoned,
            reconnects: self.whole.reconnects + self.whole.renewals,
            late_p99_ns: self.measured.lateness.as_ref().map_or(0, |lateness| lateness.quantile_ns(0.99)),
            threads,
            reach: self.setup.reach,
            steady,
            release_build: !cfg!(debug_assertions),
        }
    }
}

/// How evenly operations were spread.
fn spread(operations: &[u64]) -> Connections {
    Connections {
        count: operations.len() as u64,
        min: operations.iter().copied().min().unwrap_or(0),
        mean: operations.iter().sum::<u64>() as f64 / operations.len().max(1) as f64,
        max: operations.iter().copied().max().unwrap_or(0),
    }
}
