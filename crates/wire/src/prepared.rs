//! A statement prepared at the server.

use crate::columns::Columns;
use crate::param::BoundTypes;

/// A statement that the server has prepared on one connection. Small: load generators keep dozens for each of
/// thousands of connections.
#[derive(Debug)]
pub struct Prepared {
    pub(crate) id: u32,
    pub(crate) params: u16,
    pub(crate) columns: u16,
    pub(crate) bound: BoundTypes,
    /// The result's columns as last told: a server that has agreed to it (MariaDB 10.6 and later) tells them once.
    pub(crate) metadata: Option<Columns>,
}

impl Prepared {
    /// The server's number of the statement, unique within its connection.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.id
    }

    /// Number of `?` in the statement.
    #[must_use]
    pub fn params(&self) -> usize {
        usize::from(self.params)
    }

    /// Number of columns of the result; 0 when there is none.
    #[must_use]
    pub fn columns(&self) -> usize {
        usize::from(self.columns)
    }
}
