//! Single words: the finaliser of SplitMix64, a key's word, and a word as a number of the unit interval.

/// The step from one state of SplitMix64 to the next: 2^64 over the golden ratio, made odd.
pub(crate) const STEP: u64 = 0x9E37_79B9_7F4A_7C15;

const UNIT: f64 = 1.0 / (1u64 << 53) as f64;

/// The finaliser of SplitMix64: a bijection of 64-bit words that spreads each bit over all of them.
#[inline]
pub const fn mix(word: u64) -> u64 {
    let word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    word ^ (word >> 31)
}

/// The one random word of a key, for who draws no second one: no stream is made.
#[inline]
pub fn chained(key: &[u64]) -> u64 {
    key.iter().fold(STEP, |state, part| mix((state ^ part).wrapping_add(STEP)))
}

/// A random word as a number in `[0, 1)`, 53 bits.
#[inline]
pub fn unit(word: u64) -> f64 {
    (word >> 11) as f64 * UNIT
}

/// A random word as a number in `(0, 1]`, 53 bits: its logarithm is finite.
#[inline]
pub fn open_unit(word: u64) -> f64 {
    ((word >> 11) + 1) as f64 * UNIT
}
