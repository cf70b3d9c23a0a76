//! The part of a table that one connection keeps to.

use crate::Rng;
use crate::random::Distribution;
use crate::sbtest::SbtestOptions;

/// Values of column k, drawn by the options' distribution within an equal part of `1..=table_size` per connection.
#[derive(Debug)]
pub(crate) struct Slice {
    before: u64,
    values: Distribution,
}

impl Slice {
    /// The part of terminal `number` of `of`; with more terminals than rows, parts overlap.
    pub(crate) fn new(options: &SbtestOptions, number: u32, of: u32) -> Self {
        let size = u128::from(options.tables.table_size);
        let edge = |number: u32| (size * u128::from(number) / u128::from(of.max(1))) as u64;
        let (before, last) = (edge(number), edge(number + 1));
        Self { before, values: Distribution::new(&options.rand, last - before) }
    }

    #[inline]
    pub(crate) fn draw(&self, rng: &mut Rng) -> i64 {
        (self.before + self.values.draw(rng)) as i64
    }
}
