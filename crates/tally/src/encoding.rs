//! Histograms as text: V2 and DEFLATE of the HdrHistogram formats, in base64.

use std::cell::RefCell;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hdrhistogram::serialization::{Deserializer, Serializer, V2DeflateSerializer};

use crate::Histogram;
use crate::bucket::LARGEST;

/// The encoder of a thread, with the memory it needs: some 300 KB, kept from one histogram to the next.
struct Encoder {
    /// The histogram that is encoded, in the library's form; empty between two of them.
    copy: hdrhistogram::Histogram<u64>,
    serializer: V2DeflateSerializer,
    bytes: Vec<u8>,
}

impl Encoder {
    fn new() -> Self {
        let copy = hdrhistogram::Histogram::new_with_bounds(1, LARGEST, 3).expect("bounds are constants");
        Self { copy, serializer: V2DeflateSerializer::new(), bytes: Vec::new() }
    }

    fn encode(&mut self, histogram: &Histogram) -> String {
        for (ns, count) in histogram.recorded() {
            self.copy.record_n(ns, count).expect("the bounds are those of our buckets");
        }
        self.bytes.clear();
        self.serializer
            .serialize(&self.copy, &mut self.bytes)
            .expect("a histogram of bounded size is written to memory");
        self.copy.reset();
        STANDARD.encode(&self.bytes)
    }
}

thread_local! {
    static ENCODER: RefCell<Encoder> = RefCell::new(Encoder::new());
}

impl Histogram {
    /// The whole histogram: V2 + DEFLATE of the HdrHistogram formats, in base64.
    pub fn encode(&self) -> String {
        ENCODER.with_borrow_mut(|encoder| encoder.encode(self))
    }

    /// Reads what `encode` wrote; `None` for anything else.
    pub fn decode(text: &str) -> Option<Self> {
        let bytes = STANDARD.decode(text).ok()?;
        let read: hdrhistogram::Histogram<u64> =
            Deserializer::new().deserialize(&mut bytes.as_slice()).ok()?;
        let mut histogram = Self::default();
        if read.max() > LARGEST {
            return None;
        }
        for one in read.iter_recorded() {
            histogram.record_many(one.value_iterated_to(), one.count_at_value());
        }
        Some(histogram)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn what_was_encoded_before_is_not_in_the_next() {
        let mut first = Histogram::default();
        first.record(1_000_000);
        let (empty, again) = (Histogram::default().encode(), first.encode());
        assert_eq!(first.encode(), again);
        assert_eq!(Histogram::default().encode(), empty);
        assert!(Histogram::decode(&empty).expect("our own encoding").is_empty());
    }

    #[test]
    fn the_text_is_that_of_the_reference_implementation() {
        let mut ours = Histogram::default();
        let mut theirs = hdrhistogram::Histogram::<u64>::new_with_bounds(1, LARGEST, 3).unwrap();
        let mut value = 1u64;
        for step in 0..20_000u64 {
            value = value.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(step | 1);
            let ns = value >> (22 + step % 40);
            ours.record(ns);
            theirs.saturating_record(ns);
        }
        let mut bytes = Vec::new();
        V2DeflateSerializer::new().serialize(&theirs, &mut bytes).unwrap();
        assert_eq!(ours.encode(), STANDARD.encode(bytes));
        assert_eq!(ours.count(), theirs.len());
        assert!((ours.mean_ns() / theirs.mean() - 1.0).abs() < 1e-12);
        for quantile in [0.0, 0.001, 0.5, 0.9, 0.99, 0.999, 1.0] {
            let reference = theirs.value_at_quantile(quantile).min(theirs.max());
            assert_eq!(ours.quantile_ns(quantile), reference, "{quantile}");
        }
    }
}
