//! Random numbers that are a function of a key: no global state, no hidden order.

/// SplitMix64 (Steele, Lea, Flood 2014): one word of state, so that seeding costs nothing.
#[derive(Debug, Clone)]
pub struct Rng {
    state: u64,
}

const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

// First words of the keys: without them operation 0 of worker 0 would repeat the numbers of chunk 0 of table 0.
const OPERATION: u64 = 1;
const CHUNK: u64 = 2;

fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

impl Rng {
    /// The stream named by a list of words: (seed, worker, operation) or (seed, table, chunk).
    pub fn keyed(key: &[u64]) -> Self {
        let state = key.iter().fold(GOLDEN, |state, &word| mix(state ^ word).wrapping_add(GOLDEN));
        Self { state }
    }

    /// The random numbers of operation `number` (from 0) of connection `worker`.
    pub fn of_operation(seed: u64, worker: u32, number: u64) -> Self {
        Self::keyed(&[OPERATION, seed, u64::from(worker), number])
    }

    /// The random numbers of chunk `chunk` (from 0) of table `table` (from 0).
    pub fn of_chunk(seed: u64, table: usize, chunk: u64) -> Self {
        Self::keyed(&[CHUNK, seed, table as u64, chunk])
    }

    #[inline]
    pub fn u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(GOLDEN);
        mix(self.state)
    }

    /// Uniform in `[0, 1)`, 53 bits.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        (self.u64() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// Uniform in `low..=high` (Lemire 2019, without bias).
    #[inline]
    pub fn range(&mut self, low: u64, high: u64) -> u64 {
        debug_assert!(low <= high);
        let span = (high - low).wrapping_add(1);
        if span == 0 {
            return self.u64();
        }
        let mut product = u128::from(self.u64()) * u128::from(span);
        if (product as u64) < span {
            let threshold = span.wrapping_neg() % span;
            while (product as u64) < threshold {
                product = u128::from(self.u64()) * u128::from(span);
            }
        }
        low + (product >> 64) as u64
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn streams_of_near_keys_have_nothing_in_common() {
        let mut seen = HashSet::new();
        let mut streams = Vec::new();
        for seed in [0, 1, u64::MAX] {
            for number in 0..20 {
                for part in 0..20 {
                    streams.push(Rng::of_operation(seed, part, number));
                    streams.push(Rng::of_chunk(seed, part as usize, number));
                }
            }
        }
        let count = streams.len() * 20;
        for mut rng in streams {
            seen.extend((0..20).map(|_| rng.u64()));
        }
        assert_eq!(seen.len(), count);
    }

    #[test]
    fn a_range_reaches_both_ends_and_no_further() {
        let mut rng = Rng::keyed(&[3]);
        let drawn: Vec<u64> = (0..1_000).map(|_| rng.range(u64::MAX - 2, u64::MAX)).collect();
        for value in u64::MAX - 2..=u64::MAX {
            assert!(drawn.contains(&value));
        }
        assert!(drawn.iter().all(|&value| value >= u64::MAX - 2));
        assert_eq!(rng.range(7, 7), 7);
        assert!((0..100).any(|_| rng.range(0, u64::MAX) > u64::MAX / 2));
    }

    #[test]
    fn unit_stays_below_one() {
        let mut rng = Rng::keyed(&[4]);
        let mean =
            (0..100_000).map(|_| rng.unit()).inspect(|x| assert!((0.0..1.0).contains(x))).sum::<f64>() / 1e5;
        assert!((mean - 0.5).abs() < 0.005, "{mean}");
    }
}
