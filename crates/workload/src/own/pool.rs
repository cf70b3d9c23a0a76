//! Pools: the distinct rows of some columns, typed as the columns are.

use crate::own::held::{Held, Slot};

/// The values of one column.
#[derive(Debug)]
pub(super) enum Values {
    Whole(Vec<i64>),
    Natural(Vec<u64>),
    Decimal { unscaled: Vec<i64>, scale: u8 },
    Texts(Vec<Box<[u8]>>),
    Binary(Vec<Box<[u8]>>),
}

/// Rows of some columns, in the order of their hashes or in that of their file.
#[derive(Debug)]
pub(super) struct Pool {
    columns: Vec<Values>,
    pub(super) counts: Vec<u64>,
    key: u64,
}

impl Pool {
    pub(super) fn new(columns: Vec<Values>, counts: Vec<u64>, key: u64) -> Self {
        Self { columns, counts, key }
    }

    pub(super) fn len(&self) -> usize {
        self.counts.len()
    }

    /// A number that tells this pool from any other.
    pub(super) fn key(&self) -> u64 {
        self.key
    }

    pub(super) fn column(&self, index: usize) -> Option<&Values> {
        self.columns.get(index)
    }

    /// Puts a row into slots, one a column.
    #[inline]
    pub(super) fn put(&self, row: usize, slots: &mut [Slot]) {
        for (column, slot) in self.columns.iter().zip(slots) {
            match column {
                Values::Whole(values) => slot.set(Held::Int(values[row])),
                Values::Natural(values) => slot.set(Held::UInt(values[row])),
                Values::Decimal { unscaled, scale } => {
                    slot.set(Held::Decimal { unscaled: unscaled[row], scale: *scale });
                }
                Values::Texts(values) => slot.set_bytes(|out| out.extend_from_slice(&values[row])),
                Values::Binary(values) => slot.set_binary(&values[row]),
            }
        }
    }

    /// Row numbers by count, the most frequent first.
    pub(super) fn by_count(&self) -> Vec<u32> {
        let mut order: Vec<u32> = (0..self.len() as u32).collect();
        order.sort_by_key(|row| std::cmp::Reverse(self.counts[*row as usize]));
        order
    }

    /// Row numbers by the first column, the largest first.
    pub(super) fn by_value(&self) -> Vec<u32> {
        let mut order: Vec<u32> = (0..self.len() as u32).collect();
        let Some(first) = self.columns.first() else { return order };
        order.sort_by(|one, other| {
            let (one, other) = (*one as usize, *other as usize);
            match first {
                Values::Whole(values) | Values::Decimal { unscaled: values, .. } => {
                    values[other].cmp(&values[one])
                }
                Values::Natural(values) => values[other].cmp(&values[one]),
                Values::Texts(values) | Values::Binary(values) => values[other].cmp(&values[one]),
            }
        });
        order
    }
}
