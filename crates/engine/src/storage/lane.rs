//! Lanes: what the workers of one line of the report share, the tally of each interval.

use std::collections::BTreeMap;
use std::sync::Mutex;

use assay_storage::{OperationKind, TimedIo};
use assay_tally::{Recorder, Scheduled, Shape, Times};

use crate::course::timeline::Stretch;
use crate::process::poison::unpoisoned;

/// Labels of the histograms, by number.
pub(super) const NAMES: [&str; 8] = [
    "transaction",
    "read",
    "write",
    "sync",
    "read.submit",
    "read.completion",
    "write.submit",
    "write.completion",
];
const READ: usize = 1;
const WRITE: usize = 2;
const SYNC: usize = 3;
/// Number of the label of handing reads over; that of writes is two further.
const SUBMIT: usize = 4;
const COMPLETION: usize = 5;

/// Counters of one lane in one interval.
#[derive(Debug, Clone, Default)]
pub(super) struct Sums {
    /// Operations that ended in the interval: reads, writes.
    pub operations: [u64; 2],
    pub bytes: [u64; 2],
    pub short: [u64; 2],
    pub depths: [u64; 7],
    pub submit_sizes: [u64; 7],
    pub collect_sizes: [u64; 7],
}

impl Sums {
    pub(super) fn merge(&mut self, other: &Self) {
        for direction in 0..2 {
            self.operations[direction] += other.operations[direction];
            self.bytes[direction] += other.bytes[direction];
            self.short[direction] += other.short[direction];
        }
        for level in 0..7 {
            self.depths[level] += other.depths[level];
            self.submit_sizes[level] += other.submit_sizes[level];
            self.collect_sizes[level] += other.collect_sizes[level];
        }
    }

    pub(super) fn count(&mut self, done: &TimedIo) {
        let direction = match done.kind {
            OperationKind::Read => 0,
            OperationKind::Write => 1,
            OperationKind::Sync => return,
        };
        self.operations[direction] += 1;
        self.bytes[direction] += u64::from(done.bytes);
        self.short[direction] += u64::from(done.short);
    }
}

/// The tally of one lane in one interval.
#[derive(Debug)]
pub(super) struct Tally {
    pub recorder: Recorder,
    pub sums: Sums,
}

/// The tallies of a lane by the start of their interval, and empty ones: their histograms are megabytes, which a worker
/// should not have to ask the kernel for in each interval.
#[derive(Debug, Default)]
struct Tallies {
    pending: BTreeMap<u64, Tally>,
    spare: Vec<Tally>,
}

/// A lane is a line of the report: the workers of a group, or one worker.
#[derive(Debug)]
pub(super) struct Lane {
    open_loop: bool,
    tallies: Mutex<Tallies>,
    /// Open loop: what was scheduled in the measured window, whenever it ended.
    window: Option<Mutex<Recorder>>,
}

pub(super) fn recorder(open_loop: bool) -> Recorder {
    let scheduled = if open_loop { Scheduled::All } else { Scheduled::Nothing };
    let mut recorder = Recorder::new(Shape::of_labels(NAMES.len(), scheduled));
    // Parts of an operation have no schedule.
    recorder.labels[SYNC..].iter_mut().for_each(|label| label.open = None);
    recorder
}

impl Lane {
    pub(super) fn new(open_loop: bool) -> Self {
        let window = open_loop.then(|| Mutex::new(recorder(true)));
        Self { open_loop, tallies: Mutex::default(), window }
    }

