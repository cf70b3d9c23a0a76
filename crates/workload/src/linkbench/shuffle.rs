//! A permutation of ids that needs no memory for each: ranks are spread over the ids, and found again.

use crate::linkbench::java_random::JavaRandom;

const GROUPS: u64 = 1024;

/// The use of a permutation. Links and their correlated accesses share one, so that ids with many links are those hit most.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Spread {
    ByLinks,
    Uncorrelated,
    Nodes,
}

impl Spread {
    fn seed(self) -> u64 {
        match self {
            Self::ByLinks => 20_343_988_438_726_021,
            Self::Uncorrelated => 53_238_253_823_453,
            Self::Nodes => 4_766_565_305_853_767_165,
        }
    }
}

/// The numbers 0 to n - 1, those equal modulo the number of groups rotated among themselves.
#[derive(Debug, Clone)]
pub(crate) struct Shuffle {
    n: u64,
    rotations: Vec<u64>,
}

impl Shuffle {
    pub(crate) fn new(spread: Spread, n: u64) -> Self {
        let groups = GROUPS.min(n).max(1);
        let mut random = JavaRandom::new(spread.seed());
        let rotations = (0..groups).map(|_| random.below((n / groups).max(1))).collect();
        Self { n, rotations }
    }

    /// Group, place in it, and the group's size.
    fn place(&self, number: u64) -> (usize, u64, u64) {
        debug_assert!(number < self.n);
        let groups = self.rotations.len() as u64;
        let group = number % groups;
        let size = self.n / groups + u64::from(group < self.n % groups);
        (group as usize, number / groups, size)
    }

    fn number(&self, group: usize, place: u64) -> u64 {
        group as u64 + place * self.rotations.len() as u64
    }

    /// The id of a rank, both from 0.
    pub(crate) fn permute(&self, rank: u64) -> u64 {
        let (group, place, size) = self.place(rank);
        self.number(group, (place + self.rotations[group]) % size)
    }

    /// The rank of an id.
    pub(crate) fn invert(&self, id: u64) -> u64 {
        let (group, place, size) = self.place(id);
        self.number(group, (place + size - self.rotations[group]) % size)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_id_has_one_rank() {
        for n in [1, 2, 1023, 1024, 1025, 2048, 10_007] {
            let shuffle = Shuffle::new(Spread::ByLinks, n);
            let mut ids: Vec<u64> = (0..n).map(|rank| shuffle.permute(rank)).collect();
            assert!(ids.iter().enumerate().all(|(rank, id)| shuffle.invert(*id) == rank as u64), "{n}");
            ids.sort_unstable();
            assert!(ids.into_iter().eq(0..n), "{n}");
        }
    }

    #[test]
    fn permutations_differ() {
        let ids = |spread| {
            let shuffle = Shuffle::new(spread, 100_000);
            (0..100).map(|rank| shuffle.permute(rank)).collect::<Vec<_>>()
        };
        assert_ne!(ids(Spread::ByLinks), ids(Spread::Uncorrelated));
        assert_ne!(ids(Spread::ByLinks), ids(Spread::Nodes));
    }
}
