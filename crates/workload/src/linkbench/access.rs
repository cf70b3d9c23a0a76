//! The id that an operation uses: a rank by its distribution, then the id of that rank.

use crate::Rng;
use crate::linkbench::distribution::{Arithmetic, Distribution, Place};
use crate::linkbench::shuffle::Shuffle;

/// Ids from `start` on.
#[derive(Debug, Clone)]
pub(crate) struct Access {
    pub(crate) start: u64,
    pub(crate) n: u64,
    pub(crate) choice: Choice,
}

#[derive(Debug, Clone)]
pub(crate) enum Choice {
    /// By how often an id comes: rank 0 most, then shuffled.
    Ranked(Distribution, Shuffle),
    /// The case in which the ids themselves say which are hit.
    Direct(Arithmetic),
}

impl Access {
    #[inline]
    pub(crate) fn id(&self, place: Place, rng: &mut Rng) -> u64 {
        match &self.choice {
            Choice::Ranked(distribution, shuffle) => self.start + shuffle.permute(distribution.draw(rng)),
            Choice::Direct(arithmetic) => arithmetic.id(self.start, self.start + self.n, place, rng),
        }
    }
}

/// Two ways to choose: most ids of a social graph that are read are not those with the most links.
#[derive(Debug, Clone)]
pub(crate) struct Blend {
    pub(crate) correlated: Access,
    pub(crate) uncorrelated: Access,
    /// The share (of 1) of choices that are made in the second way.
    pub(crate) share: f64,
}

impl Blend {
    #[inline]
    pub(crate) fn id(&self, place: Place, rng: &mut Rng) -> u64 {
        let access = if rng.unit() < self.share { &self.uncorrelated } else { &self.correlated };
        access.id(place, rng)
    }
}
