//! The workload itself: what each kind of transaction sends.

use std::sync::Arc;

use assay_wire::{Param, Row};

use crate::description::names;
use crate::entry::Shipped;
use crate::insert_benchmark::options::Options;
use crate::insert_benchmark::purchases::{Purchase, Purchases, indexes, table_name};
use crate::insert_benchmark::turns::{self, Turn, Turns};
use crate::statement::Statements;
use crate::{
    CounterId, Dataset, Description, Driver, Failure, LabelId, Operation, OptionError, Session, StatementId,
};

const ROWS_INSERTED: CounterId = CounterId(0);
const ROWS_DELETED: CounterId = CounterId(1);

/// An insert is SQL text, as a load of many rows is; the server numbers the rows and tells the time. A delete looks for
/// the oldest row first: to begin at the start of the key would be to go over all rows that are deleted and not yet
/// purged, again each time.
#[derive(Debug)]
pub(crate) struct InsertBenchmark {
    options: Options,
    data: Purchases,
    purchase: Purchase,
    turns: Turns,
    statements: Statements,
    insert: LabelId,
    tables: Vec<OnTable>,
}

/// The statements of one table.
#[derive(Debug)]
struct OnTable {
    insert: String,
    oldest: StatementId,
    delete: StatementId,
    /// The queries, one for each secondary index.
    queries: Vec<StatementId>,
}

/// A terminal keeps to its table.
#[derive(Debug)]
pub(crate) struct Terminal {
    table: usize,
    sql: Vec<u8>,
    /// No row of the table has a smaller key.
    oldest: i64,
}

impl Shipped for InsertBenchmark {
    type Options = Options;

    const NAME: &'static str = "insert_benchmark";
    const SUMMARY: &'static str =
        "Batches of rows into a table with secondary indexes, its oldest rows deleted, its indexes read";
    const KINDS: &'static [&'static str] = &turns::NAMES;
    const CONDITIONS: bool = true;

    fn new(options: Options, _seed: u64) -> Result<Self, OptionError> {
        options.validate()?;
        let mut statements = Statements::default();
        let insert = statements.label("insert");
        let tables =
            (0..options.tables).map(|table| OnTable::new(table, &options, &mut statements)).collect();
        Ok(Self {
            data: Purchases::new(&options)?,
            purchase: Purchase::new(&options),
            turns: Turns::new(&options),
            statements,
            insert,
            tables,
            options,
        })
    }
}

impl Description for InsertBenchmark {
    fn statements(&self) -> &Statements {
        &self.statements
    }

    fn data(&self) -> &dyn Dataset {
        &self.data
    }

    fn kinds(&self) -> Vec<Arc<str>> {
        names(Self::KINDS)
    }

    fn counters(&self) -> Vec<Arc<str>> {
        names(&["rows_inserted", "rows_deleted"])
    }
}

impl Driver for InsertBenchmark {
    type Local = ();
    type Terminal = Terminal;

    fn local(&self) {}

    fn terminal(&self, _local: &(), number: u32, _of: u32) -> Terminal {
        Terminal { table: (number % self.options.tables) as usize, sql: Vec::new(), oldest: 0 }
    }

    async fn transaction(
        &self,
        terminal: &mut Terminal,
        operation: &mut Operation,
        session: &mut impl Session,
    ) -> Result<(), Failure> {
        let kind = self.turns.kind(operation.terminal, operation.number);
        operation.kind = Some(kind.id());
        match kind {
            Turn::Insert => self.insert(terminal, operation, session).await,
            Turn::Delete => self.delete(terminal, operation, session).await,
            Turn::Query => self.query(terminal, operation, session).await,
        }
    }
}

impl InsertBenchmark {
    async fn insert(
        &self,
        terminal: &mut Terminal,
        operation: &mut Operation,
        session: &mut impl Session,
    ) -> Result<(), Failure> {
        let sql = &mut terminal.sql;
        sql.clear();
        sql.extend_from_slice(self.tables[terminal.table].insert.as_bytes());
        for row in 0..self.options.rows_per_commit {
            sql.extend_from_slice(if row == 0 { b"(NOW()," } else { b",(NOW()," });
            self.purchase.append(&mut operation.rng, sql);
            sql.push(b')');
        }
        session.query(self.insert, sql).await?;
        operation.count(ROWS_INSERTED, self.options.rows_per_commit);
        Ok(())
    }

    async fn delete(
        &self,
        terminal: &mut Terminal,
        operation: &mut Operation,
        session: &mut impl Session,
    ) -> Result<(), Failure> {
        let table = &self.tables[terminal.table];
        let mut found = None;
        let mut take = |row: &Row<'_>| found = row.int(0);
        session.select(table.oldest, &[Param::Int(terminal.oldest)], &mut take).await?;
        // Others may have emptied the table.
        let Some(oldest) = found else { return Ok(()) };
        terminal.oldest = oldest;
        let deleted = session.execute(table.delete, &[Param::Int(oldest)]).await?;
        operation.count(ROWS_DELETED, deleted.affected_rows);
        Ok(())
    }

    /// Each index in turn, from a place where rows are.
    async fn query(
        &self,
        terminal: &mut Terminal,
        operation: &mut Operation,
        session: &mut impl Session,
    ) -> Result<(), Failure> {
        let queries = &self.tables[terminal.table].queries;
        let rng = &mut operation.rng;
        let number = rng.range(0, queries.len() as u64 - 1) as usize;
        let register = Param::UInt(self.purchase.cashregister(rng));
        let price = Param::Double(self.purchase.price(rng));
        let from: &[Param<'_>] = if by_register(number) { &[register, price] } else { &[price] };
        session.execute(queries[number], from).await?;
        Ok(())
    }
}

impl OnTable {
    fn new(table: u32, options: &Options, statements: &mut Statements) -> Self {
        let name = table_name(table, options.tables);
        let (batch, page) = (options.rows_per_commit, options.rows_per_query);
        let mut queries = Vec::new();
        if options.queries > 0 {
            for (number, index) in indexes(options).iter().enumerate() {
                let from =
                    if by_register(number) { "cashregisterid = ? AND price >= ?" } else { "price >= ?" };
                let sql = format!(
                    "SELECT {columns} FROM {name} FORCE INDEX ({}) WHERE {from} ORDER BY {columns} LIMIT {page}",
                    index.name,
                    columns = index.columns
                );
                queries.push(statements.once(index.name, sql));
            }
        }
        let tail = "transactionid >= ? ORDER BY transactionid LIMIT";
        Self {
            insert: format!(
                "INSERT INTO {name} (dateandtime, cashregisterid, customerid, productid, price, data) VALUES "
            ),
            oldest: statements.once("oldest", format!("SELECT transactionid FROM {name} WHERE {tail} 1")),
            delete: statements.once("delete", format!("DELETE FROM {name} WHERE {tail} {batch}")),
            queries,
        }
    }
}

/// Whether the index begins with the cash register.
fn by_register(index: usize) -> bool {
    index == 1
}
