//! Terminals that share connections: whichever connection is free serves the terminal that has been due longest. And work
//! that their operations left for later, which takes its turn among them.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::task::Poll;

use assay_tally::Scheduled;

use super::free::{Connections, Due};
use super::{Admitted, Asked, Discipline, Part, Properties, Wanted, Work};
use crate::process::clock::UNKNOWN;
use crate::process::failure::Fatal;
use crate::reactor::TaskId;
use assay_format::job::Job;

pub struct Terminals {
    /// Instants at which terminals want their next operation.
    ahead: BinaryHeap<Reverse<(u64, u32)>>,
    connections: Connections,
    /// Terminals that found no free connection, longest due first. Without a limit: one that was turned away would want
    /// nothing ever again.
    queue: VecDeque<Due>,
    /// Work that was left for later and found no free connection, oldest first.
    deferred: VecDeque<Due>,
    longest_deferred: usize,
}

impl Discipline for Terminals {
    fn chosen(asked: &Asked<'_>) -> Result<Option<Properties>, Fatal> {
        let (load, connections) = (&asked.job.load, asked.job.load.connections);
        let meant = |count: u64| connections.max(count.try_into().unwrap_or(u32::MAX));
        let terminals = match load.terminals {
            0 => asked.meant.map_or(connections, meant),
            given => given,
        };
        let paced = load.think.is_some() || asked.own_pace;
        Ok((terminals > connections || asked.defers).then_some(Properties {
            times: Scheduled::Whole,
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

    fn defer(&mut self, instant: u64, (worker, number): (u32, u64), wake: impl FnMut(TaskId)) {
        let due = (instant, Wanted::Deferred { worker, number });
        if !self.connections.hand(due, wake) {
            self.deferred.push_back(due);
        }
        self.longest_deferred = self.longest_deferred.max(self.deferred.len());
    }

    /// Terminals go home; work that was left for later is still done.
    fn close(&mut self, wake: impl FnMut(TaskId)) {
        self.ahead.clear();
        self.queue.clear();
        self.connections.close(wake);
    }

    fn queued(&self) -> u64 {
        self.queue.len() as u64
    }

    fn longest_deferred(&self) -> u64 {
        self.longest_deferred as u64
    }
}

/// Takes what has waited longest. Of two that came at once, the work that was left: whoever only leaves work behind cannot
/// keep it waiting for ever.
#[inline]
fn oldest(queue: &mut VecDeque<Due>, deferred: &mut VecDeque<Due>) -> Option<Due> {
    match (queue.front(), deferred.front()) {
        (Some((queued, _)), Some((left, _))) if queued < left => queue.pop_front(),
        (_, Some(_)) => deferred.pop_front(),
        _ => queue.pop_front(),
    }
}
