//! Which customer placed which order: a permutation of 1 to 3000 for each district (clause 4.3.3.1).

use crate::Rng;
use crate::tpcc::nurand::CUSTOMERS;

/// Two halves of six bits: the smallest even split that holds 3000.
const HALF_BITS: u32 = 6;
const HALF: u64 = (1 << HALF_BITS) - 1;
const ROUNDS: u64 = 6;
const KEY: u64 = 0x7065_726d;

/// A Feistel network over twelve bits, walked until it lands among the customers (Black and Rogaway 2002): any place
/// of it is found alone, without a table.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Permutation {
    keys: [u64; ROUNDS as usize],
}

impl Permutation {
    pub(crate) fn new(seed: u64, warehouse: u64, district: u64) -> Self {
        let mut rng = Rng::keyed(&[KEY, seed, warehouse, district]);
        Self { keys: std::array::from_fn(|_| rng.u64()) }
    }

    /// The customer at `place`, both from 1.
    pub(crate) fn at(&self, place: u64) -> u64 {
        let mut value = place - 1;
        loop {
            value = self.encrypt(value);
            if value < CUSTOMERS {
                return value + 1;
            }
        }
    }

    fn encrypt(&self, value: u64) -> u64 {
        let (mut left, mut right) = (value >> HALF_BITS, value & HALF);
        for key in self.keys {
            (left, right) = (right, left ^ (Rng::keyed(&[key, right]).u64() & HALF));
        }
        left << HALF_BITS | right
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_customer_comes_once() {
        for district in 1..=3 {
            let permutation = Permutation::new(1, 1, district);
            let mut customers: Vec<u64> = (1..=CUSTOMERS).map(|place| permutation.at(place)).collect();
            let kept = customers.iter().zip(1..).filter(|(customer, place)| *customer == place).count();
            assert!(kept < 12, "{kept} stayed in their place");
            customers.sort_unstable();
            assert!(customers.iter().copied().eq(1..=CUSTOMERS));
        }
    }

    #[test]
    fn districts_differ() {
        let places = |district| (1..50).map(move |place| Permutation::new(1, 1, district).at(place));
        assert!(!places(1).eq(places(2)));
    }
}
