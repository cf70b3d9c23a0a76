//! The plan of each event loop of a run: its exact share of everything.

use assay_pace::Share;
use assay_tally::Shape;
use assay_workload::Pace;

use crate::ledger::Page;
use crate::load::discipline::{Grounds, Make, Part, Properties, choose};
use crate::load::fleet::Loops;
use crate::load::names::Names;
use crate::process::clock::ns;
use crate::process::failure::Fatal;
use assay_format::job::Job;

/// Milliseconds (ten minutes) after which an operation is given up where no time ends the window: a server that hangs
/// never hangs the engine.
const LONGEST_OPERATION_MS: u64 = 600_000;

/// The plan of a load: who asks for operations, and by which discipline.
#[derive(Clone, Copy)]
pub(crate) struct LoadPlan {
    pub properties: Properties,
    /// Makes the discipline of one event loop.
    pub make: Make,
}

impl LoadPlan {
    /// The plan for a workload that knows its tables by now: with its own pace, where it has one, and whether it leaves
    /// work for later.
    ///
    /// # Errors
    /// The workload cannot be loaded as the job wants it.
    pub(crate) fn new(job: &Job, pace: Option<&dyn Pace>, defers: bool) -> Result<Self, Fatal> {
        let asked = Grounds {
            job,
            workload: &job.workload.name,
            own_pace: pace.is_some(),
            meant: pace.and_then(Pace::terminals),
            defers,
        };
        let (properties, make) = choose(&asked)?;
        Ok(Self { properties, make })
    }

    /// The histograms and counters that recorders of this load keep.
    pub(crate) fn shape(&self, names: &Names) -> Shape {
        names.shape(self.properties.times, self.properties.paced)
    }
}

/// The plan of one event loop.
pub(crate) struct ShardPlan {
    pub index: usize,
    pub load: Properties,
    pub part: Part,
    /// Numbers of its first connection and its first terminal in the whole run.
    pub first_connection: u32,
    pub first_terminal: u32,
    /// Whether a line is kept of work that was left for later.
    pub records: bool,
    /// The histograms and counters that the loop's recorders keep.
    pub shape: Shape,
    pub interval_ns: u64,
    pub drain_ns: u64,
    /// Transactions this loop may start in the measured window.
    pub budget: Option<u64>,
    /// Longest time of one try of an operation, in nanoseconds.
    pub timeout_ns: Option<u64>,
    /// The page on which acknowledged commits are written down, where the job names a ledger.
    pub ledger: Option<Page>,
    /// Whether the load waits for a command to begin, and says when it has.
    pub held: bool,
}

impl ShardPlan {
    /// The plan of event loop number `index` of this engine's `loops`.
    pub(crate) fn new(job: &Job, load: &LoadPlan, names: &Names, index: usize, loops: Loops) -> Self {
        let share = loops.share(index);
        let (connections, terminals) = (job.load.connections.into(), load.properties.terminals.into());
        let max = job.phases.max_transactions;
        Self {
            index,
            load: load.properties,
            part: Part {
                share,
                connections: count_of(connections, share) as u32,
                terminals: count_of(terminals, share) as u32,
            },
            first_connection: first_of(connections, share),
            first_terminal: first_of(terminals, share),
            records: job.load.deferred_file.is_some(),
            shape: load.shape(names),
            interval_ns: ns(job.phases.interval_ms),
            drain_ns: ns(job.phases.drain_ms),
            budget: (max > 0).then(|| count_of(max, share)),
            timeout_ns: timeout_ms(job).map(ns),
            ledger: None,
            held: job.phases.hold,
        }
    }
}

/// Limit of one try of an operation in milliseconds, where there is one.
pub(crate) fn timeout_ms(job: &Job) -> Option<u64> {
    match (job.errors.operation_timeout_ms, job.phases.measure_ms) {
        (0, 0) => Some(LONGEST_OPERATION_MS),
        (0, _) => None,
        (limit, _) => Some(limit),
    }
}

/// The number of a total's things that an exact share of it has.
pub(crate) fn count_of(total: u64, share: Share) -> u64 {
    let (index, of) = (u64::from(share.index), u64::from(share.of));
    total * (index + 1) / of - total * index / of
}

/// The number of the first thing of an exact share.
fn first_of(total: u64, share: Share) -> u32 {
    (total * u64::from(share.index) / u64::from(share.of)) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_whole_and_follow_each_other() {
        for total in [0, 1, 5, 7, 64, 1000] {
            for of in [1, 2, 3, 8] {
                let mut next = 0;
                for index in 0..of {
                    let share = Share { index, of };
                    assert_eq!(u64::from(first_of(total, share)), next, "{index} of {of}, {total}");
                    next += count_of(total, share);
                }
                assert_eq!(next, total, "of {of}");
            }
        }
    }
}
