//! Non-uniform random numbers (clause 2.1.6) and their constants.

use crate::Rng;
use crate::random::nurand;

/// `A` of the three fields.
pub(crate) const A_LAST: u64 = 255;
const A_CUSTOMER: u64 = 1023;
const A_ITEM: u64 = 8191;

pub(crate) const CUSTOMERS: u64 = 3_000;
pub(crate) const ITEMS: u64 = 100_000;

/// First words of keys: these numbers are not those of operations or rows.
const C_LOAD: u64 = 0x43_4c6f_6164;
const C_RUN: u64 = 0x43_5275_6e00;

/// The constant for last names in the population.
pub(crate) fn c_load(seed: u64) -> u64 {
    Rng::keyed(&[C_LOAD, seed]).range(0, A_LAST)
}

/// A last name's number, 0 to 999.
pub(crate) fn last_name(rng: &mut Rng, c: u64) -> u64 {
    nurand(rng, A_LAST, c, 0, 999)
}

/// The constants of one run: the same for all terminals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Constants {
    pub(crate) last: u64,
    pub(crate) customer: u64,
    pub(crate) item: u64,
}

impl Constants {
    /// Draws them; that for last names as far from the population's as clause 2.1.6.1 asks.
    pub(crate) fn draw(seed: u64, c_load: Option<u64>) -> Self {
        let mut rng = Rng::keyed(&[C_RUN, seed]);
        let legal: Vec<u64> =
            (0..=A_LAST).filter(|last| c_load.is_none_or(|load| legal(*last, load))).collect();
        // Never empty: from any C-Load one of its two neighbourhoods is at least 63 wide inside 0..=255.
        let last = legal[rng.range(0, legal.len() as u64 - 1) as usize];
        Self { last, customer: rng.range(0, A_CUSTOMER), item: rng.range(0, A_ITEM) }
    }

    pub(crate) fn last_name(&self, rng: &mut Rng) -> u64 {
        last_name(rng, self.last)
    }

    pub(crate) fn customer(&self, rng: &mut Rng) -> u64 {
        nurand(rng, A_CUSTOMER, self.customer, 1, CUSTOMERS)
    }

    pub(crate) fn item(&self, rng: &mut Rng) -> u64 {
        nurand(rng, A_ITEM, self.item, 1, ITEMS)
    }
}

/// Whether a run may use `run` on tables made with `load`.
fn legal(run: u64, load: u64) -> bool {
    let delta = run.abs_diff(load);
    (65..=119).contains(&delta) && delta != 96 && delta != 112
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_c_load_has_a_legal_c_run() {
        for load in 0..=255 {
            for seed in 0..20 {
                let constants = Constants::draw(seed, Some(load));
                assert!(legal(constants.last, load) && constants.last <= 255, "{load}: {constants:?}");
            }
        }
        assert!(!legal(96, 0) && !legal(112, 0) && !legal(64, 0) && !legal(120, 0) && legal(65, 0));
    }

    #[test]
    fn numbers_reach_both_ends_and_are_not_uniform() {
        let mut rng = Rng::keyed(&[1]);
        let constants = Constants::draw(7, Some(100));
        let mut seen = vec![0_u32; ITEMS as usize + 1];
        for _ in 0..2_000_000 {
            seen[constants.item(&mut rng) as usize] += 1;
        }
        assert_eq!(seen[0], 0);
        let mut counts = seen[1..].to_vec();
        counts.sort_unstable_by(|a, b| b.cmp(a));
        let hottest: u32 = counts[..5_000].iter().sum();
        // An OR of two draws favours numbers with many ones: 5 % of the items get far more than 5 % of the draws.
        assert!(f64::from(hottest) > 0.15 * 2e6, "{hottest}");
        let names: Vec<u64> = (0..50_000).map(|_| constants.last_name(&mut rng)).collect();
        assert_eq!((names.iter().min(), names.iter().max()), (Some(&0), Some(&999)));
        assert!((0..50_000).all(|_| (1..=CUSTOMERS).contains(&constants.customer(&mut rng))));
    }
}
