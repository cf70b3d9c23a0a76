//! Reads blocks back: is each whole, in its place, and as new as was promised?

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use crate::error::StorageError;
use crate::expected::Expected;
use crate::pattern::Space;
use crate::stamp::{self, Read, Sector, Stamp};

/// Blocks that are described; all are counted.
const DESCRIBED: usize = 10;

/// What is wrong with a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flaw {
    /// An older write, or none, lies where a later one was durable.
    LostDurable,
    /// The same of one that was acknowledged, and no more.
    Lost,
    /// Parts of several writes, none older than what was durable.
    Torn,
    /// A block of another place.
    Misplaced,
    /// Nothing that anybody wrote.
    Damaged,
}

impl Flaw {
    pub fn name(self) -> &'static str {
        match self {
            Self::LostDurable => "lost-durable",
            Self::Lost => "lost",
            Self::Torn => "torn",
            Self::Misplaced => "misplaced",
            Self::Damaged => "damaged",
        }
    }
}

/// One block that is not as it should be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    pub flaw: Flaw,
    pub path: PathBuf,
    pub offset: u64,
    pub what: String,
}

/// What reading back found: blocks, each counted once.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Findings {
    pub blocks: u64,
    pub whole: u64,
    /// Only zeros, where nothing was promised.
    pub blank: u64,
    /// What was there before the load, where nothing was promised.
    pub stale: u64,
    pub torn: u64,
    pub lost: u64,
    pub lost_durable: u64,
    pub misplaced: u64,
    pub damaged: u64,
    /// Those of the above that no kill and no power cut excuses.
    pub bad: u64,
    /// The first few, bad ones before others.
    pub described: Vec<Finding>,
}

/// What a block comes to.
#[derive(Debug, PartialEq, Eq)]
enum Judged {
    Whole,
    Blank,
    Stale,
    Flawed(Flaw, String),
}

impl Findings {
    fn count(&mut self, judged: Judged, path: &Path, offset: u64, torn_is_bad: bool) {
        self.blocks += 1;
        let (flaw, what) = match judged {
            Judged::Whole => return self.whole += 1,
            Judged::Blank => return self.blank += 1,
            Judged::Stale => return self.stale += 1,
            Judged::Flawed(flaw, what) => (flaw, what),
        };
        let bad = match flaw {
            Flaw::Lost => false,
            Flaw::Torn => torn_is_bad,
            Flaw::LostDurable | Flaw::Misplaced | Flaw::Damaged => true,
        };
        *match flaw {
            Flaw::LostDurable => &mut self.lost_durable,
            Flaw::Lost => &mut self.lost,
            Flaw::Torn => &mut self.torn,
            Flaw::Misplaced => &mut self.misplaced,
            Flaw::Damaged => &mut self.damaged,
        } += 1;
        // Bad ones stand before the others, and put them out where there are many.
        let place = if bad { self.bad as usize } else { self.described.len() };
        self.bad += u64::from(bad);
        if place < DESCRIBED {
            self.described.insert(place, Finding { flaw, path: path.to_owned(), offset, what });
            self.described.truncate(DESCRIBED);
        }
    }
}

/// Reads every block of the files. Without `expected` any whole block will do, for nobody knows what was written last.
/// `stop` is asked now and then.
///
/// # Errors
/// A file cannot be read.
pub fn read_back(
    paths: &[PathBuf],
    space: Space,
    block: u32,
    expected: Option<&Expected>,
    stop: impl Fn() -> bool,
) -> Result<Findings, StorageError> {
    let mut findings = Findings::default();
    let mut buffer = vec![0; block as usize];
    let per_file = space.usable() / u64::from(block);
    for (number, path) in paths.iter().enumerate() {
        let file = File::open(path).map_err(|error| StorageError::io("open", path, error))?;
        // What is asked for is what the disk has, not what memory remembers of it.
        crate::files::forget(&file);
        for index in 0..per_file {
            if index % 1024 == 0 && stop() {
                return Err(StorageError::Interrupted);
            }
            let offset = space.from + index * u64::from(block);
            // What lies past the end of the file is as empty as a hole.
            let has = read_at(&file, &mut buffer, offset).map_err(|source| StorageError::Io {
                doing: "read back",
                path: path.clone(),
                offset: Some(offset),
                source,
            })?;
            buffer[has..].fill(0);
            let found = stamp::read(&buffer, number as u32, offset);
            if let (Read::Whole(stamp), Some(expected)) = (&found, expected)
                && expected.outdated(stamp.run)
            {
                return Err(StorageError::Spec(format!(
                    "{} at byte {offset} was written by a load that began after the one of the ledger: \
                     it says nothing of these blocks",
                    path.display()
                )));
            }
            let place = Stamp { file: number as u32, offset, run: 0, write: 0 };
            let judged = match expected {
                Some(expected) => {
                    Known { expected, block: number as u64 * per_file + index, place }.judge(found, &buffer)
                }
                None => unknown(found, &buffer, place),
            };
            findings.count(judged, path, offset, expected.is_none());
        }
    }
    Ok(findings)
}

