//! What a verified block holds. Every sector of it, the least that a disk writes in one piece, says by itself what it is:
//! place, load, number of the write, and a checksum over all of it. What is not so tells a torn block from a damaged one.

use assay_chance::Rng;

/// Bytes of a sector: the least that a disk writes in one piece. Verified blocks are multiples of it.
pub(crate) const SECTOR: usize = 512;
const MAGIC: u64 = 0x4153_5341_5953_5443;
/// Bytes of a sector's header: magic, file, offset, write, run, checksum.
const HEADER: usize = 44;
const WORD: usize = 8;

/// The identity of a sector: place, load and write. A block has that of its first sector.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stamp {
    pub file: u32,
    pub offset: u64,
    /// The load's random number: a job that runs a second time writes other blocks.
    pub run: u64,
    /// The number of the write among all of its worker, from 1.
    pub write: u64,
}

impl Stamp {
    fn at(self, bytes: usize) -> Self {
        Self { offset: self.offset + bytes as u64, ..self }
    }

    fn sector(self) -> [u8; SECTOR] {
        let mut sector = [0; SECTOR];
        let mut rng = Rng::blended(&[self.run, self.write, self.file.into(), self.offset]);
        for word in sector.chunks_exact_mut(WORD) {
            word.copy_from_slice(&rng.u64().to_le_bytes());
        }
        let fields = [MAGIC, self.file.into(), self.offset, self.write, self.run];
        for (place, field) in sector.chunks_exact_mut(WORD).zip(fields) {
            place.copy_from_slice(&field.to_le_bytes());
        }
        let sum = checksum(&sector);
        sector[HEADER - 4..HEADER].copy_from_slice(&sum.to_le_bytes());
        sector
    }
}

/// A sector as it was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sector {
    Whole(Stamp),
    /// Zeros alone.
    Blank,
    /// A damaged sector: no write ever put it there in one piece.
    Damaged,
}

/// A block as it was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Read {
    /// A whole block of one write, in its place.
    Whole(Stamp),
    /// Zeros alone: a block that was never written.
    Blank,
    /// A whole block that belongs to another place.
    Misplaced(Stamp),
    /// A torn block, whole sectors of several writes: from which byte on, whose.
    Torn(Vec<(usize, Sector)>),
    /// A damaged block; the first damaged sector is at this byte.
    Damaged(usize),
}

/// Fills a block of whole sectors with what one write puts there.
pub(crate) fn write(block: &mut [u8], stamp: Stamp) {
    for (number, sector) in block.chunks_exact_mut(SECTOR).enumerate() {
        sector.copy_from_slice(&stamp.at(number * SECTOR).sector());
    }
}

/// Reads a block that should lie at this place.
pub(crate) fn read(block: &[u8], file: u32, offset: u64) -> Read {
    let mut pieces: Vec<(usize, Sector)> = Vec::new();
    for (number, bytes) in block.chunks_exact(SECTOR).enumerate() {
        let at = number * SECTOR;
        let found = match sector(bytes) {
            Sector::Damaged => return Read::Damaged(at),
            Sector::Whole(stamp) if (stamp.file, stamp.offset) != (file, offset + at as u64) => {
                return Read::Misplaced(stamp);
            }
            Sector::Whole(stamp) => Sector::Whole(Stamp { offset, ..stamp }),
            Sector::Blank => Sector::Blank,
        };
        if pieces.last().is_none_or(|(_, last)| *last != found) {
            pieces.push((at, found));
        }
    }
    match pieces.as_slice() {
        [(_, Sector::Whole(stamp))] => Read::Whole(*stamp),
        [(_, Sector::Blank)] => Read::Blank,
        _ => Read::Torn(pieces),
    }
}

fn sector(bytes: &[u8]) -> Sector {
    let word = |at: usize| u64::from_le_bytes(bytes[at..at + WORD].try_into().expect("eight bytes"));
    let sum = u32::from_le_bytes(bytes[HEADER - 4..HEADER].try_into().expect("four bytes"));
    if word(0) == MAGIC && sum == checksum(bytes) {
        let (file, offset) = (word(8) as u32, word(16));
        Sector::Whole(Stamp { file, offset, write: word(24), run: word(32) })
    } else if bytes.iter().all(|byte| *byte == 0) {
        Sector::Blank
    } else {
        Sector::Damaged
    }
}

