//! One random number for each (seed, connection, statement, aspect), in any order of asking.

/// What a number is drawn for; each has its own.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Aspect {
    Delay,
    Error,
    Reset,
    Hang,
}

/// The finaliser of SplitMix64 (Steele, Lea, Flood 2014).
fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// Uniform in `(0, 1]`, 53 bits.
pub(crate) fn unit(seed: u64, connection: u32, statement: u64, aspect: Aspect) -> f64 {
    const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;
    let word = [seed, u64::from(connection), statement, aspect as u64]
        .into_iter()
        .fold(GOLDEN, |state, word| mix((state ^ word).wrapping_add(GOLDEN)));
    ((word >> 11) + 1) as f64 * (1.0 / (1u64 << 53) as f64)
}
