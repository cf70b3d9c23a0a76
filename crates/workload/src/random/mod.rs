//! The choice of rows: distributions over the ids 1 to n.
//!
//! One file each. They are right for any n that fits 64 bits; those that calculate in floating point have a
//! resolution of 53 bits, which only tables of more than 2^53 rows could tell.

mod gaussian;
mod nurand;
mod options;
mod pareto;
mod special;
mod uniform;

use assay_chance::Zipf;

use self::gaussian::Gaussian;
pub(crate) use self::nurand::nurand;
pub use self::options::{RandOptions, RandType};
use self::pareto::Pareto;
use self::special::Special;
use self::uniform::Uniform;
use crate::Rng;

/// A distribution over `1..=n`, with its constants worked out.
#[derive(Debug, Clone)]
pub enum Distribution {
    Uniform(Uniform),
    Special(Special),
    Gaussian(Gaussian),
    Pareto(Pareto),
    Zipfian(Zipf),
}

impl Distribution {
    /// The distribution that `options` ask for, over `1..=n`; an `n` of 0 counts as 1.
    pub fn new(options: &RandOptions, n: u64) -> Self {
        let n = n.max(1);
        match options.rand_type {
            RandType::Uniform => Self::Uniform(Uniform::new(n)),
            RandType::Special => {
                let RandOptions { rand_spec_iter, rand_spec_pct, rand_spec_res, .. } = *options;
                Self::Special(Special::new(n, rand_spec_iter, rand_spec_pct, rand_spec_res))
            }
            RandType::Gaussian => Self::Gaussian(Gaussian::new(n, options.rand_spec_iter)),
            RandType::Pareto => Self::Pareto(Pareto::new(n, options.rand_pareto_h)),
            RandType::Zipfian => Self::Zipfian(Zipf::new(n, options.rand_zipfian_exp)),
        }
    }

    /// A number in `1..=n`.
    #[inline]
    pub fn draw(&self, rng: &mut Rng) -> u64 {
        match self {
            Self::Uniform(it) => it.draw(rng),
            Self::Special(it) => it.draw(rng),
            Self::Gaussian(it) => it.draw(rng),
            Self::Pareto(it) => it.draw(rng),
            Self::Zipfian(it) => it.rank(rng) + 1,
        }
    }
}

#[cfg(test)]
mod tests;
