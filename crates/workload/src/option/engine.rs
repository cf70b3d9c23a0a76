//! The storage engine of a workload's tables.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::OptionError;

/// How tables are stored.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub(crate) struct StorageOptions {
    /// Storage engine of the tables: innodb, aria, myisam, rocksdb …
    pub(crate) mysql_storage_engine: String,
    /// Text after the column list of CREATE TABLE, such as ROW_FORMAT=COMPRESSED.
    pub(crate) create_table_options: String,
}

impl Default for StorageOptions {
    fn default() -> Self {
        Self { mysql_storage_engine: "innodb".into(), create_table_options: String::new() }
    }
}

impl StorageOptions {
    /// The end of `CREATE TABLE`.
    ///
    /// # Errors
    /// An engine that is not one word.
    pub(crate) fn clause(&self) -> Result<String, OptionError> {
        let engine = &self.mysql_storage_engine;
        if engine.is_empty() || !engine.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
            return Err(OptionError(format!(
                "mysql_storage_engine must be the name of an engine, such as innodb, not {engine:?}"
            )));
        }
        Ok(format!("ENGINE = {engine} {}", self.create_table_options).trim_end().to_owned())
    }
}
