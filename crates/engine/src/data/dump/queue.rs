//! Work that one thread reads and connections take, with room for little of it: memory stays small however long a dump is.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex};
use std::time::Duration;

use crate::process::poison::unpoisoned;
use crate::process::signal;

/// How long somebody waits before looking whether there is an end.
const LOOK: Duration = Duration::from_millis(50);

/// A queue with an end, which the reader reaches or whoever fails declares.
pub(super) struct Queue<T> {
    state: Mutex<State<T>>,
    changed: Condvar,
    most: usize,
}

struct State<T> {
    waiting: VecDeque<T>,
    closed: bool,
    stopped: bool,
}

impl<T> Queue<T> {
    pub(super) fn new(most: usize) -> Self {
        let state = State { waiting: VecDeque::new(), closed: false, stopped: false };
        Self { state: Mutex::new(state), changed: Condvar::new(), most }
    }

    /// Waits for room; false: nobody takes anything any more.
    pub(super) fn put(&self, one: T) -> bool {
        let mut state = unpoisoned(self.state.lock());
        while state.waiting.len() >= self.most && !state.stopped && !signal::received() {
            state = unpoisoned(self.changed.wait_timeout(state, LOOK)).0;
        }
        if state.stopped || signal::received() {
            return false;
        }
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
