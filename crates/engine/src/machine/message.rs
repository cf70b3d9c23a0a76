//! Messages of threads to the conductor.

use assay_format::event::EngineUse;
use assay_tally::Recorder;

use crate::course::timeline::Stretch;
use crate::course::{conductor, intervals};
use crate::machine::collector::Collector;
use crate::process::usage::engine_use;

pub(super) type Message = conductor::Message<Collector>;

/// What a thread has done since the measured window began.
#[derive(Debug, Clone, Copy)]
pub(super) struct Done {
    /// Events that ended in the window, and the time inside it that events took.
    pub measured: u64,
    pub measured_ns: u64,
    /// Events that ended in the window or in the drain, and the sum of their service times.
    pub events: u64,
    pub busy_ns: u64,
    /// Their latencies: the shortest, the longest, the sum.
    pub min_ns: u64,
    pub max_ns: u64,
    pub sum_ns: u64,
    /// The end of the last of them.
    pub ended: u64,
}

impl Default for Done {
    fn default() -> Self {
        Self {
            measured: 0,
            measured_ns: 0,
            events: 0,
            busy_ns: 0,
            min_ns: u64::MAX,
            max_ns: 0,
            sum_ns: 0,
            ended: 0,
        }
    }
}

/// A thread has left an interval behind.
pub(super) struct Closed {
    pub thread: usize,
    pub stretch: Stretch,
    pub recorder: Recorder,
    /// Events that began in the interval, and that were going on at its end.
    pub started: u64,
    pub in_flight: u64,
    /// What the thread had done up to here.
    pub done: Done,
}

/// How far a thread had come at the end of an interval.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct LastKnown {
    pub done: Done,
    pub in_flight: u64,
}

impl intervals::Slice for Closed {
    type LastKnown = LastKnown;

    fn part(&self) -> usize {
        self.thread
    }

    fn stretch(&self) -> Stretch {
        self.stretch
    }

    fn last_known(&self) -> LastKnown {
        LastKnown { done: self.done, in_flight: self.in_flight }
    }

    /// The process's use, read by the conductor when the first thread is heard: no thread has time for it.
    fn usage(&mut self) -> Option<EngineUse> {
        Some(engine_use())
    }

    fn merge(&mut self, other: &Self) {
        self.recorder.merge(&other.recorder);
        self.started += other.started;
        self.in_flight += other.in_flight;
    }
}

pub(super) struct ThreadEnd {
    pub thread: usize,
    pub done: Done,
    /// Open loop: times of the events that were wanted in the window, whenever they ended.
    pub wanted: Option<Box<Recorder>>,
    /// Events that never came to their end.
    pub abandoned: u64,
    /// Events that this thread had taken, and that the end of the window kept from starting.
    pub unserved: u64,
}

impl ThreadEnd {
    /// The end of a thread that broke off before it could report anything.
    pub(super) fn nothing(thread: usize) -> Self {
        Self { thread, done: Done::default(), wanted: None, abandoned: 0, unserved: 0 }
    }
}
