//! How many links an id has when its tables are fresh, by type.

use crate::linkbench::distribution::{Distribution, root_above};
use crate::linkbench::shuffle::Shuffle;

/// Types of links are numbered from here.
pub(crate) const FIRST_TYPE: u64 = 123_456_789;

/// Ids that an estimate looks at among the first, and among the others.
const LOOKED_AT: u64 = 10_000;

#[derive(Debug, Clone)]
pub(crate) struct Links {
    pub(crate) start: u64,
    pub(crate) n: u64,
    pub(crate) types: u64,
    pub(crate) degrees: Degrees,
    /// Most links of an id with one type; as many as there are other ends.
    pub(crate) most: u64,
    /// Whether links are handed out as the original does: with two types or more, too many.
    pub(crate) java: bool,
}

#[derive(Debug, Clone)]
pub(crate) enum Degrees {
    /// By rank, as often as the distribution expects it out of this many.
    Ranked { distribution: Distribution, total: f64, shuffle: Shuffle },
    /// Each id has this many, and some more.
    Arithmetic { least: u64, more: More },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum More {
    None,
    /// n / i for the i-th id.
    Reciprocal,
    /// Ids that are multiples of this have this many links, the others none.
    Multiples(u64),
    /// k^e - (k - 1)^e for the id k^e.
    PerfectPowers(u32),
    /// b^k - b^(k - 1) for the id b^k.
    Powers(u64),
}

impl Links {
    /// The number of links of an id, of all types.
    pub(crate) fn total(&self, id: u64) -> u64 {
        match &self.degrees {
            Degrees::Ranked { distribution, total, shuffle } => {
                let rank = shuffle.invert(id - self.start);
                distribution.count(rank, *total).map_or(0, |count| count.round() as u64)
            }
            Degrees::Arithmetic { least, more } => least + self.more(*more, id),
        }
    }

    fn more(&self, more: More, id: u64) -> u64 {
        match more {
            More::None => 0,
            // The original divides by the distance from the first id, which has none.
            More::Reciprocal if self.java => self.n.div_ceil((id - self.start).max(1)),
            More::Reciprocal => self.n.div_ceil(id - self.start + 1),
            More::Multiples(factor) => {
                if id.is_multiple_of(factor) {
                    factor
                } else {
                    0
                }
            }
            More::PerfectPowers(exponent) => {
                let root = root_above(id, exponent);
                if root.pow(exponent) == id { id - (root - 1).pow(exponent) } else { 0 }
            }
            More::Powers(base) => {
                let mut power = 1_u64;
                while power < id {
                    power = power.saturating_mul(base);
                }
                // The original takes b^-1 for none.
                if power == id { id - id / base } else { 0 }
            }
        }
    }

    /// The number of an id's links of one type, by the type's number from 0.
    pub(crate) fn of_type(&self, id: u64, number: u64) -> u64 {
        self.share(self.total(id), number)
    }

    /// About how many links there are, and how many pairs of an id and a type have any: the ids with the most are looked
    /// at, and a sample of the others.
    pub(crate) fn about(&self) -> (u64, u64) {
        let total = |number: u64| match &self.degrees {
            Degrees::Ranked { shuffle, .. } => self.total(self.start + shuffle.permute(number)),
            Degrees::Arithmetic { .. } => self.total(self.start + number),
        };
        let pair = |number: u64| {
            let total = total(number);
            let types = (0..self.types).map(|number| self.share(total, number));
            types.fold((0, 0), |(links, pairs), share| (links + share, pairs + u64::from(share > 0)))
        };
        let first = self.n.min(LOOKED_AT);
        let step = ((self.n - first) / LOOKED_AT).max(1);
        let all = (0..first).map(|number| (number, 1));
        let others = (first..self.n).step_by(step as usize).map(|number| (number, step));
        all.chain(others).fold((0_u64, 0_u64), |(links, pairs), (number, times)| {
            let (more_links, more_pairs) = pair(number);
            (links.saturating_add(more_links.saturating_mul(times)), pairs + more_pairs * times)
        })
    }

    fn share(&self, total: u64, number: u64) -> u64 {
        let each = total / self.types;
        let left = if self.java { total - each } else { total % self.types };
        (each + u64::from(number < left)).min(self.most)
    }
}
