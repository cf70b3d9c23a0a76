//! Terminals that share connections: whichever connection is free serves the terminal that has been due longest. And work
//! that their operations left for later, which takes its turn among them.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::task::Poll;

use assay_tally::Scheduled;

use super::free::{Connections, Due};
use super::{Admitted, Discipline, Grounds, Part, Properties, Wanted, Work};
use crate::process::clock::UNKNOWN;
use crate::process::failure::Fatal;
use crate::reactor::TaskId;
use assay_format::job::Job;

pub(super) struct Terminals {
    /// Instants at which terminals want their next operation.
    ahead: BinaryHeap<Reverse<(u64, u32)>>,
    connections: Connections,
    /// Terminals that found no free connection, longest due first. Without a limit: one that was turned away would want
    /// nothing ever again.
    queue: VecDeque<Due>,
    /// The instants at which terminals had come due that waited when the load was closed: nobody serves them any more.
    left_waiting: Vec<u64>,
    /// Work that was left for later and found no free connection, oldest first.
    deferred: VecDeque<Due>,
    longest_deferred: usize,
}

impl Discipline for Terminals {
    fn chosen(asked: &Grounds<'_>) -> Result<Option<Properties>, Fatal> {
        let (load, connections) = (&asked.job.load, asked.job.load.connections);
        let meant = |count: u64| connections.max(count.try_into().unwrap_or(u32::MAX));
        let terminals = match load.terminals {
            0 => asked.meant.map_or(connections, meant),
            given => given,
        };
        let paced = load.think.is_some() || asked.own_pace;
        Ok((terminals > connections || asked.defers).then_some(Properties {
            times: Scheduled::Whole,
            by_instants: true,
            keeps_schedule: false,
            // What is neither work nor thinking is a wait: no time can be lost.
            fills_connections: false,
            serves_alike: true,
            gives_way: !paced,
            terminals,
            meant: asked.meant,
            shared: true,
            paced,
        }))
    }

    fn new(_job: &Job, _load: &Properties, part: &Part) -> Result<Self, Fatal> {
        Ok(Self {
            ahead: BinaryHeap::with_capacity(part.terminals as usize),
            connections: Connections::new(part.connections),
            queue: VecDeque::new(),
            left_waiting: Vec::new(),
            deferred: VecDeque::new(),
            longest_deferred: 0,
        })
    }

    fn begin(&mut self, start: u64) {
        let ahead = self.ahead.drain();
        self.ahead = ahead.map(|Reverse((pause, terminal))| Reverse((start + pause, terminal))).collect();
    }

    #[inline]
    fn admit(&mut self, limit: u64, mut wake: impl FnMut(TaskId)) -> Admitted {
        let mut count = 0;
        while let Some(&Reverse((instant, terminal))) = self.ahead.peek()
            && instant < limit
        {
            self.ahead.pop();
            count += 1;
            let due = (instant, Wanted::Terminal(terminal));
            if !self.connections.hand(due, &mut wake) {
                self.queue.push_back(due);
            }
        }
        Admitted { count, dropped: 0 }
    }

    fn wanted(&self) -> u64 {
        match self.ahead.peek() {
            Some(Reverse((due, _))) if self.connections.any_free() => *due,
            _ => UNKNOWN,
        }
    }

    #[inline]
    fn next(&mut self, connection: TaskId, _now: u64) -> Poll<Option<Work>> {
        let Self { queue, deferred, .. } = self;
        self.connections.next(connection, || oldest(queue, deferred))
    }

    #[inline]
    fn wants(&mut self, terminal: u32, due: u64) -> bool {
        if !self.connections.is_closed() {
            self.ahead.push(Reverse((due, terminal)));
        }
        self.connections.any_free()
    }

    fn defer(&mut self, instant: u64, (terminal, number): (u32, u64), wake: impl FnMut(TaskId)) {
        let due = (instant, Wanted::Deferred { terminal, number });
        if !self.connections.hand(due, wake) {
            self.deferred.push_back(due);
        }
        self.longest_deferred = self.longest_deferred.max(self.deferred.len());
    }

