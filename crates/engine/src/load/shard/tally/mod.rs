//! The tally of one event loop: what ended, by the interval in which it did, and what was wanted in the measured window.
//!
//! Records wait in a buffer, and go into the histograms together: between two batches of answers, at each edge of an
//! interval, and at the end. So the time that this takes is not between an answer and the request that follows it.

mod ended_operation;
#[cfg(test)]
mod tests;

use assay_format::event::Phase;
use assay_tally::{Counts, KindCounts, Recorder, Shape};
use assay_workload::{KindId, Operation};

use self::ended_operation::NONE;
pub(super) use self::ended_operation::{EndedOperation, What};
use crate::course::timeline::{Edges, Stretch};
use crate::process::clock::UNKNOWN;

/// Histogram number of the whole transaction; statement labels follow.
pub(super) const TRANSACTION: usize = 0;

/// Records that there is room for without asking for memory: those of a whole batch of answers, of which each may end a
/// statement and a transaction.
const ROOM: usize = 512;

/// The tally of one event loop: it is fed instants and the edges of the phases, and looks neither at a clock nor at what
/// other threads write.
pub(super) struct Tally {
    shape: Shape,
    stretch: Stretch,
    /// Records of what ended in the interval that is going on.
    buffer: Vec<EndedOperation>,
    recorder: Box<Recorder>,
    /// Open loop: what was scheduled in the measured window, whenever it ended.
    window: Option<Box<Recorder>>,
    /// Transactions in the measured window, by connection.
    operations: Box<[u64]>,
    busy_ns: u64,
}

/// The totals of a tally that only its end tells.
pub(super) struct Totals {
    pub operations: Vec<u64>,
    /// Nanoseconds that transactions took inside the measured window, whole or cut by its ends.
    pub busy_ns: u64,
    pub window: Option<Box<Recorder>>,
}

impl Tally {
    /// A tally of `connections` connections. `windowed`: whether the measured window has a tally of its own, by the
    /// instants at which operations were wanted.
    pub(super) fn new(shape: Shape, connections: u32, windowed: bool) -> Self {
        Self {
            shape,
            stretch: Stretch { phase: Phase::Connect, index: 0, start: 0, end: UNKNOWN },
            buffer: Vec::with_capacity(ROOM),
            recorder: Box::new(Recorder::new(shape)),
            window: windowed.then(|| Box::new(Recorder::new(shape))),
            operations: vec![0; connections as usize].into_boxed_slice(),
            busy_ns: 0,
        }
    }

    /// Begins the load: from here on there are intervals. What was counted before is no part of it.
    pub(super) fn begin(&mut self, edges: Edges, interval_ns: u64) {
        self.buffer.clear();
        self.recorder.clear();
        self.stretch = Stretch::first(edges, interval_ns);
    }

    /// The interval that is going on.
    pub(super) fn stretch(&self) -> Stretch {
        self.stretch
    }

    /// Keeps a record of something that ended in the interval that is going on: one that was over by then is
    /// [closed](Self::close) before.
    #[inline]
    pub(super) fn push(&mut self, ended: EndedOperation) {
        self.buffer.push(ended);
    }

    /// The interval that is going on, where it was over by `now`: it is to be closed.
    pub(super) fn over(&mut self, now: u64, edges: Edges) -> Option<Stretch> {
        self.stretch.clip(edges);
        (now >= self.stretch.end).then_some(self.stretch)
    }

    /// Ends the interval that is going on, and begins the next with an empty recorder.
    pub(super) fn close(&mut self, fresh: Box<Recorder>, edges: Edges, interval_ns: u64) -> Box<Recorder> {
        self.settle(edges);
        self.stretch = self.stretch.next(edges, interval_ns);
        std::mem::replace(&mut self.recorder, fresh)
    }

