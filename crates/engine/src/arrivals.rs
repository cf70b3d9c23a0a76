//! Open loop: arrivals at their instants, handed to whichever connection is free.

use std::collections::VecDeque;
use std::task::Poll;

use assay_pace::Schedule;
use assay_tally::Counts;

use crate::reactor::{Reactor, TaskId};
use crate::timeline::UNKNOWN;

/// One operation that is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Arrival {
    /// The instant at which it is wanted.
    pub scheduled: u64,
    /// A connection was free at that instant: whatever it waits is the pacer's doing.
    pub prompt: bool,
}

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

    /// Arrivals that wait for a connection.
    pub fn queued(&self) -> u64 {
        self.queue.len() as u64
    }

    /// Of them, those wanted at `start` or later.
    pub fn queued_since(&self, start: u64) -> u64 {
        self.queue.iter().filter(|instant| **instant >= start).count() as u64
    }

    /// Lets in every arrival wanted before `limit`: to a free connection, into the queue, or away.
    #[inline]
    pub fn admit(&mut self, limit: u64, reactor: &Reactor, counts: &mut Counts) {
        while self.next < limit {
            counts.arrivals += 1;
            if let Some(task) = self.idle.pop_front() {
                self.assigned[task as usize] = self.next;
                reactor.wake(task);
            } else if self.queue.len() < self.limit {
                self.queue.push_back(self.next);
            } else {
                counts.queue_full += 1;
            }
            self.advance();
        }
    }

    /// When to call [`admit`](Self::admit) again. While no connection is free there is no hurry: the next one that is
    /// looks for itself.
    pub fn wanted(&self) -> u64 {
        if self.idle.is_empty() { UNKNOWN } else { self.next }
    }

    /// Whether the schedule has come to its end.
    pub fn exhausted(&self) -> bool {
        self.next == UNKNOWN
    }

    /// No more arrivals: idle connections are told to leave, queued arrivals are still served.
    pub fn close(&mut self, reactor: &Reactor) {
        self.closed = true;
        self.idle.drain(..).for_each(|task| reactor.wake(task));
    }

    /// The next arrival for a task: ready when there is one, `None` when none will come.
    pub fn take(&mut self, task: TaskId, waiting: &mut bool) -> Poll<Option<Arrival>> {
        let handed = std::mem::replace(&mut self.assigned[task as usize], UNKNOWN);
        if handed != UNKNOWN {
            return Poll::Ready(Some(Arrival { scheduled: handed, prompt: true }));
        }
        // One that waits is served by `admit`: it may only look into the queue when it comes.
        if !*waiting && let Some(queued) = self.queue.pop_front() {
            return Poll::Ready(Some(Arrival { scheduled: queued, prompt: false }));
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
