//! Messages of workers to the conductor.

use assay_format::event::EngineUse;

use crate::course::timeline::Stretch;
use crate::course::{conductor, intervals};
use crate::process::usage::engine_use;
use crate::storage::collector::Collector;
use crate::storage::watch::Window;

pub(super) type Message = conductor::Message<Collector>;

/// A worker has left an interval behind; what it did in it is in the tally of its lane.
pub(super) struct Closed {
    pub worker: usize,
    pub stretch: Stretch,
    pub in_flight: u64,
    /// The worker's window up to here.
    pub window: Window,
}

/// How far a worker had come at the end of an interval.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct LastKnown {
    /// Its window up to there.
    pub window: Window,
    pub in_flight: u64,
}

impl intervals::Slice for Closed {
    type LastKnown = LastKnown;

    fn part(&self) -> usize {
        self.worker
    }

    fn stretch(&self) -> Stretch {
        self.stretch
    }

    fn last_known(&self) -> LastKnown {
        let window = Window { ended: self.stretch.end, ..self.window };
        LastKnown { window, in_flight: self.in_flight }
    }

    /// The process's use, read by the conductor when the first worker is heard: no worker has time for it.
    fn usage(&mut self) -> Option<EngineUse> {
        Some(engine_use())
    }

    fn merge(&mut self, other: &Self) {
        self.in_flight += other.in_flight;
    }
}

pub(super) struct WorkerEnd {
    pub worker: usize,
    pub window: Window,
    pub abandoned: u32,
    pub unserved: u64,
    pub end_syncs: u64,
}

impl WorkerEnd {
    /// The end of a worker that broke off before it could report a window.
    pub(super) fn nothing(worker: usize) -> Self {
        Self { worker, window: Window::default(), abandoned: 0, unserved: 0, end_syncs: 0 }
    }
}
