//! Random strings and decimals of rows.

use std::io::Write;

use crate::Rng;

const SYMBOLS: &[u8; 62] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
const DIGITS: &[u8; 10] = b"0123456789";
const CAPITALS: &[u8; 26] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/// Characters drawn from one word of chance: with eight of them the bias stays below 1e-4.
const PER_DRAW: u64 = 8;

/// The word is a fraction of 1; each multiplication moves one character in front of the point.
fn put(rng: &mut Rng, alphabet: &[u8], length: u64, out: &mut Vec<u8>) {
    let mut left = length;
    while left > 0 {
        let mut fraction = rng.u64();
        let count = left.min(PER_DRAW);
        for _ in 0..count {
            let product = u128::from(fraction) * alphabet.len() as u128;
            fraction = product as u64;
            out.push(alphabet[(product >> 64) as usize]);
        }
        left -= count;
    }
}

/// Letters and digits, `low` to `high` of them, without quotes.
pub(crate) fn a_string(rng: &mut Rng, low: u64, high: u64, out: &mut Vec<u8>) {
    let length = rng.range(low, high);
    put(rng, SYMBOLS, length, out);
}

/// Digits of a fixed number.
pub(crate) fn digits(rng: &mut Rng, length: u64, out: &mut Vec<u8>) {
    put(rng, DIGITS, length, out);
}

/// Capital letters.
pub(crate) fn capitals(rng: &mut Rng, length: u64, out: &mut Vec<u8>) {
    put(rng, CAPITALS, length, out);
}

/// An unscaled decimal with two or four digits after the point.
pub(crate) fn decimal(unscaled: u64, scale: usize, out: &mut Vec<u8>) {
    let base = 10_u64.pow(scale as u32);
    // Writing to a vector cannot fail.
    let _ = write!(out, "{}.{:0scale$}", unscaled / base, unscaled % base);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_keep_to_their_range_and_every_symbol_comes() {
        let mut rng = Rng::keyed(&[1]);
        let mut seen = [0_u32; 256];
        let mut lengths = [0_u32; 30];
        for _ in 0..5_000 {
            let mut out = Vec::new();
            a_string(&mut rng, 14, 24, &mut out);
            lengths[out.len()] += 1;
            for byte in &out {
                seen[usize::from(*byte)] += 1;
            }
        }
        assert!(
            lengths.iter().enumerate().all(|(length, count)| (*count > 0) == (14..=24).contains(&length))
        );
        // About 1500 each, deviation 39: six of them.
        assert!(SYMBOLS.iter().all(|byte| seen[usize::from(*byte)].abs_diff(1532) < 240));
    }

    #[test]
    fn decimals_keep_their_zeros() {
        let mut out = Vec::new();
        decimal(5, 2, &mut out);
        out.push(b' ');
        decimal(12_345, 4, &mut out);
        assert_eq!(out, b"0.05 1.2345");
    }
}
