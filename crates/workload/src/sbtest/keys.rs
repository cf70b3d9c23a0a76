//! The table and the row that a statement hits.

use crate::Rng;
use crate::random::Distribution;
use crate::sbtest::SbtestOptions;

/// Tables are drawn uniformly, ids by the options' distribution.
#[derive(Debug)]
pub(crate) struct Keys {
    last_table: u64,
    ids: Distribution,
}

impl Keys {
    pub(crate) fn new(options: &SbtestOptions) -> Self {
        Self {
            last_table: u64::from(options.tables.tables) - 1,
            ids: Distribution::new(&options.rand, options.tables.table_size),
        }
    }

    /// The number of tables.
    pub(crate) fn tables(&self) -> u32 {
        self.last_table as u32 + 1
    }

    /// A table, from 0.
    #[inline]
    pub(crate) fn table(&self, rng: &mut Rng) -> u32 {
        rng.range(0, self.last_table) as u32
    }

    /// An id, or a value of column k, from 1 to the table size; table sizes end below 2^63.
    #[inline]
    pub(crate) fn id(&self, rng: &mut Rng) -> i64 {
        self.ids.draw(rng) as i64
    }
}
