//! The cache lines of a histogram that have counts: a bit each. Of thousands of lines a histogram fills a few dozen, and
//! whatever goes through it looks at these alone.

use crate::bucket::COUNT;

/// Counts in a cache line; they fill whole lines.
pub(crate) const LINE: usize = 16;
pub(crate) const LINES: usize = COUNT / LINE;
const BITS: usize = u64::BITS as usize;
const WORDS: usize = LINES / BITS;
const _: () = assert!(WORDS * BITS * LINE == COUNT);

/// A set of lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Lines([u64; WORDS]);

impl Lines {
    pub(crate) const NONE: Self = Self([0; WORDS]);

    #[inline]
    pub(crate) fn add(&mut self, line: usize) {
        self.0[line / BITS] |= 1 << (line % BITS);
    }

    pub(crate) fn add_all(&mut self, other: &Self) {
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            *mine |= theirs;
        }
    }

    /// The numbers of the lines, in ascending order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        let words = self.0.iter().enumerate();
        words.flat_map(|(number, word)| ones(*word).map(move |bit| number * BITS + bit))
    }

    pub(crate) fn last(&self) -> Option<usize> {
        let number = self.0.iter().rposition(|word| *word != 0)?;
        Some(number * BITS + self.0[number].ilog2() as usize)
    }
}

/// The places of the bits that are set, in ascending order.
pub(crate) fn ones(mut bits: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lowest = bits.trailing_zeros();
        bits &= bits.checked_sub(1)?;
        Some(lowest as usize)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_told_once_each_in_their_order() {
        let mut lines = Lines::NONE;
        assert_eq!((lines.iter().count(), lines.last()), (0, None));
        let some = [0, 1, 63, 64, 700, LINES - 1];
        for line in some.into_iter().rev().chain([64]) {
            lines.add(line);
        }
        assert_eq!(lines.iter().collect::<Vec<_>>(), some);
        assert_eq!(lines.last(), Some(LINES - 1));
    }

    #[test]
    fn lines_of_two_are_those_of_either() {
        let (mut one, mut other) = (Lines::NONE, Lines::NONE);
        for line in [3, 90] {
            one.add(line);
            other.add(line + 1);
        }
        one.add_all(&other);
        assert_eq!(one.iter().collect::<Vec<_>>(), [3, 4, 90, 91]);
    }
}
