//! Work that one thread reads and connections take, with room for little of it: memory stays small however long a dump is.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex};
use std::time::Duration;

use crate::process::poison::unpoisoned;
use crate::process::signal;

/// How long somebody waits before looking whether there is an end.
const LOOK: Duration = Duration::from_millis(50);

/// What waits in a queue.
pub(super) trait Piece {
    fn bytes(&self) -> usize;
}

/// A queue with an end, which the reader reaches or whoever fails declares.
pub(super) struct Queue<T> {
    state: Mutex<State<T>>,
    changed: Condvar,
    most_bytes: usize,
}

struct State<T> {
    waiting: VecDeque<T>,
    bytes: usize,
    closed: bool,
    stopped: bool,
}

impl<T: Piece> Queue<T> {
    pub(super) fn new(most_bytes: usize) -> Self {
        let state = State { waiting: VecDeque::new(), bytes: 0, closed: false, stopped: false };
        Self { state: Mutex::new(state), changed: Condvar::new(), most_bytes }
    }

    /// Waits for room, which a single piece always has; false: nobody takes anything any more.
    pub(super) fn put(&self, one: T) -> bool {
        let mut state = unpoisoned(self.state.lock());
        let size = one.bytes();
        let full = |state: &State<T>| !state.waiting.is_empty() && state.bytes + size > self.most_bytes;
        while full(&state) && !state.stopped && !signal::received() {
            state = unpoisoned(self.changed.wait_timeout(state, LOOK)).0;
        }
        if state.stopped || signal::received() {
            return false;
        }
        state.bytes += size;
        state.waiting.push_back(one);
        self.changed.notify_all();
        true
    }

    /// Waits for the next piece; `None`: there is no more, or a signal came.
    pub(super) fn take(&self) -> Option<T> {
        let mut state = unpoisoned(self.state.lock());
        loop {
            if state.stopped || signal::received() {
                return None;
            }
            if let Some(one) = state.waiting.pop_front() {
                state.bytes -= one.bytes();
                self.changed.notify_all();
                return Some(one);
            }
            if state.closed {
                return None;
            }
            state = unpoisoned(self.changed.wait_timeout(state, LOOK)).0;
        }
    }

    /// There is no more to come.
    pub(super) fn close(&self) {
        unpoisoned(self.state.lock()).closed = true;
        self.changed.notify_all();
    }

    /// Nobody wants what is left.
    pub(super) fn stop(&self) {
        unpoisoned(self.state.lock()).stopped = true;
        self.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    impl Piece for usize {
        fn bytes(&self) -> usize {
            *self
        }
    }

    #[test]
    fn pieces_wait_for_room_and_the_largest_goes_alone() {
        let queue = Queue::new(8);
        thread::scope(|scope| {
            scope.spawn(|| {
                for one in [4, 3, 2, 100, 1] {
                    assert!(queue.put(one));
                    let state = unpoisoned(queue.state.lock());
                    assert!(state.bytes <= 8 || state.waiting.len() == 1);
                    assert_eq!(state.bytes, state.waiting.iter().sum::<usize>());
                }
                queue.close();
            });
            let taken: Vec<usize> = std::iter::from_fn(|| queue.take()).collect();
            assert_eq!(taken, [4, 3, 2, 100, 1]);
        });
        queue.stop();
        assert!(!queue.put(1));
    }
}
