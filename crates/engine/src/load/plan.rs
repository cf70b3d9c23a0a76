//! What each event loop of a run gets: its exact share of everything.

use assay_pace::{Schedule, Share};
use assay_tally::{Scheduled, Shape};
use assay_workload::Workload;

use crate::ledger::Page;
use crate::load::names::Names;
use crate::process::clock::ns;
use crate::process::failure::Fatal;
use assay_format::job::Job;

/// Where nothing else ends the window, an operation is given up after this (ten minutes): a server that hangs never
/// hangs the engine.
const LONGEST_OPERATION_MS: u64 = 600_000;

/// How operations come to connections.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Timing {
    /// Each connection is a terminal: its next operation begins when the last one and a pause are over.
    Closed,
    /// Terminals share connections: whichever is free serves who has been due longest.
    Shared,
    /// Arrivals by a schedule.
    Open,
}

/// Who asks for operations, and how.
#[derive(Debug, Clone, Copy)]
pub struct LoadPlan {
    pub timing: Timing,
    /// Of the whole run; in an open loop, its connections.
    pub terminals: u32,
    /// For how many the workload's own pace is meant.
    pub meant: Option<u64>,
    /// There is a pause between operations.
    pub paced: bool,
}

impl LoadPlan {
    /// For this workload, which knows its tables by now.
    ///
    /// # Errors
    /// An open loop, with a workload that has a pace of its own.
    pub fn new<W: Workload>(job: &Job, workload: &W) -> Result<Self, Fatal> {
        let (load, connections) = (&job.load, job.load.connections);
        let own_pace = workload.pause(job.seed, 0, 0).is_some();
        let paced = load.think.is_some() || own_pace;
        let meant = workload.terminals();
        if load.arrivals.is_some() {
            if own_pace {
                let name = W::NAME;
                let message = format!("load.arrivals: {name} waits by its own pace, which no rate can keep");
                return Err(Fatal::job(message).hint("leave out the rate, or the workload's pacing"));
            }
            return Ok(Self { timing: Timing::Open, terminals: connections, meant: None, paced });
        }
        let terminals = match load.terminals {
            0 => meant.map_or(connections, |meant| connections.max(meant.try_into().unwrap_or(u32::MAX))),
            asked => asked,
        };
        let shared = terminals > connections || workload.defers();
        let timing = if shared { Timing::Shared } else { Timing::Closed };
        Ok(Self { timing, terminals, meant, paced })
    }

    /// What the recorders keep.
    pub fn shape(&self, names: &Names) -> Shape {
        let scheduled = match self.timing {
            Timing::Closed => Scheduled::Nothing,
            Timing::Shared => Scheduled::Whole,
            Timing::Open => Scheduled::All,
        };
        names.shape(scheduled, self.paced)
    }
}

/// The plan of one event loop.
pub struct ShardPlan {
    pub index: usize,
    /// First connection of this loop, how many it has.
    pub first_worker: u32,
    pub workers: u32,
    pub timing: Timing,
    /// First of the terminals that share the connections of this loop, and how many there are.
    pub first_terminal: u32,
    pub terminals: u32,
    /// Whether a line is kept of work that was left for later.
    pub records: bool,
    /// What its recorders keep.
    pub shape: Shape,
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
    pub fn new(
        job: &Job,
        load: &LoadPlan,
        names: &Names,
        index: usize,
        shards: usize,
    ) -> Result<Self, Fatal> {
        let connections = u64::from(job.load.connections);
        let max = job.phases.max_transactions;
        let part = Share { index: index as u32, of: shards as u32 };
        let schedule = job.load.arrivals.as_ref().map(|arrivals| Schedule::new(arrivals, job.seed, part));
        let schedule = schedule.transpose().map_err(|error| Fatal::job(format!("load.arrivals: {error}")))?;
        let terminals = u64::from(load.terminals);
        Ok(Self {
            index,
            first_worker: first(connections, index, shards),
            workers: share(connections, index, shards) as u32,
            timing: load.timing,
            first_terminal: first(terminals, index, shards),
            terminals: share(terminals, index, shards) as u32,
            records: job.load.deferred_file.is_some(),
            shape: load.shape(names),
            interval_ns: ns(job.phases.interval_ms),
            drain_ns: ns(job.phases.drain_ms),
            budget: (max > 0).then(|| share(max, index, shards)),
            schedule,
            queue_limit: match load.timing {
                Timing::Open => share(u64::from(job.load.queue_limit), index, shards) as usize,
                // A terminal that finds no place would want nothing ever again.
                Timing::Closed | Timing::Shared => usize::MAX,
            },
            timeout_ns: timeout_ms(job).map(ns),
            ledger: None,
        })
    }
}

/// Limit of one try of an operation, where there is one.
pub fn timeout_ms(job: &Job) -> Option<u64> {
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

/// Number of the first one of that share.
fn first(total: u64, index: usize, of: usize) -> u32 {
    (total * index as u64 / of as u64) as u32
}
