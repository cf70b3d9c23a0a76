//! The rows of the tables.

use std::io::Write;

use crate::random::Distribution;
use crate::sbtest::{Filler, SbtestOptions, TableOptions};
use crate::{Dataset, OptionError, Rng, Table};

/// Largest value of an INTEGER column.
const INTEGER_MAX: u64 = i32::MAX as u64;

/// 8 + 120 + 60 bytes of columns, headers, page fill, 20 of the index on k.
const ROW_BYTES: u32 = 240;

/// Name of table `table`, counted from 0: `sbtest1`.
pub(crate) fn table_name(table: u32) -> String {
    format!("sbtest{}", u64::from(table) + 1)
}

/// `tables` tables of the same shape: id from 1, k from the distribution of the options, c and pad digits.
#[derive(Debug)]
pub(crate) struct Sbtest {
    tables: Vec<Table>,
    k: Distribution,
    filler: Filler,
}

impl Sbtest {
    /// Version of the rows. Since 2 the distributions `special` and `gaussian` of `k` are those of sysbench 1.0.20.
    pub(crate) const VERSION: u32 = 2;

    /// # Errors
    /// Storage options that cannot be.
    pub(crate) fn new(options: &SbtestOptions) -> Result<Self, OptionError> {
        Self::with_rows(options, options.tables.table_size)
    }

    /// The tables with no rows in them.
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
            filler: Filler::new(options),
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
        columns: "id, k, c, pad".into(),
        rows,
        row_bytes: ROW_BYTES,
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

    fn numbered_by(&self) -> Option<&str> {
        Some("id")
    }

    fn row(&self, _table: usize, number: u64, rng: &mut Rng, out: &mut Vec<u8>) {
        let k = self.k.draw(rng);
        // Writing to a vector cannot fail.
        let _ = write!(out, "({number},{k},'");
        out.extend_from_slice(&self.filler.c(rng));
        out.extend_from_slice(b"','");
        out.extend_from_slice(&self.filler.pad(rng));
        out.extend_from_slice(b"')");
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn dataset(options: serde_json::Value) -> Sbtest {
        Sbtest::new(&serde_json::from_value(options).expect("options")).expect("a data set")
    }

    /// The rows of one chunk, as a loader asks for them.
    fn chunk(data: &Sbtest, table: usize, chunk: u64) -> String {
        let shape = &data.tables()[table];
        let mut rng = crate::rng_of_chunk(42, table, chunk);
        let mut out = Vec::new();
        let first = chunk * shape.chunk_rows + 1;
        for number in first..=(first + shape.chunk_rows - 1).min(shape.rows) {
            data.row(table, number, &mut rng, &mut out);
            out.push(b'\n');
        }
        String::from_utf8(out).expect("ASCII")
    }

    #[test]
    fn a_table_is_the_same_in_any_order_of_chunks() {
        let data = dataset(json!({"table_size": 4_500, "tables": 2}));
        let forward: Vec<String> = (0..5).map(|number| chunk(&data, 0, number)).collect();
        let mut backward: Vec<String> = (0..5).rev().map(|number| chunk(&data, 0, number)).collect();
        backward.reverse();
        assert_eq!(forward, backward);
        assert_eq!(forward.concat().lines().count(), 4_500);
        assert_ne!(chunk(&data, 0, 0), chunk(&data, 1, 0));
    }

    #[test]
    fn the_first_row_stays_what_it_is() {
        let data = dataset(json!({}));
        insta::assert_snapshot!(chunk(&data, 0, 0).lines().next().expect("a row"));
    }

    #[test]
    fn tables_are_split_by_their_size_alone() {
        for (rows, expected) in [(0, 1_000), (100, 1_000), (100_000, 6_250), (1_000_000, 10_000)] {
            assert_eq!(chunk_rows(rows), expected);
        }
    }

    #[test]
    fn options_shape_the_tables() {
        let plain = &dataset(json!({})).tables[0];
        insta::assert_debug_snapshot!("plain", plain);
        let data = dataset(json!({
            "tables": 3, "table_size": 3_000_000_000_u64, "auto_inc": false, "secondary": true,
            "create_secondary": false, "mysql_storage_engine": "aria", "create_table_options": "ROW_FORMAT=PAGE",
        }));
        insta::assert_debug_snapshot!("shaped", data.tables[2]);
    }
}
