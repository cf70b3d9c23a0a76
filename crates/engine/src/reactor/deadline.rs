//! Time limits of operations. A timer for each of a hundred thousand operations a second would cost more than the
//! limit is worth: setting one is a store, and the event loop looks over all of them now and then.

use std::cell::Cell;

use crate::process::clock::UNKNOWN;
use crate::reactor::TaskId;

/// Steps of one time limit in which the loop looks at it: a limit is kept to within one of them.
const STEPS: u64 = 16;
const SHORTEST_STEP_NS: u64 = 1_000_000;
const LONGEST_STEP_NS: u64 = 20_000_000;
/// The value in place of a deadline that has passed.
const PASSED: u64 = 0;

pub(crate) struct Deadlines {
    limit: u64,
    step: u64,
    next_sweep: Cell<u64>,
    /// The deadline of each task; `UNKNOWN` while the task runs nothing with a limit.
    instants: Box<[Cell<u64>]>,
}

impl Deadlines {
    pub(crate) fn new(limit_ns: u64, tasks: u32) -> Self {
        Self {
            limit: limit_ns,
            step: (limit_ns / STEPS).clamp(SHORTEST_STEP_NS, LONGEST_STEP_NS),
            next_sweep: Cell::new(0),
            instants: vec![Cell::new(UNKNOWN); tasks as usize].into_boxed_slice(),
        }
    }

    /// Sets the task's deadline, its limit counted from `now`.
    #[inline]
    pub(crate) fn begin(&self, task: TaskId, now: u64) {
        self.instants[task as usize].set(now + self.limit);
    }

    #[inline]
    pub(crate) fn passed(&self, task: TaskId) -> bool {
        self.instants[task as usize].get() == PASSED
    }

    #[inline]
    pub(crate) fn end(&self, task: TaskId) {
        self.instants[task as usize].set(UNKNOWN);
    }

    /// Tells `wake` of each task whose limit has passed; says when to look again.
    pub(crate) fn sweep(&self, now: u64, mut wake: impl FnMut(TaskId)) -> u64 {
        if now >= self.next_sweep.get() {
            self.next_sweep.set(now + self.step);
            for (task, instant) in (0..).zip(&self.instants) {
                if instant.get() <= now {
                    instant.set(PASSED);
                    wake(task);
                }
            }
        }
        self.next_sweep.get()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: u64 = 1_000_000;

    /// The tasks that a sweep at `now` wakes, and when it wants the next one.
    fn swept(deadlines: &Deadlines, now: u64) -> (Vec<TaskId>, u64) {
        let mut woken = Vec::new();
        let next = deadlines.sweep(now, |task| woken.push(task));
        (woken, next)
    }

    #[test]
    fn a_task_is_woken_at_the_first_sweep_after_its_limit() {
        // A limit of 160 ms is looked at each 10 ms.
        let deadlines = Deadlines::new(160 * MS, 3);
        deadlines.begin(0, 0);
        deadlines.begin(1, 5 * MS);
        let table: [(u64, &[TaskId], u64); 6] = [
            (0, &[], 10),
            (159, &[], 169),
            // It has passed; the sweep comes when it was announced.
            (160, &[], 169),
            (169, &[0, 1], 179),
            (178, &[], 179),
            (179, &[0, 1], 189),
        ];
        for (now, woken, next) in table {
            assert_eq!(swept(&deadlines, now * MS), (woken.to_vec(), next * MS), "at {now} ms");
        }
        assert!(deadlines.passed(0) && deadlines.passed(1) && !deadlines.passed(2));
    }

    #[test]
    fn an_operation_that_ended_has_no_limit_and_the_next_has_a_whole_one() {
        let deadlines = Deadlines::new(160 * MS, 1);
        deadlines.begin(0, 0);
        deadlines.end(0);
        assert_eq!(swept(&deadlines, 1000 * MS).0, [] as [TaskId; 0]);
        deadlines.begin(0, 1000 * MS);
        assert_eq!(swept(&deadlines, 1159 * MS).0, [] as [TaskId; 0]);
        assert_eq!(swept(&deadlines, 1170 * MS).0, [0]);
        deadlines.begin(0, 1170 * MS);
        assert!(!deadlines.passed(0), "what is tried again has a limit of its own");
    }

    #[test]
    fn sweeps_are_a_sixteenth_of_the_limit_apart_within_bounds() {
        for (limit_ms, step_ms) in [(1, 1), (16, 1), (160, 10), (320, 20), (600_000, 20)] {
            let deadlines = Deadlines::new(limit_ms * MS, 1);
            assert_eq!(swept(&deadlines, 7 * MS).1, (7 + step_ms) * MS, "{limit_ms} ms");
        }
    }

    #[test]
    fn a_limit_beyond_all_clocks_is_never_reached() {
        let deadlines = Deadlines::new(crate::process::clock::ns(u64::MAX), 1);
        deadlines.begin(0, 1000 * MS);
        assert_eq!(swept(&deadlines, u64::MAX / 8).0, [] as [TaskId; 0]);
    }
}
