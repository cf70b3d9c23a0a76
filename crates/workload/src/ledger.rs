//! A ledger of commits that the server has acknowledged: what a crash must not take back.

use std::sync::Arc;

/// Most numbers of one entry.
pub const ENTRY_MAX: usize = 4;

/// One kind of ledger entries: what was committed, and the row that must be there ever after.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ledger {
    /// The first word of every line of the file: short, in snake case.
    pub kind: Arc<str>,
    /// The name of the check that looks for the rows, as in [`Check`](crate::Check).
    pub check: Arc<str>,
    /// The title of that check.
    pub title: Arc<str>,
    pub table: Arc<str>,
    /// A key of the table, whole numbers, at most [`ENTRY_MAX`]: what an entry holds, in this order.
    pub key: Vec<Arc<str>>,
}

/// Index into [`Description::ledgers`](crate::Description::ledgers).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LedgerId(pub u8);

/// The key of a row that a transaction has committed; numbers past the key's columns are 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LedgerEntry {
    pub ledger: LedgerId,
    pub key: [u64; ENTRY_MAX],
}