    /// Adds what a worker saw of one interval. `window` is the measured one.
    pub(super) fn add(&self, stretch: Stretch, done: &[TimedIo], sums: &Sums, window: (u64, u64)) {
        let mut tallies = unpoisoned(self.tallies.lock());
        let Tallies { pending, spare } = &mut *tallies;
        let fresh = || Tally { recorder: recorder(self.open_loop), sums: Sums::default() };
        let tally = pending.entry(stretch.start).or_insert_with(|| spare.pop().unwrap_or_else(fresh));
        tally.sums.merge(sums);
        for one in done {
            record(&mut tally.recorder, one);
        }
        drop(tallies);
        if let Some(scheduled) = &self.window {
            let mut scheduled = unpoisoned(scheduled.lock());
            let inside = done.iter().filter(|one| (window.0..window.1).contains(&one.scheduled));
            inside.for_each(|one| record(&mut scheduled, one));
        }
    }

    /// Takes an interval that every worker has closed; `None` when nothing happened in it.
    pub(super) fn take(&self, start: u64) -> Option<Tally> {
        unpoisoned(self.tallies.lock()).pending.remove(&start)
    }

    /// Takes back a tally that has been read, to be used anew.
    pub(super) fn give_back(&self, mut tally: Tally) {
        tally.recorder.clear();
        tally.sums = Sums::default();
        unpoisoned(self.tallies.lock()).spare.push(tally);
    }

    pub(super) fn take_window(&self) -> Option<Recorder> {
        self.window.as_ref().map(|window| unpoisoned(window.lock()).clone())
    }
}

fn record(recorder: &mut Recorder, done: &TimedIo) {
    let times = Times { scheduled: done.scheduled, started: done.started, ended: done.ended };
    let (label, parts) = match done.kind {
        OperationKind::Read => (READ, 0),
        OperationKind::Write => (WRITE, 2),
        OperationKind::Sync => {
            recorder.counts.other += 1;
            recorder.record(SYNC, &times);
            return;
        }
    };
    recorder.counts.transactions += 1;
    if label == READ {
        recorder.counts.reads += 1;
    } else {
        recorder.counts.writes += 1;
    }
    recorder.record(label, &times);
    if done.submitted > done.started {
        let submit = Times { scheduled: done.started, started: done.started, ended: done.submitted };
        let rest = Times { scheduled: done.submitted, started: done.submitted, ended: done.ended };
        recorder.record(SUBMIT + parts, &submit);
        recorder.record(COMPLETION + parts, &rest);
    }
    if recorder.lateness.is_some() {
        recorder.counts.arrivals += 1;
        if done.prompt {
            recorder.record_lateness(times.wait());
        }
    }
}

/// The label `transaction` is reads and writes together; it is made here once an interval instead of once an operation.
pub(super) fn complete(recorder: &mut Recorder) {
    let (whole, parts) = recorder.labels.split_at_mut(1);
    for part in &parts[..2] {
        whole[0].service.merge(&part.service);
        if let (Some(mine), Some(theirs)) = (&mut whole[0].open, &part.open) {
            mine.0.merge(&theirs.0);
            mine.1.merge(&theirs.1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use assay_format::event::Phase;

    #[test]
    fn a_tally_that_was_given_back_holds_nothing_of_its_last_interval() {
        let lane = Lane::new(true);
        let read = |started| TimedIo {
            kind: OperationKind::Read,
            scheduled: started,
            started,
            submitted: started + 1,
            ended: started + 5,
            bytes: 4096,
            short: true,
            prompt: true,
        };
        let stretch = |start| Stretch { phase: Phase::Measure, index: 0, start, end: start + 10 };
        let mut sums = Sums::default();
        sums.count(&read(0));
        lane.add(stretch(0), &[read(0)], &sums, (0, 20));
        lane.give_back(lane.take(0).unwrap());
        lane.add(stretch(10), &[], &Sums::default(), (0, 20));
        let tally = lane.take(10).unwrap();
        assert_eq!(tally.recorder.counts, recorder(true).counts);
        assert!(
            tally.recorder.labels.iter().all(|label| label.service.is_empty() && label.response().is_empty())
        );
        assert!(tally.recorder.lateness.unwrap().is_empty());
        assert_eq!((tally.sums.operations, tally.sums.bytes, tally.sums.short), ([0; 2], [0; 2], [0; 2]));
    }
}
