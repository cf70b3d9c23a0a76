//! What each event loop of a run gets: its exact share of everything.

use assay_pace::{Schedule, Share};
use assay_tally::Shape;

use crate::failure::Fatal;
use crate::job::Job;
use crate::ledger::Page;
use crate::names::Names;

/// Where nothing else ends the window, an operation is given up after this (ten minutes): a server that hangs never
/// hangs the engine.
const LONGEST_OPERATION_MS: u64 = 600_000;

/// The plan of one event loop.
pub struct ShardPlan {
    pub index: usize,
    /// First connection of this loop, how many it has.
    pub first_worker: u32,
    pub workers: u32,
    /// What its recorders keep.
    pub shape: Shape,
    /// Histogram number of the first kind of transaction.
    pub first_kind: usize,
    pub interval_ns: u64,
    pub drain_ns: u64,
    /// Transactions this loop may start in the measured window.
    pub budget: Option<u64>,
    pub schedule: Option<Schedule>,
    pub queue_limit: usize,
    /// Longest time of one try of an operation.
    pub timeout_ns: Option<u64>,
    /// Where acknowledged commits are written down, if they are.
    pub ledger: Option<Page>,
}

impl ShardPlan {
    /// Part `index` of `shards`.
    ///
    /// # Errors
    /// The arrivals cannot be scheduled.
    pub fn new(job: &Job, names: &Names, index: usize, shards: usize) -> Result<Self, Fatal> {
        let connections = u64::from(job.load.connections);
        let max = job.phases.max_transactions;
        let part = Share { index: index as u32, of: shards as u32 };
        let schedule = job.load.arrivals.as_ref().map(|arrivals| Schedule::new(arrivals, job.seed, part));
        let schedule = schedule.transpose().map_err(|error| Fatal::job(format!("load.arrivals: {error}")))?;
        Ok(Self {
            index,
            first_worker: (connections * index as u64 / shards as u64) as u32,
            workers: share(connections, index, shards) as u32,
            shape: names.shape(job.load.arrivals.is_some()),
            first_kind: names.first_kind(),
            interval_ns: job.phases.interval_ms * 1_000_000,
            drain_ns: job.phases.drain_ms * 1_000_000,
            budget: (max > 0).then(|| share(max, index, shards)),
            schedule,
            queue_limit: share(u64::from(job.load.queue_limit), index, shards) as usize,
            timeout_ns: timeout_ms(job).map(|ms| ms * 1_000_000),
            ledger: None,
        })
    }
}

fn timeout_ms(job: &Job) -> Option<u64> {
    match (job.errors.operation_timeout_ms, job.phases.measure_ms) {
        (0, 0) => Some(LONGEST_OPERATION_MS),
        (0, _) => None,
        (limit, _) => Some(limit),
    }
}

/// Exact share `index` of `of` parts of a total.
fn share(total: u64, index: usize, of: usize) -> u64 {
    let (index, of) = (index as u64, of as u64);
    total * (index + 1) / of - total * index / of
}
