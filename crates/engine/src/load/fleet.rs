//! The event loops of a load that several engines carry out together: which of them are this engine's.

use std::path::Path;
use std::sync::Arc;

use assay_format::job::{AnyJob, Job};
use assay_pace::{Schedule, Share};

use crate::course::hard_end;
use crate::course::timeline::Control;
use crate::job::read;
use crate::process::clock::{Clock, ns};
use crate::process::failure::Fatal;
use crate::process::parent::end_with_parent;

/// The number of arrivals that the engine with the job in a file has between two instants after the start of its load.
///
/// # Errors
/// The file holds no job of an open loop on a server, for a number of event loops.
pub(crate) fn arrivals(path: &Path, from_ns: u64, to_ns: u64) -> Result<u64, Fatal> {
    let AnyJob::Server(job) = read(path, true)? else {
        return Err(Fatal::job("the arrivals of a load on a server alone are counted"));
    };
    Loops::of(&job, job.engine.threads.max(1) as usize).arrivals(&job, from_ns, to_ns)
}

/// Sees to it that a generator of a fleet ends with whoever commands it, and soon after its load.
///
/// # Errors
/// There is no thread left.
pub(crate) fn end_in_time(job: &Job, control: &Arc<Control>, clock: Clock) -> Result<(), Fatal> {
    if job.load.part.is_none() {
        return Ok(());
    }
    end_with_parent();
    hard_end::enforce(control.clone(), clock, ns(job.phases.drain_ms))
}

/// The event loops of this engine among those of all generators. Without a fleet they are all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Loops {
    first: u32,
    own: u32,
    all: u32,
}

impl Loops {
    /// The event loops of a job, of which this engine runs `threads`.
    pub(crate) fn of(job: &Job, threads: usize) -> Self {
        let own = threads as u32;
        match job.load.part {
            Some(part) => Self { first: part.first_loop, own, all: part.loops },
            None => Self { first: 0, own, all: own },
        }
    }

    /// The share that event loop number `index` of this engine has of everything in the job.
    pub(crate) fn share(self, index: usize) -> Share {
        Share { index: self.first + index as u32, of: self.all }
    }

    /// The number of arrivals of this engine's event loops between two instants after the start of the load, the later one
    /// excluded.
    ///
    /// # Errors
    /// The job has no schedule, or one that cannot be.
    pub(crate) fn arrivals(self, job: &Job, from_ns: u64, to_ns: u64) -> Result<u64, Fatal> {
        let refuse = |why: &dyn std::fmt::Display| Fatal::job(format!("load.arrivals: {why}"));
        let arrivals = job.load.arrivals.as_ref().ok_or_else(|| refuse(&"there are none"))?;
        let mut count = 0;
        for index in 0..self.own as usize {
            let schedule =
                Schedule::new(arrivals, job.seed, self.share(index)).map_err(|why| refuse(&why))?;
            let before = schedule.take_while(|instant| *instant < to_ns);
            count += before.filter(|instant| *instant >= from_ns).count() as u64;
        }
        Ok(count)
    }

    /// The number of a total's things that this engine has: those of its event loops.
    pub(crate) fn count(self, total: u64) -> u64 {
        let before = |loops: u32| total * u64::from(loops) / u64::from(self.all);
        before(self.first + self.own) - before(self.first)
    }
}

#[cfg(test)]
mod tests {
    use assay_pace::{Arrivals, Step};
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;
    use crate::load::plan::count_of;

    /// The event loops of generators that have so many each.
    fn fleet(loops: &[u32]) -> Vec<Loops> {
        let all = loops.iter().sum();
        let mut first = 0;
        let next = |own: &u32| {
            let loops = Loops { first, own: *own, all };
            first += own;
            loops
        };
        loops.iter().map(next).collect()
    }

    /// The shares of all event loops, generator by generator.
    fn shares(loops: &[u32]) -> Vec<Share> {
        let of = |loops: Loops| (0..loops.own as usize).map(move |index| loops.share(index));
        fleet(loops).into_iter().flat_map(of).collect()
    }

