//! Statements and rows of a dump on their way: one thread reads, connections take what it has read.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use assay_wire::{Connection, Discard, Error, Row, Rows};

use crate::data::dump::batch::{Batch, Filling, Part};
use crate::data::dump::extents::Shares;
use crate::data::dump::order::Order;
use crate::data::dump::queue::{Piece, Queue};
use crate::data::dump::read::{Input, Reached, Read, read};
use crate::data::dump::rewrite::Rewriting;
use crate::data::dump::roles::Role;
use crate::data::dump::rows::{Records, load_sql};
use crate::data::dump::scan::Placed;
use crate::data::pool::work_off_on;
use crate::process::clock::Clock;
use crate::process::failure::Fatal;
use crate::process::panics::caught;
use crate::process::poison::unpoisoned;
use crate::reactor::socket::Socket;
use crate::server::login::Login;
use assay_format::event::ErrorKind;

/// Bytes of rows that a connection takes at a time.
const BATCH_BYTES: usize = 1 << 20;
/// Bytes that wait for each connection.
const WAITING_BYTES: usize = 4 << 20;
/// How often rows are sent before a deadlock is an error: each time another connection has gone on.
const TRIES: u32 = 20;
/// The largest file that a statement of a dump may have the client send: it is in memory.
const LOCAL_MOST: u64 = 1 << 30;
/// The session that files of rows are written for: numbers, times and keys are those of the file.
pub(super) const SESSION_OF_FILES: &str = "SET SESSION sql_mode = 'NO_AUTO_VALUE_ON_ZERO', foreign_key_checks = 0, unique_checks = 0, time_zone = '+00:00'";

/// How statements of a batch belong together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Bond {
    /// Their order is that of the files.
    Order,
    /// Each stands for itself, beside what other connections send.
    Nothing,
    /// A table's own are a transaction.
    Transaction,
}

/// What was sent, and what the server said of it.
#[derive(Debug, Default)]
pub(super) struct Sent {
    pub rows: Mutex<BTreeMap<Arc<str>, u64>>,
    pub statements: AtomicU64,
    pub warnings: AtomicU64,
    /// Where the first warning was.
    pub warned: Mutex<Option<String>>,
    /// Where statements are that need rows which were not sent.
    pub untried: Mutex<Vec<String>>,
    /// The database that the statements are for.
    pub database: String,
}

/// The way from files to a server.
pub(super) struct Sender<'a> {
    pub login: &'a Login,
    pub clock: Clock,
    pub inputs: &'a [Input],
    pub wanted: Option<&'a str>,
    pub sent: &'a Sent,
}

