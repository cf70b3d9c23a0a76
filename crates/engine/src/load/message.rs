//! Messages of event loops to the conductor.

use assay_tally::{Recorder, UnendedOperation};

use crate::course::timeline::Stretch;
use crate::course::{conductor, intervals};
use crate::load::collector::Collector;
use assay_format::event::{Deferred, EngineUse, LoopTotals};

pub(crate) type Message = conductor::Message<Collector>;

/// A message of an event loop that only a load on a server has.
pub(crate) enum ServerMessage {
    /// Lines for the ledger of acknowledged commits.
    Ledger(String),
    /// The instant at which the loop's first operation began, of a load that was held.
    Started(u64),
}

/// One interval of one event loop.
pub(crate) struct Slice {
    pub shard: usize,
    pub stretch: Stretch,
    pub in_flight: u64,
    pub queued: u64,
    pub recorder: Box<Recorder>,
    /// Lines about work that was left for later, as [`crate::load::record`] has them.
    pub records: String,
    /// The loop's totals up to the end of the interval.
    pub totals: LoopTotals,
    /// The process's use of the machine, read at the edge of the interval by the first event loop alone.
    pub usage: Option<EngineUse>,
}

/// How far an event loop had come at the end of an interval.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct LastKnown {
    pub totals: LoopTotals,
    pub in_flight: u64,
}

impl intervals::Slice for Slice {
    type LastKnown = LastKnown;

    fn part(&self) -> usize {
        self.shard
    }

    fn stretch(&self) -> Stretch {
        self.stretch
    }

    fn last_known(&self) -> LastKnown {
        LastKnown { totals: self.totals, in_flight: self.in_flight }
    }

    fn usage(&mut self) -> Option<EngineUse> {
        self.usage.take()
    }

    fn merge(&mut self, other: &Self) {
        self.in_flight += other.in_flight;
        self.queued += other.queued;
        self.recorder.merge(&other.recorder);
    }
}

/// Work that was left for later, from the start of the load to its end.
#[derive(Debug, Clone, Copy, Default)]
pub struct DeferredCounts {
    pub queued: u64,
    pub completed: u64,
    /// Deferred operations that were given up after an error.
    pub failed: u64,
    /// The longest queue of deferred work in one event loop.
    pub longest: u64,
}

impl DeferredCounts {
    pub fn merge(&mut self, other: &Self) {
        self.queued += other.queued;
        self.completed += other.completed;
        self.failed += other.failed;
        self.longest += other.longest;
    }
}

impl From<DeferredCounts> for Deferred {
    fn from(counts: DeferredCounts) -> Self {
        Self {
            queued: counts.queued,
            completed: counts.completed,
            failed: counts.failed,
            unfinished: counts.queued - counts.completed - counts.failed,
            longest_queue: counts.longest,
        }
    }
}

/// The last report of an event loop: how it ended.
#[derive(Default)]
pub(crate) struct ShardEnd {
    pub shard: usize,
    /// Transactions in the measured window, by connection, and by terminal where those are shared.
    pub operations: Vec<u64>,
    pub by_terminal: Vec<u64>,
    pub deferred: DeferredCounts,
    /// Operations that were still running when the loop ended.
    pub abandoned: u64,
    /// Transactions that belong to the measured window and had not ended when the loop did, at `ended`.
    pub unended: Vec<UnendedOperation>,
    pub ended: u64,
    /// Nanoseconds that transactions took inside the measured window, whole or cut by its ends.
    pub busy_ns: u64,
    pub totals: LoopTotals,
    /// Statements sent behind one that failed in the same packet, or may have.
    pub unsure: u64,
    /// Arrivals of the window that were still queued.
    pub unserved: u64,
    /// Open loop: what was scheduled in the measured window, whenever it ended.
    pub window: Option<Box<Recorder>>,
}
