//! Buckets of an HDR histogram of three significant digits: which values share a count. The layout is that of the
//! HdrHistogram formats, so that counts travel as they are.

/// The number of buckets for each doubling of the value: values below twice this many have a bucket each; beyond, each
/// doubling of the value has this many buckets.
const HALF: usize = 1 << HALF_BITS;
const HALF_BITS: u32 = 10;

/// Largest value with a bucket of its own kind (73 minutes in nanoseconds); larger ones are counted as this.
pub(crate) const LARGEST: u64 = (1 << 42) - 1;

/// Buckets from 0 to [`LARGEST`].
pub(crate) const COUNT: usize = index(LARGEST) + 1;

/// The number of low bits of a value that its bucket does not keep.
const fn dropped_bits(value: u64) -> u32 {
    let kept = (value | (2 * HALF as u64 - 1)).leading_zeros();
    64 - (HALF_BITS + 1) - kept
}

/// Number of the bucket of a value up to [`LARGEST`].
#[inline]
pub(crate) const fn index(value: u64) -> usize {
    let dropped = dropped_bits(value);
    ((dropped as usize) << HALF_BITS) + (value >> dropped) as usize
}

/// Smallest value of a bucket, and how many values there are in it.
pub(crate) const fn lowest_and_width(index: usize) -> (u64, u64) {
    let dropped = (index >> HALF_BITS).saturating_sub(1);
    (((index - (dropped << HALF_BITS)) as u64) << dropped, 1 << dropped)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bucket_begins_where_the_one_before_ends() {
        let mut next = 0;
        for number in 0..COUNT {
            let (lowest, width) = lowest_and_width(number);
            assert_eq!(lowest, next, "bucket {number}");
            assert_eq!((index(lowest), index(lowest + width - 1)), (number, number));
            next = lowest + width;
        }
        assert_eq!(next, LARGEST + 1);
    }

    #[test]
    fn a_bucket_is_never_wider_than_a_thousandth_of_its_values() {
        for number in 0..COUNT {
            let (lowest, width) = lowest_and_width(number);
            assert!(width == 1 || width * 1000 <= lowest, "bucket {number}");
        }
    }
}
