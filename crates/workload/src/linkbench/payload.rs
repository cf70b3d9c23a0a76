//! What nodes and links carry: bytes of a size and a compressibility.

use crate::Rng;
use crate::linkbench::distribution::{Distribution, Shape};

/// Longest data of a link and of a node.
const LINK_MOST: u64 = 255;
const NODE_MOST: u64 = 1 << 20;
/// Longest run of new bytes, or of a copied motif.
const CHUNK: usize = 128;

/// First word of keys: motifs are not drawn from the numbers of chunks.
const MOTIF: u64 = 0x6d6f_7469;

/// Bytes in a range, new ones or a slice of a motif that comes again and again: a single value compresses badly, many of
/// them together well.
#[derive(Debug, Clone)]
pub(crate) struct Bytes {
    first: u8,
    /// How many different bytes there are.
    kinds: u64,
    /// Share of the chunks that are new, of 1.
    uniqueness: f64,
    motif: Vec<u8>,
}

impl Bytes {
    /// `number` tells the generators of a workload apart.
    pub(crate) fn new(seed: u64, number: u64, first: u8, last: u8, motif: Option<(f64, usize)>) -> Self {
        let (uniqueness, length) = motif.unwrap_or((1.0, 0));
        let mut bytes = Self { first, kinds: u64::from(last - first) + 1, uniqueness, motif: Vec::new() };
        let mut motif = Vec::new();
        bytes.fresh(length, &mut Rng::keyed(&[MOTIF, seed, number]), &mut motif);
        bytes.motif = motif;
        bytes
    }

    /// Appends `length` bytes.
    pub(crate) fn put(&self, length: usize, rng: &mut Rng, out: &mut Vec<u8>) {
        let most = if self.motif.is_empty() { CHUNK } else { CHUNK.min(self.motif.len()) };
        let mut left = length;
        while left > 0 {
            let chunk = left.min(most);
            if self.motif.is_empty() || rng.unit() < self.uniqueness {
                self.fresh(chunk, rng, out);
            } else {
                let at = rng.range(0, (self.motif.len() - chunk) as u64) as usize;
                out.extend_from_slice(&self.motif[at..at + chunk]);
            }
            left -= chunk;
        }
    }

    /// Six bytes from one word of chance: the word is a fraction of 1, each multiplication moves one in front of the point.
    fn fresh(&self, length: usize, rng: &mut Rng, out: &mut Vec<u8>) {
        let mut left = length;
        while left > 0 {
            let mut fraction = rng.u64();
            let count = left.min(6);
            for _ in 0..count {
                let product = u128::from(fraction) * u128::from(self.kinds);
                fraction = product as u64;
                out.push(self.first + (product >> 64) as u8);
            }
            left -= count;
        }
    }
}

/// Sizes and bytes of one kind of data.
#[derive(Debug, Clone)]
pub(crate) struct Payload {
    size: Distribution,
    bytes: Bytes,
}

impl Payload {
    pub(crate) fn of_link(median: f64, bytes: Bytes) -> Self {
        Self { size: sizes(median, LINK_MOST), bytes }
    }

    pub(crate) fn of_node(median: f64, bytes: Bytes) -> Self {
        Self { size: sizes(median, NODE_MOST), bytes }
    }

    /// Appends the next one.
    pub(crate) fn put(&self, rng: &mut Rng, out: &mut Vec<u8>) {
        let size = self.size.draw(rng) as usize;
        self.bytes.put(size, rng, out);
    }
}

/// Log-normal around a median, with a standard deviation of 1 of the logarithm.
fn sizes(median: f64, most: u64) -> Distribution {
    Distribution { min: 0, max: most, shape: Shape::LogNormal { median, sigma: 1.0 } }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::ZlibEncoder;

    use super::*;

    fn drawn(payload: &Payload, count: usize) -> Vec<Vec<u8>> {
        let mut rng = Rng::keyed(&[1]);
        (0..count)
            .map(|_| {
                let mut out = Vec::new();
                payload.put(&mut rng, &mut out);
                out
            })
            .collect()
    }

    fn mean(all: &[Vec<u8>]) -> f64 {
        all.iter().map(Vec::len).sum::<usize>() as f64 / all.len() as f64
    }

    #[test]
    fn sizes_are_those_of_the_original() {
        // Means of a million draws of the original.
        let links = drawn(&Payload::of_link(8.0, Bytes::new(1, 0, 32, 100, Some((0.225, 512)))), 200_000);
        assert!((mean(&links) - 13.2).abs() < 0.15, "{}", mean(&links));
        assert!(
            links.iter().all(|data| data.len() < 255 && data.iter().all(|byte| (32..=100).contains(byte)))
        );
        let nodes = drawn(&Payload::of_node(128.0, Bytes::new(1, 0, 50, 220, Some((0.63, 512)))), 200_000);
        assert!((mean(&nodes) - 211.6).abs() < 2.5, "{}", mean(&nodes));
        let mut lengths: Vec<usize> = nodes.iter().map(Vec::len).collect();
        lengths.sort_unstable();
        assert!((125..=131).contains(&lengths[100_000]), "{}", lengths[100_000]);
    }

    #[test]
    fn compressibility_follows_uniqueness() {
        let ratio = |uniqueness| {
            let bytes = Bytes::new(1, 0, 50, 220, Some((uniqueness, 512)));
            let all = drawn(&Payload::of_node(128.0, bytes), 5_000).concat();
            let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
            encoder.write_all(&all).expect("memory");
            encoder.finish().expect("memory").len() as f64 / all.len() as f64
        };
        let ratios = [0.0, 0.63, 1.0].map(ratio);
        // 171 different bytes: no more than 7.42 of 8 bits each.
        assert!(ratios[0] < 0.1 && (0.55..0.7).contains(&ratios[1]) && ratios[2] > 0.9, "{ratios:?}");
    }

    #[test]
    fn without_a_motif_all_bytes_are_new() {
        let mut out = Vec::new();
        Bytes::new(1, 0, 7, 9, None).put(3_000, &mut Rng::keyed(&[2]), &mut out);
        for byte in 7..=9 {
            // 1000 each, deviation 26.
            let seen = out.split(|it| *it == byte).count() - 1;
            assert!(seen.abs_diff(1000) < 130);
        }
    }
}