/// Whether every word of a block comes from one of these writes, or is empty where that is one of them: a copy that was
/// cut off within a sector. Returns those that have a part in it.
pub(crate) fn pieced(block: &[u8], writes: &[Option<Stamp>]) -> Option<Vec<Option<Stamp>>> {
    let mut parts = Vec::new();
    for (number, bytes) in block.chunks_exact(SECTOR).enumerate() {
        let at = number * SECTOR;
        let wanted: Vec<_> =
            writes.iter().map(|one| one.map_or([0; SECTOR], |stamp| stamp.at(at).sector())).collect();
        for (word, found) in bytes.chunks_exact(WORD).enumerate() {
            let place = word * WORD..(word + 1) * WORD;
            let whose: Vec<_> =
                (0..writes.len()).filter(|one| wanted[*one][place.clone()] == *found).collect();
            match whose.as_slice() {
                [] => return None,
                [one] if !parts.contains(&writes[*one]) => parts.push(writes[*one]),
                // What all of them have there tells nothing.
                _ => {}
            }
        }
    }
    Some(parts)
}

/// The first byte of a block that is not what this write put there: where, what it is, what it was.
pub(crate) fn difference(block: &[u8], stamp: Stamp) -> Option<(usize, u8, u8)> {
    let mut wanted = vec![0; block.len()];
    write(&mut wanted, stamp);
    let mut pairs = block.iter().zip(&wanted).enumerate();
    pairs.find_map(|(at, (found, wanted))| (found != wanted).then_some((at, *found, *wanted)))
}

fn checksum(sector: &[u8]) -> u32 {
    let mut sum = crc32fast::Hasher::new();
    sum.update(&sector[..HEADER - 4]);
    sum.update(&sector[HEADER..]);
    sum.finalize()
}

#[cfg(test)]
mod tests {
    use super::*;

    const STAMP: Stamp = Stamp { file: 2, offset: 8192, run: 9, write: 3 };
    const LATER: Stamp = Stamp { write: 8, ..STAMP };

    fn block(stamp: Stamp) -> Vec<u8> {
        let mut block = vec![0; 4096];
        write(&mut block, stamp);
        block
    }

    #[test]
    fn a_block_comes_back_and_any_flipped_bit_is_seen() {
        assert_eq!(read(&[0; 4096], 2, 8192), Read::Blank);
        let mut block = block(STAMP);
        assert_eq!(read(&block, 2, 8192), Read::Whole(STAMP));
        for at in 0..4096 {
            block[at] ^= 4;
            assert_eq!(read(&block, 2, 8192), Read::Damaged(at / SECTOR * SECTOR), "byte {at}");
            assert_eq!(difference(&block, STAMP), Some((at, block[at], block[at] ^ 4)));
            assert_eq!(pieced(&block, &[Some(STAMP), Some(LATER), None]), None, "byte {at}");
            block[at] ^= 4;
        }
    }

    #[test]
    fn a_block_at_the_wrong_place_says_where_it_belongs() {
        assert_eq!(read(&block(STAMP), 2, 0), Read::Misplaced(STAMP));
        assert_eq!(read(&block(STAMP), 1, 8192), Read::Misplaced(STAMP));
    }

    #[test]
    fn a_block_of_two_writes_says_whose_its_parts_are() {
        let mut torn = block(STAMP);
        torn[..1024].copy_from_slice(&block(LATER)[..1024]);
        let parts = vec![(0, Sector::Whole(LATER)), (1024, Sector::Whole(STAMP))];
        assert_eq!(read(&torn, 2, 8192), Read::Torn(parts));
        torn[2048..].fill(0);
        let Read::Torn(parts) = read(&torn, 2, 8192) else { panic!("half a block passed") };
        assert_eq!(parts[2], (2048, Sector::Blank));
    }

    #[test]
    fn a_copy_that_was_cut_off_within_a_sector_is_of_both_writes() {
        for cut in (8..4096).step_by(8) {
            let mut torn = block(STAMP);
            torn[..cut].copy_from_slice(&block(LATER)[..cut]);
            let parts = pieced(&torn, &[Some(STAMP), Some(LATER), None]).expect("two writes");
            assert!(parts.contains(&Some(STAMP)) && !parts.contains(&None), "{cut}: {parts:?}");
            assert_eq!(parts.contains(&Some(LATER)), cut > 24, "the first words are the same in both");
        }
    }
}
