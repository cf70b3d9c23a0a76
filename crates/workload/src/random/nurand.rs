//! Non-uniform random numbers, as TPC-C (clause 2.1.6) and TATP have them.

use crate::Rng;

/// A number in `low..=high`: an OR of two draws, which favours numbers with many ones. `a` is a power of two less one,
/// near the width of the range or below it; `c` shifts which numbers are the favoured ones.
#[inline]
pub(crate) fn nurand(rng: &mut Rng, a: u64, c: u64, low: u64, high: u64) -> u64 {
    (((rng.range(0, a) | rng.range(low, high)) + c) % (high - low + 1)) + low
}