impl Sender<'_> {
    /// Sends statements in their order over one connection. `Ok(false)`: a signal ended it.
    pub(super) fn in_order(&self, statements: &[Placed], report: impl FnMut()) -> Result<bool, Fatal> {
        let each = statements.iter().map(std::slice::from_ref);
        self.lists(1, &[], Bond::Order, each, report)
    }

    /// Sends lists of statements over several connections, each list in order by one of them, after the settings of `head`.
    pub(super) fn apart(
        &self,
        connections: usize,
        head: &[Placed],
        lists: &[Vec<Placed>],
        report: impl FnMut(),
    ) -> Result<bool, Fatal> {
        self.lists(connections, head, Bond::Nothing, lists.iter().map(Vec::as_slice), report)
    }

    fn lists<'b>(
        &self,
        connections: usize,
        head: &[Placed],
        bond: Bond,
        mut lists: impl ExactSizeIterator<Item = &'b [Placed]> + Send,
        report: impl FnMut(),
    ) -> Result<bool, Fatal> {
        if lists.len() == 0 {
            return Ok(true);
        }
        self.over(connections, head, bond, report, |queue| {
            lists.all(|list| {
                let mut filling = Filling::default();
                for Placed { sql, place } in list {
                    let (file, line) = place.rsplit_once(':').unwrap_or((place, "0"));
                    filling.add(sql, file, line.parse().unwrap_or(0), "");
                }
                filling.put(queue)
            });
            Ok(())
        })
    }

    /// Sends rows that each connection reads where they stand in the files, each after the settings of `head`.
    pub(super) fn shared_out(
        &self,
        connections: usize,
        head: &[Placed],
        shares: &Shares,
        reached: &Reached,
        mut report: impl FnMut(),
    ) -> Result<bool, Fatal> {
        let sent = self.sent;
        let work = |_, connection: Connection<Socket>, number: usize| async move {
            let next = || {
                let batch = shares.take(number, BATCH_BYTES as u64)?;
                let bytes = batch.as_ref().map_or(0, Piece::bytes);
                reached.bytes.fetch_add(bytes as u64, Ordering::Relaxed);
                Ok(batch)
            };
            carry(connection, head, next, sent, Bond::Transaction).await
        };
        // A connection reads its files on a thread of its own.
        let numbers = (0..connections).collect();
        let whole =
            work_off_on(connections, self.login, self.clock, connections, numbers, work, |_| report())?;
        Ok(whole && !crate::process::signal::received())
    }

    /// Sends the rows of all files over several connections, each after the settings of `head`.
    pub(super) fn rows(
        &self,
        connections: usize,
        head: &[Placed],
        reached: &Reached,
        report: impl FnMut(),
    ) -> Result<bool, Fatal> {
        self.over(connections, head, Bond::Transaction, report, |queue| {
            let mut filling = Filling::default();
            let mut order = Order::new(self.wanted);
            read(self.inputs, &mut order, reached, &mut |read, _| match read {
                Read::Statement { role: Role::Rows, facts, sql, file, line, .. } => {
                    filling.add(sql, file, line, &facts.table);
                    Ok(filling.bytes() < BATCH_BYTES || filling.put(queue))
                }
                Read::Statement { .. } => Ok(true),
                Read::Rows { input } => send_file(input, reached, queue),
            })?;
            filling.put(queue);
            Ok(())
        })
    }

    /// Sends all files as they stand over one connection; without rows, where only the structure is wanted. What is then
    /// refused, and defines nothing, may have needed the rows before it.
    pub(super) fn as_it_stands(
        &self,
        structure_only: bool,
        rewriting: &Mutex<Rewriting>,
        reached: &Reached,
        report: impl FnMut(),
    ) -> Result<bool, Fatal> {
        self.over(1, &[], Bond::Order, report, |queue| {
            let mut order = Order::new(self.wanted);
            let mut left_rows = false;
            read(self.inputs, &mut order, reached, &mut |read, _| match read {
                Read::Statement { role: Role::LeftOut(_), .. } => Ok(true),
                Read::Statement { role, facts, sql, file, line, local, .. } => {
                    let mut filling = Filling::default();
                    match role {
                        Role::Rows | Role::DependentRows if structure_only => {
                            left_rows = true;
                            return Ok(true);
                        }
                        Role::Transaction if structure_only => return Ok(true),
                        _ if local.is_some() => {
                            let path = local.map(Path::to_path_buf).unwrap_or_default();
                            let place = format!("{file}:{line}");
                            return Ok(queue.put(Batch::Local { sql: sql.to_vec(), path, place }));
                        }
                        Role::Rows => filling.add(sql, file, line, &facts.table),
                        Role::DependentRows => filling.add(sql, file, line, ""),
                        _ => {
                            let sent = unpoisoned(rewriting.lock()).rewritten(sql, role);
                            filling.add(&sent, file, line, "");
                            filling.mark(left_rows && role == Role::Other && !facts.defines());
                        }
                    }
                    Ok(filling.put(queue))
                }
                Read::Rows { .. } if structure_only => Ok(true),
                Read::Rows { input } => send_file(input, reached, queue),
            })
        })
    }

    /// Has `reading` fill a queue in a thread of its own, and connections send what is in it.
    fn over(
        &self,
        connections: usize,
        head: &[Placed],
        bond: Bond,
        mut report: impl FnMut(),
        reading: impl FnOnce(&Queue<Batch>) -> Result<(), Fatal> + Send,
    ) -> Result<bool, Fatal> {
        let queue = Queue::new(connections * WAITING_BYTES);
        let queue = &queue;
        thread::scope(|scope| {
            let reader = scope.spawn(move || {
                let read = caught(|| reading(queue)).and_then(|read| read);
                if read.is_err() {
                    queue.stop();
                }
                queue.close();
                read
            });
            let sent = self.sent;
            let work = |_, connection: Connection<Socket>, ()| async move {
                let carried = carry(connection, head, || Ok(queue.take()), sent, bond).await;
                if carried.is_err() {
                    queue.stop();
                }
                carried
            };
            // A connection waits for the reader: on a thread of its own, so that no other waits with it.
            let pieces = vec![(); connections];
            let whole =
                work_off_on(connections, self.login, self.clock, connections, pieces, work, |_| report());
            queue.stop();
            let read = reader.join().unwrap_or_else(|_| Err(Fatal::host("the reader of the files has died")));
            // A reader that fails stops the others, and a server that refuses stops the reader.
            let whole = whole?;
            read?;
            Ok(whole && !crate::process::signal::received())
        })
    }
}

