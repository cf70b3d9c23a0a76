//! What ended on a connection: the record that the tally keeps until it goes into histograms.

use assay_tally::Times;
use assay_wire::Outcome;

/// The value that stands for no histogram number.
pub(super) const NONE: u16 = u16::MAX;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum What {
    /// A statement with a result set.
    Read,
    /// A statement that changed rows.
    Write,
    /// Any other statement.
    Other,
    /// A whole transaction.
    Transaction,
    /// Work that a transaction had left for later: no transaction of its own.
    Deferred,
    /// Closing a connection and opening it again, because the job wants it so.
    Renewal,
}

impl What {
    /// The kind of a statement by its outcome, as sysbench counts statements: a result set is a read, changed rows are
    /// a write, anything else is other.
    #[inline]
    pub(crate) fn of(outcome: &Outcome) -> Self {
        if outcome.result_set {
            Self::Read
        } else if outcome.affected_rows > 0 {
            Self::Write
        } else {
            Self::Other
        }
    }
}

/// A statement, a transaction or a renewal that succeeded.
#[derive(Debug, Clone, Copy)]
pub(crate) struct EndedOperation {
    pub(super) times: Times,
    /// The number of the connection within the event loop.
    pub(super) task: u32,
    /// Nanoseconds that a statement's answer had waited in its batch before it was read, at most 4 s; 0 for anything
    /// else.
    pub(super) reading_ns: u32,
    /// Histogram numbers: of what ended, and of its kind.
    pub(super) label: u16,
    pub(super) kind: u16,
    pub(super) what: What,
}

impl EndedOperation {
    /// A statement under this label, whose answer had waited `waited_ns` in its batch.
    #[inline]
    pub(crate) fn statement(what: What, label: usize, times: Times, waited_ns: u64) -> Self {
        let reading_ns = waited_ns.min(u64::from(u32::MAX)) as u32;
        Self { times, task: 0, reading_ns, label: label as u16, kind: NONE, what }
    }

    /// A transaction of connection `task`, or work that one had left for later. `kind`: the histogram number of its kind.
    #[inline]
    pub(crate) fn operation(what: What, task: u32, kind: Option<usize>, times: Times) -> Self {
        let label = if what == What::Transaction { super::TRANSACTION as u16 } else { NONE };
        let kind = kind.map_or(NONE, |kind| kind as u16);
        Self { times, task, reading_ns: 0, label, kind, what }
    }

    /// A connection that was closed at `began` and open again at `ended`.
    pub(crate) fn renewal(label: usize, began: u64, ended: u64) -> Self {
        let times = Times { scheduled: began, started: began, ended };
        Self { times, task: 0, reading_ns: 0, label: label as u16, kind: NONE, what: What::Renewal }
    }
}
