//! The figures that doubts are drawn from. A load fills in those that it has; the others raise nothing.

use assay_format::event::Deferred;
use assay_workload::Account;

#[derive(Debug, Default)]
pub(crate) struct Facts {
    pub debug_build: bool,
    /// Whether the warm-up found the throughput level; absent when it did not look.
    pub steady: Option<bool>,
    pub in_flight: Option<InFlight>,
    /// Share of their time that event loops were busy, and the number of event loops.
    pub loops_busy: Option<(f64, u64)>,
    /// Share of all processors that the load kept busy.
    pub processors_busy: Option<f64>,
    /// Largest time by which an event loop was late for its own next turn.
    pub longest_stall_ns: u64,
    /// Open loop: 99th percentile of the pacer's lateness.
    pub late_p99_ns: u64,
    /// 99th percentile of the time that answers waited to be read, and median of the service of whole transactions.
    pub reading: Option<(u64, u64)>,
    pub served: Option<Served>,
    /// Terminals of the load, and those that the workload's own pace is meant for.
    pub terminals: Option<(u64, u64)>,
    pub deferred: Option<Deferred>,
    /// Parts of the tables that were worked in, and all of them, where connections have parts of their own.
    pub reach: Option<(u64, u64)>,
    /// Reads that found no row, and all of them, where the workload counts them.
    pub reads: Option<(u64, u64)>,
    /// The kind of a person's own transactions of which the largest share failed: how many, and of how many.
    pub failing: Option<(String, u64, u64)>,
    /// The account of a person's own statements, and seconds from the start of the load to its end.
    pub account: Option<Account>,
    pub load_s: f64,
    /// Arrivals of the warm-up that were still queued when the window began, and connections to serve them.
    pub carried_over: Option<(u64, u64)>,
    /// Transactions that ended in the window, where a window without any says nothing.
    pub transactions: Option<u64>,
    pub uncommitted: Option<Uncommitted>,
    /// INSERTs that stored no row, and all transactions.
    pub unstored: Option<(u64, u64)>,
    /// Statements that went as text as the server could not prepare them, counted on each connection.
    pub unprepared: u64,
    /// Arrivals that were dropped, and all of them.
    pub dropped: Option<(u64, u64)>,
    /// Operations that never came to their end.
    pub abandoned: u64,
    pub depth: Option<Depth>,
    /// Names of the parts of the load that hang, and their number.
    pub hung: Option<(String, u64)>,
    pub statements: Option<Statements>,
}

/// Little's law: what should be in flight, and what the times of operations account for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct InFlight {
    /// Name of one thing that should be in flight: a connection, an operation.
    pub what: &'static str,
    pub expected: f64,
    pub accounted: f64,
    /// Share by which the edges of the window alone may make the two figures differ.
    pub edges: f64,
}

/// Transactions by connection, or by terminal where those share connections.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Served {
    pub terminals: bool,
    pub min: u64,
    pub mean: f64,
}

/// The queue depth of the storage job that reached the smallest share of what it asked for.
#[derive(Debug, Clone)]
pub(crate) struct Depth {
    pub job: String,
    pub depth: u64,
    pub reached: f64,
}

/// Operations that ended inside a transaction that nobody committed, and all of them; connections that ended inside one.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Uncommitted {
    pub operations: u64,
    pub of: u64,
    pub connections: u64,
}

/// Statements that were sent, and that the server counted.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Statements {
    pub sent: u64,
    pub counted: u64,
    /// Statements whose connection broke, fell silent or was left: the server may not have come to them.
    pub unsure: u64,
    /// Connections that were closed, or opened again: some servers count the goodbye of each.
    pub goodbyes: u64,
    /// Seconds between the two readings of the server's count.
    pub elapsed_s: f64,
}
