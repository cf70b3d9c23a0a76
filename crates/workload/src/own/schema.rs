//! What the server says of the tables: their columns, how many rows, how many distinct values in an index.

use std::collections::BTreeMap;

use assay_wire::{Row, Rows};

/// A column of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Column {
    pub(super) name: String,
    /// The type's name, `int`, and all of it, `int(10) unsigned`.
    pub(super) data_type: String,
    pub(super) column_type: String,
    pub(super) nullable: bool,
    /// Characters of a text, or bytes of a binary one.
    pub(super) length: Option<u64>,
    pub(super) precision: Option<u32>,
    pub(super) scale: Option<u32>,
    /// Whether the server takes a NULL for a value of its own.
    pub(super) fills_nulls: bool,
}

/// A table.
#[derive(Debug, Clone, Default)]
pub(super) struct Table {
    pub(super) columns: Vec<Column>,
    /// An estimate, as the storage engine has it; absent of a view.
    pub(super) rows: Option<u64>,
    /// Distinct values of the columns that an index begins with, an estimate too.
    pub(super) distinct: BTreeMap<String, u64>,
}

impl Table {
    pub(super) fn column(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|column| column.name.eq_ignore_ascii_case(name))
    }
}

/// The tables of the database, by their names in lower case.
#[derive(Debug, Default)]
pub(super) struct Schema {
    pub(super) tables: BTreeMap<String, Table>,
}

impl Schema {
    pub(super) fn table(&self, name: &str) -> Option<&Table> {
        self.tables.get(&name.to_lowercase())
    }
}

/// The questions, each with what takes its rows.
pub(super) const COLUMNS: &str = "SELECT TABLE_NAME, COLUMN_NAME, DATA_TYPE, COLUMN_TYPE, IS_NULLABLE, \
    CHARACTER_MAXIMUM_LENGTH, NUMERIC_PRECISION, NUMERIC_SCALE, EXTRA FROM information_schema.COLUMNS \
    WHERE TABLE_SCHEMA = DATABASE() ORDER BY TABLE_NAME, ORDINAL_POSITION";
pub(super) const TABLES: &str =
    "SELECT TABLE_NAME, TABLE_ROWS FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE()";
pub(super) const INDEXES: &str = "SELECT TABLE_NAME, COLUMN_NAME, MAX(CARDINALITY) FROM information_schema.STATISTICS \
    WHERE TABLE_SCHEMA = DATABASE() AND SEQ_IN_INDEX = 1 GROUP BY TABLE_NAME, COLUMN_NAME";

/// The rows of an answer, as texts; of an answer of another width, nothing.
#[derive(Debug, Default)]
pub(super) struct Texts {
    width: usize,
    rows: Vec<Vec<Option<String>>>,
}

impl Texts {
    pub(super) fn of(width: usize) -> Self {
        Self { width, rows: Vec::new() }
    }
}

impl Rows for Texts {
    fn row(&mut self, row: &Row<'_>) {
        if row.len() == self.width {
            let field = |index| row.bytes(index).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
            self.rows.push((0..row.len()).map(field).collect());
        }
    }
}

/// The answers to the three questions.
#[derive(Debug)]
pub(super) struct Answers {
    pub(super) columns: Texts,
    pub(super) tables: Texts,
    pub(super) indexes: Texts,
}

impl Default for Answers {
    fn default() -> Self {
        Self { columns: Texts::of(9), tables: Texts::of(2), indexes: Texts::of(3) }
    }
}

impl Answers {
    /// The schema that the answers describe.
    pub(super) fn schema(self) -> Schema {
        let mut schema = Schema::default();
        for row in self.columns.rows {
            let [
                Some(table),
                Some(name),
                Some(data_type),
                Some(column_type),
                nullable,
                length,
                precision,
                scale,
                extra,
            ] = <[Option<String>; 9]>::try_from(row).expect("as wide as asked for")
            else {
                continue;
            };
            let extra = extra.unwrap_or_default().to_lowercase();
            let data_type = data_type.to_lowercase();
            let column = Column {
                name,
                fills_nulls: extra.contains("auto_increment") || data_type == "timestamp",
                data_type,
                column_type: column_type.to_lowercase(),
                nullable: nullable.is_none_or(|text| text.eq_ignore_ascii_case("yes")),
                length: length.and_then(|text| text.parse().ok()),
                precision: precision.and_then(|text| text.parse().ok()),
                scale: scale.and_then(|text| text.parse().ok()),
            };
            schema.tables.entry(table.to_lowercase()).or_default().columns.push(column);
        }
        for row in self.tables.rows {
            if let [Some(table), Some(rows)] = &row[..]
                && let Some(table) = schema.tables.get_mut(&table.to_lowercase())
            {
                table.rows = rows.parse().ok();
            }
        }
        for row in self.indexes.rows {
            if let [Some(table), Some(column), Some(distinct)] = &row[..]
                && let (Some(table), Ok(distinct)) =
                    (schema.tables.get_mut(&table.to_lowercase()), distinct.parse())
            {
                table.distinct.insert(column.to_lowercase(), distinct);
            }
        }
        schema
    }
}
