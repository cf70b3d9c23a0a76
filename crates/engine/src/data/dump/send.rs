//! Statements and rows of a dump on their way: one thread reads, connections take what it has read.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use assay_wire::Connection;

use crate::data::dump::batch::{Batch, Filling};
use crate::data::dump::carry::{Bond, carry};
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

/// Bytes of rows that a connection takes at a time.
const BATCH_BYTES: usize = 1 << 20;
/// Bytes that wait for each connection.
const WAITING_BYTES: usize = 4 << 20;

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
    /// The longest statement that the server takes, in bytes.
    pub packet: usize,
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
        lists: impl ExactSizeIterator<Item = &'b [Placed]> + Send,
        report: impl FnMut(),
    ) -> Result<bool, Fatal> {
        if lists.len() == 0 {
            return Ok(true);
        }
        self.over(connections, head, bond, report, |queue| {
            for list in lists {
                let mut filling = Filling::new(self.packet);
                for Placed { sql, place, letters } in list {
                    let (file, line) = place.rsplit_once(':').unwrap_or((place, "0"));
                    filling.add(sql, file, line.parse().unwrap_or(0), "", *letters)?;
                }
                if !filling.put(queue) {
                    break;
                }
            }
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
            let mut filling = Filling::new(self.packet);
            let mut order = Order::new(self.wanted);
            read(self.inputs, &mut order, reached, &mut |read, order| match read {
                Read::Statement { role: Role::Rows, facts, sql, file, line, .. } => {
                    filling.add(sql, file, line, &facts.table, order.letters())?;
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
            read(self.inputs, &mut order, reached, &mut |read, order| match read {
                Read::Statement { role: Role::LeftOut(_), .. } => Ok(true),
                Read::Statement { role, facts, sql, file, line, local, .. } => {
                    let mut filling = Filling::in_order(self.packet);
                    let letters = order.letters();
                    match role {
                        Role::Rows | Role::DependentRows if structure_only => {
                            left_rows = true;
                            if facts.words.first().is_some_and(|word| word == "CALL") {
                                // A routine may make tables.
                                unpoisoned(self.sent.untried.lock()).push(format!("{file}:{line}"));
                            }
                            return Ok(true);
                        }
                        Role::Transaction if structure_only => return Ok(true),
                        _ if local.is_some() => {
                            let path = local.map(Path::to_path_buf).unwrap_or_default();
                            let place = format!("{file}:{line}");
                            return Ok(queue.put(Batch::Local { sql: sql.to_vec(), path, place }));
                        }
                        Role::Rows => filling.add(sql, file, line, &facts.table, letters)?,
                        Role::DependentRows => filling.add(sql, file, line, "", letters)?,
                        _ => {
                            let sent = unpoisoned(rewriting.lock()).rewritten(sql, role);
                            filling.add(&sent, file, line, "", letters)?;
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
    let mut records = Records::new(input.open(&reached.seen)?, rows);
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

impl Sent {
    pub(super) fn warn(&self, warnings: u16, place: impl Fn() -> String) {
        if warnings > 0 {
            self.warnings.fetch_add(u64::from(warnings), Ordering::Relaxed);
            unpoisoned(self.warned.lock()).get_or_insert_with(place);
        }
    }
}
