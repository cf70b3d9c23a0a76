//! One thread's tally of one stretch of time.

use crate::{Counts, Histogram, KindCounts, Times};

/// The histograms of one label. What has no schedule fills `service` alone: its wait is zero by definition.
#[derive(Debug, Clone, Default)]
pub struct LabelRecorder {
    pub service: Histogram,
    /// Wait and response, where there is a schedule.
    pub open: Option<Box<(Histogram, Histogram)>>,
}

impl LabelRecorder {
    fn new(has_wait: bool) -> Self {
        Self { service: Histogram::default(), open: has_wait.then(Default::default) }
    }

    #[inline]
    fn record(&mut self, times: &Times) {
        self.service.record(times.service());
        if let Some(open) = &mut self.open {
            open.0.record(times.wait());
            open.1.record(times.response());
        }
    }

    fn merge(&mut self, other: &Self) {
        self.service.merge(&other.service);
        if let (Some(mine), Some(theirs)) = (&mut self.open, &other.open) {
            mine.0.merge(&theirs.0);
            mine.1.merge(&theirs.1);
        }
    }

    fn clear(&mut self) {
        self.service.clear();
        if let Some(open) = &mut self.open {
            open.0.clear();
            open.1.clear();
        }
    }

    /// Response times: equal to service times where there is no schedule.
    pub fn response(&self) -> &Histogram {
        self.open.as_ref().map_or(&self.service, |open| &open.1)
    }
}

/// The operations that have an instant at which they were wanted, and so a wait and a response time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scheduled {
    /// None: a closed loop.
    Nothing,
    /// Whole transactions and their kinds: terminals that share connections.
    Whole,
    /// Statements too: an open loop.
    All,
}

/// The shape of a recorder: how many histograms and counters it keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    /// The number of labels; whole transactions are number 0.
    pub labels: usize,
    /// Number of the first kind among the labels.
    pub first_kind: usize,
    pub kinds: usize,
    pub counters: usize,
    pub scheduled: Scheduled,
    /// Whether there is a pause between operations whose times are kept by kind.
    pub thinks: bool,
}

impl Shape {
    /// The shape of a recorder with labels alone: no kinds, no counters.
    pub fn of_labels(labels: usize, scheduled: Scheduled) -> Self {
        Self { labels, first_kind: labels, kinds: 0, counters: 0, scheduled, thinks: false }
    }

    fn has_wait(&self, label: usize) -> bool {
        match self.scheduled {
            Scheduled::Nothing => false,
            Scheduled::Whole => {
                label == 0 || (self.first_kind..self.first_kind + self.kinds).contains(&label)
            }
            Scheduled::All => true,
        }
    }
}

/// Counters and histograms of one thread and one stretch of time. Recording never allocates.
#[derive(Debug, Clone)]
pub struct Recorder {
    pub counts: Counts,
    /// The histograms of each label, by its number.
    pub labels: Vec<LabelRecorder>,
    /// The counters of each kind of transaction, where the workload has kinds. Their times are among the labels.
    pub kinds: Vec<KindCounts>,
    /// The values of the workload's own counters, where it has some.
    pub counters: Vec<u64>,
    /// Think times after transactions of each kind, where there are any.
    pub thinks: Vec<Histogram>,
    /// The lateness of starting, where there is a schedule: how late operations started for which a connection was free
    /// at their instant. That is the pacer's own doing; a wait for a connection is not in it.
    pub lateness: Option<Box<Histogram>>,
    /// The lateness of reading: how long each answer that ended a statement had waited behind others of its batch. That
    /// is the generator's own doing, and part of the service time.
    pub reading: Histogram,
}

impl Recorder {
    pub fn new(shape: Shape) -> Self {
        Self {
            counts: Counts::default(),
            labels: (0..shape.labels).map(|label| LabelRecorder::new(shape.has_wait(label))).collect(),
            kinds: vec![KindCounts::default(); shape.kinds],
            counters: vec![0; shape.counters],
            thinks: vec![Histogram::default(); if shape.thinks { shape.kinds } else { 0 }],
            lateness: (shape.scheduled != Scheduled::Nothing).then(Default::default),
            reading: Histogram::default(),
        }
    }

