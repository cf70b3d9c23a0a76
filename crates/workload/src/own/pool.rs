//! Values that are drawn from data: the rows of some columns, as often as they are there, and which of them comes next.

use std::collections::HashMap;

use assay_chance::Zipf;
use assay_wire::{Column, ColumnType, Row, Rows};

use crate::Rng;
use crate::own::draw::How;
use crate::own::held::{Held, Slot};

/// Distinct rows that a pool keeps: all of them, where there are no more.
const KEPT_MOST: usize = 1_000_000;

/// The distinct rows of some columns with their counts, or of more than a million a sample that depends on the rows alone:
/// those whose hashes are the smallest. The order in which a server gives the rows changes nothing, and neither does which
/// server it is.
#[derive(Debug)]
pub(super) struct Sampler {
    most: usize,
    /// Hashes above it are not kept.
    threshold: u64,
    found: HashMap<Box<[u8]>, (u64, u64)>,
    whole: Vec<bool>,
    buffer: Vec<u8>,
    pub(super) rows: u64,
    /// Rows in which a column is NULL: no comparison finds them.
    pub(super) nulls: u64,
}

impl Default for Sampler {
    fn default() -> Self {
        Self::keeping(KEPT_MOST)
    }
}

impl Sampler {
    fn keeping(most: usize) -> Self {
        let (whole, buffer) = (Vec::new(), Vec::new());
        Self { most, threshold: u64::MAX, found: HashMap::new(), whole, buffer, rows: 0, nulls: 0 }
    }

    /// Takes a row of texts.
    pub(super) fn add<'a>(&mut self, fields: impl Iterator<Item = &'a [u8]>) {
        self.rows += 1;
        let mut buffer = std::mem::take(&mut self.buffer);
        buffer.clear();
        for field in fields {
            buffer.extend_from_slice(&(field.len() as u64).to_le_bytes());
            buffer.extend_from_slice(field);
        }
        let hash = hash_of(&buffer);
        if hash <= self.threshold {
            match self.found.get_mut(buffer.as_slice()) {
                Some((_, count)) => *count += 1,
                None => {
                    self.found.insert(buffer.clone().into(), (hash, 1));
                }
            }
            if self.found.len() >= 2 * self.most {
                self.prune();
            }
        }
        self.buffer = buffer;
    }

    /// Drops what has larger hashes than as many rows as are kept. A row that is dropped never comes back: the threshold only
    /// falls, so that the counts of those that stay are whole.
    fn prune(&mut self) {
        if self.found.len() <= self.most {
            return;
        }
        let mut hashes: Vec<u64> = self.found.values().map(|(hash, _)| *hash).collect();
        let (_, last, _) = hashes.select_nth_unstable(self.most - 1);
        self.threshold = *last;
        let threshold = self.threshold;
        self.found.retain(|_, (hash, _)| *hash <= threshold);
    }

    /// The pool of what was taken; `None` of no row.
    pub(super) fn pool(mut self) -> Option<Pool> {
        self.prune();
        let mut rows: Vec<(u64, u64, Box<[u8]>)> =
            self.found.into_iter().map(|(row, (hash, count))| (hash, count, row)).collect();
        rows.sort_unstable();
        let width = rows.first().map(|(_, _, row)| fields_of(row).count())?;
        let column = |index: usize| {
            let fields = || rows.iter().filter_map(move |(_, _, row)| fields_of(row).nth(index));
            let whole = self.whole.get(index).copied().unwrap_or(false);
            let numbers = || {
                fields().map(|field| str::from_utf8(field).ok()?.parse().ok()).collect::<Option<Vec<i64>>>()
            };
            match whole.then(numbers).flatten() {
                Some(numbers) => Values::Whole(numbers),
                None => Values::Texts(fields().map(Into::into).collect()),
            }
        };
        Some(Pool {
            columns: (0..width).map(column).collect(),
            counts: rows.iter().map(|(_, count, _)| *count).collect(),
        })
    }
}

impl Rows for Sampler {
    fn columns(&mut self, columns: &[Column]) {
        use ColumnType::{
            MYSQL_TYPE_INT24, MYSQL_TYPE_LONG, MYSQL_TYPE_LONGLONG, MYSQL_TYPE_SHORT, MYSQL_TYPE_TINY,
        };
        let whole = |column: &Column| {
            matches!(
                column.column_type(),
                MYSQL_TYPE_TINY | MYSQL_TYPE_SHORT | MYSQL_TYPE_INT24 | MYSQL_TYPE_LONG | MYSQL_TYPE_LONGLONG
            )
        };
        self.whole = columns.iter().map(whole).collect();
    }

