//! What the engine is told: one workload, one target, one load shape, phases. Read once, from JSON.

use std::path::PathBuf;

use assay_pace::Arrivals;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One job: everything the engine needs for one measurement or one piece of data work.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Job {
    /// Version of this format; 1.
    pub version: u32,
    pub action: Action,
    /// Seed of the operation stream and of the data: same seed, same operations, same rows.
    #[serde(default)]
    pub seed: u64,
    pub target: Target,
    pub workload: WorkloadChoice,
    #[serde(default)]
    pub load: Load,
    #[serde(default)]
    pub phases: Phases,
    #[serde(default)]
    pub errors: ErrorPolicy,
    #[serde(default)]
    pub engine: EngineOptions,
}

/// What to do with the workload.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Action {
    /// Create and fill the tables.
    Prepare,
    /// Say whether the tables are there and whole.
    Check,
    /// Drive the load and measure.
    Run,
    /// Drop the tables.
    Cleanup,
}

/// Where the server is and how to log in. A socket wins over host and port.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Target {
    /// Path of a unix socket.
    #[serde(default)]
    pub socket: Option<PathBuf>,
    /// Host name or address.
    #[serde(default = "default_host")]
    pub host: String,
    #[serde(default = "default_port")]
    pub port: u16,
    pub user: String,
    /// Name of the environment variable that holds the password: a job file never holds it.
    #[serde(default)]
    pub password_env: Option<String>,
    pub database: String,
    #[serde(default)]
    pub tls: Tls,
    /// `auto` prepares statements at the server, `disable` sends text.
    #[serde(default)]
    pub ps_mode: PsMode,
    /// Limit for one connect and login.
    #[serde(default = "default_connect_timeout_ms")]
    pub connect_timeout_ms: u64,
}

fn default_host() -> String {
    "127.0.0.1".into()
}
fn default_port() -> u16 {
    3306
}
fn default_connect_timeout_ms() -> u64 {
    10_000
}

/// Statement protocol (sysbench `--db-ps-mode`).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum PsMode {
    #[default]
    Auto,
    Disable,
}

/// Transport security, by the names of the MySQL clients' `--ssl-mode`.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Tls {
    #[serde(default)]
    pub mode: TlsMode,
    /// PEM file with the certificates to trust (verify-ca, verify-identity).
    #[serde(default)]
    pub ca: Option<PathBuf>,
    /// PEM files of a client certificate and its key.
    #[serde(default)]
    pub cert: Option<PathBuf>,
    #[serde(default)]
    pub key: Option<PathBuf>,
    /// PEM file of the server's public key for `caching_sha2_password` without TLS; asked from the server when absent.
    #[serde(default)]
    pub server_public_key: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum TlsMode {
    #[default]
    Disabled,
    Preferred,
    Required,
    VerifyCa,
    VerifyIdentity,
}

/// A shipped workload and its options, by their sysbench names with underscores.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WorkloadChoice {
    pub name: String,
    #[serde(default)]
    pub options: serde_json::Map<String, serde_json::Value>,
}

/// One load point.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Load {
    /// Connections, each with at most one operation in flight; sysbench calls them threads.
    #[serde(default = "one")]
    pub connections: u32,
    /// Absent: closed loop. Present: open loop with this schedule of arrivals.
    #[serde(default)]
    pub arrivals: Option<Arrivals>,
    /// Open loop: arrivals that may wait for a free connection before they are dropped and counted.
    #[serde(default = "default_queue_limit")]
    pub queue_limit: u32,
}

fn one() -> u32 {
    1
}
fn default_queue_limit() -> u32 {
    100_000
}

impl Default for Load {
    fn default() -> Self {
        Self { connections: 1, arrivals: None, queue_limit: default_queue_limit() }
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
    /// Until throughput is level: over the last `window_ms` the slope of the per-interval rate changes it by
    /// less than `tolerance` (a share), at most `cap_ms`.
    UntilSteady {
        #[serde(default = "default_steady_window_ms")]
        window_ms: u64,
        #[serde(default = "default_steady_tolerance")]
        tolerance: f64,
        #[serde(default = "default_steady_cap_ms")]
        cap_ms: u64,
    },
}

fn default_steady_window_ms() -> u64 {
    10_000
}
fn default_steady_tolerance() -> f64 {
    0.05
}
fn default_steady_cap_ms() -> u64 {
    120_000
}

/// What follows a server error.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ErrorPolicy {
    /// Codes after which the transaction is rolled back and tried again with the same parameters.
    #[serde(default = "default_retry")]
    pub retry: Vec<u16>,
    /// Tries of one transaction before it counts as failed.
    #[serde(default = "default_max_tries")]
    pub max_tries: u32,
    /// What any other error does: `stop` ends the run, `count` goes on with the next transaction.
    #[serde(default)]
    pub other: OnError,
}

fn default_retry() -> Vec<u16> {
    vec![1213, 1205, 1020]
}
fn default_max_tries() -> u32 {
    100
}

impl Default for ErrorPolicy {
    fn default() -> Self {
        Self { retry: default_retry(), max_tries: default_max_tries(), other: OnError::default() }
    }
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum OnError {
    #[default]
    Stop,
    Count,
}

/// How the engine itself runs.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EngineOptions {
    /// Event-loop threads; 0 lets the engine choose.
    #[serde(default)]
    pub threads: u32,
    /// Connections that load data in `prepare`; 0 lets the engine choose.
    #[serde(default)]
    pub loaders: u32,
    /// `prepare` goes on with a load that was broken off: chunks that are there are kept.
    #[serde(default)]
    pub resume: bool,
}

impl Job {
    /// Checks what the types cannot say.
    ///
    /// # Errors
    /// A number out of range, or two settings that exclude each other; the message names them.
    pub fn validate(&self) -> Result<(), String> {
        if self.version != 1 {
            return Err(format!("version: this engine reads version 1, the job has {}", self.version));
        }
        if self.load.connections == 0 {
            return Err("load.connections: at least 1 connection is needed".into());
        }
        if self.phases.interval_ms == 0 {
            return Err("phases.interval_ms: an interval has at least 1 ms".into());
        }
        if self.action == Action::Run && self.phases.measure_ms == 0 && self.phases.max_transactions == 0 {
            return Err(
                "phases: the measured window has no length: give measure_ms or max_transactions".into()
            );
        }
        if self.errors.max_tries == 0 {
            return Err("errors.max_tries: a transaction is tried at least once".into());
        }
        Ok(())
    }
}
