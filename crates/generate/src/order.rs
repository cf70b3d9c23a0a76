//! The order of a column's values in that of the rows.

use assay_chance::{Permutation, mix};

/// Rows within which those without a value are mixed.
const NEAR: u64 = 1024;
/// From this correlation on all values are in order.
const IN_ORDER: f64 = 0.9999;

/// A bijection of the numbers below n whose rank correlation with them is given: they are mixed within stretches, and a
/// stretch takes the cube of its share from the correlation.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Order {
    n: u64,
    stretch: u64,
    reversed: bool,
    key: u64,
}

impl Order {
    pub(crate) fn new(n: u64, correlation: f64, key: u64) -> Self {
        let size = correlation.abs();
        let stretch = if size >= IN_ORDER { 1 } else { (n as f64 * share_of_stretch(size)).round() as u64 };
        Self { n, stretch: stretch.clamp(1, n.max(1)), reversed: correlation < 0.0, key }
    }

    pub(crate) fn at(&self, index: u64) -> u64 {
        let place = shuffled(index, self.n, self.stretch, self.key);
        if self.reversed { self.n - 1 - place } else { place }
    }
}

/// The length of stretches, the last of which may be shorter, as a share of all: found by halving, since the loss of
/// correlation grows with it.
fn share_of_stretch(correlation: f64) -> f64 {
    let lost = |share: f64| {
        let whole = (1.0 / share).floor();
        let rest = 1.0 - whole * share;
        whole * share * share * share + rest * rest * rest
    };
    let (mut low, mut high) = (1e-9, 1.0);
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if lost(middle) < 1.0 - correlation { low = middle } else { high = middle }
    }
    high
}

/// Rows without a value among n rows: exactly so many, evenly spread.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Gaps {
    n: u64,
    gaps: u64,
    key: u64,
}

impl Gaps {
    pub(crate) fn new(n: u64, share: f64, key: u64) -> Self {
        let gaps = ((n as f64) * share.clamp(0.0, 1.0)).round() as u64;
        Self { n, gaps: gaps.min(n), key }
    }

    /// How many rows have a value.
    pub(crate) fn filled(&self) -> u64 {
        self.n - self.gaps
    }

    /// The number of a row among those that have a value; `None`: it has none.
    pub(crate) fn rank(&self, row: u64) -> Option<u64> {
        if self.gaps == 0 {
            return Some(row);
        }
        let place = shuffled(row, self.n, NEAR.min(self.n), self.key);
        let before = self.gaps_before(place);
        (self.gaps_before(place + 1) == before).then(|| place - before)
    }

    fn gaps_before(&self, place: u64) -> u64 {
        (u128::from(place) * u128::from(self.gaps) / u128::from(self.n)) as u64
    }
}

/// Numbers below n, mixed within stretches of this length.
fn shuffled(index: u64, n: u64, stretch: u64, key: u64) -> u64 {
    if stretch <= 1 {
        return index;
    }
    let first = index / stretch * stretch;
    let size = stretch.min(n - first);
    first + Permutation::new(size, key ^ mix(first.wrapping_add(1))).at(index - first)
}
