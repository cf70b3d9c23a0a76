//! The tally of one event loop: what ended, by the interval in which it did, and what was wanted in the measured window.
//!
//! Records wait in a ring buffer, and go into the histograms together: between two batches of answers, at each edge of an
//! interval, and at the end. So the megabytes of histograms are not touched between two operations, and the time that this
//! takes is in no operation's.

mod ended;
#[cfg(test)]
mod tests;

use assay_format::event::Phase;
use assay_tally::{Counts, KindCounts, Recorder, Shape};
use assay_workload::{KindId, Operation};

use self::ended::NONE;
pub(super) use self::ended::{Ended, What};
use crate::course::timeline::{Control, Stretch};
use crate::process::clock::UNKNOWN;

/// Histogram number of the whole transaction; statement labels follow.
pub(super) const TRANSACTION: usize = 0;

/// Records from which on a turn of the event loop moves them into the histograms.
const DUE: usize = 128;

/// Records that there is room for (40 KB): those of a whole batch of answers, of which each may end a statement and a
/// transaction, on top of what was not yet due.
const ROOM: usize = 1024;

/// The tally of one event loop: it is fed instants, and reads no clock.
pub(super) struct Tally {
    shape: Shape,
    stretch: Stretch,
    buffer: Vec<Ended>,
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
    pub(super) fn begin(&mut self, control: &Control, interval_ns: u64) {
        self.buffer.clear();
        self.recorder.clear();
        self.stretch = Stretch::first(control, interval_ns);
    }

    /// The interval that is going on.
    pub(super) fn stretch(&self) -> Stretch {
        self.stretch
    }

    /// Keeps a record of something that ended in the interval that is going on, or in one of the next. True when no
    /// other has room before [`flush`](Self::flush).
    #[inline]
    #[must_use]
    pub(super) fn push(&mut self, ended: Ended) -> bool {
        self.buffer.push(ended);
        self.buffer.len() >= ROOM
    }

    /// Whether there are enough records to move them into the histograms between two batches.
    #[inline]
    pub(super) fn is_due(&self) -> bool {
        self.buffer.len() >= DUE
    }

    /// The interval that is going on, where it was over by `now`: it is to be closed.
    pub(super) fn over(&mut self, now: u64, control: &Control) -> Option<Stretch> {
        self.stretch.clip(control);
        (now >= self.stretch.end).then_some(self.stretch)
    }

    /// Ends the interval that is going on, and begins the next with an empty recorder. Records of what ended later stay
    /// for the next.
    pub(super) fn close(
        &mut self,
        fresh: Box<Recorder>,
        control: &Control,
        interval_ns: u64,
    ) -> Box<Recorder> {
        self.settle(self.stretch.end, control);
        self.stretch = self.stretch.next(control, interval_ns);
        std::mem::replace(&mut self.recorder, fresh)
    }

    /// Ends the last interval at `now`, before its time.
    pub(super) fn cut(&mut self, now: u64, control: &Control) -> (Stretch, Box<Recorder>) {
        self.settle(UNKNOWN, control);
        let empty = Box::new(Recorder::new(self.shape));
        (Stretch { end: now, ..self.stretch }, std::mem::replace(&mut self.recorder, empty))
    }

    /// Makes room: all records are of the interval that is going on.
    pub(super) fn flush(&mut self, control: &Control) {
        self.settle(UNKNOWN, control);
    }

    /// Moves the records of what ended before `limit` into the histograms of the interval, and of the window.
    fn settle(&mut self, limit: u64, control: &Control) {
        let window = control.measure_start()..control.measure_end();
        let mut buffer = std::mem::take(&mut self.buffer);
        if limit == UNKNOWN {
            for one in &buffer {
                self.record(one, &window);
            }
            buffer.clear();
        } else {
            buffer.retain(|one| {
                let later = one.times.ended >= limit;
                if !later {
                    self.record(one, &window);
                }
                later
            });
        }
        self.buffer = buffer;
    }

    #[inline]
    fn record(&mut self, one: &Ended, window: &std::ops::Range<u64>) {
        let (times, recorder) = (&one.times, &mut *self.recorder);
        let measured = self.stretch.phase == Phase::Measure;
        match one.what {
            What::Read => recorder.counts.reads += 1,
            What::Write => recorder.counts.writes += 1,
            What::Other => recorder.counts.other += 1,
            What::Transaction => {
                recorder.counts.transactions += 1;
                self.operations[one.task as usize] += u64::from(measured);
                let (from, until) = (times.started.max(window.start), times.ended.min(window.end));
                self.busy_ns += until.saturating_sub(from);
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
            kind.inside += u64::from(measured && times.scheduled >= window.start);
        }
        for label in [one.label, one.kind] {
            if label == NONE {
                continue;
            }
            recorder.record(label.into(), times);
            if let Some(scheduled) = &mut self.window
                && window.contains(&times.scheduled)
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
