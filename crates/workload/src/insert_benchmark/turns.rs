//! What a connection does next: inserts, deletes and queries in fixed shares, spread as evenly as they can be.

use crate::KindId;
use crate::insert_benchmark::options::Options;

pub(crate) const NAMES: [&str; 3] = ["insert", "delete", "query"];

/// The numbers are those of [`KindId`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Turn {
    Insert,
    Delete,
    Query,
}

impl Turn {
    pub(crate) fn id(self) -> KindId {
        KindId(self as u8)
    }
}

/// The turns of a connection: a percentage of its operations are queries. The others take turns: one deletes what the
/// one before it has inserted, so that a table is never more than a batch for each connection away from its size.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Turns {
    queries: u64,
    delete: bool,
}

impl Turns {
    pub(crate) fn new(options: &Options) -> Self {
        Self { queries: options.queries.into(), delete: options.delete_tail.0 }
    }

    /// The kind of operation `number` of a terminal. Terminals are at different places of the hundred.
    pub(crate) fn kind(self, terminal: u32, number: u64) -> Turn {
        let start = u64::from(terminal) * 37 % 100;
        let queries_before = |place: u64| place * self.queries / 100;
        let place = start + number;
        if queries_before(place + 1) > queries_before(place) {
            return Turn::Query;
        }
        let writes_before = number - (queries_before(place) - queries_before(start));
        if self.delete && writes_before % 2 == 1 { Turn::Delete } else { Turn::Insert }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::option::Switch;

    fn kinds(queries: u8, delete_tail: bool, terminal: u32, count: u64) -> Vec<Turn> {
        let options = Options { queries, delete_tail: Switch(delete_tail), ..Options::default() };
        let turns = Turns::new(&options);
        (0..count).map(|number| turns.kind(terminal, number)).collect()
    }

    fn count(kinds: &[Turn], kind: Turn) -> usize {
        kinds.iter().filter(|it| **it == kind).count()
    }

    #[test]
    fn shares_are_exact_and_spread() {
        for (queries, terminal) in [(0, 0), (1, 3), (30, 1), (75, 2), (100, 9)] {
            let kinds = kinds(queries, true, terminal, 400);
            assert_eq!(count(&kinds, Turn::Query), 4 * usize::from(queries));
            for part in kinds.chunks(100) {
                assert_eq!(count(part, Turn::Query), usize::from(queries));
            }
        }
        assert!(kinds(30, false, 1, 400).chunks(10).all(|part| count(part, Turn::Query) == 3));
        assert_eq!(count(&kinds(30, false, 1, 400), Turn::Insert), 280);
    }

    #[test]
    fn a_delete_follows_each_insert() {
        for terminal in 0..20 {
            let writes: Vec<_> =
                kinds(45, true, terminal, 500).into_iter().filter(|kind| *kind != Turn::Query).collect();
            assert!(writes.iter().step_by(2).all(|kind| *kind == Turn::Insert));
            assert!(writes.iter().skip(1).step_by(2).all(|kind| *kind == Turn::Delete));
        }
    }

    #[test]
    fn connections_do_not_march_in_step() {
        assert_ne!(kinds(50, false, 0, 100), kinds(50, false, 1, 100));
    }
}
