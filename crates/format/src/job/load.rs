//! The load: how much of it, in which shape, for how long.

use std::path::PathBuf;

use assay_pace::Arrivals;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::job::FleetPart;

/// The load of a run: one load point.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Load {
    /// Connections, each with at most one operation in flight; sysbench calls them threads.
    #[serde(default = "one")]
    pub connections: u32,
    /// Closed loop: terminals, each with at most one operation in flight, which share the connections. 0: as many as there
    /// are connections, each with its own; where the workload has a pace of its own (TPC-C), as many as that is meant for.
    #[serde(default)]
    pub terminals: u32,
    /// A file that takes what the workload writes down of work it left for later, one CSV line each (TPC-C: queued
    /// Deliveries). Made anew.
    #[serde(default)]
    pub deferred_file: Option<PathBuf>,
    /// Absent: closed loop. Present: open loop with this schedule of arrivals.
    #[serde(default)]
    pub arrivals: Option<Arrivals>,
    /// Open loop: arrivals that may wait for a free connection before they are dropped and counted.
    #[serde(default = "default_queue_limit")]
    pub queue_limit: u32,
    /// Closed loop: the time between the end of a transaction and the instant at which its terminal wants the next one.
    #[serde(default)]
    pub think: Option<Think>,
    /// Every connection is closed and opened again after so many of its transactions, as applications without a pool do;
    /// the time is in no transaction, but under the label `connect`. 0: never.
    #[serde(default)]
    pub reconnect_each: u32,
    /// The part of this load that this engine carries out; absent: all of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part: Option<FleetPart>,
}

/// Think time. It belongs to no operation; every terminal begins with a random part of one, so that they do not
/// start in step.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "snake_case", tag = "kind")]
pub enum Think {
    Constant { mean_ms: f64 },
    Exponential { mean_ms: f64 },
}

fn one() -> u32 {
    1
}
fn default_queue_limit() -> u32 {
    100_000
}

impl Default for Load {
    fn default() -> Self {
        Self {
            connections: 1,
            terminals: 0,
            deferred_file: None,
            arrivals: None,
            queue_limit: default_queue_limit(),
            think: None,
            reconnect_each: 0,
            part: None,
        }
    }
}

/// The phases of a run: warm-up (kept apart), the measured window, the drain.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Phases {
    #[serde(default)]
    pub warmup: Warmup,
    /// Length of the measured window; 0 when only `max_transactions` ends it.
    #[serde(default = "default_measure_ms")]
    pub measure_ms: u64,
    /// Transactions in the measured window; 0 for no limit.
    #[serde(default)]
    pub max_transactions: u64,
    /// How long operations in flight at the end may take before they are given up.
    #[serde(default = "default_drain_ms")]
    pub drain_ms: u64,
    /// Length of one interval of the time line.
    #[serde(default = "default_interval_ms")]
    pub interval_ms: u64,
    /// The load waits, once everything is ready, for the command `start` on standard input; the engine must listen there.
    #[serde(default)]
    pub hold: bool,
}

fn default_measure_ms() -> u64 {
    10_000
}
fn default_drain_ms() -> u64 {
    10_000
}
fn default_interval_ms() -> u64 {
    1_000
}

impl Default for Phases {
    fn default() -> Self {
        Self {
            warmup: Warmup::default(),
            measure_ms: default_measure_ms(),
            max_transactions: 0,
            drain_ms: default_drain_ms(),
            interval_ms: default_interval_ms(),
            hold: false,
        }
    }
}

/// How long the load runs before the measured window.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "snake_case", tag = "kind")]
pub enum Warmup {
    #[default]
    None,
    /// A fixed time.
    Fixed { duration_ms: u64 },
    /// Until throughput is level: at the slope that the per-interval rate has over the last `window_ms`, it would change
    /// by less than `tolerance` (a share) over the measured window. At most `cap_ms`.
    UntilSteady {
        /// 0: half of the measured window, but at least 30 s, and not above `cap_ms`.
        #[serde(default)]
        window_ms: u64,
        #[serde(default = "default_steady_tolerance")]
        tolerance: f64,
        #[serde(default = "default_steady_cap_ms")]
        cap_ms: u64,
    },
    /// Until the command `window` on standard input says when the measured window begins; the engine must listen there.
    UntilTold,
}

fn default_steady_tolerance() -> f64 {
    0.05
}
fn default_steady_cap_ms() -> u64 {
    120_000
}