    fn row(&mut self, row: &Row<'_>) {
        if (0..row.len()).any(|index| row.is_null(index)) {
            self.rows += 1;
            self.nulls += 1;
            return;
        }
        let fields: Vec<_> = (0..row.len()).filter_map(|index| row.bytes(index)).collect();
        self.add(fields.iter().map(AsRef::as_ref));
    }
}

/// The fields of a row that [`Sampler::add`] has written.
fn fields_of(row: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = row;
    std::iter::from_fn(move || {
        let (length, after) = rest.split_first_chunk::<8>()?;
        let (field, left) = after.split_at(u64::from_le_bytes(*length) as usize);
        rest = left;
        Some(field)
    })
}

/// FNV-1a, mixed: the same on every machine, and even enough to sample by.
pub(super) fn hash_of(bytes: &[u8]) -> u64 {
    let sum = bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325_u64, |sum, byte| (sum ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3));
    let mixed = (sum ^ (sum >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

/// The values of one column.
#[derive(Debug)]
enum Values {
    Whole(Vec<i64>),
    Texts(Vec<Box<[u8]>>),
}

/// Distinct rows of some columns, in the order of their hashes.
#[derive(Debug)]
pub(super) struct Pool {
    columns: Vec<Values>,
    counts: Vec<u64>,
}

impl Pool {
    pub(super) fn len(&self) -> usize {
        self.counts.len()
    }

    /// Puts a row into slots, one a column.
    #[inline]
    pub(super) fn put(&self, row: usize, slots: &mut [Slot]) {
        for (column, slot) in self.columns.iter().zip(slots) {
            match column {
                Values::Whole(values) => slot.set(Held::Int(values[row])),
                Values::Texts(values) => slot.set_bytes(|out| out.extend_from_slice(&values[row])),
            }
        }
    }

    /// Row numbers by count, the most frequent first.
    fn by_count(&self) -> Vec<u32> {
        let mut order: Vec<u32> = (0..self.len() as u32).collect();
        order.sort_by_key(|row| std::cmp::Reverse(self.counts[*row as usize]));
        order
    }

    /// Row numbers by the first column, the largest first.
    fn by_value(&self) -> Vec<u32> {
        let mut order: Vec<u32> = (0..self.len() as u32).collect();
        match self.columns.first() {
            Some(Values::Whole(values)) => order.sort_by_key(|row| std::cmp::Reverse(values[*row as usize])),
            Some(Values::Texts(values)) => {
                order.sort_by(|one, other| values[*other as usize].cmp(&values[*one as usize]));
            }
            None => {}
        }
        order
    }
}

/// The choice of the next row of a pool.
#[derive(Debug)]
pub(super) enum Choice {
    Alike(u64),
    AsCounted(Alias),
    Ranked { law: Zipf, order: Vec<u32> },
    Hot { hot: u64, all: u64, draws: f64 },
}

impl Choice {
    pub(super) fn new(how: How, pool: &Pool) -> Self {
        let all = pool.len() as u64;
        match how {
            How::Distinct => Self::Alike(all),
            How::Rows if pool.counts.iter().all(|count| *count == pool.counts[0]) => Self::Alike(all),
            How::Rows => Self::AsCounted(Alias::new(&pool.counts)),
            How::Zipf(theta) => Self::Ranked { law: Zipf::new(all, theta), order: pool.by_count() },
            How::Latest(theta) => Self::Ranked { law: Zipf::new(all, theta), order: pool.by_value() },
            How::Hot { values, draws } => {
                let hot = ((all as f64 * values).round() as u64).clamp(1, all);
                Self::Hot { hot, all, draws }
            }
        }
    }

    #[inline]
    pub(super) fn next(&self, rng: &mut Rng) -> usize {
        let row = match self {
            Self::Alike(n) => rng.range(0, n - 1),
            Self::AsCounted(alias) => alias.next(rng),
            Self::Ranked { law, order } => u64::from(order[law.rank(rng) as usize]),
            Self::Hot { hot, all, draws } => {
                if hot == all || rng.unit() < *draws {
                    rng.range(0, hot - 1)
                } else {
                    rng.range(*hot, all - 1)
                }
            }
        };
        row as usize
    }
}

/// Numbers in proportion to weights, each in constant time (Walker 1977; built as Vose 1991 does).
#[derive(Debug)]
pub(super) struct Alias {
    /// The share of a number's own cell that is its own, and whose the rest is.
    cells: Vec<(f64, u32)>,
}

impl Alias {
    fn new(weights: &[u64]) -> Self {
        let sum: f64 = weights.iter().map(|weight| *weight as f64).sum();
        let scale = weights.len() as f64 / sum;
        let mut left: Vec<f64> = weights.iter().map(|weight| *weight as f64 * scale).collect();
        let mut cells: Vec<(f64, u32)> = (0..weights.len() as u32).map(|own| (1.0, own)).collect();
        let (mut small, mut large): (Vec<usize>, Vec<usize>) =
            (0..left.len()).partition(|at| left[*at] < 1.0);
        while let (Some(poor), Some(rich)) = (small.pop(), large.last().copied()) {
            cells[poor] = (left[poor], rich as u32);
            left[rich] -= 1.0 - left[poor];
            if left[rich] < 1.0 {
                large.pop();
                small.push(rich);
            }
        }
        Self { cells }
    }

    #[inline]
    fn next(&self, rng: &mut Rng) -> u64 {
        let cell = rng.range(0, self.cells.len() as u64 - 1);
        let (own, other) = self.cells[cell as usize];
        if rng.unit() < own { cell } else { other.into() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sampled(most: usize, rows: impl Iterator<Item = u32>) -> Pool {
        let mut sampler = Sampler::keeping(most);
        rows.for_each(|row| sampler.add([row.to_string().as_bytes()].into_iter()));
        sampler.pool().expect("rows")
    }

    fn texts(pool: &Pool) -> Vec<(String, u64)> {
        let Values::Texts(values) = &pool.columns[0] else { panic!("texts") };
        let texts = values.iter().map(|value| String::from_utf8_lossy(value).into_owned());
        texts.zip(pool.counts.iter().copied()).collect()
    }

    #[test]
    fn a_sample_does_not_depend_on_the_order_of_rows_and_its_counts_are_whole() {
        // Number n is there n % 7 + 1 times.
        let rows: Vec<u32> = (0..5_000).flat_map(|n| std::iter::repeat_n(n, n as usize % 7 + 1)).collect();
        let (there, back) = (sampled(100, rows.iter().copied()), sampled(100, rows.iter().rev().copied()));
        assert_eq!(texts(&there), texts(&back));
        assert_eq!(there.len(), 100);
        assert!(
            texts(&there)
                .iter()
                .all(|(text, count)| text.parse::<u64>().expect("a number") % 7 + 1 == *count)
        );
    }

    #[test]
    fn rows_come_as_often_as_they_are_in_the_table() {
        let rows = (0..10).flat_map(|n| std::iter::repeat_n(n, n as usize * n as usize + 1));
        let pool = sampled(KEPT_MOST, rows);
        let choice = Choice::new(How::Rows, &pool);
        let (mut rng, mut seen) = (Rng::keyed(&[1]), vec![0_u64; pool.len()]);
        let (draws, sum) = (1_000_000, pool.counts.iter().sum::<u64>());
        (0..draws).for_each(|_| seen[choice.next(&mut rng)] += 1);
        let square = |(seen, count): (&u64, &u64)| {
            let expected = (draws * count) as f64 / sum as f64;
            (*seen as f64 - expected).powi(2) / expected
        };
        // Chi-squared with nine degrees of freedom: 21.67 at one in a hundred.
        let chi_squared: f64 = seen.iter().zip(&pool.counts).map(square).sum();
        assert!(chi_squared < 21.67, "{chi_squared}");
    }

    #[test]
    fn shares_of_hot_values_are_kept() {
        let pool = sampled(KEPT_MOST, 0..1_000);
        let choice = Choice::new(How::Hot { values: 0.2, draws: 0.8 }, &pool);
        let mut rng = Rng::keyed(&[2]);
        let hot = (0..100_000).filter(|_| choice.next(&mut rng) < 200).count();
        assert!(hot.abs_diff(80_000) < 700, "{hot}");
        let ranked = Choice::new(How::Latest(0.99), &pool);
        assert!((0..10_000).all(|_| ranked.next(&mut rng) < 1_000));
    }
}
