//! What event loops tell the collector.

use assay_tally::Recorder;

use crate::event::{EngineUse, ErrorEvent};
use crate::failure::Fatal;
use crate::timeline::Stretch;

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
    /// Read at the boundary itself, by the first event loop alone.
    pub usage: Option<EngineUse>,
}

/// How an event loop ended.
pub struct ShardEnd {
    pub shard: usize,
    /// Transactions in the measured window, by connection.
    pub operations: Vec<u64>,
    /// Operations that were still running.
    pub abandoned: u64,
    /// Time that transactions took inside the measured window, whole or cut by its ends.
    pub busy_ns: u64,
    /// Statements sent since the load began.
    pub sent: u64,
    /// Arrivals of the warm-up still queued when the window began.
    pub carried_over: u64,
    /// Arrivals of the window that were still queued.
    pub unserved: u64,
    pub longest_stall_ns: u64,
    /// Open loop: what was scheduled in the measured window, whenever it ended.
    pub window: Option<Box<Recorder>>,
}