    #[inline]
    pub fn record(&mut self, label: usize, times: &Times) {
        self.labels[label].record(times);
    }

    #[inline]
    pub fn record_lateness(&mut self, ns: u64) {
        if let Some(lateness) = &mut self.lateness {
            lateness.record(ns);
        }
    }

    pub fn merge(&mut self, other: &Self) {
        self.counts.merge(&other.counts);
        for (mine, theirs) in self.labels.iter_mut().zip(&other.labels) {
            mine.merge(theirs);
        }
        for (mine, theirs) in self.kinds.iter_mut().zip(&other.kinds) {
            mine.merge(theirs);
        }
        for (mine, theirs) in self.counters.iter_mut().zip(&other.counters) {
            *mine += theirs;
        }
        for (mine, theirs) in self.thinks.iter_mut().zip(&other.thinks) {
            mine.merge(theirs);
        }
        if let (Some(mine), Some(theirs)) = (&mut self.lateness, &other.lateness) {
            mine.merge(theirs);
        }
        self.reading.merge(&other.reading);
    }

    pub fn clear(&mut self) {
        self.counts = Counts::default();
        self.labels.iter_mut().for_each(LabelRecorder::clear);
        self.kinds.fill_with(KindCounts::default);
        self.counters.fill(0);
        self.thinks.iter_mut().for_each(Histogram::clear);
        if let Some(lateness) = &mut self.lateness {
            lateness.clear();
        }
        self.reading.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(labels: usize, scheduled: Scheduled) -> Shape {
        Shape { labels, first_kind: 2, kinds: 2, counters: 1, scheduled, thinks: true }
    }

    const TIMES: Times = Times { scheduled: 1_000, started: 4_000, ended: 9_000 };

    #[test]
    fn an_open_loop_keeps_all_three_times() {
        let mut recorder = Recorder::new(shape(1, Scheduled::All));
        recorder.record(0, &TIMES);
        let label = &recorder.labels[0];
        let open = label.open.as_ref().expect("open loop");
        assert_eq!(label.service.max_ns() / 10, 500);
        assert_eq!(open.0.max_ns() / 10, 300);
        assert_eq!(open.1.max_ns() / 10, 800);
    }

    #[test]
    fn shared_connections_keep_the_wait_of_whole_transactions() {
        let recorder = Recorder::new(shape(5, Scheduled::Whole));
        let waits: Vec<_> = recorder.labels.iter().map(|label| label.open.is_some()).collect();
        assert_eq!(waits, [true, false, true, true, false]);
        assert_eq!((recorder.thinks.len(), recorder.lateness.is_some()), (2, true));
    }

    #[test]
    fn merging_threads_adds_counts_and_histograms() {
        let mut total = Recorder::new(shape(2, Scheduled::Nothing));
        for code in [1213, 1213, 1205] {
            let mut one = Recorder::new(shape(2, Scheduled::Nothing));
            one.record(1, &TIMES);
            one.counts.reads = 2;
            one.counts.error(code);
            one.kinds[1].error(code);
            one.counters[0] += 5;
            one.reading.record(u64::from(code));
            total.merge(&one);
        }
        assert_eq!(total.labels[1].service.count(), 3);
        assert_eq!(total.counts.queries(), 6);
        assert_eq!(total.counts.errors, [(1205, 1), (1213, 2)].into());
        assert_eq!((&total.kinds[1].errors, total.counters[0]), (&total.counts.errors, 15));
        assert_eq!((total.reading.count(), total.reading.max_ns()), (3, 1213));
        total.clear();
        assert_eq!((total.kinds[1].errors.len(), total.counters[0], total.reading.count()), (0, 0, 0));
    }
}
