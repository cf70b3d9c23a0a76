//! Loads the rows of a data set, chunk by chunk.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use assay_wire::{Connection, Discard, Error, Param, Template};
use assay_workload::{BEGIN, Dataset, Table, rng_of_chunk};

use crate::data::pieces::{Pieces, prepared_insert};
use crate::data::pool::Shared;
use crate::process::failure::Fatal;
use crate::reactor::socket::Socket;
use crate::server::ask::{Numbers, as_count, ask};
use crate::server::login::Login;
use assay_format::event::ErrorKind;
use assay_format::job::{Job, LoadAs};

/// Longest piece of rows sent at once, unless the server takes less: the longer, the fewer round trips.
const PIECE_BYTES: usize = 1 << 20;
/// Longest INSERT that is sent as text: a longer one costs the server more for each row, because what it makes of the
/// text while it parses no longer fits into its processor's caches.
const INSERT_BYTES: usize = 64 << 10;
/// Room for one row and the statement's head below the server's limit.
const ROOM_BYTES: usize = 16 << 10;

/// Consecutive rows of one table, loaded in one transaction: there as a whole or not at all, where the table's engine knows
/// transactions.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Chunk {
    pub table: usize,
    pub number: u64,
    pub first: u64,
    pub last: u64,
}

/// The chunks of all tables, those of different tables side by side so that loaders do not meet in one table.
pub(crate) fn chunks(tables: &[Table]) -> Vec<Chunk> {
    let mut chunks: Vec<Chunk> = Vec::new();
    for (table, plan) in tables.iter().enumerate() {
        let count = plan.rows.div_ceil(plan.chunk_rows.max(1));
        chunks.extend((0..count).map(|number| Chunk {
            table,
            number,
            first: number * plan.chunk_rows + 1,
            last: ((number + 1) * plan.chunk_rows).min(plan.rows),
        }));
    }
    // By how far into its table a chunk is, so that tables of very different sizes end together.
    let place = |chunk: &Chunk| u128::from(chunk.first) * (1 << 32) / u128::from(tables[chunk.table].rows);
    chunks.sort_by_key(|chunk| (place(chunk), chunk.table));
    chunks
}

/// The way in which the rows travelled (LOAD DATA, bulk, INSERT), and the number of statements that took.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Sent {
    pub way: Option<LoadAs>,
    pub statements: u64,
}

pub(crate) struct Loader<'a> {
    data: &'a dyn Dataset,
    seed: u64,
    /// Whether chunks that are in the tables already are passed over.
    resume: bool,
    load_as: LoadAs,
    takes_files: bool,
    /// Rows of one statement; 0: as many as the statement's length allows.
    rows: u64,
    packet_bytes: usize,
    used: OnceLock<LoadAs>,
    statements: AtomicU64,
}

impl<'a> Loader<'a> {
    /// # Errors
    /// The server does not say what it takes; statements that are longer than a transaction.
    pub(crate) fn new(
        data: &'a dyn Dataset,
        job: &Job,
        loaders: usize,
        login: &Login,
    ) -> Result<Self, Fatal> {
        let rows = u64::from(job.engine.rows_per_statement);
        if let Some(table) = data.tables().iter().find(|table| table.rows > 0 && rows > table.chunk_rows) {
            let message = format!(
                "engine.rows_per_statement: {rows} rows are more than a transaction of {} has, {}",
                table.name, table.chunk_rows
            );
            return Err(Fatal::job(message));
        }
        let limits = ask(login, "SELECT @@max_allowed_packet, @@local_infile", Some(login.timeout_ns()))?;
        Ok(Self {
            data,
            seed: job.seed,
            resume: job.engine.resume,
            load_as: job.engine.load_as,
            rows,
            takes_files: limits.get(1) == Some(&1) && !meet(data.tables(), loaders),
            packet_bytes: limits
                .first()
                .and_then(|bytes| usize::try_from(*bytes).ok())
                .unwrap_or(PIECE_BYTES),
            used: OnceLock::new(),
            statements: AtomicU64::new(0),
        })
    }

    pub(crate) fn sent(&self) -> Sent {
        Sent { way: self.used.get().copied(), statements: self.statements.load(Ordering::Relaxed) }
    }

    /// The limits of a statement: rows that it holds, and bytes that it may have.
    fn limits(&self, way: LoadAs) -> (u64, usize) {
        let packet = self.packet_bytes.saturating_sub(ROOM_BYTES).max(1);
        match (self.rows, way) {
            (0, LoadAs::Insert) => (u64::MAX, INSERT_BYTES.min(packet)),
            (0, _) => (u64::MAX, PIECE_BYTES.min(packet)),
            // Asked for: only what the server cannot take is too long.
            (rows, _) => (rows, packet),
        }
    }

    /// The way in which rows travel over this connection.
    fn way(&self, connection: &Connection<Socket>) -> Result<LoadAs, Fatal> {
        match self.load_as {
            LoadAs::Auto if self.takes_files => Ok(LoadAs::File),
            LoadAs::Auto if connection.takes_bulk() => Ok(LoadAs::Bulk),
            LoadAs::Auto => Ok(LoadAs::Insert),
            LoadAs::Bulk if !connection.takes_bulk() => {
                let version = &connection.server().version;
                let message =
                    format!("engine.load_as: server {version} knows no bulk operations; MariaDB 10.2 does");
                Err(Fatal::job(message))
            }
            asked => Ok(asked),
        }
    }