    /// Closes the load: terminals want nothing more; work that was left for later is still done.
    fn close(&mut self, wake: impl FnMut(TaskId)) {
        self.ahead.clear();
        self.left_waiting.extend(self.queue.drain(..).map(|(due, _)| due));
        self.connections.close(wake);
    }

    fn queued(&self) -> u64 {
        self.queue.len() as u64
    }

    fn waiting(&self) -> Vec<u64> {
        self.left_waiting.clone()
    }

    fn longest_deferred(&self) -> u64 {
        self.longest_deferred as u64
    }
}

/// Takes the operation that has waited longest. Of two that came at once, the work that was left: whoever only leaves
/// work behind cannot keep it waiting for ever.
#[inline]
fn oldest(queue: &mut VecDeque<Due>, deferred: &mut VecDeque<Due>) -> Option<Due> {
    match (queue.front(), deferred.front()) {
        (Some((queued, _)), Some((left, _))) if queued < left => queue.pop_front(),
        (_, Some(_)) => deferred.pop_front(),
        _ => queue.pop_front(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::trial::{Answer, Trial, asked, job};
    use super::*;

    const fn terminal(index: u32) -> Wanted {
        Wanted::Terminal(index)
    }

    const fn left(terminal: u32, number: u64) -> Wanted {
        Wanted::Deferred { terminal, number }
    }

    /// A load that began at 100, whose terminals want their first operation after these pauses.
    fn began(connections: u32, pauses: &[u64]) -> Trial {
        let terminals = pauses.len();
        let mut trial = Trial::of(&json!({"connections": connections, "terminals": terminals}));
        for (index, pause) in (0..).zip(pauses) {
            trial.any.wants(index, *pause);
        }
        trial.any.begin(100);
        trial
    }

    #[test]
    fn the_terminal_that_has_been_due_longest_comes_first() {
        let mut trial = began(1, &[30, 10, 20]);
        assert_eq!(trial.admit(126), (2, vec![]));
        assert_eq!(trial.any.queued(), 2);
        assert_eq!(trial.told(0, 126), Answer::Queued(terminal(1), 110));
        assert!(!trial.any.wants(1, 115), "no connection is free to wait for it");
        assert_eq!(trial.admit(131), (2, vec![]));
        // It was due again before the third, but came later: the third was not due yet when it was looked for.
        let rest = [(2, 120), (1, 115), (0, 130)].map(|(index, due)| Answer::Queued(terminal(index), due));
        assert_eq!([0; 3].map(|connection| trial.told(connection, 131)), rest);
        assert_eq!((trial.any.queued(), trial.told(0, 132)), (0, Answer::Wait));
    }

    #[test]
    fn whichever_connection_has_been_free_longest_serves() {
        let mut trial = began(2, &[10, 10, 15]);
        assert_eq!([1, 0].map(|connection| trial.told(connection, 100)), [Answer::Wait; 2]);
        assert_eq!(trial.any.wanted(), 110);
        assert_eq!(trial.admit(111), (2, vec![1, 0]));
        assert_eq!(trial.told(0, 111), Answer::Prompt(terminal(1), 110));
        assert_eq!(trial.told(1, 111), Answer::Prompt(terminal(0), 110));
        assert_eq!(trial.any.wanted(), UNKNOWN, "one that is due finds none before one comes back");
    }

    #[test]
    fn keying_and_thinking_are_a_time_without_a_connection() {
        // Of one connection, which each operation has for 1: both terminals come when they are due.
        let mut trial = began(1, &[18, 12]);
        let (mut now, mut served) = (100, Vec::new());
        assert_eq!(trial.told(0, now), Answer::Wait);
        while served.len() < 5 {
            now = trial.any.wanted();
            assert_eq!(trial.admit(now + 1), (1, vec![0]));
            let Answer::Prompt(Wanted::Terminal(index), due) = trial.told(0, now) else {
                panic!("nothing is due at {now}")
            };
            served.push((index, due));
            assert!(!trial.any.wants(index, now + 1 + [18, 12][index as usize]));
            assert_eq!(trial.told(0, now + 1), Answer::Wait);
        }
        assert_eq!(served, [(1, 112), (0, 118), (1, 125), (0, 137), (1, 138)]);
    }

    #[test]
    fn work_that_was_left_takes_its_turn_and_outlives_the_load() {
        let mut trial = began(2, &[10, 10, 50]);
        assert_eq!(trial.admit(111), (2, vec![]));
        assert_eq!(trial.told(0, 111), Answer::Queued(terminal(0), 110));
        assert_eq!(trial.defer(111, (0, 7)), [] as [TaskId; 0]);
        trial.any.wants(0, 111);
        assert_eq!(trial.admit(112), (1, vec![]));
        assert_eq!(trial.told(0, 112), Answer::Queued(terminal(1), 110), "it was due before");
        assert_eq!(trial.told(1, 112), Answer::Queued(left(0, 7), 111));
        assert_eq!(trial.told(1, 112), Answer::Queued(terminal(0), 111));
        assert_eq!(trial.told(1, 112), Answer::Wait);
        assert_eq!(trial.defer(113, (1, 4)), [1], "a free connection does it at once");
        assert_eq!(trial.told(1, 113), Answer::Prompt(left(1, 4), 113));
        trial.close();
        trial.defer(114, (1, 3));
        assert!(!trial.any.wants(1, 114));
        assert_eq!(trial.told(0, 115), Answer::Queued(left(1, 3), 114));
        assert_eq!(trial.told(0, 115), Answer::Leave, "terminals have gone home");
        assert_eq!((trial.any.longest_deferred(), trial.any.unserved_since(0)), (1, 0));
    }

    #[test]
    fn the_end_sends_free_connections_home_and_terminals_that_waited() {
        for cut in [false, true] {
            let mut trial = began(2, &[10, 10, 10]);
            assert_eq!(trial.told(1, 100), Answer::Wait);
            assert_eq!(trial.admit(111), (3, vec![1]));
            assert_eq!(if cut { trial.cut() } else { trial.close() }, [] as [TaskId; 0]);
            assert_eq!(trial.told(1, 111), Answer::Prompt(terminal(0), 110), "what was handed over is done");
            assert_eq!([trial.told(0, 111), trial.told(1, 112)], [Answer::Leave; 2]);
            assert_eq!((trial.any.queued(), trial.any.unserved_since(0)), (0, 0), "no loss");
            assert_eq!(trial.any.waiting(), [110; 2], "but they had waited");
        }
    }

    #[test]
    fn a_load_of_terminals_is_one_that_shares_connections_or_leaves_work() {
        let think = json!({"kind": "constant", "mean_ms": 1.0});
        let small = job("none", &json!({"connections": 4}));
        let asks = job("none", &json!({"connections": 4, "terminals": 9, "think": think}));
        let table = [
            ("as many as connections", asked(&small), (false, 4, true)),
            ("more of them", asked(&asks), (true, 9, false)),
            (
                "as the workload's pace is meant",
                Grounds { meant: Some(20), ..asked(&small) },
                (true, 20, true),
            ),
            ("meant for fewer", Grounds { meant: Some(2), ..asked(&small) }, (false, 4, true)),
            ("work for later", Grounds { defers: true, ..asked(&small) }, (true, 4, true)),
            ("a pace", Grounds { own_pace: true, defers: true, ..asked(&small) }, (true, 4, false)),
        ];
        for (what, asked, (shared, terminals, gives_way)) in table {
            let load = Trial::new(&asked).expect("a load").load;
            assert_eq!(
                (load.shared, load.terminals, load.gives_way),
                (shared, terminals, gives_way),
                "{what}"
            );
            assert_eq!(load.fills_connections, !shared, "{what}");
        }
    }
}
