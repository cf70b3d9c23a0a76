//! Time limits of operations. A timer for each of a hundred thousand operations a second would cost more than the
//! limit is worth: setting one is a store, and the event loop looks over all of them now and then.

use std::cell::Cell;

use crate::process::clock::UNKNOWN;
use crate::reactor::{Reactor, TaskId};

/// The limit is kept to within this share of itself.
const STEPS: u64 = 16;
const SHORTEST_STEP_NS: u64 = 1_000_000;
const LONGEST_STEP_NS: u64 = 20_000_000;
/// In place of an instant: it has passed.
const PASSED: u64 = 0;

pub struct Deadlines {
    limit: u64,
    step: u64,
    next_sweep: Cell<u64>,
    /// By task; `UNKNOWN` while nothing runs.
    instants: Box<[Cell<u64>]>,
}

impl Deadlines {
    pub fn new(limit_ns: u64, tasks: u32) -> Self {
        Self {
            limit: limit_ns,
            step: (limit_ns / STEPS).clamp(SHORTEST_STEP_NS, LONGEST_STEP_NS),
            next_sweep: Cell::new(0),
            instants: vec![Cell::new(UNKNOWN); tasks as usize].into_boxed_slice(),
        }
    }

    /// From `now` on the task has its limit.
    #[inline]
    pub fn begin(&self, task: TaskId, now: u64) {
        self.instants[task as usize].set(now + self.limit);
    }

    #[inline]
    pub fn passed(&self, task: TaskId) -> bool {
        self.instants[task as usize].get() == PASSED
    }

    #[inline]
    pub fn end(&self, task: TaskId) {
        self.instants[task as usize].set(UNKNOWN);
    }

    /// Wakes the tasks whose limit has passed; says when to look again.
    pub fn sweep(&self, now: u64, reactor: &Reactor) -> u64 {
        if now >= self.next_sweep.get() {
            self.next_sweep.set(now + self.step);
            for (task, instant) in (0..).zip(&self.instants) {
                if instant.get() <= now {
                    instant.set(PASSED);
                    reactor.wake(task);
                }
            }
        }
        self.next_sweep.get()
    }
}
