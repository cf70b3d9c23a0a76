//! `bulk_insert`: rows gathered into INSERT statements of half a megabyte.

use std::io::Write;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::entry::Shipped;
use crate::option::StorageOptions;
use crate::sbtest::table_name;
use crate::statement::Statements;
use crate::{Dataset, Description, Driver, Failure, LabelId, Operation, OptionError, Rng, Session, Table};

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
    statements: Statements,
    label: LabelId,
}

#[derive(Debug)]
pub(crate) struct Terminal {
    start: String,
    /// A statement without rows is empty.
    sql: Vec<u8>,
    /// Terminals that share the table, and the place of this one among them.
    sharers: u64,
    place: u64,
    /// The operation whose send was refused last.
    refused: Option<u64>,
}

impl Terminal {
    async fn send(&mut self, label: LabelId, session: &mut impl Session) -> Result<(), Failure> {
        if !self.sql.is_empty() {
            session.query(label, &self.sql).await?;
            self.sql.clear();
        }
        Ok(())
    }
}

impl Shipped for BulkInsert {
    type Options = Options;

    const NAME: &'static str = "bulk_insert";
    const SUMMARY: &'static str = "Small rows in ascending order, gathered into INSERTs of 512 KiB";

    fn new(options: Options, _seed: u64) -> Result<Self, OptionError> {
        let storage = options.storage.clause()?;
        let tables = (0..options.tables).map(|number| table(number, &storage)).collect();
        let mut statements = Statements::default();
        Ok(Self { data: Empty { tables }, label: statements.label("bulk_insert"), statements })
    }
}

impl Description for BulkInsert {
    fn statements(&self) -> &Statements {
        &self.statements
    }

    fn data(&self) -> &dyn Dataset {
        &self.data
    }
}

impl Driver for BulkInsert {
    type Local = ();
    type Terminal = Terminal;

    fn local(&self) {}

    fn terminal(&self, _local: &(), number: u32, of: u32) -> Terminal {
        let tables = self.data.tables.len() as u32;
        let table = number % tables;
        Terminal {
            start: format!("INSERT INTO {} (id, k) VALUES", table_name(table)),
            sql: Vec::with_capacity(STATEMENT_BYTES),
            sharers: u64::from((of.max(number + 1) - table).div_ceil(tables)),
            place: u64::from(number / tables),
            refused: None,
        }
    }

    async fn transaction(
        &self,
        terminal: &mut Terminal,
        operation: &mut Operation,
        session: &mut impl Session,
    ) -> Result<(), Failure> {
        // The same operation again is a retry and sends the rows again; another one means that they were given up.
        if terminal.refused.take().is_some_and(|number| number != operation.number) {
            terminal.sql.clear();
        }
        if terminal.sql.len() + ROW_BYTES > STATEMENT_BYTES {
            terminal.refused = Some(operation.number);
            terminal.send(self.label, session).await?;
            terminal.refused = None;
        }
        let id = operation.number * terminal.sharers + terminal.place + 1;
        if terminal.sql.is_empty() {
            terminal.sql.extend_from_slice(terminal.start.as_bytes());
        } else {
            terminal.sql.push(b',');
        }
        // Writing to a vector cannot fail.
        let _ = write!(terminal.sql, "({id},{id})");
        Ok(())
    }

    async fn finish(&self, terminal: &mut Terminal, session: &mut impl Session) -> Result<(), Failure> {
        terminal.send(self.label, session).await
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
