//! Files from which `prepare` makes tables in place of the workload's own.

use std::collections::BTreeMap;
use std::path::PathBuf;

use assay_generate::Profile;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Files of SQL and of rows, as dump programs write them; or statistics from which rows are generated.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Dump {
    /// The files in the order in which they make the tables.
    pub files: Vec<DumpFile>,
    /// The database of several in the files that is taken, or that of the tables where the files name none; absent: the
    /// only one that they name, otherwise the target's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub database: Option<String>,
    /// Collations and character sets of the files that others stand in for, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub collations: BTreeMap<String, String>,
    /// Whether secondary indexes are made after the rows, and not where the files have them.
    #[serde(default)]
    pub indexes_after: bool,
    /// Whether only tables, views, triggers and routines are made, and no rows: a trial.
    #[serde(default)]
    pub structure_only: bool,
    /// Tables whose rows are generated, in place of files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub generated: Option<Profile>,
}

/// A file of a dump, which may be compressed by gzip, zstd, xz or bzip2.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DumpFile {
    pub path: PathBuf,
    /// The name of the file in messages.
    pub name: String,
    /// What the file holds, where that is rows; absent: statements.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rows: Option<RowsOfTable>,
}

/// The rows of a table as text, as `LOAD DATA` reads them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RowsOfTable {
    pub table: String,
    /// The columns of the file in their order; empty: those of the table.
    #[serde(default)]
    pub columns: Vec<ColumnOfRows>,
    pub fields_terminated: String,
    /// The quote around fields that need one; empty: none.
    #[serde(default)]
    pub enclosed: String,
    /// The character that escapes the next one; empty: none.
    #[serde(default)]
    pub escaped: String,
    pub lines_terminated: String,
    pub charset: String,
    /// Whether the first line names the columns.
    #[serde(default)]
    pub header: bool,
}

/// A column of a file of rows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ColumnOfRows {
    pub name: String,
    /// The function that makes the value of the field, such as `FROM_BASE64`; absent: the field is the value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decoded_by: Option<String>,
}
