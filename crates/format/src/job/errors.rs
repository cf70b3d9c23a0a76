//! What follows when a statement fails, a connection breaks, or an answer does not come.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The error policy: what follows an error.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ErrorPolicy {
    /// Codes after which the transaction is rolled back and tried again with the same parameters.
    #[serde(default = "default_retry")]
    pub retry: Vec<u16>,
    /// Tries of one transaction before it counts as failed.
    #[serde(default = "default_max_tries")]
    pub max_tries: u32,
    /// What any other error does: `stop` ends the run, `count` goes on with the next transaction, over a new
    /// connection if need be. Absent: `count` for a person's own statements (`sql:`), `stop` for all else.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub other: Option<OnError>,
    /// By server error code, `lost` (also 2006, 2013) for a broken connection, `timeout` for one that does not answer.
    /// Goes before `retry` and `other`.
    #[serde(default)]
    pub on_error: BTreeMap<String, Reaction>,
    /// Longest time of one try of a transaction, and of the ROLLBACK after it. 0 is no limit of its own: such an
    /// operation is given up when the drain ends, or after ten minutes where no time ends the window.
    #[serde(default)]
    pub operation_timeout_ms: u64,
    /// Failed tries in a row to open a lost connection again before the run ends. Pauses double from 10 ms to 1 s.
    #[serde(default = "default_reconnect_tries")]
    pub reconnect_tries: u32,
}

fn default_retry() -> Vec<u16> {
    vec![1213, 1205, 1020]
}
fn default_max_tries() -> u32 {
    100
}
fn default_reconnect_tries() -> u32 {
    100
}

impl Default for ErrorPolicy {
    fn default() -> Self {
        Self {
            retry: default_retry(),
            max_tries: default_max_tries(),
            other: None,
            on_error: BTreeMap::new(),
            operation_timeout_ms: 0,
            reconnect_tries: default_reconnect_tries(),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum OnError {
    Stop,
    Count,
}

/// Reaction to one kind of error. A broken or silent connection is always opened again before anything goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Reaction {
    /// Ends the run.
    Stop,
    /// The transaction is rolled back and counts as failed.
    Count,
    /// The transaction is rolled back and tried again, at most `max_tries` times.
    Retry,
    /// The transaction counts as failed, and the connection is replaced (a fail-over, a server that turned read-only).
    Reconnect,
}
