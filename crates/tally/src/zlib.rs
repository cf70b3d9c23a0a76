//! Bytes as a zlib stream (RFC 1950) of stored blocks (RFC 1951, 3.2.4), which every reader of compressed histograms reads.
//!
//! Nothing is compressed: a general compressor empties tables of some hundred kilobytes before each text, which for the
//! hundred bytes of a usual histogram is nearly all of its work.

/// A window of 32 KiB, of which nothing is used; the quickest level. The two bytes are a multiple of 31, as RFC 1950 asks.
const HEAD: [u8; 2] = [0x78, 0x01];
/// The most bytes that one stored block holds.
const LONGEST: usize = u16::MAX as usize;

/// Appends `text` as a zlib stream.
pub(crate) fn store(text: &[u8], out: &mut Vec<u8>) {
    out.extend(HEAD);
    let mut left = text;
    loop {
        let (block, rest) = left.split_at(left.len().min(LONGEST));
        let length = block.len() as u16;
        out.push(u8::from(rest.is_empty()));
        out.extend(length.to_le_bytes());
        out.extend((!length).to_le_bytes());
        out.extend(block);
        if rest.is_empty() {
            break;
        }
        left = rest;
    }
    out.extend(adler2::adler32_slice(text).to_be_bytes());
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;
    use flate2::read::ZlibDecoder;
    use proptest::prelude::*;

    fn inflated(packed: &[u8]) -> Vec<u8> {
        let mut text = Vec::new();
        ZlibDecoder::new(packed).read_to_end(&mut text).expect("a whole zlib stream with its checksum");
        text
    }

    #[test]
    fn texts_around_the_length_of_a_block_come_back() {
        for length in [0, 1, LONGEST - 1, LONGEST, LONGEST + 1, 2 * LONGEST, 2 * LONGEST + 1] {
            let text: Vec<u8> = (0..length).map(|place| (place % 251) as u8).collect();
            let mut packed = Vec::new();
            store(&text, &mut packed);
            assert_eq!(inflated(&packed), text);
            let blocks = length.div_ceil(LONGEST).max(1);
            assert_eq!(packed.len(), HEAD.len() + 5 * blocks + length + 4);
        }
    }

    proptest! {
        #[test]
        fn any_bytes_come_back(text in prop::collection::vec(any::<u8>(), 0..2000)) {
            let mut packed = Vec::new();
            store(&text, &mut packed);
            prop_assert_eq!(inflated(&packed), text);
        }
    }
}
