//! Histograms as text: V2 + DEFLATE of the HdrHistogram formats, in stored blocks, in base64.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hdrhistogram::serialization::Deserializer;

use crate::Histogram;
use crate::bucket::LARGEST;
use crate::zlib::store;

// What the forms begin with; the 1 before the last digit says that counts are of variable length.
const PLAIN: u32 = 0x1c84_9313;
const COMPRESSED: u32 = 0x1c84_9314;
/// Bytes before the counts.
const HEADER: usize = 40;
const DIGITS: u32 = 3;

impl Histogram {
    /// The whole histogram: V2 + DEFLATE of the HdrHistogram formats, in base64.
    pub fn encode(&self) -> String {
        let plain = self.plain();
        let mut packed = Vec::with_capacity(64 + plain.len());
        packed.extend(COMPRESSED.to_be_bytes());
        packed.extend([0; 4]);
        store(&plain, &mut packed);
        let length = packed.len() as u32 - 8;
        packed[4..8].copy_from_slice(&length.to_be_bytes());
        STANDARD.encode(&packed)
    }

    /// The histogram in the V2 format, which only counts that are not 0 take time to write.
    fn plain(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(1024);
        out.extend(PLAIN.to_be_bytes());
        // Length of the counts, not known yet; no shift of their places.
        out.extend([0; 8]);
        out.extend(DIGITS.to_be_bytes());
        // Smallest and largest value, and what a value is multiplied with.
        out.extend(1u64.to_be_bytes());
        out.extend(LARGEST.to_be_bytes());
        out.extend(1f64.to_be_bytes());
        debug_assert_eq!(out.len(), HEADER);
        let mut next = 0;
        self.buckets().for_each(|(bucket, count)| {
            match bucket - next {
                0 => {}
                // One empty bucket is a count, several are a run.
                1 => number(&mut out, 0),
                empty => number(&mut out, -(empty as i64)),
            }
            number(&mut out, count as i64);
            next = bucket + 1;
        });
        if next == 0 {
            number(&mut out, 0);
        }
        let length = (out.len() - HEADER) as u32;
        out[4..8].copy_from_slice(&length.to_be_bytes());
        out
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

/// Appends a number of the V2 format: ZigZag, then LEB128 whose ninth byte is whole.
#[inline]
fn number(out: &mut Vec<u8>, value: i64) {
    let mut left = (value << 1 ^ value >> 63) as u64;
    for _ in 0..8 {
        if left < 0x80 {
            break;
        }
        out.push(left as u8 | 0x80);
        left >>= 7;
    }
    out.push(left as u8);
}

#[cfg(test)]
mod tests {
    use super::*;
    use hdrhistogram::serialization::{Serializer, V2Serializer};
    use proptest::prelude::*;

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

    /// Times of every size, some of them often.
    fn times() -> impl Strategy<Value = Vec<(u64, u64)>> {
        let time = (0..u64::BITS, any::<u64>()).prop_map(|(shift, bits)| bits >> shift);
        let count = prop_oneof![4 => 1..4u64, 1 => 1..100_000u64, 1 => 1..1u64 << 40];
        prop::collection::vec((time, count), 0..400)
    }

    proptest! {
        #[test]
        fn the_reference_writes_the_same_bytes_and_reads_the_same_counts(times in times()) {
            let mut ours = Histogram::default();
            let mut theirs = hdrhistogram::Histogram::<u64>::new_with_bounds(1, LARGEST, DIGITS as u8).unwrap();
            for (ns, count) in times {
                ours.record_many(ns, count);
                theirs.saturating_record_n(ns, count);
            }
            let mut bytes = Vec::new();
            V2Serializer::new().serialize(&theirs, &mut bytes).unwrap();
            prop_assert_eq!(ours.plain(), bytes);

            let packed = STANDARD.decode(ours.encode()).unwrap();
            let read: hdrhistogram::Histogram<u64> = Deserializer::new().deserialize(&mut packed.as_slice()).unwrap();
            prop_assert_eq!(&read, &theirs);
            prop_assert_eq!(ours.count(), theirs.len());
            for quantile in [0.0, 0.001, 0.5, 0.9, 0.99, 0.999, 1.0] {
                let reference = theirs.value_at_quantile(quantile).min(theirs.max());
                prop_assert_eq!(ours.quantile_ns(quantile), reference, "{}", quantile);
            }
            prop_assert_eq!(ours.max_ns(), theirs.max());
            if ours.count() > 0 {
                prop_assert!((ours.mean_ns() - theirs.mean()).abs() <= 1e-9 * theirs.mean());
            }
        }
    }
}
