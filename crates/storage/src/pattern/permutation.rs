//! All numbers below n once, in an order that looks random: no memory, and the place of each is plain arithmetic.

use super::rng::mix;

const ROUNDS: u64 = 4;

/// A Feistel network (Luby and Rackoff 1988) over the next power of two, walked until it lands below n.
#[derive(Debug, Clone)]
pub struct Permutation {
    n: u64,
    low_bits: u32,
    low_mask: u64,
    high_mask: u64,
    keys: [u64; ROUNDS as usize],
}

impl Permutation {
    pub fn new(n: u64, key: u64) -> Self {
        let bits = (64 - n.saturating_sub(1).leading_zeros()).max(2);
        let low_bits = bits / 2;
        let keys = std::array::from_fn(|round| mix(key ^ mix(round as u64 + 1)));
        Self { n, low_bits, low_mask: (1 << low_bits) - 1, high_mask: (1 << (bits - low_bits)) - 1, keys }
    }

    /// Where number `index` (below n) goes.
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

    /// Each round changes one half by the other, so each can be undone: a bijection whatever the key.
    #[inline]
    fn scramble(&self, value: u64) -> u64 {
        let (mut low, mut high) = (value & self.low_mask, value >> self.low_bits);
        for pair in self.keys.chunks_exact(2) {
            high ^= mix(low ^ pair[0]) & self.high_mask;
            low ^= mix(high ^ pair[1]) & self.low_mask;
        }
        (high << self.low_bits) | low
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_comes_once() {
        for n in [1u64, 2, 3, 7, 64, 1000, 4097] {
            for key in 0..3 {
                let permutation = Permutation::new(n, key);
                let mut seen: Vec<u64> = (0..n).map(|index| permutation.at(index)).collect();
                seen.sort_unstable();
                assert!(seen.iter().copied().eq(0..n), "n {n}, key {key}");
            }
        }
    }

    #[test]
    fn neighbours_are_torn_apart() {
        let n = 1 << 16;
        let permutation = Permutation::new(n, 7);
        let near = (1..n).filter(|i| permutation.at(*i).abs_diff(permutation.at(i - 1)) < n / 100).count();
        // By chance 2 % of the gaps are that small.
        assert!((near as f64 / n as f64 - 0.02).abs() < 0.01, "{near}");
    }
}
