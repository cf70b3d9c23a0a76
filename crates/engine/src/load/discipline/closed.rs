//! Closed loop: each connection is a terminal, whose next operation begins when the one before and a pause are over.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::task::Poll;

use assay_tally::Scheduled;

use super::{Admitted, Discipline, Grounds, Part, Properties, Wanted, Work};
use crate::process::clock::UNKNOWN;
use crate::process::failure::Fatal;
use crate::reactor::TaskId;
use assay_format::job::Job;

#[derive(Debug, Clone, Copy)]
enum Pause {
    None,
    Lasts,
    /// A pause that ended at this instant, by the plan.
    Over(u64),
}

pub(super) struct Closed {
    /// The pause of each connection; empty where there are no pauses, which saves looking.
    pauses: Box<[Pause]>,
    ends: BinaryHeap<Reverse<(u64, TaskId)>>,
    closed: bool,
}

impl Discipline for Closed {
    fn chosen(asked: &Grounds<'_>) -> Result<Option<Properties>, Fatal> {
        let load = &asked.job.load;
        let paced = load.think.is_some() || asked.own_pace;
        Ok(Some(Properties {
            times: Scheduled::Nothing,
            by_instants: paced,
            keeps_schedule: false,
            fills_connections: true,
            serves_alike: true,
            gives_way: true,
            terminals: load.connections,
            meant: asked.meant,
            shared: false,
            paced,
        }))
    }

    fn new(_job: &Job, load: &Properties, part: &Part) -> Result<Self, Fatal> {
        let pausing = if load.paced { part.connections as usize } else { 0 };
        let pauses = vec![Pause::None; pausing].into_boxed_slice();
        Ok(Self { pauses, ends: BinaryHeap::with_capacity(pausing), closed: false })
    }

    /// Pauses begin with the load, each by the connection's own clock reading.
    fn begin(&mut self, _start: u64) {}

    #[inline]
    fn admit(&mut self, limit: u64, mut wake: impl FnMut(TaskId)) -> Admitted {
        while let Some(&Reverse((end, connection))) = self.ends.peek()
            && end < limit
        {
            self.ends.pop();
            self.pauses[connection as usize] = Pause::Over(end);
            wake(connection);
        }
        Admitted::default()
    }

    fn wanted(&self) -> u64 {
        self.ends.peek().map_or(UNKNOWN, |Reverse((end, _))| *end)
    }

    #[inline]
    fn next(&mut self, connection: TaskId, now: u64) -> Poll<Option<Work>> {
        if self.closed {
            return Poll::Ready(None);
        }
        let mut work = Work { scheduled: now, prompt: false, wanted: Wanted::Own };
        if let Some(pause) = self.pauses.get_mut(connection as usize) {
            match *pause {
                Pause::None => {}
                Pause::Lasts => return Poll::Pending,
                Pause::Over(end) => work = Work { scheduled: end, prompt: true, ..work },
            }
            *pause = Pause::None;
        }
        Poll::Ready(Some(work))
    }

    fn wants(&mut self, terminal: u32, due: u64) -> bool {
        self.pauses[terminal as usize] = Pause::Lasts;
        self.ends.push(Reverse((due, terminal)));
        true
    }

    fn close(&mut self, mut wake: impl FnMut(TaskId)) {
        self.closed = true;
        self.ends.drain().for_each(|Reverse((_, connection))| wake(connection));
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::trial::{Answer, Trial, asked, job};
    use super::*;

    fn thinking() -> Trial {
        Trial::of(&json!({"connections": 2, "think": {"kind": "constant", "mean_ms": 1.0}}))
    }

    #[test]
    fn without_pauses_a_connection_begins_when_the_one_before_is_over() {
        let mut trial = Trial::of(&json!({"connections": 2}));
        trial.any.begin(10);
        for (connection, now) in [(0, 10), (1, 10), (1, 17), (0, 23)] {
            assert_eq!(trial.told(connection, now), Answer::Queued(Wanted::Own, now));
            assert_eq!((trial.any.wanted(), trial.admit(now + 1)), (UNKNOWN, (0, vec![])));
        }
        assert_eq!(trial.close(), [] as [TaskId; 0]);
        assert_eq!(trial.told(0, 30), Answer::Leave);
    }

    #[test]
    fn connections_that_think_are_woken_in_the_order_in_which_they_are_due() {
        let mut trial = thinking();
        trial.any.begin(0);
        assert!(trial.any.wants(0, 30) && trial.any.wants(1, 20));
        // Wanted next; asked at; let in; then what both are told.
        let table = [
            (20, 19, vec![], [Answer::Wait, Answer::Wait]),
            (20, 20, vec![1], [Answer::Wait, Answer::Prompt(Wanted::Own, 20)]),
            (30, 35, vec![0], [Answer::Prompt(Wanted::Own, 30), Answer::Queued(Wanted::Own, 35)]),
        ];
        for (wanted, now, woken, told) in table {
            assert_eq!(trial.any.wanted(), wanted, "before {now}");
            assert_eq!(trial.admit(now + 1), (0, woken), "no arrivals at {now}");
            assert_eq!([trial.told(0, now), trial.told(1, now)], told, "at {now}");
        }
        assert_eq!(trial.any.wanted(), UNKNOWN);
    }

    #[test]
    fn who_thinks_when_the_load_ends_leaves() {
        for cut in [false, true] {
            let mut trial = thinking();
            trial.any.wants(1, 1000);
            assert_eq!(trial.told(1, 0), Answer::Wait);
            assert_eq!(if cut { trial.cut() } else { trial.close() }, [1]);
            assert_eq!([trial.told(0, 1), trial.told(1, 1)], [Answer::Leave, Answer::Leave]);
            assert_eq!(trial.any.wanted(), UNKNOWN);
        }
    }

    #[test]
    fn a_closed_loop_has_no_schedule_and_fills_its_connections() {
        let job = job("none", &json!({"connections": 3}));
        let load = Trial::new(&Grounds { meant: Some(3), ..asked(&job) }).expect("a load").load;
        assert_eq!((load.times, load.keeps_schedule), (Scheduled::Nothing, false));
        assert!(load.fills_connections && load.serves_alike && load.gives_way && !load.shared);
        assert_eq!((load.terminals, load.meant, load.paced), (3, Some(3), false));
        let own_pace = Trial::new(&Grounds { own_pace: true, ..asked(&job) }).expect("a load").load;
        assert!(!load.by_instants, "nothing to look out for");
        assert!(thinking().load.paced && own_pace.paced && own_pace.by_instants);
    }
}
