//! Rows that belong to rows: columns that refer to another table, and keys of several columns.

use crate::order::{Gaps, Order};
use crate::spread::{Belongs, Spread};
use crate::values::Values;

/// Columns that refer to another table's: which row there a row here belongs to.
#[derive(Debug, Clone)]
pub(crate) struct Link {
    pub table: usize,
    pub spread: Spread,
    pub gaps: Gaps,
    pub order: Order,
}

impl Link {
    /// The row that a row refers to; `None`: none.
    pub(crate) fn row(&self, row: u64) -> Option<u64> {
        let rank = self.gaps.rank(row)?;
        Some(self.spread.locate(self.order.at(rank)).owner)
    }
}

/// A unique key of several columns as a tree: values of the first column, or rows of a table that the first columns refer
/// to, have values of the next one, and so on. A row is a leaf.
#[derive(Debug, Clone)]
pub(crate) struct Tree {
    /// The table whose rows are the roots; `None`: values of the first column are.
    pub base: Option<usize>,
    /// From the roots down.
    pub spreads: Vec<Spread>,
    /// The order of leaves in that of the rows; `None`: the same.
    pub order: Option<Order>,
}

impl Tree {
    /// Where the ancestor of a row on some level belongs; level 0 is that of the roots.
    pub(crate) fn at(&self, row: u64, level: usize) -> Belongs {
        let mut number = self.order.map_or(row, |order| order.at(row));
        for spread in self.spreads[level..].iter().skip(1).rev() {
            number = spread.locate(number).owner;
        }
        match self.spreads.get(level) {
            Some(spread) => spread.locate(number),
            None => Belongs { owner: number, number, of: 1 },
        }
    }

    /// The root of a row.
    pub(crate) fn root(&self, row: u64) -> u64 {
        self.at(row, 0).owner
    }
}

/// The values of a column of such a key.
#[derive(Debug, Clone)]
pub(crate) struct Level {
    pub tree: usize,
    /// The level of the owner; `None`: the column is that of the roots.
    pub level: Option<usize>,
    pub domain: Domain,
    /// How many values there are to choose from.
    pub of: u64,
    /// Whether each owner has the first values there are, and not some of them.
    pub dense: bool,
    /// Whether the values of an owner are in random order.
    pub mixed: bool,
    pub key: u64,
}

/// Where a value with a number comes from.
#[derive(Debug, Clone)]
pub(crate) enum Domain {
    Values(Values),
    /// A column of another table, by row.
    Column(usize, usize),
}
