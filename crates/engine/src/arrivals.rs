//! Open loop: arrivals at their instants, handed to whichever connection is free.

use std::collections::VecDeque;
use std::task::Poll;

use assay_pace::Schedule;
use assay_tally::Counts;

use crate::reactor::{Reactor, TaskId};
use crate::timeline::UNKNOWN;

/// The arrivals of one event loop.
pub struct Dispatcher {
    schedule: Schedule,
    origin: u64,
    next: u64,
    /// Arrivals that found no free connection, oldest first.
    queue: VecDeque<u64>,
    limit: usize,
    /// Connections without work, longest idle first.
    idle: VecDeque<TaskId>,
    /// What was handed to a task and not taken yet.
    assigned: Box<[u64]>,
    closed: bool,
}

impl Dispatcher {
    pub fn new(schedule: Schedule, limit: usize, tasks: u32) -> Self {
        Self {
            schedule,
            origin: 0,
            next: UNKNOWN,
            queue: VecDeque::new(),
            limit,
            idle: VecDeque::with_capacity(tasks as usize),
            assigned: vec![UNKNOWN; tasks as usize].into_boxed_slice(),
            closed: false,
        }
    }

    /// The schedule's zero is now known.
    pub fn begin(&mut self, start: u64) {
        self.origin = start;
        self.advance();
    }

    fn advance(&mut self) {
        self.next = self.schedule.next().map_or(UNKNOWN, |instant| self.origin.saturating_add(instant));
    }

    pub fn queued(&self) -> u64 {
        self.queue.len() as u64
    }

    /// Hands out what is due; after `end` no more arrivals come. Says when to call again.
    pub fn turn(&mut self, now: u64, end: u64, reactor: &Reactor, counts: &mut Counts) -> u64 {
        while self.next <= now && self.next < end {
            if let Some(task) = self.idle.pop_front() {
                self.assigned[task as usize] = self.next;
                reactor.wake(task);
            } else if self.queue.len() < self.limit {
                self.queue.push_back(self.next);
            } else {
                counts.dropped += 1;
            }
            self.advance();
        }
        if now >= end || self.next == UNKNOWN {
            self.close(reactor);
        }
        if self.idle.is_empty() { UNKNOWN } else { self.next }
    }

    /// No more arrivals: idle connections are told to leave, queued arrivals are still served.
    fn close(&mut self, reactor: &Reactor) {
        self.closed = true;
        self.idle.drain(..).for_each(|task| reactor.wake(task));
    }

    /// The next arrival for a task: ready when there is one, `None` when none will come.
    pub fn take(&mut self, task: TaskId, waiting: &mut bool) -> Poll<Option<u64>> {
        let handed = std::mem::replace(&mut self.assigned[task as usize], UNKNOWN);
        if handed != UNKNOWN {
            return Poll::Ready(Some(handed));
        }
        if let Some(queued) = self.queue.pop_front() {
            return Poll::Ready(Some(queued));
        }
        if self.closed {
            return Poll::Ready(None);
        }
        if !*waiting {
            *waiting = true;
            self.idle.push_back(task);
        }
        Poll::Pending
    }
}
