//! Bursts: as many operations as there are connections are wanted at once, each second anew.

use std::collections::VecDeque;
use std::task::Poll;

use assay_tally::Scheduled;

use super::free::{Connections, Due};
use super::{Admitted, Discipline, Grounds, Part, Properties, Wanted, Work};
use crate::process::clock::UNKNOWN;
use crate::process::failure::Fatal;
use crate::reactor::TaskId;
use assay_format::job::Job;

const APART_NS: u64 = 1_000_000_000;

pub(super) struct Bursts {
    size: u32,
    /// The instant of the next burst.
    ahead: u64,
    connections: Connections,
    /// The queue (backlog): operations that found no free connection, oldest first.
    queue: VecDeque<Due>,
}

impl Discipline for Bursts {
    fn chosen(asked: &Grounds<'_>) -> Result<Option<Properties>, Fatal> {
        let bursts = Properties {
            times: Scheduled::All,
            by_instants: true,
            keeps_schedule: true,
            fills_connections: false,
            serves_alike: false,
            gives_way: false,
            terminals: asked.job.load.connections,
            meant: None,
            shared: false,
            paced: false,
        };
        Ok((asked.workload == "bursts").then_some(bursts))
    }

    fn new(_job: &Job, _load: &Properties, part: &Part) -> Result<Self, Fatal> {
        Ok(Self {
            size: part.connections,
            ahead: UNKNOWN,
            connections: Connections::new(part.connections),
            queue: VecDeque::new(),
        })
    }

    fn begin(&mut self, start: u64) {
        self.ahead = start;
    }

    fn admit(&mut self, limit: u64, mut wake: impl FnMut(TaskId)) -> Admitted {
        let mut admitted = Admitted::default();
        while self.ahead < limit {
            for _ in 0..self.size {
                let due = (self.ahead, Wanted::Own);
                if !self.connections.hand(due, &mut wake) {
                    self.queue.push_back(due);
                }
            }
            admitted.count += u64::from(self.size);
            self.ahead += APART_NS;
        }
        admitted
    }

    fn wanted(&self) -> u64 {
        if self.connections.any_free() { self.ahead } else { UNKNOWN }
    }

    fn next(&mut self, connection: TaskId, _now: u64) -> Poll<Option<Work>> {
        self.connections.next(connection, || self.queue.pop_front())
    }

    fn close(&mut self, wake: impl FnMut(TaskId)) {
        self.connections.close(wake);
    }

    fn queued(&self) -> u64 {
        self.queue.len() as u64
    }

    fn unserved_since(&self, start: u64) -> u64 {
        self.queue.iter().filter(|(scheduled, _)| *scheduled >= start).count() as u64
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::trial::{Answer, Trial, asked, job};
    use super::*;

    #[test]
    fn a_burst_comes_each_second_and_waits_for_busy_connections() {
        let job = job("bursts", &json!({"connections": 2}));
        let mut trial = Trial::new(&asked(&job)).expect("a load");
        trial.any.begin(5);
        assert_eq!(trial.admit(6), (2, vec![]), "both connections are still busy");
        assert_eq!(trial.told(0, 6), Answer::Queued(Wanted::Own, 5));
        assert_eq!(trial.told(1, 7), Answer::Queued(Wanted::Own, 5));
        assert_eq!(trial.any.wanted(), UNKNOWN, "nobody is free to be woken");
        assert_eq!(trial.told(0, 8), Answer::Wait);
        assert_eq!(trial.any.wanted(), 5 + APART_NS);
        assert_eq!(trial.admit(6 + APART_NS), (2, vec![0]));
        assert_eq!(trial.told(0, 6 + APART_NS), Answer::Prompt(Wanted::Own, 5 + APART_NS));
        assert_eq!(trial.any.unserved_since(0), 1, "connection 1 has not come back");
        assert_eq!(trial.close(), [] as [TaskId; 0]);
        assert_eq!(trial.told(1, 9 + APART_NS), Answer::Queued(Wanted::Own, 5 + APART_NS));
        assert_eq!(trial.told(1, 9 + APART_NS), Answer::Leave);
    }
}
