//! Choices of ids by arithmetic instead of by rank: for experiments with known hot spots.

use crate::Rng;

/// A choice of ids from `min` up to `max`, that one excluded. `config` is at least 2 for powers, at least 1 else.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Arithmetic {
    /// All ids in turn, each connection from a place of its own.
    RoundRobin,
    /// n / x of a uniform id x: small ids mostly.
    Reciprocal,
    /// Multiples of `config`.
    Multiple(u64),
    /// Powers of `config`.
    Power(u64),
    /// Squares, cubes … of whole numbers, by `config`.
    PerfectPower(u32),
}

impl Arithmetic {
    /// The id of operation `number` at a place in the stream.
    pub(crate) fn id(self, min: u64, max: u64, place: Place, rng: &mut Rng) -> u64 {
        let span = max - min;
        let mut uniform = || rng.range(min, max - 1);
        let id = match self {
            Self::RoundRobin => {
                let first =
                    u128::from(span) * u128::from(place.terminal) / u128::from(place.terminals.max(1));
                min + ((first + u128::from(place.number)) % u128::from(span)) as u64
            }
            Self::Reciprocal => span.div_ceil(uniform()),
            Self::Multiple(factor) => factor.saturating_mul(uniform().div_ceil(factor)),
            Self::Power(base) => {
                let mut power = 1_u64;
                let least = uniform();
                while power < least {
                    power = power.saturating_mul(base);
                }
                power
            }
            Self::PerfectPower(exponent) => root_above(uniform(), exponent).saturating_pow(exponent),
        };
        id.clamp(min, max - 1)
    }
}

/// The place of an operation in the stream, for choices that go in turn.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place {
    pub(crate) terminal: u32,
    pub(crate) terminals: u32,
    pub(crate) number: u64,
}

/// The least whole number whose power reaches `value`.
pub(crate) fn root_above(value: u64, exponent: u32) -> u64 {
    let mut root = (value as f64).powf(1.0 / f64::from(exponent)).round() as u64;
    while root.saturating_pow(exponent) < value {
        root += 1;
    }
    while root > 1 && (root - 1).saturating_pow(exponent) >= value {
        root -= 1;
    }
    root
}
