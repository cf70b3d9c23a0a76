//! The part of a load that one generator of a fleet carries out.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The event loops of a fleet that this engine runs: as many as `engine.threads`, from number `first_loop` on. Connections,
/// terminals, rate, queue and transactions of the job stay those of the whole fleet; each event loop takes its exact share.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FleetPart {
    /// Event loops of the generators before this one.
    pub first_loop: u32,
    /// Event loops of all generators.
    pub loops: u32,
}

/// A step of `prepare`, where generators share the rows: one makes the tables, then all load, then one finishes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PrepareStep {
    /// The tables, empty; with `index_first` their secondary indexes too.
    Tables,
    /// The rows: this engine's share of the chunks, as `load.part` says.
    Rows,
    /// All that follows the rows: secondary indexes, last statements, notes.
    Finish,
}