fn send_file(input: &Input, reached: &Reached, queue: &Queue<Batch>) -> Result<bool, Fatal> {
    let Input::Rows { name, rows, .. } = input else { return Ok(true) };
    let (sql, table) = (Arc::<str>::from(load_sql(rows)), Arc::<str>::from(rows.table.to_lowercase()));
    let before = reached.bytes.load(Ordering::Relaxed);
    let mut records = Records::new(input.open()?, rows);
    loop {
        let first = records.before + 1;
        let next = records.next().map_err(|error| Fatal::job(format!("cannot read {name}: {error}")))?;
        reached.bytes.store(before + records.source().position(), Ordering::Relaxed);
        let Some(piece) = next else { return Ok(true) };
        let batch = Batch::Rows {
            sql: sql.clone(),
            table: table.clone(),
            content: piece.content,
            records: piece.records,
            place: format!("{name}: record {first} and on"),
        };
        if !queue.put(batch) {
            return Ok(false);
        }
    }
}

/// Sends one batch after the other until there is no next.
async fn carry(
    mut connection: Connection<Socket>,
    head: &[Placed],
    next: impl Fn() -> Result<Option<Batch>, Fatal>,
    sent: &Sent,
    bond: Bond,
) -> Result<Connection<Socket>, Fatal> {
    for Placed { sql, place } in head {
        connection.query(sql, &mut Discard).await.map_err(|error| sent.refused(place, sql, &error))?;
    }
    let mut prepared = false;
    while let Some(batch) = next()? {
        match batch {
            Batch::Statements { text, list } => {
                // Of one table, so that a deadlock, which only a transactional one has, leaves no rows of another behind.
                for run in list.chunk_by(|one, next| one.table == next.table) {
                    let mut tries = if bond == Bond::Order { 1 } else { TRIES };
                    while !send_statements(&mut connection, &text, run, bond, &mut tries, sent).await? {}
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
                    let set = connection.query(SESSION_OF_FILES.as_bytes(), &mut Discard).await;
                    set.map_err(|error| Fatal::statement(SESSION_OF_FILES, &error))?;
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
) -> Result<bool, Fatal> {
    let transaction = bond == Bond::Transaction && list.len() > 1;
    let of_transaction = |error| Fatal::statement("cannot load rows in a transaction", &error);
    if transaction {
        connection.query(b"BEGIN", &mut Discard).await.map_err(of_transaction)?;
    }
    let mut outcomes = Vec::with_capacity(list.len());
    for part in list {
        let (sql, place) = (&text[part.from..part.to], || format!("{}:{}", part.file, part.line));
        loop {
            match connection.query(sql, &mut Discard).await {
                Ok(outcome) => outcomes.push((part, outcome)),
                Err(Error::Server(_)) if part.untried => unpoisoned(sent.untried.lock()).push(place()),
                Err(error) if *tries > 1 && is_deadlock(&error) => {
                    *tries -= 1;
                    if transaction {
                        return Ok(false);
                    }
                    continue;
                }
                Err(error) => return Err(sent.refused(&place(), sql, &error)),
            }
            break;
        }
    }
    if transaction {
        match connection.query(b"COMMIT", &mut Discard).await {
            Err(error) if *tries > 1 && is_deadlock(&error) => {
                *tries -= 1;
                return Ok(false);
            }
            ended => drop(ended.map_err(of_transaction)?),
        }
    }
    for (part, outcome) in outcomes {
        sent.statements.fetch_add(1, Ordering::Relaxed);
        if !part.table.is_empty() {
            *unpoisoned(sent.rows.lock()).entry(part.table.clone()).or_default() += outcome.affected_rows;
            sent.warn(outcome.warnings, || format!("{}:{}", part.file, part.line));
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

impl Sent {
    fn warn(&self, warnings: u16, place: impl Fn() -> String) {
        if warnings > 0 {
            self.warnings.fetch_add(u64::from(warnings), Ordering::Relaxed);
            unpoisoned(self.warned.lock()).get_or_insert_with(place);
        }
    }
}

/// The server's words about the first warning.
#[derive(Default)]
struct Warning(String);

impl Rows for Warning {
    fn row(&mut self, row: &Row<'_>) {
        if let Some(words) = row.bytes(2).filter(|_| self.0.is_empty()) {
            self.0 = assay_wire::printable(&words, 300);
        }
    }
}
