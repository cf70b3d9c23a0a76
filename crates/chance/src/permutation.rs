//! All numbers below n once, in an order that looks random: no memory, and the place of each is plain arithmetic.

use crate::Rng;
use crate::word::mix;

/// A keyed bijection of the numbers below n: a Feistel network (Luby and Rackoff 1988) over the next power of two, walked
/// until it lands below n (Black and Rogaway 2002).
///
/// `ROUNDS` is even. A round hides one half behind a finaliser of the other, which is what offsets on disks can afford: one
/// is drawn for each operation. With `STREAMS` it hides it behind the stream of (key, other half), for rows of tables, which
/// are made once.
#[derive(Debug, Clone, Copy)]
pub struct Permutation<const ROUNDS: usize = 4, const STREAMS: bool = false> {
    n: u64,
    low_bits: u32,
    low_mask: u64,
    high_mask: u64,
    keys: [u64; ROUNDS],
}

impl Permutation {
    /// The permutation of the numbers below `n` that `key` names.
    pub fn new(n: u64, key: u64) -> Self {
        Self::with_keys(n, std::array::from_fn(|round| mix(key ^ mix(round as u64 + 1))))
    }
}

impl<const ROUNDS: usize, const STREAMS: bool> Permutation<ROUNDS, STREAMS> {
    /// The permutation of the numbers below `n` with a key for each round.
    pub fn with_keys(n: u64, keys: [u64; ROUNDS]) -> Self {
        const { assert!(ROUNDS.is_multiple_of(2), "each half is hidden equally often") };
        let bits = (64 - n.saturating_sub(1).leading_zeros()).max(2);
        let low_bits = bits / 2;
        Self { n, low_bits, low_mask: (1 << low_bits) - 1, high_mask: (1 << (bits - low_bits)) - 1, keys }
    }

    /// The place of number `index`; both are below n.
    #[inline]
    pub fn at(&self, index: u64) -> u64 {
        let mut value = index;
        loop {
            value = self.scramble(value);
            if value < self.n {
                return value;
            }
        }
    }

    /// Each round changes one half by the other, so each can be undone: a bijection whatever the keys are.
    #[inline]
    fn scramble(&self, value: u64) -> u64 {
        let (mut low, mut high) = (value & self.low_mask, value >> self.low_bits);
        for pair in self.keys.chunks_exact(2) {
            high ^= Self::hide(low, pair[0]) & self.high_mask;
            low ^= Self::hide(high, pair[1]) & self.low_mask;
        }
        (high << self.low_bits) | low
    }

    #[inline]
    fn hide(half: u64, key: u64) -> u64 {
        if STREAMS { Rng::keyed(&[key, half]).u64() } else { mix(half ^ key) }
    }
}
