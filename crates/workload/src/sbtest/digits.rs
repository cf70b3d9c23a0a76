//! The filler columns: groups of eleven random digits joined by dashes.

use crate::Rng;
use crate::sbtest::SbtestOptions;

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

/// Values for the columns c and pad. The share that is the same in all rows is the end of each value, zeros for its
/// digits: a compressor takes it for next to nothing, and the rest is what it is without that share.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Filler {
    compressible: u8,
}

impl Filler {
    pub(crate) fn new(options: &SbtestOptions) -> Self {
        Self { compressible: options.tables.compressible.min(100) }
    }

    pub(crate) fn c(self, rng: &mut Rng) -> [u8; C_LEN] {
        self.value(rng)
    }

    pub(crate) fn pad(self, rng: &mut Rng) -> [u8; PAD_LEN] {
        self.value(rng)
    }

    fn value<const N: usize>(self, rng: &mut Rng) -> [u8; N] {
        let mut value = groups(rng);
        let own = N - (N * usize::from(self.compressible) + 50) / 100;
        for byte in value[own..].iter_mut().filter(|byte| **byte != b'-') {
            *byte = b'0';
        }
        value
    }
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
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::ZlibEncoder;

    use super::*;

    const PLAIN: Filler = Filler { compressible: 0 };

    /// What zlib makes of a page's worth of values.
    fn deflated(compressible: u8) -> usize {
        let (filler, mut rng) = (Filler { compressible }, Rng::keyed(&[3]));
        let mut zlib = ZlibEncoder::new(Vec::new(), Compression::new(6));
        for _ in 0..80 {
            zlib.write_all(&filler.c(&mut rng)).expect("memory");
            zlib.write_all(&filler.pad(&mut rng)).expect("memory");
        }
        zlib.finish().expect("memory").len()
    }

    #[test]
    fn a_compressor_takes_away_about_the_share_that_is_asked_for() {
        let sizes: Vec<f64> = (0..=100).step_by(10).map(|share| deflated(share) as f64).collect();
        for (step, pair) in sizes.windows(2).enumerate() {
            assert!(pair[1] < pair[0], "{} %: {sizes:?}", 10 * (step + 1));
        }
        for (step, size) in sizes.iter().enumerate() {
            let left = 1.0 - step as f64 / 10.0;
            assert!((size / sizes[0] - left).abs() < 0.08, "{} %: {sizes:?}", 10 * step);
        }
    }

    #[test]
    fn rows_differ_in_the_rest_alone() {
        let half = Filler { compressible: 50 };
        let (plain, repeating) = (PLAIN.c(&mut Rng::keyed(&[4])), half.c(&mut Rng::keyed(&[4])));
        assert_eq!(plain[..59], repeating[..59]);
        assert_eq!(half.c(&mut Rng::keyed(&[5]))[59..], repeating[59..]);
    }

    #[test]
    fn values_have_the_shape_of_sysbench() {
        let mut rng = Rng::keyed(&[1]);
        let (c, pad) = (PLAIN.c(&mut rng), PLAIN.pad(&mut rng));
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
            for (place, digit) in PLAIN.c(&mut rng).into_iter().enumerate().filter(|(_, byte)| *byte != b'-')
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
