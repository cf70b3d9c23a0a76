//! `bulk_insert`: rows gathered into INSERT statements of half a megabyte.

use std::io::Write;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::option::StorageOptions;
use crate::sbtest::table_name;
use crate::{Dataset, Failure, LabelId, Operation, OptionError, Rng, Session, Statement, Table, Workload};

/// Longest statement; `max_allowed_packet` must not be smaller.
const STATEMENT_BYTES: usize = 512 * 1024;
/// Longest row: two numbers of 64 bits, the brackets and two commas.
const ROW_BYTES: usize = 44;

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub(crate) struct Options {
    /// Tables to make; connection n fills table n. More connections than tables share them in turn.
    #[schemars(range(min = 1, max = 1_000_000))]
    tables: u32,
    #[serde(flatten)]
    storage: StorageOptions,
}

impl Default for Options {
    fn default() -> Self {
        Self { tables: 64, storage: StorageOptions::default() }
    }
}

/// A transaction is one row; most of them only fill the buffer. Ids start at 1 in every table, so that a second run
/// needs fresh tables.
#[derive(Debug)]
pub(crate) struct BulkInsert {
    data: Empty,
}

#[derive(Debug)]
pub(crate) struct Worker {
    start: String,
    /// A statement without rows is empty.
    sql: Vec<u8>,
    /// Connections that share the table, and the place of this one among them.
    sharers: u64,
    place: u64,
    /// The operation whose send was refused last.
    refused: Option<u64>,
}

impl Worker {
    async fn send(&mut self, session: &mut impl Session) -> Result<(), Failure> {
        if !self.sql.is_empty() {
            session.query(LabelId(0), &self.sql).await?;
            self.sql.clear();
        }
        Ok(())
    }
}

impl Workload for BulkInsert {
    type Options = Options;
    type Worker = Worker;

    const NAME: &'static str = "bulk_insert";
    const SUMMARY: &'static str = "Small rows in ascending order, gathered into INSERTs of 512 KiB";

    fn new(options: Options, _seed: u64) -> Result<Self, OptionError> {
        let storage = options.storage.clause()?;
        let tables = (0..options.tables).map(|number| table(number, &storage)).collect();
        Ok(Self { data: Empty { tables } })
    }

    fn labels(&self) -> &[&'static str] {
        &["bulk_insert"]
    }

    fn statements(&self) -> &[Statement] {
        &[]
    }

    fn data(&self) -> &dyn Dataset {
        &self.data
    }

    fn worker(&self, worker: u32, workers: u32) -> Worker {
        let tables = self.data.tables.len() as u32;
        let table = worker % tables;
        Worker {
            start: format!("INSERT INTO {} (id, k) VALUES", table_name(table)),
            sql: Vec::with_capacity(STATEMENT_BYTES),
            sharers: u64::from((workers.max(worker + 1) - table).div_ceil(tables)),
            place: u64::from(worker / tables),
            refused: None,
        }
    }

    async fn transaction(
        &self,
        worker: &mut Worker,
        operation: &mut Operation,
        session: &mut impl Session,
    ) -> Result<(), Failure> {
        // The same operation again is a retry and sends the rows again; another one means that they were given up.
        if worker.refused.take().is_some_and(|number| number != operation.number) {
            worker.sql.clear();
        }
        if worker.sql.len() + ROW_BYTES > STATEMENT_BYTES {
            worker.refused = Some(operation.number);
            worker.send(session).await?;
            worker.refused = None;
        }
        let id = operation.number * worker.sharers + worker.place + 1;
        if worker.sql.is_empty() {
            worker.sql.extend_from_slice(worker.start.as_bytes());
        } else {
            worker.sql.push(b',');
        }
        // Writing to a vector cannot fail.
        let _ = write!(worker.sql, "({id},{id})");
        Ok(())
    }

    async fn finish(&self, worker: &mut Worker, session: &mut impl Session) -> Result<(), Failure> {
        worker.send(session).await
    }
}

fn table(number: u32, storage: &str) -> Table {
    let name = table_name(number);
    Table {
        create: format!(
            "CREATE TABLE {name} (id INTEGER NOT NULL, k INTEGER DEFAULT '0' NOT NULL, PRIMARY KEY (id)) {storage}"
        ),
        columns: "id, k".into(),
        rows: 0,
        row_bytes: 40,
        chunk_rows: 1,
        count_chunk: format!("SELECT COUNT(*) FROM {name} WHERE id BETWEEN ? AND ?"),
        after: Vec::new(),
        name,
    }
}

/// Tables that the load leaves empty.
#[derive(Debug)]
struct Empty {
    tables: Vec<Table>,
}

impl Dataset for Empty {
    fn tables(&self) -> &[Table] {
        &self.tables
    }

    fn row(&self, table: usize, number: u64, _rng: &mut Rng, _out: &mut Vec<u8>) {
        unreachable!("row {number} asked of empty table {table}")
    }
}
