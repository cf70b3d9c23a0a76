//! HDR histograms of nanoseconds: 3 significant digits, mergeable, exported whole.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::bucket::{COUNT, LARGEST, index, lowest_and_width};

/// Counts in a cache line; they fill whole lines.
const LINE: usize = 16;
const _: () = assert!(COUNT.is_multiple_of(LINE));

/// A histogram of times in nanoseconds, up to 73 minutes; longer ones count as that.
///
/// Counts take half of the memory of 64-bit ones, and so of the cache lines that recording touches: counts have 32
/// bits, and what overflows is kept aside.
#[derive(Debug, Clone)]
pub struct Histogram {
    /// The count of each bucket by its number, modulo 2^32.
    counts: Box<[u32; COUNT]>,
    /// The number of times that a bucket's count has overflowed, where one has.
    overflows: BTreeMap<usize, u64>,
    total: u64,
    /// Smallest and largest time recorded; the former is larger while there is none.
    min: u64,
    max: u64,
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
        let counts = vec![0; COUNT].into_boxed_slice().try_into().expect("so many were made");
        Self { counts, overflows: BTreeMap::new(), total: 0, min: u64::MAX, max: 0 }
    }
}

impl Histogram {
    #[inline]
    pub fn record(&mut self, ns: u64) {
        let ns = ns.min(LARGEST);
        let bucket = index(ns);
        let (count, overflown) = self.counts[bucket].overflowing_add(1);
        self.counts[bucket] = count;
        if overflown {
            self.overflow(bucket, 1);
        }
        self.total += 1;
        self.min = self.min.min(ns);
        self.max = self.max.max(ns);
    }

    /// Records a time `count` times.
    pub(crate) fn record_many(&mut self, ns: u64, count: u64) {
        if count > 0 {
            let ns = ns.min(LARGEST);
            self.add(index(ns), count);
            self.total += count;
            self.min = self.min.min(ns);
            self.max = self.max.max(ns);
        }
    }

    #[cold]
    fn overflow(&mut self, bucket: usize, times: u64) {
        *self.overflows.entry(bucket).or_default() += times;
    }

    fn add(&mut self, bucket: usize, count: u64) {
        let sum = u64::from(self.counts[bucket]) + (count & u64::from(u32::MAX));
        self.counts[bucket] = sum as u32;
        let overflown = (sum >> 32) + (count >> 32);
        if overflown > 0 {
            self.overflow(bucket, overflown);
        }
    }

    /// The buckets that may have counts.
    fn touched(&self) -> Range<usize> {
        if self.total == 0 { 0..0 } else { index(self.min)..index(self.max) + 1 }
    }

    /// Counts that are not 0, by the smallest value of their bucket, in ascending order.
    pub(crate) fn recorded(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        self.buckets().map(|(bucket, count)| (lowest_and_width(bucket).0, count))
    }

    fn buckets(&self) -> impl Iterator<Item = (usize, u64)> + '_ {
        let counted = self.lines().flatten().map(|bucket| (bucket, self.count_at(bucket)));
        counted.filter(|(_, count)| *count > 0)
    }

    /// The cache lines of counts that have some: of the thousands between the smallest and the largest time, a few.
    fn lines(&self) -> impl Iterator<Item = Range<usize>> + '_ {
        let touched = self.touched();
        let lines = (touched.start / LINE * LINE..touched.end).step_by(LINE).map(|start| start..start + LINE);
        // A count of exactly 2^32 looks like none.
        let all = !self.overflows.is_empty();
        lines.filter(move |line| {
            all || self.counts[line.clone()].iter().fold(0, |any, count| any | count) != 0
        })
    }

    #[inline]
    fn count_at(&self, bucket: usize) -> u64 {
        let low = u64::from(self.counts[bucket]);
        if self.overflows.is_empty() {
            return low;
        }
        low + (self.overflows.get(&bucket).copied().unwrap_or(0) << 32)
    }

    /// Adds all of `other`.
    pub fn merge(&mut self, other: &Self) {
        for bucket in other.lines().flatten() {
            let count = other.counts[bucket];
            let (sum, overflown) = self.counts[bucket].overflowing_add(count);
            self.counts[bucket] = sum;
            if overflown {
                self.overflow(bucket, 1);
            }
        }
        for (bucket, times) in &other.overflows {
            self.overflow(*bucket, *times);
        }
        self.total += other.total;
        self.min = self.min.min(other.min);
        self.max = self.max.max(other.max);
    }

    /// Empties the histogram. Only what was touched is written to.
    pub fn clear(&mut self) {
        let touched = self.touched();
        self.counts[touched].fill(0);
        self.overflows.clear();
        (self.total, self.min, self.max) = (0, u64::MAX, 0);
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
        if self.total == 0 {
            return 0;
        }
        let (lowest, width) = lowest_and_width(index(self.max));
        lowest + width - 1
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
