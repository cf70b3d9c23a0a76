//! Terminals: who asks for one operation after the other. Each has a connection of its own, or many share fewer; then a
//! terminal is a record that rests here while it has none.

use std::cell::Cell;

use assay_workload::{KindId, Pause, Workload};

use crate::load::think::Thinker;
use assay_format::job::Think;

/// One terminal. Its operations are a function of (seed, worker, number).
pub struct Terminal<W: Workload> {
    /// Its number in the whole run.
    pub worker: u32,
    /// Of its next operation.
    pub number: u64,
    pub state: W::Worker,
    /// The kind of its last one, which it thinks about.
    pub last: Option<KindId>,
    thinker: Option<Thinker>,
}

impl<W: Workload> Terminal<W> {
    pub fn new(workload: &W, worker: u32, workers: u32, think: Option<Think>, seed: u64) -> Self {
        Self {
            worker,
            number: 0,
            state: workload.worker(worker, workers),
            last: None,
            thinker: think.map(|think| Thinker::new(think, seed, worker)),
        }
    }

    /// How long it waits before its next operation, where it does.
    #[inline]
    pub fn pause(&mut self, workload: &W, seed: u64) -> Option<Pause> {
        let own = workload.pause(seed, self.worker, self.number);
        own.or_else(|| {
            self.thinker.as_mut().map(|thinker| Pause { think_ns: thinker.next_ns(), keying_ns: 0 })
        })
    }
}

/// Where a terminal rests; empty while a connection serves it.
type Place<W> = Cell<Option<Box<Terminal<W>>>>;

/// The terminals of an event loop that share its connections, by their number within it.
pub struct Terminals<W: Workload> {
    first: u32,
    places: Box<[Place<W>]>,
}

impl<W: Workload> Terminals<W> {
    /// Those numbered from `first`. `wants` hears when each wants its first operation, from the start of the load.
    pub fn new(
        workload: &W,
        (first, count, workers): (u32, u32, u32),
        think: Option<Think>,
        seed: u64,
        mut wants: impl FnMut(u32, u64),
    ) -> Self {
        let place = |index| {
            let mut terminal = Terminal::new(workload, first + index, workers, think, seed);
            let pause = terminal.pause(workload, seed).unwrap_or_default();
            wants(index, pause.think_ns + pause.keying_ns);
            Cell::new(Some(Box::new(terminal)))
        };
        Self { first, places: (0..count).map(place).collect() }
    }

    /// A terminal that a connection serves from now on.
    #[inline]
    pub fn take(&self, index: u32) -> Option<Box<Terminal<W>>> {
        self.places[index as usize].take()
    }

    /// It rests again; returns its number within the event loop.
    #[inline]
    pub fn rest(&self, terminal: Box<Terminal<W>>) -> u32 {
        let index = terminal.worker - self.first;
        self.places[index as usize].set(Some(terminal));
        index
    }

    /// At the end: takes the next that rests, from number `from` on; `None` when none does.
    pub fn leave(&self, from: &mut usize) -> Option<Box<Terminal<W>>> {
        self.places[*from..].iter().find_map(|place| {
            *from += 1;
            place.take()
        })
    }
}
