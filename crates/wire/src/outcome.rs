//! The outcome of a statement.

/// The end of a statement: the OK or EOF packet, and what was counted on the way.
///
/// A command that answers with several results (a procedure, several statements in one text) has one outcome: rows,
/// affected rows and warnings are sums, the insert id is the last one that was not 0.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Whether the server sent a result set, perhaps without rows.
    pub result_set: bool,
    /// Rows of all result sets.
    pub rows: u64,
    /// Bytes of these rows, as the protocol has them.
    pub bytes: u64,
    pub affected_rows: u64,
    pub last_insert_id: u64,
    pub warnings: u16,
}
