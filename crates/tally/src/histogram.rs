//! HDR histograms of nanoseconds: 3 significant digits, mergeable, exported whole.

use std::collections::BTreeMap;

use crate::bucket::{LARGEST, index, lowest_and_width};
use crate::lines::{LINE, LINES, Lines, ones};

/// A histogram of times in nanoseconds, up to 73 minutes; longer ones count as that.
///
/// Counts take half of the memory of 64-bit ones, and so of the cache lines that recording touches: counts have 32
/// bits, and what overflows is kept aside.
#[derive(Debug, Clone)]
pub struct Histogram {
    /// The count of each bucket by its number, modulo 2^32.
    counts: Box<[[u32; LINE]; LINES]>,
    /// The lines of counts that have some, and no others.
    lines: Lines,
    /// The number of times that a bucket's count has overflowed, where one has.
    overflows: BTreeMap<usize, u64>,
    total: u64,
}

/// The figures people read, in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Summary {
    pub count: u64,
    pub mean_ms: f64,
    pub p50_ms: f64,
    pub p95_ms: f64,
    pub p99_ms: f64,
    pub max_ms: f64,
}

impl Default for Histogram {
    fn default() -> Self {
        // Zeroed pages of the kernel: one in which nothing is recorded takes no memory.
        let counts = vec![[0; LINE]; LINES].into_boxed_slice().try_into().expect("so many were made");
        Self { counts, lines: Lines::NONE, overflows: BTreeMap::new(), total: 0 }
    }
}

impl Histogram {
    #[inline]
    pub fn record(&mut self, ns: u64) {
        let bucket = index(ns.min(LARGEST));
        let (line, place) = (bucket / LINE, bucket % LINE);
        let (count, overflown) = self.counts[line][place].overflowing_add(1);
        self.counts[line][place] = count;
        self.lines.add(line);
        if overflown {
            self.overflow(bucket, 1);
        }
        self.total += 1;
    }

    /// Records a time `count` times.
    pub(crate) fn record_many(&mut self, ns: u64, count: u64) {
        if count > 0 {
            let bucket = index(ns.min(LARGEST));
            let low = &mut self.counts[bucket / LINE][bucket % LINE];
            let sum = u64::from(*low) + (count & u64::from(u32::MAX));
            *low = sum as u32;
            let overflown = (sum >> 32) + (count >> 32);
            if overflown > 0 {
                self.overflow(bucket, overflown);
            }
            self.lines.add(bucket / LINE);
            self.total += count;
        }
    }

    #[cold]
    fn overflow(&mut self, bucket: usize, times: u64) {
        *self.overflows.entry(bucket).or_default() += times;
    }

    /// Counts that are not 0, by the smallest value of their bucket, in ascending order.
    #[cfg(test)]
    pub(crate) fn recorded(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        self.buckets().map(|(bucket, count)| (lowest_and_width(bucket).0, count))
    }

