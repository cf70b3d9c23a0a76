//! A ledger of commits that the server has acknowledged: what a crash must not take back.

/// Most numbers of one entry.
pub const ENTRY_MAX: usize = 4;

/// One kind of entry: what was committed, and the row that must be there ever after.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ledger {
    /// Begins every line of the file: short, in snake case.
    pub kind: &'static str,
    /// Name and title of the check that looks for the rows, as in [`Check`](crate::Check).
    pub check: &'static str,
    pub title: &'static str,
    pub table: &'static str,
    /// A key of the table, whole numbers, at most [`ENTRY_MAX`]: what an entry holds, in this order.
    pub key: &'static [&'static str],
}

/// Index into [`Workload::ledgers`](crate::Workload::ledgers).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LedgerId(pub u8);

/// The key of a row that a transaction has committed; numbers past the key's columns are 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Entry {
    pub ledger: LedgerId,
    pub key: [u64; ENTRY_MAX],
}
