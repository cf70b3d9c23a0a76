//! The customer of each order: a permutation of 1 to 3000 for each district (clause 4.3.3.1).

use assay_chance::Rng;

use crate::tpcc::nurand::CUSTOMERS;

const ROUNDS: usize = 6;
const KEY: u64 = 0x7065_726d;

/// The customers of a district in the order of their orders: any place of it is found alone, without a table.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Permutation(assay_chance::Permutation<ROUNDS, true>);

impl Permutation {
    pub(crate) fn new(seed: u64, warehouse: u64, district: u64) -> Self {
        let mut rng = Rng::keyed(&[KEY, seed, warehouse, district]);
        Self(assay_chance::Permutation::with_keys(CUSTOMERS, std::array::from_fn(|_| rng.u64())))
    }

    /// The customer at `place`, both from 1.
    pub(crate) fn at(&self, place: u64) -> u64 {
        self.0.at(place - 1) + 1
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
