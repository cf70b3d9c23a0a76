//! Lists that were cut off, to be continued.

use crate::Rng;

/// Most lists that a connection remembers.
const MOST: usize = 2048;

/// The last link that a list of an id and type gave.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Tail {
    pub(crate) id1: u64,
    pub(crate) link_type: u64,
    pub(crate) time_ms: u64,
}

#[derive(Debug, Default)]
pub(crate) struct Tails(Vec<Tail>);

impl Tails {
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Draws one of the tails, and its place in the list.
    pub(crate) fn pick(&self, rng: &mut Rng) -> (usize, Tail) {
        let at = rng.range(0, self.0.len() as u64 - 1) as usize;
        (at, self.0[at])
    }

    /// Remembers a list that is not remembered yet; where there is no room, in place of another.
    pub(crate) fn add(&mut self, tail: Tail, rng: &mut Rng) {
        if self.0.iter().any(|it| (it.id1, it.link_type) == (tail.id1, tail.link_type)) {
            return;
        }
        if self.0.len() < MOST {
            self.0.push(tail);
        } else {
            let at = rng.range(0, MOST as u64 - 1) as usize;
            self.0[at] = tail;
        }
    }

    /// The list at a place went on to here, or came to its end.
    pub(crate) fn replace(&mut self, at: usize, tail: Option<Tail>) {
        match tail {
            Some(tail) => self.0[at] = tail,
            None => drop(self.0.swap_remove(at)),
        }
    }
}
