//! A statement prepared at the server.

use crate::columns::Columns;
use crate::error::Error;
use crate::param::BoundTypes;
use crate::statement::AnswerKind;

/// A statement that the server has prepared on one connection. Small: load generators keep dozens for each of
/// thousands of connections.
#[derive(Debug)]
pub struct Prepared {
    pub(crate) id: u32,
    pub(crate) params: u16,
    /// Number of columns, with [`EITHER`] where the text does not tell what it is answered with.
    pub(crate) columns: u16,
    pub(crate) bound: BoundTypes,
    /// The result's columns as last told: a server that has agreed to it (MariaDB 10.6 and later) tells them once.
    pub(crate) metadata: Option<Columns>,
}

/// A result has 4096 columns at most: this bit of their number is free.
const EITHER: u16 = 0x8000;

impl Prepared {
    /// Records which kind of answer the statement's text leads to expect.
    ///
    /// # Errors
    /// A `SELECT` without columns.
    pub(crate) fn note_text(&mut self, sql: &str) -> Result<(), Error> {
        let (due, shows) = (AnswerKind::of(sql.as_bytes()), AnswerKind::shows(sql.as_bytes()));
        match (due, self.columns) {
            // Servers do not always tell the columns of SHOW beforehand.
            (AnswerKind::Either, _) => self.columns |= EITHER,
            (AnswerKind::Rows, 0) if shows => self.columns |= EITHER,
            (AnswerKind::Rows, 0) => {
                return Err(Error::malformed("answer to COM_STMT_PREPARE: SELECT without columns"));
            }
            _ => {}
        }
        Ok(())
    }

    /// Kind of answer that an execution calls for.
    #[inline]
    pub(crate) fn due(&self) -> AnswerKind {
        match self.columns {
            0 => AnswerKind::Ok,
            columns if columns & EITHER != 0 => AnswerKind::Either,
            _ => AnswerKind::Rows,
        }
    }

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
        usize::from(self.columns & !EITHER)
    }
}
