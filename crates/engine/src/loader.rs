//! Loads the rows of a data set, chunk by chunk.

use std::rc::Rc;

use assay_wire::{Connection, Discard, Param, Template};
use assay_workload::{Dataset, Rng, Table};

use crate::ask::{Numbers, ask};
use crate::event::ErrorKind;
use crate::failure::Fatal;
use crate::login::Login;
use crate::pool::Shared;
use crate::socket::Socket;

/// Longest piece of a file sent at once, unless the server takes less.
const FILE_BYTES: usize = 1 << 20;
/// The same of an INSERT: a longer one costs the server more for each row, because what it makes of the text while it
/// parses no longer fits into its processor's caches.
const INSERT_BYTES: usize = 64 << 10;
/// Room for one row and the statement's head below the server's limit.
const ROOM_BYTES: usize = 16 << 10;

/// Consecutive rows of one table, loaded in one transaction: there as a whole, or not at all.
#[derive(Debug, Clone, Copy)]
pub struct Chunk {
    table: usize,
    number: u64,
    first: u64,
    last: u64,
}

/// The chunks of all tables, those of different tables side by side so that loaders do not meet in one table.
pub fn chunks(tables: &[Table]) -> Vec<Chunk> {
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
    chunks.sort_by_key(|chunk| (chunk.number, chunk.table));
    chunks
}

/// What the rows travel in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    /// `LOAD DATA LOCAL INFILE`, from memory: the server need not parse SQL, which is a third of its work.
    File,
    /// `INSERT` of many rows.
    Insert,
}

impl Way {
    /// No files where the server takes none from clients, and none where several loaders meet in a table that counts
    /// by itself: while a file is read the table's AUTO-INC lock is held (innodb_autoinc_lock_mode 1), and the others
    /// wait.
    fn choose(tables: &[Table], loaders: usize, takes_files: bool) -> Self {
        let counts = |table: &Table| table.create.contains("AUTO_INCREMENT");
        if takes_files && (loaders <= tables.len() || !tables.iter().any(counts)) {
            Self::File
        } else {
            Self::Insert
        }
    }

    fn piece_bytes(self) -> usize {
        match self {
            Self::File => FILE_BYTES,
            Self::Insert => INSERT_BYTES,
        }
    }
}

pub struct Loader<'a> {
    data: &'a dyn Dataset,
    seed: u64,
    /// Chunks that are there are passed over.
    resume: bool,
    way: Way,
    piece_bytes: usize,
}

impl<'a> Loader<'a> {
    /// # Errors
    /// The server does not say what it takes.
    pub fn new(
        data: &'a dyn Dataset,
        seed: u64,
        resume: bool,
        loaders: usize,
        login: &Login,
    ) -> Result<Self, Fatal> {
        let limits = ask(login, "SELECT @@max_allowed_packet, @@local_infile", Some(login.timeout_ns()))?;
        let way = Way::choose(data.tables(), loaders, limits.get(1) == Some(&1));
        let packet = limits.first().map_or(FILE_BYTES, |bytes| *bytes as usize);
        let piece_bytes = way.piece_bytes().min(packet.saturating_sub(ROOM_BYTES)).max(1);
        Ok(Self { data, seed, resume, way, piece_bytes })
    }

    /// # Errors
    /// The server refuses rows, or goes away.
    pub async fn load(
        &self,
        shared: Rc<Shared<Chunk>>,
        mut connection: Connection<Socket>,
        chunk: Chunk,
    ) -> Result<Connection<Socket>, Fatal> {
        let table = &self.data.tables()[chunk.table];
        let rows = chunk.last - chunk.first + 1;
        let failed = |error| Fatal::statement(&format!("cannot load {}", table.name), &error);
        if self.resume && present(&mut connection, table, chunk).await? == rows {
            shared.add_done(rows);
            return Ok(connection);
        }
        let mut rng = Rng::of_chunk(self.seed, chunk.table, chunk.number);
        let mut piece = Vec::with_capacity(self.piece_bytes + ROOM_BYTES);
        let mut number = chunk.first;
        connection.query(b"BEGIN", &mut Discard).await.map_err(failed)?;
        while number <= chunk.last {
            let first = number;
            piece.clear();
            if self.way == Way::Insert {
                piece.extend_from_slice(insert(table).as_bytes());
            }
            while number <= chunk.last && (number == first || piece.len() < self.piece_bytes) {
                if self.way == Way::Insert && number > first {
                    piece.push(b',');
                }
                self.data.row(chunk.table, number, &mut rng, &mut piece);
                if self.way == Way::File {
                    piece.push(b'\n');
                }
                number += 1;
            }
            match self.way {
                Way::Insert => drop(connection.query(&piece, &mut Discard).await.map_err(failed)?),
                Way::File => {
                    let outcome = connection.load(file(table).as_bytes(), &piece).await.map_err(failed)?;
                    // LOCAL passes over rows that do not fit, where an INSERT would fail.
                    if outcome.affected_rows != number - first || outcome.warnings > 0 {
                        return Err(unfit(table, outcome.affected_rows, number - first, outcome.warnings));
                    }
                }
            }
            shared.add_done(number - first);
        }
        connection.query(b"COMMIT", &mut Discard).await.map_err(failed)?;
        Ok(connection)
    }
}

fn insert(table: &Table) -> String {
    format!("INSERT INTO {} ({}) VALUES ", table.name, table.columns)
}

/// Reads `VALUES` tuples, one a line.
fn file(table: &Table) -> String {
    format!(
        "LOAD DATA LOCAL INFILE 'rows' INTO TABLE {} CHARACTER SET binary \
         FIELDS TERMINATED BY ',' ENCLOSED BY '\\'' ESCAPED BY '\\\\' \
         LINES STARTING BY '(' TERMINATED BY ')\\n' ({})",
        table.name, table.columns
    )
}

fn unfit(table: &Table, taken: u64, sent: u64, warnings: u16) -> Fatal {
    let name = &table.name;
    let message = format!("{name} took {taken} of {sent} rows, with {warnings} warnings: they do not fit it");
    Fatal::new(ErrorKind::Server, message)
}

/// Rows of a chunk that are there already.
async fn present(connection: &mut Connection<Socket>, table: &Table, chunk: Chunk) -> Result<u64, Fatal> {
    let mut sql = Vec::new();
    let bounds = [Param::UInt(chunk.first), Param::UInt(chunk.last)];
    let failed = |error| Fatal::statement(&format!("cannot count {}", table.name), &error);
    Template::new(&table.count_chunk).fill(&bounds, &mut sql).map_err(failed)?;
    let mut count = Numbers::default();
    connection.query(&sql, &mut count).await.map_err(failed)?;
    Ok(count.0.first().copied().unwrap_or(0) as u64)
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
            chunk_rows: 1,
            count_chunk: String::new(),
            after: Vec::new(),
        }
    }

    #[test]
    fn loaders_do_not_wait_for_each_other_in_a_table_that_counts() {
        let counting = [table("AUTO_INCREMENT"), table("")];
        assert_eq!(Way::choose(&counting, 2, true), Way::File);
        assert_eq!(Way::choose(&counting, 3, true), Way::Insert);
        assert_eq!(Way::choose(&counting[1..], 3, true), Way::File);
        assert_eq!(Way::choose(&counting[1..], 1, false), Way::Insert);
    }
}
