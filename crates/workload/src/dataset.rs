//! What the tables of a workload hold, said as data: the engine's loader decides how many sessions load them.

use crate::Rng;

/// One table: how to make it, how many rows, what follows the load.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    pub name: String,
    /// `CREATE TABLE …`
    pub create: String,
    /// Of the rows, in order, separated by commas: `id, k, c, pad`.
    pub columns: String,
    pub rows: u64,
    /// Rows of one chunk. Part of the data's identity: each chunk has its own seed.
    pub chunk_rows: u64,
    /// SQL of a count of the rows of a chunk, with `?` for its first and last row number; lets a load resume.
    pub count_chunk: String,
    /// Statements after the load: secondary indexes.
    pub after: Vec<String>,
}

/// The data of a workload.
pub trait Dataset: Send + Sync {
    fn tables(&self) -> &[Table];

    /// Appends one row as a `VALUES` tuple, `(1,2,'…',NULL)`: numbers, strings in single quotes with backslashes as
    /// escapes, in ASCII or the table's character set; no expressions, no blanks between them. Rows of a chunk are asked for in order with the chunk's
    /// numbers, [`Rng::of_chunk`]; `number` counts from 1 within the table.
    fn row(&self, table: usize, number: u64, rng: &mut Rng, out: &mut Vec<u8>);
}
