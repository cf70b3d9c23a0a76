//! The filler columns: groups of eleven random digits joined by dashes.

use crate::Rng;

const GROUP: usize = 11;

/// Length of column c: ten groups.
pub(crate) const C_LEN: usize = 10 * (GROUP + 1) - 1;
/// Length of column pad: five groups.
pub(crate) const PAD_LEN: usize = 5 * (GROUP + 1) - 1;

/// `00` to `99`: digits are written two at a time.
const PAIRS: [[u8; 2]; 100] = {
    let mut pairs = [[0; 2]; 100];
    let mut i = 0;
    while i < 100 {
        pairs[i] = [b'0' + (i / 10) as u8, b'0' + (i % 10) as u8];
        i += 1;
    }
    pairs
};

pub(crate) fn c_value(rng: &mut Rng) -> [u8; C_LEN] {
    groups(rng)
}

pub(crate) fn pad_value(rng: &mut Rng) -> [u8; PAD_LEN] {
    groups(rng)
}

/// One draw a group: its 64 bits are a fraction of 1, and each multiplication by 100 moves two decimals in front of
/// the point. After eleven digits the bias is below 1e-8.
fn groups<const N: usize>(rng: &mut Rng) -> [u8; N] {
    let mut out = [b'-'; N];
    for group in out.chunks_mut(GROUP + 1) {
        let mut fraction = rng.u64();
        let mut shift = |base: u64| {
            let product = u128::from(fraction) * u128::from(base);
            fraction = product as u64;
            (product >> 64) as usize
        };
        for pair in group[..GROUP - 1].chunks_exact_mut(2) {
            pair.copy_from_slice(&PAIRS[shift(100)]);
        }
        group[GROUP - 1] = b'0' + shift(10) as u8;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_have_the_shape_of_sysbench() {
        let mut rng = Rng::keyed(&[1]);
        let (c, pad) = (c_value(&mut rng), pad_value(&mut rng));
        assert_eq!((c.len(), pad.len()), (119, 59));
        for value in [&c[..], &pad[..]] {
            for group in value.split(|&byte| byte == b'-') {
                assert_eq!(group.len(), 11);
                assert!(group.iter().all(u8::is_ascii_digit));
            }
        }
    }

    #[test]
    fn every_place_holds_every_digit_alike() {
        let mut rng = Rng::keyed(&[2]);
        let mut seen = [[0_u32; 10]; C_LEN];
        for _ in 0..5_000 {
            for (place, digit) in c_value(&mut rng).into_iter().enumerate().filter(|(_, byte)| *byte != b'-')
            {
                seen[place][usize::from(digit - b'0')] += 1;
            }
        }
        for (place, counts) in seen.iter().enumerate().filter(|(place, _)| (place + 1) % 12 != 0) {
            // 500 expected, deviation 21: six of them.
            assert!(counts.iter().all(|count| count.abs_diff(500) < 130), "{place}: {counts:?}");
        }
    }
}