    /// Counts that are not 0, by the number of their bucket, in ascending order.
    pub(crate) fn buckets(&self) -> impl Iterator<Item = (usize, u64)> + '_ {
        self.lines.iter().flat_map(|line| self.buckets_of(line))
    }

    fn buckets_of(&self, line: usize) -> impl Iterator<Item = (usize, u64)> + '_ {
        let counts = &self.counts[line];
        let some = if self.overflows.is_empty() { filled(counts) } else { ALL };
        let buckets = ones(some.into()).map(move |place| {
            let bucket = line * LINE + place;
            (bucket, self.whole(bucket, counts[place]))
        });
        // A count of exactly 2^32 looks like none.
        buckets.filter(|(_, count)| *count > 0)
    }

    /// The count of a bucket, of which `low` are the low 32 bits.
    #[inline]
    fn whole(&self, bucket: usize, low: u32) -> u64 {
        if self.overflows.is_empty() {
            return low.into();
        }
        u64::from(low) + (self.overflows.get(&bucket).copied().unwrap_or(0) << 32)
    }

    /// Adds all of `other`.
    pub fn merge(&mut self, other: &Self) {
        for line in other.lines.iter() {
            for place in ones(add(&mut self.counts[line], &other.counts[line])) {
                *self.overflows.entry(line * LINE + place).or_default() += 1;
            }
        }
        for (bucket, times) in &other.overflows {
            self.overflow(*bucket, *times);
        }
        self.lines.add_all(&other.lines);
        self.total += other.total;
    }

    /// Empties the histogram. Only what was touched is written to.
    pub fn clear(&mut self) {
        for line in std::mem::replace(&mut self.lines, Lines::NONE).iter() {
            self.counts[line] = [0; LINE];
        }
        self.overflows.clear();
        self.total = 0;
    }

    pub fn count(&self) -> u64 {
        self.total
    }

    pub fn is_empty(&self) -> bool {
        self.total == 0
    }

    /// Value at a quantile in 0..=1, in nanoseconds: the largest of its bucket, of quantile 0 the smallest.
    pub fn quantile_ns(&self, quantile: f64) -> u64 {
        let rank = ((quantile.min(1.0) * self.total as f64).ceil() as u64).max(1);
        let mut passed = 0;
        let mut found = self.buckets().skip_while(|(_, count)| {
            passed += count;
            passed < rank
        });
        found.next().map_or(0, |(bucket, _)| {
            let (lowest, width) = lowest_and_width(bucket);
            if quantile == 0.0 { lowest } else { lowest + width - 1 }
        })
    }

    /// Mean of the middles of the buckets, each as often as it was hit.
    pub fn mean_ns(&self) -> f64 {
        if self.total == 0 {
            return 0.0;
        }
        let middle = |bucket| {
            let (lowest, width) = lowest_and_width(bucket);
            (lowest + width / 2) as f64
        };
        self.buckets().map(|(bucket, count)| middle(bucket) * count as f64).sum::<f64>() / self.total as f64
    }

    /// Largest value of the bucket of the longest time; 0 where there is none.
    pub fn max_ns(&self) -> u64 {
        let last = self.lines.last().and_then(|line| self.buckets_of(line).last());
        last.map_or(0, |(bucket, _)| {
            let (lowest, width) = lowest_and_width(bucket);
            lowest + width - 1
        })
    }

    /// The number of values between consecutive edges: below the first, from each edge to the next, and from the last on.
    /// All values of a bucket count where its middle lies.
    pub fn counts_between(&self, edges_ns: &[f64]) -> Vec<u64> {
        let mut counts = vec![0; edges_ns.len() + 1];
        for (bucket, count) in self.buckets() {
            let (lowest, width) = lowest_and_width(bucket);
            let middle = (lowest + width / 2) as f64;
            counts[edges_ns.partition_point(|edge| *edge <= middle)] += count;
        }
        counts
    }

    pub fn summary(&self) -> Summary {
        let ms = |ns: u64| ns as f64 / 1e6;
        Summary {
            count: self.count(),
            mean_ms: self.mean_ns() / 1e6,
            p50_ms: ms(self.quantile_ns(0.50)),
            p95_ms: ms(self.quantile_ns(0.95)),
            p99_ms: ms(self.quantile_ns(0.99)),
            max_ms: ms(self.max_ns()),
        }
    }
}

/// Adds the counts of a line, modulo 2^32; returns the places of those that have overflowed, a bit each.
fn add(mine: &mut [u32; LINE], theirs: &[u32; LINE]) -> u64 {
    let mut sums = [0; LINE];
    let mut carries = [0; LINE];
    for place in 0..LINE {
        let (one, other) = (mine[place], theirs[place]);
        sums[place] = one.wrapping_add(other);
        carries[place] = one & other | (one | other) & !sums[place];
    }
    *mine = sums;
    if carries.iter().fold(0, |any, carry| any | carry) >> 31 == 0 {
        return 0;
    }
    carries.iter().rev().fold(0, |some, carry| some << 1 | u64::from(carry >> 31))
}

const ALL: u16 = u16::MAX;