fn read_at(file: &File, buffer: &mut [u8], offset: u64) -> std::io::Result<usize> {
    let mut has = 0;
    while has < buffer.len() {
        match file.read_at(&mut buffer[has..], offset + has as u64) {
            Ok(0) => break,
            Ok(read) => has += read,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(has)
}

/// Nobody knows which writes there were.
fn unknown(found: Read, block: &[u8], place: Stamp) -> Judged {
    match found {
        Read::Whole(_) => Judged::Whole,
        Read::Blank => Judged::Blank,
        Read::Misplaced(stamp) => misplaced(stamp),
        Read::Torn(pieces) => Judged::Flawed(Flaw::Torn, parts(&pieces, None)),
        Read::Damaged(at) => Judged::Flawed(Flaw::Damaged, damage(block, at, place, None)),
    }
}

/// One block of a load whose writes are known.
struct Known<'a> {
    expected: &'a Expected,
    block: u64,
    place: Stamp,
}

impl Known<'_> {
    fn judge(&self, found: Read, block: &[u8]) -> Judged {
        let (last, run) = (self.expected.last(self.block), self.expected.run);
        let untouched = last == 0 && self.expected.open(self.block).is_none();
        match found {
            Read::Whole(stamp) if stamp.run == run && stamp.write >= last => Judged::Whole,
            Read::Whole(_) if last == 0 => Judged::Stale,
            Read::Blank if last == 0 => Judged::Blank,
            Read::Whole(stamp) if stamp.run == run => {
                self.lost(stamp.write, format!("it holds write {}", stamp.write))
            }
            Read::Whole(_) => self.lost(0, "it holds a block of another run".into()),
            Read::Blank => self.lost(0, "it is empty".into()),
            Read::Misplaced(stamp) if untouched && stamp.run != run => Judged::Stale,
            Read::Misplaced(stamp) => misplaced(stamp),
            Read::Torn(pieces) => {
                let writes = pieces.iter().map(|(_, sector)| match sector {
                    Sector::Whole(stamp) if stamp.run == run => stamp.write,
                    _ => 0,
                });
                let (oldest, newest) = (writes.clone().min().unwrap_or(0), writes.max().unwrap_or(0));
                if newest == 0 && last == 0 {
                    return Judged::Stale;
                }
                self.torn(oldest, parts(&pieces, Some(run)))
            }
            Read::Damaged(at) => self.damaged(block, at, untouched),
        }
    }

    /// Something older than the last write that was acknowledged.
    fn lost(&self, oldest: u64, holds: String) -> Judged {
        let (last, durable) = (self.expected.last(self.block), self.expected.durable(self.block));
        if oldest < durable {
            let how = self.expected.how();
            return Judged::Flawed(Flaw::LostDurable, format!("{holds}, but write {durable} {how}"));
        }
        let said = "was acknowledged; nothing had made it durable yet";
        Judged::Flawed(Flaw::Lost, format!("{holds}, but write {last} {said}"))
    }

    fn torn(&self, oldest: u64, what: String) -> Judged {
        if oldest < self.expected.durable(self.block) {
            return self.lost(oldest, what);
        }
        Judged::Flawed(Flaw::Torn, what)
    }

    /// A copy to a mapping can be cut off anywhere: its parts are of the writes that could have been there.
    fn damaged(&self, block: &[u8], at: usize, untouched: bool) -> Judged {
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
                Judged::Flawed(Flaw::Torn, format!("write {open} was under way, and it is not whole"))
            }
            _ if untouched => Judged::Stale,
            _ => Judged::Flawed(Flaw::Damaged, damage(block, at, self.place, stamp(last))),
        }
    }
}

fn misplaced(stamp: Stamp) -> Judged {
    let Stamp { file, offset, write, .. } = stamp;
    Judged::Flawed(Flaw::Misplaced, format!("it holds write {write} of byte {offset} of file {file}"))
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

/// Which byte is wrong, where it is known what it should be: by what is whole beside it, or by what was written last.
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

#[cfg(test)]
mod tests;
