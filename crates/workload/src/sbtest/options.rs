//! The options of the tables.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::OptionError;
use crate::option::{StorageOptions, Switch};
use crate::random::RandOptions;

/// How many tables there are and what they look like.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub(crate) struct TableOptions {
    /// Tables, sbtest1 and on; each group of statements picks one of them.
    #[schemars(range(min = 1, max = 1_000_000))]
    pub(crate) tables: u32,
    /// Rows of each table, with ids from 1; a row takes about 240 bytes with its index.
    #[schemars(range(min = 1, max = 9_000_000_000_000_000_000_u64))]
    pub(crate) table_size: u64,
    /// Make id AUTO_INCREMENT.
    pub(crate) auto_inc: Switch,
    /// Make id a secondary index instead of the primary key.
    pub(crate) secondary: Switch,
    /// Create the index on column k, after the rows are loaded.
    pub(crate) create_secondary: Switch,
    /// Percent of columns c and pad that is the same in all rows, so that they can be compressed.
    #[schemars(range(min = 0, max = 100))]
    pub(crate) compressible: u8,
    #[serde(flatten)]
    pub(crate) storage: StorageOptions,
}

impl Default for TableOptions {
    fn default() -> Self {
        Self {
            tables: 1,
            table_size: 10_000,
            auto_inc: Switch(true),
            secondary: Switch(false),
            create_secondary: Switch(true),
            compressible: 0,
            storage: StorageOptions::default(),
        }
    }
}

impl TableOptions {
    /// # Errors
    /// More tables than the one that the workload reads.
    pub(crate) fn only_one(&self) -> Result<(), OptionError> {
        match self.tables {
            1 => Ok(()),
            tables => Err(OptionError(format!("tables must be 1, not {tables}: only sbtest1 is read"))),
        }
    }
}

/// What every workload on these tables can be told.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub(crate) struct SbtestOptions {
    #[serde(flatten)]
    pub(crate) tables: TableOptions,
    #[serde(flatten)]
    pub(crate) rand: RandOptions,
}
