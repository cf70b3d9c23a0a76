//! Random numbers that are a function of a key.

const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

/// The finaliser of SplitMix64 (Steele, Lea, Flood 2014).
fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// Number `index` of the SplitMix64 stream of a seed, without walking there.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stream {
    origin: u64,
}

impl Stream {
    pub(crate) fn new(seed: u64) -> Self {
        // Mixed once, so that the streams of seeds 1, 2, 3 … are not the same one shifted.
        Self { origin: mix(seed ^ GOLDEN) }
    }

    /// Uniform in `(0, 1]`, 53 bits: its logarithm is finite.
    #[inline]
    pub(crate) fn unit(self, index: u64) -> f64 {
        let word = mix(self.origin.wrapping_add(index.wrapping_add(1).wrapping_mul(GOLDEN)));
        ((word >> 11) + 1) as f64 * (1.0 / (1u64 << 53) as f64)
    }
}
