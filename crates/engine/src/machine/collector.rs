//! Gathers what threads report, and keeps the totals of the load.

use std::collections::BTreeMap;

use assay_format::event::{Latency, MachineResult, Phase, Tallied, ThreadEvents, WindowResult};
use assay_tally::Recorder;

use crate::course::accounts::{Accounts, Worked};
use crate::course::conductor::{IntervalFacts, Load};
use crate::course::timeline::Stretch;
use crate::machine::message::{Closed, LastKnown, ThreadEnd};
use crate::machine::queue::Line;
use crate::machine::thread::{Spares, recorder};
use crate::process::failure::Fatal;
use crate::process::poison::unpoisoned;
use crate::say::tallied::{counts, labels, pacing};

/// The label of whole events.
const NAMES: [&str; 1] = ["transaction"];

pub(super) struct Collector {
    spares: Spares,
    /// Open loop: the arrivals, of which those up to the end of the last interval have been passed.
    line: Option<Line>,
    /// Arrivals that fell due, and events that began, up to there.
    due: u64,
    started: u64,
    /// The measured window, and the drain as well.
    measured: Recorder,
    drained: Recorder,
    /// The last report of each thread that has ended, by its number.
    pub ends: Vec<Option<ThreadEnd>>,
    event_bytes: u64,
}

impl Collector {
    pub(super) fn new(threads: u32, line: Option<Line>, event_bytes: u64, spares: Spares) -> Self {
        let open_loop = line.is_some();
        Self {
            spares,
            line,
            due: 0,
            started: 0,
            measured: recorder(open_loop),
            drained: recorder(open_loop),
            ends: (0..threads).map(|_| None).collect(),
            event_bytes,
        }
    }

    /// Arrivals of a stretch before the drain, and those of them and before that wait at its end.
    fn arrivals(&mut self, stretch: &Stretch) -> (u64, u64) {
        let Some(line) = self.line.as_mut().filter(|_| stretch.phase != Phase::Drain) else { return (0, 0) };
        // The first stretch begins with the load.
        line.begin(stretch.start);
        let arrivals = line.pass(0, stretch.end);
        self.due += arrivals;
        (arrivals, self.due.saturating_sub(self.started))
    }

    /// The measured window, and what was tallied in it; `None` when it never began. `unserved`: events in the line that
    /// nobody began. `finished`: nothing ended the window early.
    pub(super) fn window(
        &self,
        accounts: &Accounts,
        unserved: u64,
        finished: bool,
    ) -> Option<(WindowResult, Tallied)> {
        let ends = || self.ends.iter().flatten();
        let worked = Worked {
            operations: ends().map(|end| end.done.measured).collect(),
            busy_ns: ends().map(|end| end.done.measured_ns).sum(),
            abandoned: ends().map(|end| end.abandoned).sum(),
            latency: if self.line.is_some() { Latency::Response } else { Latency::Service },
        };
        let window = accounts.result(&worked, finished)?;
        let mut whole = self.measured.clone();
        if self.line.is_some() {
            whole.counts.unserved = unserved + ends().map(|end| end.unserved).sum::<u64>();
            let mut wanted = recorder(true);
            ends().filter_map(|end| end.wanted.as_ref()).for_each(|one| wanted.merge(one));
            whole.labels = wanted.labels;
        }
        Some((window, tallied(&whole)))
    }

    /// What else there is to say, of a window that began at `start`.
    pub(super) fn machine(&self, start: u64, end: u64) -> MachineResult {
        let ends = || self.ends.iter().flatten().map(|end| &end.done);
        let mut latency = self.measured.labels[0].response().clone();
        latency.merge(self.drained.labels[0].response());
        let events = ends().map(|done| done.events).sum();
        let last = ends().map(|done| done.ended).fold(end, u64::max);
        MachineResult {
            elapsed_s: (last - start) as f64 / 1e9,
            events,
            min_ns: if events == 0 { 0 } else { ends().map(|done| done.min_ns).fold(u64::MAX, u64::min) },
            max_ns: ends().map(|done| done.max_ns).fold(0, u64::max),
            sum_ns: ends().map(|done| done.sum_ns).sum(),
            latency: (!latency.is_empty()).then(|| latency.encode()),
            bytes: events * self.event_bytes,
            threads: ends().map(|done| ThreadEvents { events: done.events, busy_ns: done.busy_ns }).collect(),
        }
    }

    /// The 99th percentile of the pacer's lateness.
    pub(super) fn late_p99_ns(&self) -> u64 {
        self.measured.lateness.as_ref().map_or(0, |lateness| lateness.quantile_ns(0.99))
    }
}

impl Load for Collector {
    type Slice = Closed;
    type End = Box<ThreadEnd>;
    /// No message is a load's own here.
    type Own = std::convert::Infallible;

    fn awaited(&self) -> (u64, &'static str) {
        (self.ends.len() as u64, "threads")
    }

    fn whole(&mut self, stretch: &Stretch, closed: &Closed) -> IntervalFacts {
        self.started += closed.started;
        let (arrivals, queued) = self.arrivals(stretch);
        match stretch.phase {
            Phase::Measure => {
                self.measured.merge(&closed.recorder);
                self.measured.counts.arrivals += arrivals;
            }
            Phase::Drain => self.drained.merge(&closed.recorder),
            _ => {}
        }
        let mut counted = closed.recorder.counts.clone();
        counted.arrivals = arrivals;
        let mut tallied = tallied(&closed.recorder);
        if let Some(pacing) = &mut tallied.pacing {
            pacing.arrivals = arrivals;
        }
        IntervalFacts { counted, tallied, in_flight: closed.in_flight, queued }
    }

    fn recycle(&mut self, _part: usize, mut closed: Closed) {
        closed.recorder.clear();
        unpoisoned(self.spares.lock()).push(closed.recorder);
    }

    fn ended(&mut self, end: Box<ThreadEnd>) -> usize {
        let thread = end.thread;
        self.ends[thread] = Some(*end);
        thread
    }

    /// Gives up a thread whose event does not end: what it did up to the last interval that it left behind counts.
    fn give_up(&mut self, thread: usize, last: Option<LastKnown>) {
        let LastKnown { done, in_flight } = last.unwrap_or_default();
        let end = ThreadEnd { done, abandoned: in_flight.max(1), ..ThreadEnd::nothing(thread) };
        self.ends[thread] = Some(end);
    }

    fn own(&mut self, message: Self::Own) -> Result<(), Fatal> {
        match message {}
    }
}

fn tallied(recorder: &Recorder) -> Tallied {
    Tallied {
        counts: counts(&recorder.counts),
        labels: labels(NAMES.into_iter().zip(0..), recorder),
        kinds: BTreeMap::new(),
        pacing: pacing(recorder),
        reading: None,
        io_bytes: None,
    }
}
