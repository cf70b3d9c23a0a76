//! `COM_STMT_EXECUTE`, `COM_STMT_RESET`, `COM_STMT_CLOSE`

use mysql_common::constants::{Command, CursorType};

use crate::answer::{OkAnswer, ResultAnswer};
use crate::connection::Connection;
use crate::error::Error;
use crate::inbox::HEADER;
use crate::outbox::Outbox;
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
        put_execute(prepared.id, &mut prepared.bound, params, &mut self.link.outbox);
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

/// Bytes of a command's packet before its null bitmap: header, command, statement, cursor, iterations.
const FIXED: usize = HEADER + 10;

/// Bytes up to the values, where one byte holds the null bitmap and no types are told.
const IMAGE: usize = FIXED + 2;

/// Parameters that one byte of null bitmap holds.
const BYTE: usize = 8;

/// The packet of an execution up to its null bitmap, its length still to be filled in.
#[inline]
fn fixed(id: u32) -> [u8; FIXED] {
    let [a, b, c, d] = id.to_le_bytes();
    let cursor = CursorType::CURSOR_TYPE_NO_CURSOR.bits();
    // The four bytes at the end are the number of iterations: always one.
    [0, 0, 0, 0, Command::COM_STMT_EXECUTE as u8, a, b, c, d, cursor, 1, 0, 0, 0]
}

/// The whole packet but its length. Up to eight parameters, and most statements have no more, everything before the
/// values is one image, appended in one go.
#[inline]
fn put_execute(id: u32, bound: &mut BoundTypes, params: &[Param<'_>], outbox: &mut Outbox) {
    let fixed = fixed(id);
    if params.is_empty() {
        outbox.begin_with(&fixed);
        return;
    }
    let rebind = bound.rebind(params);
    let packet = if params.len() <= BYTE {
        let mut image = [0; IMAGE];
        image[..FIXED].copy_from_slice(&fixed);
        image[FIXED] = nulls(params);
        image[FIXED + 1] = rebind.into();
        outbox.begin_with(&image)
    } else {
        let packet = outbox.begin_with(&fixed);
        packet.extend(params.chunks(BYTE).map(nulls));
        packet.push(rebind.into());
        packet
    };
    if rebind {
        for param in params {
            packet.extend_from_slice(&param.wire_type());
        }
    }
    for param in params {
        param.put_binary(packet);
    }
}

/// The null bitmap's byte of up to eight parameters.
#[inline]
fn nulls(params: &[Param<'_>]) -> u8 {
    let mut bits = 0;
    for (place, param) in params.iter().enumerate() {
        bits |= u8::from(matches!(param, Param::Null)) << place;
    }
    bits
}
