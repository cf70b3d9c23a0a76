//! Chance as plain arithmetic: random numbers that are a function of a key, Zipf's law, keyed permutations. No global
//! state, no clock, no tables.
//!
//! All streams are SplitMix64 (Steele, Lea, Flood 2014, "Fast splittable pseudorandom number generators"). Numbers that
//! come from a seed are part of what a run was: a stream never changes, whoever draws from it.

mod permutation;
mod rng;
mod word;
mod zipf;

pub use self::permutation::Permutation;
pub use self::rng::Rng;
pub use self::word::{chained, mix, open_unit, unit};
pub use self::zipf::{ApproximateZipf, Zipf};
