//! `COM_STMT_BULK_EXECUTE`: one prepared statement for many rows (MariaDB 10.2 and later).

use mysql_common::constants::{ColumnType, Command, MariadbCapabilities};

use crate::answer::ResultAnswer;
use crate::connection::Connection;
use crate::error::Error;
use crate::outcome::Outcome;
use crate::param::{BoundTypes, put_lenenc};
use crate::prepared::Prepared;
use crate::row::Discard;
use crate::stream::Stream;

/// Flag of the command: the types of the parameters follow.
const SEND_TYPES: u16 = 128;
/// Indicator byte in front of a value.
const VALUE: u8 = 0;
/// Indicator byte of a NULL, which no value follows.
const NULL: u8 = 1;

/// Rows for [`Connection::execute_bulk`]: every value as text, which the server converts as it would a string.
#[derive(Debug, Default)]
pub struct BulkRows {
    bytes: Vec<u8>,
    values: usize,
}

impl BulkRows {
    /// Forgets the rows and keeps the memory.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.values = 0;
    }

    /// Adds the next value of the row, or the first of the next row; `None` is NULL.
    #[inline]
    pub fn put(&mut self, value: Option<&[u8]>) {
        self.values += 1;
        match value {
            None => self.bytes.push(NULL),
            Some(text) => {
                self.bytes.push(VALUE);
                put_lenenc(&mut self.bytes, text.len() as u64);
                self.bytes.extend_from_slice(text);
            }
        }
    }

    /// Length of the rows on the wire, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.bytes.len()
    }
}

impl<S: Stream> Connection<S> {
    /// Whether the server knows `COM_STMT_BULK_EXECUTE`.
    pub fn takes_bulk(&self) -> bool {
        self.server().mariadb_capabilities.contains(MariadbCapabilities::MARIADB_CLIENT_STMT_BULK_OPERATIONS)
    }

    /// Executes a statement once for each row. [`Connection::takes_bulk`] must hold.
    ///
    /// # Errors
    /// [`Error::Server`] when the server refuses; [`Error::ParameterCount`], with nothing sent, when the values do not
    /// fill rows.
    pub async fn execute_bulk(&mut self, prepared: &mut Prepared, rows: &BulkRows) -> Result<Outcome, Error> {
        let width = prepared.params();
        if width == 0 || rows.values == 0 || !rows.values.is_multiple_of(width) {
            return Err(Error::ParameterCount { expected: width, given: rows.values });
        }
        self.start()?;
        let payload = self.link.command(Command::COM_STMT_BULK_EXECUTE as u8);
        payload.extend_from_slice(&prepared.id.to_le_bytes());
        payload.extend_from_slice(&SEND_TYPES.to_le_bytes());
        for _ in 0..width {
            payload.extend_from_slice(&[ColumnType::MYSQL_TYPE_VAR_STRING as u8, 0]);
        }
        payload.extend_from_slice(&rows.bytes);
        // The server remembers these types, an ordinary execution must tell its own.
        prepared.bound = BoundTypes::default();
        let due = prepared.due();
        let mut nowhere = Discard;
        let mut answer =
            ResultAnswer::binary(&mut nowhere, self.dialect, &mut self.metadata, &mut prepared.metadata);
        let exchanged = self.link.exchange(&mut answer).await;
        let mut result = exchanged.and_then(|()| due.check(&answer)).map(|()| answer.outcome);
        if let Some(file) = answer.wants_file.take() {
            result = self.refuse_file(file).await;
        }
        self.finish(result)
    }
}
