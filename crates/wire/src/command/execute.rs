//! `COM_STMT_EXECUTE`, `COM_STMT_RESET`, `COM_STMT_CLOSE`

use mysql_common::constants::{Command, CursorType};

use crate::answer::{OkAnswer, ResultAnswer};
use crate::connection::Connection;
use crate::error::Error;
use crate::outcome::Outcome;
use crate::param::{BoundTypes, Param};
use crate::prepared::Prepared;
use crate::row::Rows;
use crate::stream::Stream;

impl<S: Stream> Connection<S> {
    /// Executes a prepared statement and hands over the rows of all its results.
    ///
    /// # Errors
    /// [`Error::Server`] when the server refuses, [`Error::ParameterCount`] when nothing was sent for it; both leave
    /// the connection usable.
    pub async fn execute(
        &mut self,
        prepared: &mut Prepared,
        params: &[Param<'_>],
        rows: &mut (impl Rows + ?Sized),
    ) -> Result<Outcome, Error> {
        if params.len() != prepared.params() {
            return Err(Error::ParameterCount { expected: prepared.params(), given: params.len() });
        }
        self.start()?;
        let payload = self.link.command(Command::COM_STMT_EXECUTE as u8);
        put_execute(prepared.id, &mut prepared.bound, params, payload);
        let due = prepared.due();
        let mut answer = ResultAnswer::binary(rows, self.dialect, &mut self.metadata, &mut prepared.metadata);
        let exchanged = self.link.exchange(&mut answer).await;
        let mut result = exchanged.and_then(|()| due.check(&answer)).map(|()| answer.outcome);
        if let Some(file) = answer.wants_file.take() {
            result = self.refuse_file(file).await;
        }
        if result.is_err() {
            // Whether the server took note of the types is not known.
            prepared.bound = BoundTypes::default();
        }
        self.finish(result)
    }

    /// Forgets cursors and long data of a statement at the server.
    ///
    /// # Errors
    /// [`Error::Server`] when the server does not know the statement.
    pub async fn reset_statement(&mut self, prepared: &mut Prepared) -> Result<(), Error> {
        self.start()?;
        self.link.command(Command::COM_STMT_RESET as u8).extend_from_slice(&prepared.id.to_le_bytes());
        let result = self.link.exchange(&mut OkAnswer).await;
        prepared.bound = BoundTypes::default();
        self.finish(result)
    }

    /// Frees a statement at the server, which does not answer.
    ///
    /// # Errors
    /// [`Error::Io`] when the command cannot be sent.
    pub async fn close_statement(&mut self, prepared: Prepared) -> Result<(), Error> {
        self.start()?;
        self.link.command(Command::COM_STMT_CLOSE as u8).extend_from_slice(&prepared.id.to_le_bytes());
        self.link.outbox.end();
        let result = self.link.send().await;
        self.finish(result)
    }
}

/// The command's payload after its first byte.
#[inline]
fn put_execute(id: u32, bound: &mut BoundTypes, params: &[Param<'_>], payload: &mut Vec<u8>) {
    payload.extend_from_slice(&id.to_le_bytes());
    payload.push(CursorType::CURSOR_TYPE_NO_CURSOR.bits());
    // Iterations: always one.
    payload.extend_from_slice(&1u32.to_le_bytes());
    if params.is_empty() {
        return;
    }
    for eight in params.chunks(8) {
        let bit = |(place, param): (usize, &Param<'_>)| u8::from(*param == Param::Null) << place;
        payload.push(eight.iter().enumerate().map(bit).sum());
    }
    let rebind = bound.rebind(params);
    payload.push(u8::from(rebind));
    if rebind {
        for param in params {
            payload.extend_from_slice(&param.wire_type());
        }
    }
    for param in params {
        param.put_binary(payload);
    }
}
