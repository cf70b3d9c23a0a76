//! The outcomes of prepare, check and cleanup.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::event::EngineUse;
use crate::job::LoadAs;

/// The outcome of one condition of the tables that `check` tried.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct CheckOutcome {
    /// Name of the condition, short and fixed, e.g. `consistency-3`.
    pub name: String,
    /// Title of the condition: what must hold, for people.
    pub title: String,
    /// Places that break it; counting stops at 1000 for each part of the tables.
    pub violations: u64,
    /// The first few places that break the condition, each as column = value.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub places: Vec<String>,
    pub elapsed_s: f64,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct ActionResult {
    pub action: String,
    pub elapsed_s: f64,
    pub rows: u64,
    /// Tables of the workload; after cleanup those of them that were there.
    pub tables: u64,
    /// Prepare and check: the rows of each table that a workload loads; empty where a resumed prepare found them whole and
    /// looked at none.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub rows_by_table: BTreeMap<String, u64>,
    /// Prepare from files: the database that holds the tables.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub database: Option<String>,
    /// Prepare: what the rows travelled in; absent when none did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub loaded_as: Option<LoadAs>,
    /// Prepare: the number of statements that carried the rows.
    #[serde(default)]
    pub load_statements: u64,
    /// Prepare by a script: files that it opened for reading, or looked for, as it names them; without those that
    /// came with it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files_read: Vec<String>,
    /// Prepare by a script: functions by which it may have read what nobody sees, as `io.popen()`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub other_inputs: Vec<String>,
    /// Prepare from files: what was left out of them or replaced, and how they were sent, in sentences.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// Prepare from files without rows: statements that need rows, or may make tables, and have not been tried.
    #[serde(default)]
    pub untried: u64,
    pub engine: EngineUse,
}

impl ActionResult {
    /// The result of an action that has no rows or notes to tell of; the others say theirs with `..`.
    pub fn new(action: impl Into<String>, elapsed_s: f64, engine: EngineUse) -> Self {
        Self {
            action: action.into(),
            elapsed_s,
            rows: 0,
            tables: 0,
            rows_by_table: BTreeMap::new(),
            database: None,
            loaded_as: None,
            load_statements: 0,
            files_read: Vec::new(),
            other_inputs: Vec::new(),
            notes: Vec::new(),
            untried: 0,
            engine,
        }
    }
}
