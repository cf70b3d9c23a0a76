//! Strings of the population (clause 4.3.2).

use crate::Rng;
pub(crate) use crate::text::{a_string, capitals, decimal, digits};

const MARK: &[u8] = b"ORIGINAL";

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
}
