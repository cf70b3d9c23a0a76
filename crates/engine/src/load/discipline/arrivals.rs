//! Open loop: operations are wanted at the instants of a schedule, whatever the server does. Whichever connection is free
//! carries them out; those that find none wait in a queue, and those that find it full are dropped.

use std::collections::VecDeque;
use std::task::Poll;

use assay_pace::Schedule;
use assay_tally::Scheduled;

use super::free::{Connections, Due};
use super::{Admitted, Asked, Discipline, Part, Properties, Wanted, Work};
use crate::load::plan::count_of;
use crate::process::clock::UNKNOWN;
use crate::process::failure::Fatal;
use crate::reactor::TaskId;
use assay_format::job::Job;

pub struct Arrivals {
    schedule: Schedule,
    /// The schedule's zero.
    origin: u64,
    /// The instant of the next arrival.
    ahead: u64,
    connections: Connections,
    /// Arrivals that found no free connection, oldest first.
    queue: VecDeque<Due>,
    limit: usize,
}

impl Discipline for Arrivals {
    fn chosen(asked: &Asked<'_>) -> Result<Option<Properties>, Fatal> {
        let load = &asked.job.load;
        if load.arrivals.is_none() {
            return Ok(None);
        }
        if asked.own_pace {
            let name = asked.workload;
            let message = format!("load.arrivals: {name} waits by its own pace, which no rate can keep");
            return Err(Fatal::job(message).hint("leave out the rate, or the workload's pacing"));
        }
        Ok(Some(Properties {
            times: Scheduled::All,
            keeps_schedule: true,
            fills_connections: false,
            serves_alike: false,
            gives_way: false,
            terminals: load.connections,
            meant: None,
            shared: false,
            paced: load.think.is_some(),
        }))
    }

    fn new(job: &Job, _load: &Properties, part: &Part) -> Result<Self, Fatal> {
        let refuse = |why: &dyn std::fmt::Display| Fatal::job(format!("load.arrivals: {why}"));
        let arrivals = job.load.arrivals.as_ref().ok_or_else(|| refuse(&"there are none"))?;
        let schedule = Schedule::new(arrivals, job.seed, part.share).map_err(|error| refuse(&error))?;
        Ok(Self {
            schedule,
            origin: 0,
            ahead: UNKNOWN,
            connections: Connections::new(part.connections),
            queue: VecDeque::new(),
            limit: count_of(job.load.queue_limit.into(), part.share) as usize,
        })
    }

    fn begin(&mut self, start: u64) {
        self.origin = start;
        self.pull();
    }

    #[inline]
    fn admit(&mut self, limit: u64, mut wake: impl FnMut(TaskId)) -> Admitted {
        let mut admitted = Admitted::default();
        while self.ahead < limit {
            admitted.count += 1;
            let due = (self.pull(), Wanted::Own);
            if !self.connections.hand(due, &mut wake) {
                if self.queue.len() < self.limit {
                    self.queue.push_back(due);
                } else {
                    admitted.dropped += 1;
                }
            }
        }
        admitted
    }

    fn wanted(&self) -> u64 {
        if self.connections.any_free() { self.ahead } else { UNKNOWN }
    }

    #[inline]
    fn next(&mut self, connection: TaskId, _now: u64) -> Poll<Option<Work>> {
        let queue = &mut self.queue;
        self.connections.next(connection, || queue.pop_front())
    }

    /// Arrivals that are queued are still served.
    fn close(&mut self, wake: impl FnMut(TaskId)) {
        self.connections.close(wake);
    }

    fn cut(&mut self, wake: impl FnMut(TaskId)) {
        self.close(wake);
        self.queue.clear();
        self.ahead = UNKNOWN;
    }

    fn is_exhausted(&self) -> bool {
        self.ahead == UNKNOWN
    }

    fn queued(&self) -> u64 {
        self.queue.len() as u64
    }

    fn unserved_since(&self, start: u64) -> u64 {
        self.queue.iter().filter(|(scheduled, _)| *scheduled >= start).count() as u64
    }
}

impl Arrivals {
    /// Takes the next arrival out of the schedule; returns its instant.
    #[inline]
    fn pull(&mut self) -> u64 {
        let next = self.schedule.next().map_or(UNKNOWN, |instant| self.origin.saturating_add(instant));
        std::mem::replace(&mut self.ahead, next)
    }
}
