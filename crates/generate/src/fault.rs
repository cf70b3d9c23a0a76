//! What a profile cannot be made into.

use thiserror::Error;

/// A fault of a profile: where it is, and what is wrong there.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("table {table}, {part}: {message}")]
pub struct Fault {
    pub table: String,
    /// A column, reference or key, as in `column id`.
    pub part: String,
    pub message: String,
}

impl Fault {
    pub(crate) fn new(table: &str, part: impl Into<String>, message: impl Into<String>) -> Self {
        Self { table: table.into(), part: part.into(), message: message.into() }
    }
}
