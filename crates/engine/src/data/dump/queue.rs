//! Work that one thread reads and connections take, with room for little of it: memory stays small however long a dump is.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use crate::process::poison::unpoisoned;
use crate::process::signal;

/// How long somebody waits before looking whether there is an end.
const LOOK: Duration = Duration::from_millis(50);

/// What waits in a queue.
pub(super) trait Piece {
    fn bytes(&self) -> usize;
    /// The table whose pieces one connection takes at a time; `None`: any connection takes the piece.
    fn table(&self) -> Option<&Arc<str>>;
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
    /// Tables that connections have taken pieces of, until they are released.
    held: Vec<Arc<str>>,
    closed: bool,
    stopped: bool,
}

impl<T: Piece> State<T> {
    /// Whether no connection holds the table of a piece.
    fn is_free(&self, one: &T) -> bool {
        one.table().is_none_or(|table| !self.held.contains(table))
    }
}

/// What a connection finds in a queue.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Taken<T> {
    Piece(T),
    /// Nothing of the table that the connection holds waits, but something of another.
    Others,
    /// There is no more, or a signal came.
    End,
}

impl<T: Piece> Queue<T> {
    pub(super) fn new(most_bytes: usize) -> Self {
        let state =
            State { waiting: VecDeque::new(), bytes: 0, held: Vec::new(), closed: false, stopped: false };
        Self { state: Mutex::new(state), changed: Condvar::new(), most_bytes }
    }

    /// Waits for room; false: nobody takes anything any more.
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

    /// Waits for the next piece of the table that the connection holds; of one that holds none, for the next piece of a
    /// table that no other holds, which it holds from then on.
    pub(super) fn take(&self, own: Option<&Arc<str>>) -> Taken<T> {
        let mut state = unpoisoned(self.state.lock());
        loop {
            if state.stopped || signal::received() {
                return Taken::End;
            }
            let found = state.waiting.iter().position(|one| match own {
                Some(_) => one.table() == own,
                None => state.is_free(one),
            });
            if let Some(one) = found.and_then(|at| state.waiting.remove(at)) {
                state.bytes -= one.bytes();
                if own.is_none() {
                    state.held.extend(one.table().cloned());
                }
                self.changed.notify_all();
                return Taken::Piece(one);
            }
            if own.is_some() && state.waiting.iter().any(|one| state.is_free(one)) {
                return Taken::Others;
            }
            if state.closed && (own.is_some() || state.waiting.is_empty()) {
                return Taken::End;
            }
            state = unpoisoned(self.changed.wait_timeout(state, LOOK)).0;
        }
    }

    /// Lets others take pieces of a table.
    pub(super) fn release(&self, table: &Arc<str>) {
        unpoisoned(self.state.lock()).held.retain(|one| one != table);
        self.changed.notify_all();
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
    use super::*;

    #[derive(Debug, PartialEq, Eq)]
    struct One(Option<Arc<str>>, u8);

    impl Piece for One {
        fn bytes(&self) -> usize {
            1
        }

        fn table(&self) -> Option<&Arc<str>> {
            self.0.as_ref()
        }
    }

    fn number(taken: &Taken<One>) -> Option<u8> {
        match taken {
            Taken::Piece(one) => Some(one.1),
            _ => None,
        }
    }

    #[test]
    fn a_table_is_taken_by_one_connection_at_a_time() {
        let [a, b] = ["a", "b"].map(Arc::<str>::from);
        let queue = Queue::new(8);
        for (table, number) in [(&a, 1), (&a, 2), (&b, 3), (&a, 4)] {
            assert!(queue.put(One(Some(table.clone()), number)));
        }
        assert_eq!(number(&queue.take(None)), Some(1));
        assert_eq!(number(&queue.take(None)), Some(3));
        assert_eq!(number(&queue.take(Some(&a))), Some(2));
        assert_eq!(number(&queue.take(Some(&a))), Some(4));
        assert!(queue.put(One(None, 5)));
        assert_eq!(queue.take(Some(&a)), Taken::Others);
        queue.close();
        queue.release(&a);
        assert_eq!(number(&queue.take(None)), Some(5));
        assert_eq!(queue.take(Some(&b)), Taken::End);
        assert_eq!(queue.take(None), Taken::End);
    }
}
