//! The rows of the tables.

use std::io::Write;

use crate::random::Distribution;
use crate::sbtest::{SbtestOptions, TableOptions, c_value, pad_value};
use crate::{Dataset, OptionError, Rng, Table};

/// Largest value of an INTEGER column.
const INTEGER_MAX: u64 = i32::MAX as u64;

/// Name of table `table`, counted from 0: `sbtest1`.
pub(crate) fn table_name(table: u32) -> String {
    format!("sbtest{}", u64::from(table) + 1)
}

/// `tables` tables of the same shape: id from 1, k from the distribution of the options, c and pad random digits.
#[derive(Debug)]
pub(crate) struct Sbtest {
    tables: Vec<Table>,
    k: Distribution,
}

impl Sbtest {
    /// # Errors
    /// Storage options that cannot be.
    pub(crate) fn new(options: &SbtestOptions) -> Result<Self, OptionError> {
        Self::with_rows(options, options.tables.table_size)
    }

    /// The same tables with no rows in them.
    ///
    /// # Errors
    /// Storage options that cannot be.
    pub(crate) fn empty(options: &SbtestOptions) -> Result<Self, OptionError> {
        Self::with_rows(options, 0)
    }

    fn with_rows(options: &SbtestOptions, rows: u64) -> Result<Self, OptionError> {
        let SbtestOptions { tables: shape, rand } = options;
        let storage = shape.storage.clause()?;
        Ok(Self {
            tables: (0..shape.tables).map(|number| table(number, shape, &storage, rows)).collect(),
            k: Distribution::new(rand, shape.table_size),
        })
    }
}

fn table(number: u32, options: &TableOptions, storage: &str, rows: u64) -> Table {
    let name = table_name(number);
    let integer = if options.table_size > INTEGER_MAX { "BIGINT" } else { "INTEGER" };
    let auto_inc = if options.auto_inc.0 { " AUTO_INCREMENT" } else { "" };
    let key = if options.secondary.0 { "KEY xid (id)" } else { "PRIMARY KEY (id)" };
    let create = format!(
        "CREATE TABLE {name} (\
         id {integer} NOT NULL{auto_inc}, \
         k {integer} DEFAULT '0' NOT NULL, \
         c CHAR(120) DEFAULT '' NOT NULL, \
         pad CHAR(60) DEFAULT '' NOT NULL, \
         {key}) {storage}"
    );
    let index = || format!("CREATE INDEX k_{} ON {name}(k)", u64::from(number) + 1);
    Table {
        create,
        insert: format!("INSERT INTO {name} (id, k, c, pad) VALUES"),
        rows,
        chunk_rows: chunk_rows(rows),
        count_chunk: format!("SELECT COUNT(*) FROM {name} WHERE id BETWEEN ? AND ?"),
        after: options.create_secondary.0.then(index).into_iter().collect(),
        name,
    }
}

/// About 16 chunks for a small table, so that several sessions can share it; at most 10 000 rows a chunk, so that a
/// resumed load repeats little.
fn chunk_rows(rows: u64) -> u64 {
    (rows / 16).clamp(1_000, 10_000)
}

impl Dataset for Sbtest {
    fn tables(&self) -> &[Table] {
        &self.tables
    }

    fn row(&self, _table: usize, number: u64, rng: &mut Rng, out: &mut Vec<u8>) {
        let k = self.k.draw(rng);
        // Writing to a vector cannot fail.
        let _ = write!(out, "({number},{k},'");
        out.extend_from_slice(&c_value(rng));
        out.extend_from_slice(b"','");
        out.extend_from_slice(&pad_value(rng));
        out.extend_from_slice(b"')");
    }
}
