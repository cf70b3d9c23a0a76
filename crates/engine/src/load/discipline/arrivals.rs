//! Open loop: operations are wanted at the instants of a schedule, whatever the server does. Whichever connection is free
//! carries them out; those that find none wait in a queue, and those that find it full are dropped.

use std::collections::VecDeque;
use std::task::Poll;

use assay_pace::Schedule;
use assay_tally::Scheduled;

use super::free::{Connections, Due};
use super::{Admitted, Discipline, Grounds, Part, Properties, Wanted, Work};
use crate::load::plan::count_of;
use crate::process::clock::UNKNOWN;
use crate::process::failure::Fatal;
use crate::reactor::TaskId;
use assay_format::job::Job;

pub(super) struct Arrivals {
    schedule: Schedule,
    /// The instant from which the schedule's instants are counted: the start of the load.
    origin: u64,
    /// The instant of the next arrival.
    ahead: u64,
    connections: Connections,
    /// The queue (backlog): arrivals that found no free connection, oldest first.
    queue: VecDeque<Due>,
    limit: usize,
}

impl Discipline for Arrivals {
    fn chosen(asked: &Grounds<'_>) -> Result<Option<Properties>, Fatal> {
        let load = &asked.job.load;
        if load.arrivals.is_none() {
            return Ok(None);
        }
        if asked.own_pace {
            let name = asked.workload;
            let message =
                format!("load.arrivals: cannot be combined with {name}, whose pacing sets the rate");
            return Err(Fatal::job(message).hint("leave out the rate, or the workload's pacing"));
        }
        Ok(Some(Properties {
            times: Scheduled::All,
            by_instants: true,
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

    /// Closes the schedule; arrivals that are queued are still served.
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

    fn waiting(&self) -> Vec<u64> {
        self.queue.iter().map(|(scheduled, _)| *scheduled).collect()
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

#[cfg(test)]
mod tests {
    use assay_pace::Share;
    use serde_json::json;

    use super::super::trial::{Answer, Trial, asked, job};
    use super::*;

    /// A load that began at 100, with arrivals at these instants after that.
    fn began(connections: u32, queue_limit: u32, instants: &[u64]) -> Trial {
        let arrivals = json!({"kind": "trace", "instants_ns": instants});
        let load = json!({"connections": connections, "queue_limit": queue_limit, "arrivals": arrivals});
        let mut trial = Trial::of(&load);
        trial.any.begin(100);
        trial
    }

    #[test]
    fn an_arrival_is_prompt_where_a_connection_was_free_and_waits_where_none_was() {
        let mut trial = began(2, 10, &[5, 7, 7, 20]);
        assert_eq!([0, 1].map(|connection| trial.told(connection, 100)), [Answer::Wait; 2]);
        // Wanted next; let in before; how many, and who is woken; waiting.
        let table = [
            (105, 105, (0, vec![]), 0),
            (105, 106, (1, vec![0]), 0),
            (107, 110, (2, vec![1]), 1),
            (UNKNOWN, 111, (0, vec![]), 1),
        ];
        for (wanted, limit, admitted, queued) in table {
            assert_eq!(trial.any.wanted(), wanted, "before {limit}");
            assert_eq!(trial.admit(limit), admitted, "before {limit}");
            assert_eq!(trial.any.queued(), queued, "before {limit}");
        }
        assert_eq!(trial.told(0, 112), Answer::Prompt(Wanted::Own, 105));
        assert_eq!(trial.told(1, 112), Answer::Prompt(Wanted::Own, 107));
        assert_eq!(trial.told(1, 115), Answer::Queued(Wanted::Own, 107));
        assert_eq!(trial.told(1, 116), Answer::Wait);
        assert_eq!(trial.told(1, 117), Answer::Wait, "woken for nothing, it keeps its place");
        assert!(!trial.any.is_exhausted());
        assert_eq!(trial.admit(121), (1, vec![1]));
        assert!(trial.any.is_exhausted());
    }

    #[test]
    fn a_connection_that_waits_does_not_take_what_came_before_it() {
        let mut trial = began(1, 10, &[5, 6]);
        assert_eq!(trial.told(0, 100), Answer::Wait);
        assert_eq!(trial.admit(107), (2, vec![0]));
        assert_eq!(trial.told(0, 107), Answer::Prompt(Wanted::Own, 105), "oldest first");
        assert_eq!(trial.told(0, 108), Answer::Queued(Wanted::Own, 106));
    }

    #[test]
    fn a_full_queue_drops_the_newest() {
        for (limit, dropped) in [(0, 4), (1, 3), (3, 1), (4, 0)] {
            let mut trial = began(1, limit, &[1, 2, 3, 4]);
            assert_eq!(trial.dropped(200), dropped, "a queue of {limit}");
            assert_eq!(trial.any.queued(), u64::from(limit));
            let first = if limit > 0 { Answer::Queued(Wanted::Own, 101) } else { Answer::Wait };
            assert_eq!(trial.told(0, 200), first, "a queue of {limit}");
        }
    }

    #[test]
    fn what_waits_at_the_start_of_the_window_is_carried_over_and_at_its_end_unserved() {
        let mut trial = began(1, 10, &[1, 2, 50, 60]);
        // The window begins at 150, which is the instant of the third arrival.
        trial.admit(150);
        assert_eq!(trial.any.queued(), 2, "carried over");
        trial.admit(200);
        assert_eq!([0, 102, 150, 161].map(|start| trial.any.unserved_since(start)), [4, 3, 2, 0]);
        trial.close();
        assert_eq!(trial.told(0, 200), Answer::Queued(Wanted::Own, 101), "the drain serves what it can");
        assert_eq!(trial.any.unserved_since(0), 3);
    }

    #[test]
    fn the_end_of_the_load_lets_the_queue_run_dry_and_a_limit_of_operations_does_not() {
        for cut in [false, true] {
            let mut trial = began(2, 10, &[1, 2, 3]);
            assert_eq!(trial.told(1, 100), Answer::Wait);
            assert_eq!(trial.admit(103), (2, vec![1]));
            assert_eq!(if cut { trial.cut() } else { trial.close() }, [] as [TaskId; 0]);
            assert_eq!(trial.told(1, 104), Answer::Prompt(Wanted::Own, 101));
            let queued = if cut { Answer::Leave } else { Answer::Queued(Wanted::Own, 102) };
            assert_eq!([trial.told(0, 104), trial.told(0, 105)], [queued, Answer::Leave]);
        }
    }

    #[test]
    fn event_loops_share_a_schedule_and_the_room_of_its_queue() {
        let arrivals = json!({"kind": "trace", "instants_ns": [0, 10, 20, 30, 40]});
        let job = job("none", &json!({"connections": 1, "queue_limit": 5, "arrivals": arrivals}));
        let of = |index| {
            let mut trial = Trial::part(&asked(&job), Share { index, of: 2 }).expect("a load");
            trial.any.begin(0);
            (trial.admit(100).0, trial.any.queued())
        };
        assert_eq!([of(0), of(1)], [(3, 2), (2, 2)]);
    }

    #[test]
    fn a_rate_and_a_pace_of_the_workload_exclude_each_other() {
        let job = job("tpcc", &json!({"arrivals": {"kind": "constant", "rate": 10.0}}));
        let load = Trial::new(&asked(&job)).expect("a load").load;
        assert_eq!((load.times, load.keeps_schedule), (Scheduled::All, true));
        assert!(!load.fills_connections && !load.serves_alike && !load.gives_way && !load.shared);
        let refused = Trial::new(&Grounds { own_pace: true, ..asked(&job) }).err().expect("a refusal");
        assert!(refused.message.contains("cannot be combined with tpcc"), "{}", refused.message);
    }
}
