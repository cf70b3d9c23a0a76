//! What a verified block holds: its place, a sequence number, a checksum over all of it.

use crate::pattern::Rng;

const MAGIC: u64 = 0x4153_5341_5953_5442;
/// Magic, file and offset, sequence, run, length, checksum.
const HEADER: usize = 48;

/// What makes a block that block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stamp {
    pub seed: u64,
    pub file: u32,
    pub offset: u64,
    /// Random number of the load: the same job a second time writes other blocks.
    pub run: u64,
    /// Number of the write among all of its worker, from 1.
    pub sequence: u64,
}

/// What a block turned out to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Read {
    /// Whole, written by this load with this sequence number.
    Whole {
        run: u64,
        sequence: u64,
    },
    /// Only zeros: never written.
    Blank,
    Bad(String),
}

/// Fills a block of at least 512 bytes.
pub fn write(block: &mut [u8], stamp: Stamp) {
    let mut rng = Rng::keyed(&[stamp.seed, stamp.file.into(), stamp.offset, stamp.sequence, stamp.run]);
    for word in block[HEADER..].chunks_mut(8) {
        let bytes = rng.word().to_le_bytes();
        word.copy_from_slice(&bytes[..word.len()]);
    }
    let length = block.len() as u32;
    let fields = [MAGIC, u64::from(stamp.file), stamp.offset, stamp.sequence, stamp.run];
    for (place, field) in block[..40].chunks_exact_mut(8).zip(fields) {
        place.copy_from_slice(&field.to_le_bytes());
    }
    block[40..44].copy_from_slice(&length.to_le_bytes());
    let sum = checksum(block);
    block[44..48].copy_from_slice(&sum.to_le_bytes());
}

/// Reads a block that should lie at this place.
pub fn read(block: &[u8], file: u32, offset: u64) -> Read {
    let word = |at: usize| u64::from_le_bytes(block[at..at + 8].try_into().expect("eight bytes"));
    if block.iter().all(|byte| *byte == 0) {
        return Read::Blank;
    }
    if word(0) != MAGIC {
        return Read::Bad("it does not begin as a verified block does".into());
    }
    let sum = u32::from_le_bytes(block[44..48].try_into().expect("four bytes"));
    if sum != checksum(block) {
        return Read::Bad("its checksum is wrong".into());
    }
    match (word(8), word(16)) {
        (at, place) if (at, place) == (file.into(), offset) => {
            Read::Whole { run: word(32), sequence: word(24) }
        }
        (at, place) => Read::Bad(format!("it is the block of byte {place} of file {at}")),
    }
}

fn checksum(block: &[u8]) -> u32 {
    let mut sum = crc32fast::Hasher::new();
    sum.update(&block[..44]);
    sum.update(&block[HEADER..]);
    sum.finalize()
}

#[cfg(test)]
mod tests {
    use super::*;

    const STAMP: Stamp = Stamp { seed: 1, file: 2, offset: 8192, run: 9, sequence: 3 };

    #[test]
    fn a_block_comes_back_and_any_flipped_bit_is_seen() {
        let mut block = vec![0; 4096];
        assert_eq!(read(&block, 2, 8192), Read::Blank);
        write(&mut block, STAMP);
        assert_eq!(read(&block, 2, 8192), Read::Whole { run: 9, sequence: 3 });
        for at in [0, 9, 20, 30, 37, 41, 45, 48, 4095] {
            block[at] ^= 4;
            assert!(matches!(read(&block, 2, 8192), Read::Bad(_)), "byte {at}");
            block[at] ^= 4;
        }
    }

    #[test]
    fn a_block_at_the_wrong_place_says_where_it_belongs() {
        let mut block = vec![0; 512];
        write(&mut block, STAMP);
        let Read::Bad(said) = read(&block, 2, 0) else { panic!("a misplaced block passed") };
        assert!(said.contains("byte 8192"), "{said}");
    }
}
