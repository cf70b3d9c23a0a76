//! DEFLATE (RFC 1951) in zlib's wrapper (RFC 1950), by one Huffman code that is made beforehand for the bytes of histograms.
//!
//! A compressor for anything learns the code of each text, in tables of some hundred kilobytes that are emptied before it:
//! for the hundred bytes of a usual histogram that is nearly all of its work. Histograms are alike: mostly counts of 1 and
//! 2, and short runs of nothing. The texts repeat little else, so that looking for repetitions gains little besides.

use std::sync::LazyLock;

/// Symbols of the code: 256 bytes, and the end.
const SYMBOLS: usize = 257;
const END: usize = 256;

/// The code: lengths of its words, each with the number of symbols in a row that have it. Fitted to intervals of TPC-C at
/// 100 to 1000 transactions a second.
const LENGTHS: [(usize, usize); 11] =
    [(3, 1), (6, 1), (2, 1), (4, 1), (3, 1), (5, 3), (6, 8), (8, 16), (10, 32), (11, 192), (6, 1)];

/// The code in which a block says the lengths of its code: a length, or [`AGAIN`] for more of the one before.
const LENGTHS_OF_LENGTHS: [u8; 19] = [0, 5, 5, 4, 4, 4, 4, 0, 4, 0, 4, 4, 0, 0, 0, 0, 1, 0, 0];
const AGAIN: usize = 16;
const AGAIN_MOST: usize = 6;
/// The order in which a block says the lengths of that code; none behind the length 1 has any.
const ORDER: [usize; 18] = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1];

/// A word of a code as it is written, and how many bits it has.
type Word = (u16, u8);

static BLOCK: LazyLock<Block> = LazyLock::new(Block::new);

/// What all texts have: the code, and how a block that uses it begins.
struct Block {
    words: [Word; SYMBOLS],
    /// The wrapper's own head among it.
    head: Bits,
}

impl Block {
    fn new() -> Self {
        let mut lengths = [0; SYMBOLS];
        let each = LENGTHS.iter().flat_map(|(length, count)| std::iter::repeat_n(*length as u8, *count));
        lengths.iter_mut().zip(each).for_each(|(length, one)| *length = one);
        Self { words: words(lengths), head: Self::head() }
    }

    fn head() -> Bits {
        let mut head = Bits::default();
        // A window of 32 KiB, of which nothing is used; the quickest way of compressing.
        head.extend([(0x78, 8), (0x01, 8)]);
        // The last block; of a code of its own; of 257 symbols; one distance, which is never used.
        head.extend([(1, 1), (2, 2), (0, 5), (0, 5), (ORDER.len() as u16 - 4, 4)]);
        head.extend(ORDER.map(|length| (LENGTHS_OF_LENGTHS[length].into(), 3)));
        let words = words(LENGTHS_OF_LENGTHS);
        for (length, count) in LENGTHS.into_iter().chain([(1, 1)]) {
            head.push(words[length]);
            let mut left = count - 1;
            while left > 0 {
                // A repetition is of 3 at least.
                let more = left.min(AGAIN_MOST);
                if more < 3 {
                    head.push(words[length]);
                    left -= 1;
                } else {
                    head.extend([words[AGAIN], (more as u16 - 3, 2)]);
                    left -= more;
                }
            }
        }
        head
    }
}

/// The words of the code with these lengths, 0 for symbols that have none (RFC 1951, 3.2.2).
fn words<const COUNT: usize>(lengths: [u8; COUNT]) -> [Word; COUNT] {
    let mut words = [(0, 0); COUNT];
    let mut next = 0u16;
    for length in 1..16u8 {
        next <<= 1;
        for (word, _) in words.iter_mut().zip(lengths).filter(|(_, its)| *its == length) {
            // A word is written from its highest bit on.
            *word = (next.reverse_bits() >> (16 - length), length);
            next += 1;
        }
    }
    words
}

/// Words one behind the other, each from the lowest bit of a byte on.
#[derive(Clone, Default)]
struct Bits {
    bytes: Vec<u8>,
    /// What is not in `bytes` yet: under 32 bits.
    held: u64,
    count: u32,
}

impl Bits {
    #[inline]
    fn push(&mut self, (word, bits): Word) {
        self.held |= u64::from(word) << self.count;
        self.count += u32::from(bits);
        if self.count >= u32::BITS {
            self.bytes.extend((self.held as u32).to_le_bytes());
            self.held >>= u32::BITS;
            self.count -= u32::BITS;
        }
    }

    #[inline]
    fn extend(&mut self, words: impl IntoIterator<Item = Word>) {
        for word in words {
            self.push(word);
        }
    }

    /// Fills the last byte up.
    fn end(&mut self) {
        let bytes = self.count.div_ceil(u8::BITS) as usize;
        self.bytes.extend(&self.held.to_le_bytes()[..bytes]);
    }
}

/// Appends `text`, compressed.
pub(crate) fn deflate(text: &[u8], out: &mut Vec<u8>) {
    let Block { words, head } = &*BLOCK;
    out.extend(&head.bytes);
    let mut bits = Bits { bytes: std::mem::take(out), ..*head };
    bits.extend(text.iter().map(|byte| words[usize::from(*byte)]));
    bits.push(words[END]);
    bits.end();
    *out = bits.bytes;
    out.extend(adler32(text).to_be_bytes());
}

/// The checksum of zlib's wrapper (RFC 1950, 8.2).
fn adler32(text: &[u8]) -> u32 {
    const MODULUS: u32 = 65521;
    /// So many bytes are added before a sum of 32 bits can overflow.
    const SAFE: usize = 5552;
    let (mut low, mut high) = (1u32, 0u32);
    for part in text.chunks(SAFE) {
        for byte in part {
            low += u32::from(*byte);
            high += low;
        }
        low %= MODULUS;
        high %= MODULUS;
    }
    high << 16 | low
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;
    use flate2::read::ZlibDecoder;
    use proptest::prelude::*;

    fn inflated(packed: &[u8]) -> Vec<u8> {
        let mut text = Vec::new();
        ZlibDecoder::new(packed).read_to_end(&mut text).expect("a whole stream of zlib's, checksum and all");
        text
    }

    #[test]
    fn both_codes_use_every_word_there_is() {
        let room = |lengths: &mut dyn Iterator<Item = usize>| -> usize {
            lengths.filter(|length| *length > 0).map(|length| (1 << 15) >> length).sum()
        };
        let symbols = LENGTHS.iter().flat_map(|(length, count)| std::iter::repeat_n(*length, *count));
        assert_eq!(symbols.clone().count(), SYMBOLS);
        assert_eq!(room(&mut symbols.into_iter()), 1 << 15);
        assert_eq!(room(&mut LENGTHS_OF_LENGTHS.iter().map(|length| usize::from(*length))), 1 << 15);
    }

    #[test]
    fn a_long_text_has_its_checksum() {
        for byte in [0u8, 0xff] {
            let text = vec![byte; 100_000];
            let mut packed = Vec::new();
            deflate(&text, &mut packed);
            assert_eq!(inflated(&packed), text);
        }
    }

    proptest! {
        #[test]
        fn any_bytes_come_back(text in prop::collection::vec(any::<u8>(), 0..2000)) {
            let mut packed = Vec::new();
            deflate(&text, &mut packed);
            prop_assert_eq!(inflated(&packed), text);
        }
    }
}
