//! The judgement on a block that was read back.

use crate::expected::Expected;
use crate::stamp::{self, Read, Sector, Stamp};
use crate::verify::Flaw;

/// The judgement on one block.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Judgement {
    Whole,
    Blank,
    Stale,
    Flawed(Flaw, String),
}

/// Judges a block of a load without a ledger: nobody knows which writes there were.
pub(super) fn unknown(found: Read, block: &[u8], place: Stamp) -> Judgement {
    match found {
        Read::Whole(_) => Judgement::Whole,
        Read::Blank => Judgement::Blank,
        Read::Misplaced(stamp) => misplaced(stamp),
        Read::Torn(pieces) => Judgement::Flawed(Flaw::Torn, parts(&pieces, None)),
        Read::Damaged(at) => Judgement::Flawed(Flaw::Damaged, damage(block, at, place, None)),
    }
}

/// The writes that one block of a load may hold, from its ledger.
pub(super) struct KnownWrites<'a> {
    pub expected: &'a Expected,
    pub block: u64,
    /// The file and offset of the block.
    pub place: Stamp,
}

impl KnownWrites<'_> {
    pub(super) fn judge(&self, found: Read, block: &[u8]) -> Judgement {
        let (last, run) = (self.expected.last(self.block), self.expected.run);
        let untouched = last == 0 && self.expected.open(self.block).is_none();
        match found {
            Read::Whole(stamp) if stamp.run == run && stamp.write >= last => Judgement::Whole,
            Read::Whole(_) if last == 0 => Judgement::Stale,
            Read::Blank if last == 0 => Judgement::Blank,
            Read::Whole(stamp) if stamp.run == run => {
                self.lost(stamp.write, format!("it holds write {}", stamp.write))
            }
            Read::Whole(_) => self.lost(0, "it holds a block of another run".into()),
            Read::Blank => self.lost(0, "it is empty".into()),
            Read::Misplaced(stamp) if untouched && stamp.run != run => Judgement::Stale,
            Read::Misplaced(stamp) => misplaced(stamp),
            Read::Torn(pieces) => {
                let writes = pieces.iter().map(|(_, sector)| match sector {
                    Sector::Whole(stamp) if stamp.run == run => stamp.write,
                    _ => 0,
                });
                let (oldest, newest) = (writes.clone().min().unwrap_or(0), writes.max().unwrap_or(0));
                if newest == 0 && last == 0 {
                    return Judgement::Stale;
                }
                self.torn(oldest, parts(&pieces, Some(run)))
            }
            Read::Damaged(at) => self.damaged(block, at, untouched),
        }
    }

    /// The judgement where something older lies than the last write that was acknowledged.
    fn lost(&self, oldest: u64, holds: String) -> Judgement {
        let (last, durable) = (self.expected.last(self.block), self.expected.durable(self.block));
        if oldest < durable {
            let how = self.expected.how();
            return Judgement::Flawed(Flaw::LostDurable, format!("{holds}, but write {durable} {how}"));
        }
        let said = "was acknowledged; nothing had made it durable yet";
        Judgement::Flawed(Flaw::Lost, format!("{holds}, but write {last} {said}"))
    }

    fn torn(&self, oldest: u64, what: String) -> Judgement {
        if oldest < self.expected.durable(self.block) {
            return self.lost(oldest, what);
        }
        Judgement::Flawed(Flaw::Torn, what)
    }

    /// Judges a block in pieces. A copy to a mapping can be cut off anywhere: its parts are of the writes that could have been there.
    fn damaged(&self, block: &[u8], at: usize, untouched: bool) -> Judgement {
        let (last, run) = (self.expected.last(self.block), self.expected.run);
        let open = self.expected.open(self.block);
        let stamp = |write| (write > 0).then_some(Stamp { run, write, ..self.place });
        let writes: Vec<_> = [0, last].into_iter().chain(open).map(stamp).collect();
        if let Some(parts) = stamp::pieced(block, &writes) {
            let numbers = || parts.iter().map(|part| part.map_or(0, |stamp| stamp.write));
            let names: Vec<_> = numbers().map(|write| format!("write {write}")).collect();
            let what = format!("it is torn within a sector: it has parts of {}", names.join(" and "));
            return self.torn(numbers().min().unwrap_or(0), what.replace("write 0", "nothing"));
        }
        match open {
            // What lay there before nobody knows.
            Some(open) if last == 0 => {
                Judgement::Flawed(Flaw::Torn, format!("write {open} was under way, and it is not whole"))
            }
            _ if untouched => Judgement::Stale,
            _ => Judgement::Flawed(Flaw::Damaged, damage(block, at, self.place, stamp(last))),
        }
    }
}

fn misplaced(stamp: Stamp) -> Judgement {
    let Stamp { file, offset, write, .. } = stamp;
    Judgement::Flawed(Flaw::Misplaced, format!("it holds write {write} of byte {offset} of file {file}"))
}

fn parts(pieces: &[(usize, Sector)], run: Option<u64>) -> String {
    let said = pieces.iter().map(|(at, sector)| match sector {
        Sector::Whole(stamp) if run.is_none_or(|run| run == stamp.run) => {
            format!("from its byte {at} on write {}", stamp.write)
        }
        Sector::Whole(_) => format!("from its byte {at} on a block of another run"),
        Sector::Blank | Sector::Damaged => format!("from its byte {at} on nothing"),
    });
    format!("it is torn: {}", said.take(4).collect::<Vec<_>>().join(", "))
}

/// The first wrong byte, where it is known what it should be: by what is whole beside it, or by what was written last.
fn damage(block: &[u8], at: usize, place: Stamp, last: Option<Stamp>) -> String {
    let beside = block.chunks_exact(stamp::SECTOR).enumerate().find_map(|(number, bytes)| {
        let offset = place.offset + (number * stamp::SECTOR) as u64;
        match stamp::read(bytes, place.file, offset) {
            Read::Whole(found) => Some(Stamp { offset: place.offset, ..found }),
            _ => None,
        }
    });
    let stamp = last.or(beside);
    match stamp.and_then(|stamp| Some((stamp.write, stamp::difference(block, stamp)?))) {
        Some((write, (byte, found, wanted))) => {
            format!("its byte {byte} is {found:#04x}, but write {write} put {wanted:#04x} there")
        }
        None => format!("from its byte {at} on it is nothing that was ever written"),
    }
}
