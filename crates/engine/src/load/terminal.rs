//! Terminals: who asks for one operation after the other. Each has a connection of its own, or many share fewer; then a
//! terminal is a record that rests here while it has none.

use std::cell::Cell;

use assay_workload::{KindId, Pace, Pause};

use crate::load::think::Thinker;
use assay_format::job::Think;

/// One terminal, with the state `S` that its driver keeps for it. Its operations are a function of (seed, terminal,
/// number).
pub(crate) struct Terminal<S> {
    /// The terminal's number in the whole run.
    pub id: u32,
    /// The number of the next operation.
    pub number: u64,
    pub state: S,
    /// The kind of the last operation, which the terminal thinks about.
    pub last: Option<KindId>,
    thinker: Option<Thinker>,
}

impl<S> Terminal<S> {
    pub(crate) fn new(id: u32, state: S, think: Option<Think>, seed: u64) -> Self {
        let thinker = think.map(|think| Thinker::new(think, seed, id));
        Self { id, number: 0, state, last: None, thinker }
    }

    /// The pause of the terminal before its next operation, where it has one: at the workload's own pace, or as the job
    /// says.
    #[inline]
    pub(crate) fn pause(&mut self, pace: Option<&dyn Pace>) -> Option<Pause> {
        if let Some(pace) = pace {
            return Some(pace.pause(self.id, self.number));
        }
        self.thinker.as_mut().map(|thinker| Pause { think_ns: thinker.next_ns(), keying_ns: 0 })
    }
}

/// A terminal that rests; none while a connection serves it.
type Resting<S> = Cell<Option<Box<Terminal<S>>>>;

/// The terminals of an event loop that share its connections, by their number within it.
pub(crate) struct Terminals<S> {
    first: u32,
    resting: Box<[Resting<S>]>,
}

impl<S> Terminals<S> {
    /// The given terminals, with consecutive ids. `wants` hears when each wants its first operation, from the start of the
    /// load.
    pub(crate) fn new(
        terminals: impl Iterator<Item = Terminal<S>>,
        pace: Option<&dyn Pace>,
        mut wants: impl FnMut(u32, u64),
    ) -> Self {
        let mut first = None;
        let rest = |mut terminal: Terminal<S>| {
            let first = *first.get_or_insert(terminal.id);
            let pause = terminal.pause(pace).unwrap_or_default();
            wants(terminal.id - first, pause.think_ns + pause.keying_ns);
            Cell::new(Some(Box::new(terminal)))
        };
        let resting = terminals.map(rest).collect();
        Self { first: first.unwrap_or(0), resting }
    }

    /// The numbers within the event loop of the terminals that begin on one of its connections: an equal share each.
    pub(crate) fn beginners(&self, connection: u32, connections: u32) -> impl Iterator<Item = u32> + use<S> {
        (connection..self.resting.len() as u32).step_by(connections.max(1) as usize)
    }

    /// A terminal that a connection serves from now on.
    #[inline]
    pub(crate) fn take(&self, index: u32) -> Option<Box<Terminal<S>>> {
        self.resting[index as usize].take()
    }

    /// Lets a terminal rest again; returns its number within the event loop.
    #[inline]
    pub(crate) fn rest(&self, terminal: Box<Terminal<S>>) -> u32 {
        let index = terminal.id - self.first;
        self.resting[index as usize].set(Some(terminal));
        index
    }

    /// The next terminal that rests, from number `from` on, taken at the end; `None` when none does.
    pub(crate) fn leave(&self, from: &mut usize) -> Option<Box<Terminal<S>>> {
        self.resting[*from..].iter().find_map(|resting| {
            *from += 1;
            resting.take()
        })
    }
}