    /// # Errors
    /// The server refuses rows, or goes away.
    pub(crate) async fn load(
        &self,
        shared: Arc<Shared<Chunk>>,
        mut connection: Connection<Socket>,
        chunk: Chunk,
    ) -> Result<Connection<Socket>, Fatal> {
        let table = &self.data.tables()[chunk.table];
        let rows = self.data.rows_in(chunk.table, chunk.first, chunk.last);
        let failed = |error| Fatal::statement(&format!("cannot load {}", table.name), &error);
        if self.resume {
            let there = present(&mut connection, table, chunk).await?;
            if there == rows {
                shared.add_done(rows);
                return Ok(connection);
            }
            if there > 0 {
                clear(&mut connection, table, chunk).await?;
            }
        }
        let way = self.way(&connection)?;
        let mut rng = rng_of_chunk(self.seed, chunk.table, chunk.number);
        let mut pieces = Pieces::new(way);
        let (most, longest) = self.limits(way);
        if way == LoadAs::Bulk {
            let prepared = connection.prepare(&prepared_insert(table)).await.map_err(failed)?;
            pieces.prepared = Some(prepared);
        }
        if let Some(charset) = self.data.charset() {
            let sql = format!("SET NAMES {charset}");
            connection.query(sql.as_bytes(), &mut Discard).await.map_err(failed)?;
        }
        let parts = |number| (0..self.data.rows_at(chunk.table, number)).map(move |part| (number, part));
        let mut rest = (chunk.first..=chunk.last).flat_map(parts).peekable();
        connection.query(BEGIN.as_bytes(), &mut Discard).await.map_err(failed)?;
        while rest.peek().is_some() {
            let mut rows = 0;
            pieces.begin(table);
            while rows < most && (rows == 0 || pieces.bytes() < longest) {
                let Some((number, part)) = rest.next() else { break };
                let write = |out: &mut Vec<u8>| self.data.part(chunk.table, number, part, &mut rng, out);
                rows += u64::from(pieces.row(write));
            }
            if rows == 0 {
                break;
            }
            if self.rows > 0 && rest.peek().is_some() && rows < most {
                return Err(self.too_long(rows));
            }
            let outcome = pieces.send(&mut connection, table).await.map_err(failed)?;
            // LOCAL passes over rows that do not fit; an INSERT cuts what does not fit where sql_mode is not strict.
            if outcome.affected_rows != rows || outcome.warnings > 0 {
                return Err(unfit(table, chunk, outcome.affected_rows, rows, outcome.warnings));
            }
            shared.add_done(rows);
            self.used.get_or_init(|| way);
            self.statements.fetch_add(1, Ordering::Relaxed);
        }
        if let Some(prepared) = pieces.prepared {
            connection.close_statement(prepared).await.map_err(failed)?;
        }
        connection.query(b"COMMIT", &mut Discard).await.map_err(failed)?;
        Ok(connection)
    }

    fn too_long(&self, taken: u64) -> Fatal {
        let Self { rows, packet_bytes, .. } = self;
        Fatal::job(format!(
            "engine.rows_per_statement: {rows} rows do not fit into the server's max_allowed_packet of \
             {packet_bytes} bytes, {taken} do"
        ))
    }
}

/// Whether loaders meet in a table that counts by itself: while a file is read the table's AUTO-INC lock is held
/// (innodb_autoinc_lock_mode 1), and the others wait.
fn meet(tables: &[Table], loaders: usize) -> bool {
    loaders > tables.len() && tables.iter().any(|table| table.create.contains("AUTO_INCREMENT"))
}

fn unfit(table: &Table, chunk: Chunk, taken: u64, sent: u64, warnings: u16) -> Fatal {
    let Chunk { number, first, last, .. } = chunk;
    let message = format!(
        "{} took {taken} of {sent} rows that were sent, with {warnings} warnings (chunk {number}, row numbers {first} to \
         {last}): the table does not hold what was loaded",
        table.name
    );
    Fatal::new(ErrorKind::Server, message)
        .hint("SHOW CREATE TABLE and SHOW WARNINGS after a row of it say why; cleanup and prepare make the table anew")
}

/// Deletes the rows of a chunk that are in the table: an engine without transactions keeps a part of what it was sent.
async fn clear(connection: &mut Connection<Socket>, table: &Table, chunk: Chunk) -> Result<(), Fatal> {
    let failed = |error| Fatal::statement(&format!("cannot clear a part of {}", table.name), &error);
    let sql = bounded(&table.clear_chunk(), chunk).map_err(failed)?;
    connection.query(&sql, &mut Discard).await.map_err(failed)?;
    Ok(())
}

/// A statement about a chunk, with its bounds.
fn bounded(statement: &str, chunk: Chunk) -> Result<Vec<u8>, Error> {
    let mut sql = Vec::new();
    Template::new(statement).fill(&[Param::UInt(chunk.first), Param::UInt(chunk.last)], &mut sql)?;
    Ok(sql)
}

/// The number of a chunk's rows that are in the table already.
async fn present(connection: &mut Connection<Socket>, table: &Table, chunk: Chunk) -> Result<u64, Fatal> {
    let failed = |error| Fatal::statement(&format!("cannot count {}", table.name), &error);
    let sql = bounded(&table.count_chunk, chunk).map_err(failed)?;
    let mut count = Numbers::default();
    connection.query(&sql, &mut count).await.map_err(failed)?;
    as_count(&String::from_utf8_lossy(&sql), &count.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(key: &str) -> Table {
        Table {
            name: "t".into(),
            create: format!("CREATE TABLE t (id INT {key})"),
            columns: "id".into(),
            rows: 1,
            row_bytes: 100,
            chunk_rows: 1,
            count_chunk: String::new(),
            after: Vec::new(),
        }
    }

    #[test]
    fn loaders_meet_where_they_are_more_than_the_tables() {
        let counting = [table("AUTO_INCREMENT"), table("")];
        assert!(!meet(&counting, 2));
        assert!(meet(&counting, 3));
        assert!(!meet(&counting[1..], 3));
    }
}
