//! Reads blocks back: is each whole, in its place, and as new as was promised?

mod judge;

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use crate::error::StorageError;
use crate::expected::Expected;
use crate::pattern::Space;
use crate::stamp::{self, Read, Stamp};
use crate::verify::judge::{Judgement, KnownWrites, unknown};

/// The number of blocks that are described; all are counted.
const DESCRIBED: usize = 10;

/// The ways in which a block can be wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flaw {
    /// An older write, or none, lies where a later one was durable.
    LostDurable,
    /// An older write, or none, lies where a later one was acknowledged and not durable.
    Lost,
    /// Parts of several writes, none older than what was durable.
    Torn,
    /// A block of another place.
    Misplaced,
    /// Bytes that nobody wrote.
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

/// A block that is not as it should be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    pub flaw: Flaw,
    pub path: PathBuf,
    pub offset: u64,
    pub what: String,
}

/// The counts of reading back: blocks, each counted once.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Findings {
    pub blocks: u64,
    pub whole: u64,
    /// Blocks of zeros alone, where nothing was promised.
    pub blank: u64,
    /// Blocks from before the load, where nothing was promised.
    pub stale: u64,
    pub torn: u64,
    pub lost: u64,
    pub lost_durable: u64,
    pub misplaced: u64,
    pub damaged: u64,
    /// Blocks among the bad ones that no kill and no power cut excuses.
    pub bad: u64,
    /// The first few blocks in words, bad ones before others.
    pub described: Vec<Finding>,
}

impl Findings {
    fn count(&mut self, judged: Judgement, path: &Path, offset: u64, torn_is_bad: bool) {
        self.blocks += 1;
        let (flaw, what) = match judged {
            Judgement::Whole => return self.whole += 1,
            Judgement::Blank => return self.blank += 1,
            Judgement::Stale => return self.stale += 1,
            Judgement::Flawed(flaw, what) => (flaw, what),
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
                Some(expected) => KnownWrites { expected, block: number as u64 * per_file + index, place }
                    .judge(found, &buffer),
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

#[cfg(test)]
mod tests;
