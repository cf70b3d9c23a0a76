//! Connections that wait for work, for disciplines whose work waits for connections.

use std::collections::VecDeque;
use std::task::Poll;

use super::{Wanted, Work};
use crate::reactor::TaskId;

/// Work that is due: the instant at which it is wanted, and what is wanted.
pub(super) type Due = (u64, Wanted);

#[derive(Debug, Clone, Copy)]
enum Occupation {
    Busy,
    Free,
    /// Work that a free connection was given, and has not taken yet.
    Handed(Due),
}

/// The connections of an event loop, and which of them are free.
pub(super) struct Connections {
    occupations: Box<[Occupation]>,
    /// The free connections, longest free first.
    free: VecDeque<TaskId>,
    closed: bool,
}

impl Connections {
    pub(super) fn new(count: u32) -> Self {
        let occupations = vec![Occupation::Busy; count as usize].into_boxed_slice();
        Self { occupations, free: VecDeque::with_capacity(count as usize), closed: false }
    }

    pub(super) fn any_free(&self) -> bool {
        !self.free.is_empty()
    }

    /// Gives work to the connection that has been free longest; false where none is.
    pub(super) fn hand(&mut self, due: Due, mut wake: impl FnMut(TaskId)) -> bool {
        let Some(connection) = self.free.pop_front() else { return false };
        self.occupations[connection as usize] = Occupation::Handed(due);
        wake(connection);
        true
    }

    /// Gives a connection what it does next. `oldest` takes what has waited longest: only who has just become free may
    /// look there, for one that waits is given its work.
    #[inline]
    pub(super) fn next(
        &mut self,
        connection: TaskId,
        oldest: impl FnOnce() -> Option<Due>,
    ) -> Poll<Option<Work>> {
        let occupation = &mut self.occupations[connection as usize];
        match *occupation {
            Occupation::Handed((scheduled, wanted)) => {
                *occupation = Occupation::Busy;
                return Poll::Ready(Some(Work { scheduled, prompt: true, wanted }));
            }
            Occupation::Busy => {
                if let Some((scheduled, wanted)) = oldest() {
                    return Poll::Ready(Some(Work { scheduled, prompt: false, wanted }));
                }
                if self.closed {
                    return Poll::Ready(None);
                }
                *occupation = Occupation::Free;
                self.free.push_back(connection);
            }
            Occupation::Free if self.closed => {
                *occupation = Occupation::Busy;
                return Poll::Ready(None);
            }
            Occupation::Free => {}
        }
        Poll::Pending
    }

    /// Closes the load: free connections are told to leave, each of the others when it finds nothing to do.
    pub(super) fn close(&mut self, wake: impl FnMut(TaskId)) {
        self.closed = true;
        self.free.drain(..).for_each(wake);
    }

    pub(super) fn is_closed(&self) -> bool {
        self.closed
    }
}
