//! What event loops tell the collector.

use assay_tally::Recorder;

use crate::course::timeline::Stretch;
use crate::process::failure::Fatal;
use assay_format::event::{Deferred, EngineUse, ErrorEvent};

pub enum Message {
    /// One connection has logged in and prepared its statements.
    Connected,
    Slice(Box<Slice>),
    /// Lines for the ledger of acknowledged commits.
    Ledger(String),
    /// An error that the run survives, for the time line.
    Notice(ErrorEvent),
    Fatal(Fatal),
    End(ShardEnd),
}

/// One interval of one event loop.
pub struct Slice {
    pub shard: usize,
    pub stretch: Stretch,
    pub in_flight: u64,
    pub queued: u64,
    pub recorder: Box<Recorder>,
    /// Lines about work that was left for later, as [`crate::load::record`] has them.
    pub records: String,
    /// Read at the boundary itself, by the first event loop alone.
    pub usage: Option<EngineUse>,
}

/// Work that was left for later, from the start of the load to its end.
#[derive(Debug, Clone, Copy, Default)]
pub struct DeferredCounts {
    pub queued: u64,
    pub completed: u64,
    /// Given up after an error.
    pub failed: u64,
    /// The most that waited at once, in one event loop.
    pub longest: u64,
}

impl DeferredCounts {
    pub fn merge(&mut self, other: &Self) {
        self.queued += other.queued;
        self.completed += other.completed;
        self.failed += other.failed;
        self.longest += other.longest;
    }

    /// As the event has it.
    pub fn said(&self) -> Deferred {
        Deferred {
            queued: self.queued,
            completed: self.completed,
            failed: self.failed,
            unfinished: self.queued - self.completed - self.failed,
            longest_queue: self.longest,
        }
    }
}

/// How an event loop ended.
pub struct ShardEnd {
    pub shard: usize,
    /// Transactions in the measured window, by connection, and by terminal where those are shared.
    pub operations: Vec<u64>,
    pub by_terminal: Vec<u64>,
    pub deferred: DeferredCounts,
    /// Operations that were still running.
    pub abandoned: u64,
    /// Time that transactions took inside the measured window, whole or cut by its ends.
    pub busy_ns: u64,
    /// Statements sent since the load began.
    pub sent: u64,
    /// Of them, those behind one that failed in the same packet, or may have.
    pub unsure: u64,
    /// Arrivals of the warm-up still queued when the window began.
    pub carried_over: u64,
    /// Arrivals of the window that were still queued.
    pub unserved: u64,
    pub longest_stall_ns: u64,
    /// Open loop: what was scheduled in the measured window, whenever it ended.
    pub window: Option<Box<Recorder>>,
}
