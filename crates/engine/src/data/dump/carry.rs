//! Batches on their way over a connection, and what becomes of those that the server refuses.

use std::path::Path;
use std::sync::atomic::Ordering;

use assay_wire::{Connection, Discard, Error, Outcome, Row, Rows};

use crate::data::dump::ahead::Ahead;
use crate::data::dump::batch::{Batch, Part};
use crate::data::dump::scan::Placed;
use crate::data::dump::send::Sent;
use crate::process::failure::Fatal;
use crate::process::poison::unpoisoned;
use crate::reactor::socket::Socket;
use assay_format::event::ErrorKind;

/// How often rows are sent before a deadlock is an error: each time another connection has gone on.
const TRIES: u32 = 20;
/// The largest file that a statement of a dump may have the client send: it is in memory.
const LOCAL_MOST: u64 = 1 << 30;
/// The session that files of rows are written for: numbers, times and keys are those of the file.
const SESSION_OF_FILES: &str = "SET SESSION sql_mode = 'NO_AUTO_VALUE_ON_ZERO', foreign_key_checks = 0, unique_checks = 0, time_zone = '+00:00'";

/// How statements of a batch belong together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Bond {
    /// Their order is that of the files.
    Order,
    /// Each stands for itself, beside what other connections send.
    Nothing,
    /// A table's own are a transaction.
    Transaction,
}

/// What is sent around the statements of a transaction.
const BEGIN: &[u8] = b"BEGIN";
const COMMIT: &[u8] = b"COMMIT";

/// Sends one batch after the other until there is no next.
pub(super) async fn carry(
    mut connection: Connection<Socket>,
    head: &[Placed],
    next: impl Fn() -> Result<Option<Batch>, Fatal>,
    sent: &Sent,
    bond: Bond,
) -> Result<Connection<Socket>, Fatal> {
    for Placed { sql, place, .. } in head {
        connection.query(sql, &mut Discard).await.map_err(|error| sent.refused(place, sql, &error))?;
    }
    let (mut prepared, mut ahead) = (false, Ahead::default());
    while let Some(batch) = next()? {
        match batch {
            Batch::Statements { text, list } => {
                // Of one table, so that a deadlock, which only a transactional one has, leaves no rows of another behind.
                for run in list.chunk_by(|one, next| one.table == next.table) {
                    let mut tries = if bond == Bond::Order { 1 } else { TRIES };
                    let mut send = async || {
                        send_statements(&mut connection, &text, run, bond, &mut tries, sent, &mut ahead).await
                    };
                    while !send().await? {}
                }
            }
            Batch::Local { sql, path, place } => {
                let content = content_of(&path, &place)?;
                let answered = connection.load(&sql, &content).await;
                answered.map_err(|error| sent.refused(&place, &sql, &error))?;
                sent.statements.fetch_add(1, Ordering::Relaxed);
            }
            Batch::Rows { sql, table, content, records, place } => {
                if !std::mem::replace(&mut prepared, true) {
                    let set = SESSION_OF_FILES.as_bytes();
                    let answered = connection.query(set, &mut Discard).await;
                    answered.map_err(|error| sent.refused(&place, set, &error))?;
                }
                let mut tries = TRIES;
                let outcome = loop {
                    match connection.load(sql.as_bytes(), &content).await {
                        Err(error) if tries > 1 && is_deadlock(&error) => tries -= 1,
                        answered => {
                            break answered.map_err(|error| sent.refused(&place, sql.as_bytes(), &error))?;
                        }
                    }
                };
                // LOCAL passes over rows that do not fit, and cuts values that do not.
                if outcome.affected_rows != records || outcome.warnings > 0 {
                    let mut first = Warning::default();
                    let _ = connection.query(b"SHOW WARNINGS LIMIT 1", &mut first).await;
                    let message = format!(
                        "{place}: {table} took {} of {records} rows, with {} warnings: {}",
                        outcome.affected_rows, outcome.warnings, first.0
                    );
                    return Err(Fatal::new(ErrorKind::Server, message).hint(
                        "compare the file's columns, their order, its quotes and its NULLs with the table",
                    ));
                }
                sent.statements.fetch_add(1, Ordering::Relaxed);
                *unpoisoned(sent.rows.lock()).entry(table).or_default() += records;
            }
        }
    }
    ahead.end(&mut connection).await?;
    Ok(connection)
}

