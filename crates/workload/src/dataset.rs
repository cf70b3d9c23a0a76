//! What the tables of a workload hold, said as data: the engine's loader decides how many sessions load them.

use std::sync::Arc;

use crate::Rng;

/// One table: how to make it, how many rows, what follows the load.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    pub name: String,
    /// `CREATE TABLE …`
    pub create: String,
    /// Names of the columns of the rows, in order, separated by commas: `id, k, c, pad`.
    pub columns: String,
    /// Row numbers go from 1 to this; see [`Dataset::rows_in`] for tables that leave some out.
    pub rows: u64,
    /// Bytes on disk of a row with its indexes: a guess on the safe side, for a table large enough to fill its pages.
    pub row_bytes: u32,
    /// Rows of one chunk. Part of the data's identity: each chunk has its own seed.
    pub chunk_rows: u64,
    /// `SELECT COUNT(*) FROM …` of the rows of a chunk, with `?` for its first and last row number; lets a load resume.
    /// What follows FROM is also what [`Table::clear_chunk`] deletes.
    pub count_chunk: String,
    /// Statements after the load: secondary indexes.
    pub after: Vec<String>,
}

impl Table {
    /// SQL that deletes the rows of a chunk, with `?` as in `count_chunk`.
    pub fn clear_chunk(&self) -> String {
        // Quoted: to MariaDB, DELETE HISTORY is another statement.
        self.count_chunk.replacen("SELECT COUNT(*)", &format!("DELETE `{}`", self.name), 1)
    }
}

/// One condition that the tables must meet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Check {
    /// Short and in kebab case; the parts of a check that was cut into ranges share it.
    pub name: Arc<str>,
    /// What must hold, for people.
    pub title: Arc<str>,
    /// Finds what breaks it: every row is a violation, and its columns name the place.
    pub sql: String,
}

impl Check {
    /// A condition with a name and a title.
    pub fn new(name: &str, title: &str, sql: impl Into<String>) -> Self {
        Self { name: name.into(), title: title.into(), sql: sql.into() }
    }
}

/// What a load writes down when everything else is done: tables that have their notes are whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notes {
    /// The table of the notes: one of the data set's, with the columns name and value and no rows of its own.
    pub table: Arc<str>,
    /// Names and values.
    pub rows: Vec<(Arc<str>, String)>,
    /// The name of the row that runs write over: how far they have come.
    pub moving: Option<Arc<str>>,
}

impl Notes {
    /// Notes of a load that runs do not write over.
    pub fn new(table: &str, rows: &[(&str, String)]) -> Self {
        let rows = rows.iter().map(|(name, value)| (Arc::from(*name), value.clone())).collect();
        Self { table: table.into(), rows, moving: None }
    }

    /// Writes them, over those of a load that was broken off.
    pub fn statement(&self) -> String {
        let rows: Vec<String> =
            self.rows.iter().map(|(name, value)| format!("('{name}', '{value}')")).collect();
        format!("REPLACE INTO {} (name, value) VALUES {}", self.table, rows.join(", "))
    }
}

/// The data of a workload.
pub trait Dataset: Send + Sync {
    fn tables(&self) -> &[Table];

    /// Appends one row as a `VALUES` tuple, `(1,2,'…',NULL)`: numbers, strings in single quotes with backslashes as
    /// escapes, in ASCII or the table's character set; no expressions, no blanks between them. Rows of a chunk are asked for in order with the chunk's
    /// numbers, [`rng_of_chunk`](crate::rng_of_chunk); `number` counts from 1 within the table. Nothing is appended for a number that the
    /// table leaves out.
    fn row(&self, table: usize, number: u64, rng: &mut Rng, out: &mut Vec<u8>);

    /// How many rows a row number stands for, where it is a unit that has several: the links of a node. They are asked
    /// for with [`Dataset::part`].
    fn rows_at(&self, _table: usize, _number: u64) -> u64 {
        1
    }

    /// Appends row `part`, from 0, as [`Dataset::row`] does, of a number that stands for several.
    fn part(&self, table: usize, number: u64, _part: u64, rng: &mut Rng, out: &mut Vec<u8>) {
        self.row(table, number, rng, out);
    }

    /// The character set of strings in rows, where it is not UTF-8: loaders say that they speak it.
    fn charset(&self) -> Option<&str> {
        None
    }

    /// How many rows the row numbers `first..=last` of a table have.
    fn rows_in(&self, _table: usize, first: u64, last: u64) -> u64 {
        (last + 1).saturating_sub(first)
    }

    /// About how many rows a table has, without looking at all of its row numbers: it is as full as its first chunk.
    fn rows_about(&self, table: usize) -> u64 {
        let Some(shape) = self.tables().get(table) else { return 0 };
        let chunk = shape.chunk_rows.min(shape.rows);
        let filled = if chunk == 0 { 0 } else { self.rows_in(table, 1, chunk) };
        (u128::from(shape.rows) * u128::from(filled)).checked_div(chunk.into()).unwrap_or(0) as u64
    }

    /// The column that has a row's number in every table, with an index that begins with it, where there is one: how far
    /// the numbers go is then seen at once, and set beside the rows that the options say.
    fn numbered_by(&self) -> Option<&str> {
        None
    }

    /// Statements after all indexes, one after the other: foreign keys.
    fn finally(&self) -> Vec<String> {
        Vec::new()
    }

    /// What to write down after all else; see [`Learner`](crate::Learner).
    fn notes(&self) -> Option<Notes> {
        None
    }

    /// Whether tables may refer to tables before them: then they are dropped one after the other, the last one first.
    fn linked(&self) -> bool {
        false
    }

    /// The conditions that action `check` tries. None: tables are counted, and compared with a fresh load.
    fn checks(&self) -> Vec<Check> {
        Vec::new()
    }
}
