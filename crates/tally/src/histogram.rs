//! HDR histograms of nanoseconds: 3 significant digits, mergeable, exported whole.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hdrhistogram::serialization::{Deserializer, Serializer, V2DeflateSerializer};

/// Longest time kept apart; longer ones count as this (73 minutes, the most that 32 buckets of 3 digits hold).
const LONGEST_NS: u64 = (1 << 42) - 1;

/// A histogram of times in nanoseconds.
#[derive(Debug, Clone)]
pub struct Histogram {
    inner: hdrhistogram::Histogram<u64>,
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
        let inner = hdrhistogram::Histogram::new_with_bounds(1, LONGEST_NS, 3).expect("bounds are constants");
        Self { inner }
    }
}

impl Histogram {
    #[inline]
    pub fn record(&mut self, ns: u64) {
        self.inner.saturating_record(ns);
    }

    /// Adds all of `other`.
    pub fn merge(&mut self, other: &Self) {
        self.inner.add(&other.inner).expect("all histograms have the same bounds");
    }

    /// Empties it. Only touched when something was recorded: an untouched one costs no memory traffic.
    pub fn clear(&mut self) {
        if !self.inner.is_empty() {
            self.inner.reset();
        }
    }

    pub fn count(&self) -> u64 {
        self.inner.len()
    }

    pub fn is_empty(&self) -> bool {
        self.inner.is_empty()
    }

    /// Value at a quantile in 0..=1, in nanoseconds, never above the largest recorded.
    pub fn quantile_ns(&self, quantile: f64) -> u64 {
        self.inner.value_at_quantile(quantile).min(self.inner.max())
    }

    pub fn mean_ns(&self) -> f64 {
        self.inner.mean()
    }

    pub fn max_ns(&self) -> u64 {
        self.inner.max()
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

    /// The whole histogram: V2 + DEFLATE of the HdrHistogram formats, in base64.
    pub fn encode(&self) -> String {
        let mut bytes = Vec::new();
        V2DeflateSerializer::new()
            .serialize(&self.inner, &mut bytes)
            .expect("a histogram of bounded size is written to memory");
        STANDARD.encode(bytes)
    }

    /// Reads what `encode` wrote; `None` for anything else.
    pub fn decode(text: &str) -> Option<Self> {
        let bytes = STANDARD.decode(text).ok()?;
        let inner: hdrhistogram::Histogram<u64> =
            Deserializer::new().deserialize(&mut bytes.as_slice()).ok()?;
        let mut histogram = Self::default();
        histogram.inner.add(&inner).ok()?;
        Some(histogram)
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
    fn an_encoded_histogram_comes_back_whole() {
        let mut histogram = Histogram::default();
        for value in [5u64, 70_000, 70_001, 2_000_000_000] {
            histogram.record(value);
        }
        let back = Histogram::decode(&histogram.encode()).expect("our own encoding");
        assert_eq!(back.count(), 4);
        assert_eq!(back.quantile_ns(1.0), histogram.quantile_ns(1.0));
        assert!(Histogram::decode("not a histogram").is_none());
    }

    #[test]
    fn clearing_forgets_everything() {
        let mut histogram = Histogram::default();
        histogram.record(7);
        histogram.clear();
        assert!(histogram.is_empty());
        assert_eq!(histogram.quantile_ns(0.99), 0);
    }
}
