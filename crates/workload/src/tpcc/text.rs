//! Strings of the population (clause 4.3.2).

use std::io::Write;

use crate::Rng;

const SYMBOLS: &[u8; 62] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
const DIGITS: &[u8; 10] = b"0123456789";
const CAPITALS: &[u8; 26] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const MARK: &[u8] = b"ORIGINAL";

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

/// `a-string [low .. high]`, without quotes.
pub(crate) fn a_string(rng: &mut Rng, low: u64, high: u64, out: &mut Vec<u8>) {
    let length = rng.range(low, high);
    put(rng, SYMBOLS, length, out);
}

/// `n-string` of a fixed length.
pub(crate) fn digits(rng: &mut Rng, length: u64, out: &mut Vec<u8>) {
    put(rng, DIGITS, length, out);
}

/// Capital letters.
pub(crate) fn capitals(rng: &mut Rng, length: u64, out: &mut Vec<u8>) {
    put(rng, CAPITALS, length, out);
}

/// `a-string [26 .. 50]`; with a chance of 10 % it holds ORIGINAL somewhere.
pub(crate) fn data(rng: &mut Rng, out: &mut Vec<u8>) {
    let start = out.len();
    a_string(rng, 26, 50, out);
    if rng.range(1, 10) == 1 {
        let last = (out.len() - start - MARK.len()) as u64;
        let at = start + rng.range(0, last) as usize;
        out[at..at + MARK.len()].copy_from_slice(MARK);
    }
}

/// Whether ORIGINAL is in a text.
#[cfg(test)]
pub(crate) fn is_original(text: &[u8]) -> bool {
    text.windows(MARK.len()).any(|part| part == MARK)
}

/// Four random digits, then 11111.
pub(crate) fn zip(rng: &mut Rng, out: &mut Vec<u8>) {
    digits(rng, 4, out);
    out.extend_from_slice(b"11111");
}

const SYLLABLES: [&str; 10] =
    ["BAR", "OUGHT", "ABLE", "PRI", "PRES", "ESE", "ANTI", "CALLY", "ATION", "EING"];

/// Longest last name.
pub(crate) const LAST_NAME_MOST: usize = 15;

/// The last name of a number from 0 to 999 (clause 4.3.2.3).
pub(crate) fn last_name(number: u64, out: &mut Vec<u8>) {
    for digit in [number / 100 % 10, number / 10 % 10, number % 10] {
        out.extend_from_slice(SYLLABLES[digit as usize].as_bytes());
    }
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

    fn name(number: u64) -> String {
        let mut out = Vec::new();
        last_name(number, &mut out);
        String::from_utf8(out).expect("ASCII")
    }

    #[test]
    fn last_names_are_three_syllables() {
        assert_eq!([name(371), name(0), name(999)], ["PRICALLYOUGHT", "BARBARBAR", "EINGEINGEING"]);
        assert_eq!((0..1000).map(|number| name(number).len()).max(), Some(LAST_NAME_MOST));
        let mut all: Vec<String> = (0..1000).map(name).collect();
        all.sort();
        all.dedup();
        assert_eq!(all.len(), 1000);
    }

    #[test]
    fn lengths_keep_to_their_range_and_every_symbol_comes() {
        let mut rng = Rng::keyed(&[1]);
        let mut seen = [0_u32; 256];
        let mut lengths = [0_u32; 30];
        for _ in 0..5_000 {
            let mut out = Vec::new();
            a_string(&mut rng, 14, 24, &mut out);
            lengths[out.len()] += 1;
            out.iter().for_each(|byte| seen[usize::from(*byte)] += 1);
        }
        assert!(
            lengths.iter().enumerate().all(|(length, count)| (*count > 0) == (14..=24).contains(&length))
        );
        // About 1500 each, deviation 39: six of them.
        assert!(SYMBOLS.iter().all(|byte| seen[usize::from(*byte)].abs_diff(1532) < 240));
    }

    #[test]
    fn a_tenth_of_the_data_is_original_anywhere_in_it() {
        let mut rng = Rng::keyed(&[2]);
        let (mut marked, mut first, mut last) = (0, false, false);
        for _ in 0..20_000 {
            let mut out = vec![b'x'];
            data(&mut rng, &mut out);
            assert!((27..=51).contains(&out.len()));
            if is_original(&out) {
                marked += 1;
                first |= out[1..].starts_with(MARK);
                last |= out.ends_with(MARK);
            }
        }
        // Deviation 42.
        assert!((1_800..2_200).contains(&marked), "{marked}");
        assert!(first && last);
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