    #[test]
    fn a_job_without_a_part_is_whole() {
        let job = json!({
            "version": 1, "action": "run", "target": {"user": "nobody", "database": "none"},
            "workload": {"name": "none"}, "load": {"connections": 9},
        });
        let mut job: Job = serde_json::from_value(job).expect("a job");
        assert_eq!(Loops::of(&job, 3), Loops { first: 0, own: 3, all: 3 });
        job.load.part = Some(assay_format::job::FleetPart { first_loop: 4, loops: 9 });
        let part = Loops::of(&job, 3);
        assert_eq!((part.share(2), part.count(18)), (Share { index: 6, of: 9 }, 6));
    }

    #[test]
    fn arrivals_of_a_stretch_are_counted_by_share() {
        const MS: u64 = 1_000_000;
        let job = json!({
            "version": 1, "action": "run", "target": {"user": "nobody", "database": "none"},
            "workload": {"name": "none"},
            "load": {"connections": 9, "arrivals": {"kind": "constant", "rate": 1000.0}},
        });
        let job: Job = serde_json::from_value(job).expect("a job");
        // An arrival each millisecond, from 0 on.
        let counts =
            fleet(&[2, 1]).into_iter().map(|loops| loops.arrivals(&job, 3 * MS, 12 * MS).expect("a count"));
        assert_eq!(counts.collect::<Vec<_>>(), [6, 3]);
        let closed = Job { load: assay_format::job::Load::default(), ..job };
        assert!(fleet(&[1])[0].arrivals(&closed, 0, MS).is_err());
    }

    fn shapes() -> impl Strategy<Value = Arrivals> {
        let rate = || 0.5..5_000.0;
        prop_oneof![
            rate().prop_map(|rate| Arrivals::Constant { rate }),
            rate().prop_map(|rate| Arrivals::Poisson { rate }),
            (rate(), rate(), 1..5_000u64).prop_map(|(from, to, duration_ms)| Arrivals::Ramp {
                from,
                to,
                duration_ms
            }),
            prop::collection::vec((rate(), 1..1_000u64), 1..5).prop_map(|steps| Arrivals::Step {
                steps: steps.into_iter().map(|(rate, duration_ms)| Step { rate, duration_ms }).collect(),
            }),
            prop::collection::vec(0..10_000_000_000u64, 1..400).prop_map(|mut instants_ns| {
                instants_ns.sort_unstable();
                Arrivals::Trace { instants_ns }
            }),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]

        #[test]
        fn generators_together_have_every_arrival_once(
            loops in prop::collection::vec(1..6u32, 1..=64),
            arrivals in shapes(),
            seed: u64,
        ) {
            const ARRIVALS: usize = 300;
            let schedule = |share| Schedule::new(&arrivals, seed, share).expect("a shape");
            let whole: Vec<u64> = schedule(Share::WHOLE).take(ARRIVALS).collect();
            // Arrival n is the n / of-th of the event loop with number n mod of.
            let shares = shares(&loops);
            let each = ARRIVALS.div_ceil(shares.len());
            let parts: Vec<Vec<u64>> = shares.iter().map(|share| schedule(*share).take(each).collect()).collect();
            let together: Vec<u64> = (0..each)
                .flat_map(|turn| parts.iter().filter_map(move |part| part.get(turn).copied()))
                .take(whole.len())
                .collect();
            prop_assert_eq!(&together, &whole);
            prop_assert!(parts.iter().map(Vec::len).sum::<usize>() >= whole.len());
        }

        #[test]
        fn generators_together_have_everything_once(
            loops in prop::collection::vec(1..9u32, 1..=64),
            total in 0..1_000_000u64,
        ) {
            let fleet = fleet(&loops);
            prop_assert_eq!(fleet.iter().map(|one| one.count(total)).sum::<u64>(), total);
            for one in &fleet {
                let by_loop: u64 = (0..one.own as usize).map(|index| count_of(total, one.share(index))).sum();
                prop_assert_eq!(by_loop, one.count(total));
            }
            let numbers: Vec<u32> = shares(&loops).iter().map(|share| share.index).collect();
            prop_assert_eq!(numbers, (0..loops.iter().sum::<u32>()).collect::<Vec<_>>(), "no event loop twice");
        }
    }
}