/// The places of a line's counts that are not 0, a bit each.
fn filled(counts: &[u32; LINE]) -> u16 {
    counts.iter().rev().fold(0, |some, count| some << 1 | u16::from(*count != 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_digits_hold_from_nanoseconds_to_hours() {
        for ns in [1u64, 999, 12_345, 1_000_000, 123_456_789, 3_600_000_000_000] {
            let mut histogram = Histogram::default();
            histogram.record(ns);
            let read = histogram.quantile_ns(0.5);
            assert!(read.abs_diff(ns) as f64 <= ns as f64 * 1e-3, "{ns} read as {read}");
        }
    }

    #[test]
    fn quantiles_of_merged_parts_are_those_of_the_whole() {
        let (mut even, mut odd, mut whole) =
            (Histogram::default(), Histogram::default(), Histogram::default());
        for value in 1..=100_000u64 {
            if value % 2 == 0 {
                even.record(value * 1000);
            } else {
                odd.record(value * 1000);
            }
            whole.record(value * 1000);
        }
        even.merge(&odd);
        for quantile in [0.5, 0.9, 0.99, 0.999, 1.0] {
            assert_eq!(even.quantile_ns(quantile), whole.quantile_ns(quantile));
        }
        assert_eq!(even.count(), 100_000);
    }

    #[test]
    fn counts_between_edges_are_all_counts() {
        let mut histogram = Histogram::default();
        for (ns, count) in [(5, 1), (10, 2), (19, 4), (20, 8), (1_000_000, 16)] {
            histogram.record_many(ns, count);
        }
        assert_eq!(histogram.counts_between(&[10.0, 20.0]), [1, 6, 24]);
        assert_eq!(histogram.counts_between(&[]), [31]);
    }

    #[test]
    fn clearing_forgets_everything() {
        let mut histogram = Histogram::default();
        histogram.record(7);
        histogram.clear();
        assert!(histogram.is_empty());
        assert_eq!(histogram.quantile_ns(0.99), 0);
    }

    #[test]
    fn a_cleared_histogram_is_as_good_as_a_new_one() {
        let mut used = Histogram::default();
        for ns in [0, 900, 70_000, LARGEST] {
            used.record(ns);
        }
        used.clear();
        let mut fresh = Histogram::default();
        for histogram in [&mut used, &mut fresh] {
            histogram.record(5_000);
        }
        assert_eq!(used.recorded().collect::<Vec<_>>(), fresh.recorded().collect::<Vec<_>>());
        assert_eq!((used.max_ns(), used.count()), (fresh.max_ns(), 1));
    }

    #[test]
    fn a_count_beyond_32_bits_is_exact() {
        const MANY: u64 = u32::MAX as u64;
        let mut round = Histogram::default();
        round.record_many(500, MANY + 1);
        assert_eq!(round.recorded().collect::<Vec<_>>(), [(500, 1 << 32)], "none in its low half");
        let mut histogram = Histogram::default();
        histogram.record_many(1_000, MANY);
        histogram.record_many(9_000, 10);
        histogram.record(1_000);
        assert_eq!((histogram.count(), histogram.recorded().next()), (MANY + 11, Some((1_000, MANY + 1))));
        let other = histogram.clone();
        histogram.merge(&other);
        histogram.merge(&other);
        assert_eq!(histogram.recorded().collect::<Vec<_>>(), [(1_000, 3 * (MANY + 1)), (9_000 / 8 * 8, 30)]);
        assert_eq!(histogram.quantile_ns(0.99), 1_000);
        let back = Histogram::decode(&histogram.encode()).expect("our own encoding");
        assert_eq!(back.recorded().collect::<Vec<_>>(), histogram.recorded().collect::<Vec<_>>());
        histogram.clear();
        assert_eq!(histogram.recorded().count(), 0);
    }

    #[test]
    fn a_time_beyond_all_buckets_counts_as_the_longest() {
        let mut histogram = Histogram::default();
        histogram.record(u64::MAX);
        assert_eq!((histogram.count(), histogram.max_ns()), (1, LARGEST));
    }
}