    /// Ends the last interval at `now`, before its time.
    pub(super) fn cut(&mut self, now: u64, edges: Edges) -> (Stretch, Box<Recorder>) {
        self.settle(edges);
        let empty = Box::new(Recorder::new(self.shape));
        (Stretch { end: now, ..self.stretch }, std::mem::replace(&mut self.recorder, empty))
    }

    /// Moves the records into the histograms of the interval, and of the window.
    pub(super) fn settle(&mut self, edges: Edges) {
        let mut buffer = std::mem::take(&mut self.buffer);
        for one in &buffer {
            self.record(one, edges);
        }
        buffer.clear();
        self.buffer = buffer;
    }

    #[inline]
    fn record(&mut self, one: &EndedOperation, edges: Edges) {
        let (times, recorder) = (&one.times, &mut *self.recorder);
        let measured = self.stretch.phase == Phase::Measure;
        match one.what {
            What::Read => recorder.counts.reads += 1,
            What::Write => recorder.counts.writes += 1,
            What::Other => recorder.counts.other += 1,
            What::Transaction => {
                recorder.counts.transactions += 1;
                self.operations[one.task as usize] += u64::from(measured);
                self.busy_ns += edges.measured_ns(times.started, times.ended);
            }
            What::Deferred => {}
            What::Renewal => {
                recorder.counts.renewals += 1;
                // For Little's law: the connection had no transaction meanwhile.
                recorder.counts.thinking_ns += times.service();
            }
        }
        if matches!(one.what, What::Read | What::Write | What::Other) {
            recorder.reading.record(one.reading_ns.into());
        }
        if one.kind != NONE {
            let kind = &mut recorder.kinds[usize::from(one.kind) - self.shape.first_kind];
            kind.inside += u64::from(measured && times.scheduled >= edges.measure_start);
        }
        for label in [one.label, one.kind] {
            if label == NONE {
                continue;
            }
            recorder.record(label.into(), times);
            if let Some(scheduled) = &mut self.window
                && edges.measures(times.scheduled)
            {
                scheduled.record(label.into(), times);
            }
        }
    }

    /// Adds what a successful operation counted itself, and the time of its tries that failed.
    #[inline]
    pub(super) fn add(&mut self, operation: &Operation, retry_ns: u64) {
        for (mine, theirs) in self.recorder.counters.iter_mut().zip(operation.counts) {
            *mine += u64::from(theirs);
        }
        if retry_ns > 0
            && let Some(kind) = self.kind(operation.kind)
        {
            kind.retry_ns += retry_ns;
        }
    }

    /// Histogram number of a kind.
    #[inline]
    pub(super) fn label_of(&self, kind: Option<KindId>) -> Option<usize> {
        kind.map(|KindId(kind)| self.shape.first_kind + usize::from(kind))
    }

    /// Counters of the interval that is going on, for what has no times.
    pub(super) fn counts(&mut self) -> &mut Counts {
        &mut self.recorder.counts
    }

    /// The counters of a kind, where there is one.
    pub(super) fn kind(&mut self, kind: Option<KindId>) -> Option<&mut KindCounts> {
        kind.map(|KindId(kind)| &mut self.recorder.kinds[usize::from(kind)])
    }

    /// An operation started so late that a connection had been free for.
    #[inline]
    pub(super) fn late(&mut self, ns: u64) {
        self.recorder.record_lateness(ns);
    }

    /// A terminal thinks about an operation of this kind.
    pub(super) fn think(&mut self, about: Option<KindId>, ns: u64) {
        if let Some(KindId(kind)) = about
            && let Some(histogram) = self.recorder.thinks.get_mut(usize::from(kind))
        {
            histogram.record(ns);
        }
    }

    /// Takes the totals since the beginning; the last interval was cut before.
    pub(super) fn totals(&mut self) -> Totals {
        Totals {
            operations: std::mem::take(&mut self.operations).into_vec(),
            busy_ns: self.busy_ns,
            window: self.window.take(),
        }
    }
}
