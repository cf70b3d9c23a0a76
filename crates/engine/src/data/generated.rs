//! Rows that are generated from statistics, sent over several connections: whoever has a connection free makes the next
//! rows.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use assay_generate::{Fault, Model, Profile};
use assay_wire::{Connection, Discard};

use crate::data::pool::{Shared, work_off};
use crate::process::clock::Clock;
use crate::process::failure::Fatal;
use crate::reactor::socket::Socket;
use crate::server::login::Login;

/// Bytes of a statement, which a row may exceed.
const STATEMENT_BYTES: usize = 256 << 10;
/// Rows that a connection takes at a time.
const ROWS_AT_ONCE: u64 = 4096;
/// The session that rows are written for. Rows may come before those that they refer to; times are those of the profile; a
/// value that does not fit is refused and never cut.
pub(crate) const SESSION: &str = "SET SESSION sql_mode = 'NO_AUTO_VALUE_ON_ZERO,STRICT_ALL_TABLES', \
    foreign_key_checks = 0, time_zone = '+00:00'";

/// The seed of rows, so that every server and every study has the same ones.
const SEED: u64 = 1;

/// Rows of a table to be made.
#[derive(Debug, Clone, Copy)]
struct Piece {
    table: usize,
    first: u64,
    end: u64,
}

/// Tables of a profile.
pub(crate) struct Generated {
    pub model: Model,
    /// The name of the profile in messages.
    pub name: String,
    pub statements: AtomicU64,
}

impl Generated {
    /// # Errors
    /// The profile contradicts itself, or has no room for so many rows.
    pub(crate) fn new(profile: &Profile) -> Result<Self, Fatal> {
        let model = Model::new(profile, SEED).map_err(|fault: Fault| {
            Fatal::job(format!("{}: {fault}", profile.name))
                .hint("mend that part of the file, or give [dataset] a smaller scale")
        })?;
        Ok(Self { model, name: profile.name.clone(), statements: AtomicU64::new(0) })
    }

    /// The statements that make the tables, each after its name for messages.
    pub(crate) fn texts(&self) -> Vec<(String, Vec<u8>)> {
        let session = (self.name.clone(), format!("{SESSION};").into_bytes());
        let create = |table: &assay_generate::Table| {
            (format!("{}: {}", self.name, table.name), format!("{};", table.create).into_bytes())
        };
        std::iter::once(session).chain(self.model.tables().iter().map(create)).collect()
    }

    /// All rows of all tables.
    pub(crate) fn rows(&self) -> u64 {
        self.model.tables().iter().map(|table| table.rows).sum()
    }

    /// Makes all rows and sends them. `Ok(false)`: a signal ended it.
    ///
    /// # Errors
    /// The server refuses rows, or goes away.
    pub(crate) fn send(
        &self,
        login: &Login,
        clock: Clock,
        connections: usize,
        report: impl FnMut(u64),
    ) -> Result<bool, Fatal> {
        let work = |shared: Arc<Shared<Piece>>, connection: Connection<Socket>, piece: Piece| async move {
            self.send_piece(&shared, connection, piece).await
        };
        work_off(login, clock, connections, self.pieces(), work, report)
    }

    fn pieces(&self) -> Vec<Piece> {
        let mut found = Vec::new();
        for (table, one) in self.model.tables().iter().enumerate() {
            let mut first = 0;
            while first < one.rows {
                let end = one.rows.min(first + ROWS_AT_ONCE);
                found.push(Piece { table, first, end });
                first = end;
            }
        }
        found
    }

    async fn send_piece(
        &self,
        shared: &Shared<Piece>,
        mut connection: Connection<Socket>,
        piece: Piece,
    ) -> Result<Connection<Socket>, Fatal> {
        let table = &self.model.tables()[piece.table];
        let refused = |what: &str, error: &assay_wire::Error| {
            Fatal::statement(&format!("{}: {}: {what}", self.name, table.name), error)
        };
        let set = connection.query(SESSION.as_bytes(), &mut Discard).await;
        set.map_err(|error| refused("its session", &error))?;
        let begun = connection.query(b"BEGIN", &mut Discard).await;
        begun.map_err(|error| refused("its rows", &error))?;
        let insert = table.insert();
        let mut text = Vec::with_capacity(STATEMENT_BYTES + (STATEMENT_BYTES >> 3));
        let (mut row, mut first) = (piece.first, piece.first);
        while row < piece.end {
            text.extend_from_slice(if text.is_empty() { insert.as_bytes() } else { b"," });
            self.model.row(piece.table, row, &mut text);
            row += 1;
            if text.len() >= STATEMENT_BYTES || row == piece.end {
                let answered = connection.query(&text, &mut Discard).await;
                answered.map_err(|error| refused(&format!("rows {} to {row}", first + 1), &error))?;
                self.statements.fetch_add(1, Ordering::Relaxed);
                shared.add_done(row - first);
                text.clear();
                first = row;
            }
        }
        let ended = connection.query(b"COMMIT", &mut Discard).await;
        ended.map_err(|error| refused("its rows", &error))?;
        Ok(connection)
    }
}