/// A file that the client sends, whole.
fn content_of(path: &Path, place: &str) -> Result<Vec<u8>, Fatal> {
    let failed = |error| Fatal::job(format!("{place}: cannot read {}: {error}", path.display()));
    if std::fs::metadata(path).map_err(failed)?.len() > LOCAL_MOST {
        return Err(Fatal::job(format!("{place}: {} is larger than 1 GiB", path.display()))
            .hint("put the rows into a folder with schema.sql: [dataset] use = \"dump:csv:FOLDER\""));
    }
    std::fs::read(path).map_err(failed)
}

/// Sends the statements of a batch one after the other. `Ok(false)`: the server has rolled the transaction of all of them back after
/// a deadlock, and there are more `tries`.
async fn send_statements(
    connection: &mut Connection<Socket>,
    text: &[u8],
    list: &[Part],
    bond: Bond,
    tries: &mut u32,
    sent: &Sent,
    ahead: &mut Ahead,
) -> Result<bool, Fatal> {
    let transaction = bond == Bond::Transaction && list.len() > 1;
    let place_of = |part: &Part| format!("{}:{}", part.file, part.line);
    let refused = |part: Option<&Part>, sql: &[u8], error: &Error| {
        sent.refused(&part.map(place_of).unwrap_or_default(), sql, error)
    };
    if transaction {
        let begun = connection.query(BEGIN, &mut Discard).await;
        begun.map_err(|error| refused(list.first(), BEGIN, &error))?;
    }
    let mut outcomes = Vec::with_capacity(list.len());
    for part in list {
        let sql = &text[part.from..part.to];
        loop {
            match connection.query(sql, &mut Discard).await {
                Ok(outcome) => outcomes.push((part, outcome)),
                Err(Error::Server(_)) if part.untried => unpoisoned(sent.untried.lock()).push(place_of(part)),
                Err(error) if *tries > 1 && is_deadlock(&error) => {
                    *tries -= 1;
                    if transaction {
                        return Ok(false);
                    }
                    continue;
                }
                Err(error) => {
                    let refused = refused(Some(part), sql, &error);
                    ahead.again(connection, sql, error.code(), refused).await?;
                    outcomes.push((part, Outcome::default()));
                }
            }
            break;
        }
    }
    if transaction {
        match connection.query(COMMIT, &mut Discard).await {
            Err(error) if *tries > 1 && is_deadlock(&error) => {
                *tries -= 1;
                return Ok(false);
            }
            ended => drop(ended.map_err(|error| refused(list.last(), COMMIT, &error))?),
        }
    }
    for (part, outcome) in outcomes {
        sent.statements.fetch_add(1, Ordering::Relaxed);
        if !part.table.is_empty() {
            *unpoisoned(sent.rows.lock()).entry(part.table.clone()).or_default() += outcome.affected_rows;
            sent.warn(outcome.warnings, || place_of(part));
        }
    }
    Ok(true)
}

/// Whether the server has rolled a transaction back for another. Two connections that meet in an empty table do this to each other
/// where checks are off: MariaDB 10.6 wants the whole table for the rows of the first.
fn is_deadlock(error: &Error) -> bool {
    const ER_LOCK_DEADLOCK: u16 = 1213;
    error.code() == Some(ER_LOCK_DEADLOCK)
}

/// The server's words about the first warning.
#[derive(Default)]
pub(super) struct Warning(pub String);

impl Rows for Warning {
    fn row(&mut self, row: &Row<'_>) {
        if let Some(words) = row.bytes(2).filter(|_| self.0.is_empty()) {
            self.0 = assay_wire::printable(&words, 300);
        }
    }
}
