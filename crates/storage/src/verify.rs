//! Reads blocks back: is each whole, in its place, and the one that was written last?

use std::collections::BTreeMap;
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::PathBuf;

use crate::error::StorageError;
use crate::stamp::{self, Read};

/// Bad blocks that are described; all are counted.
const DESCRIBED: usize = 10;

/// What reading back found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Findings {
    pub blocks: u64,
    /// Blocks without anything that was promised: nobody has written them yet.
    pub blank: u64,
    pub bad: u64,
    /// The first few: where, and what is wrong.
    pub described: Vec<String>,
}

/// What a verified load knows of its writes, by number of the block over all files.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Written {
    /// The load's own random number, which all of its blocks carry.
    pub run: u64,
    /// Sequence number of the last write that ended; 0: none.
    pub last: Vec<u64>,
    /// Writes that were started and never collected: they may have landed, whole or in part.
    pub open: BTreeMap<u64, u64>,
}

impl Written {
    /// What is wrong with what was found in a block; `Ok(false)` when it holds nothing that this load promised.
    fn judge(&self, block: u64, found: Read) -> Result<bool, String> {
        let (last, open) = (self.last[block as usize], self.open.get(&block));
        match found {
            Read::Whole { run, sequence }
                if run == self.run && (sequence == last || Some(&sequence) == open) =>
            {
                Ok(true)
            }
            Read::Whole { run, sequence } if run == self.run => {
                Err(format!("it holds write {sequence}, but write {last} was the last that ended there"))
            }
            _ if last == 0 => Ok(false),
            Read::Bad(_) if open.is_some() => Ok(false),
            Read::Whole { .. } => {
                Err(format!("it holds a block of an earlier run, but write {last} ended there"))
            }
            Read::Blank => Err(format!("it is empty, but write {last} ended there")),
            Read::Bad(what) => Err(what),
        }
    }
}

/// Reads every block of the files. `expected` is what the load that has just ended knows; without it any whole block
/// will do, as after a kill. `stop` is asked now and then.
///
/// # Errors
/// A file cannot be read.
pub fn read_back(
    paths: &[PathBuf],
    from: u64,
    usable: u64,
    block: u32,
    expected: Option<&Written>,
    stop: impl Fn() -> bool,
) -> Result<Findings, StorageError> {
    let mut findings = Findings::default();
    let mut buffer = vec![0; block as usize];
    let per_file = usable / u64::from(block);
    for (number, path) in paths.iter().enumerate() {
        let file = File::open(path).map_err(|error| StorageError::io("open", path, error))?;
        // What is asked for is what the disk has, not what memory remembers of it.
        crate::files::forget(&file);
        for index in 0..per_file {
            if index % 1024 == 0 && stop() {
                return Err(StorageError::Interrupted);
            }
            let offset = from + index * u64::from(block);
            file.read_exact_at(&mut buffer, offset).map_err(|source| StorageError::Io {
                doing: "read back",
                path: path.clone(),
                offset: Some(offset),
                source,
            })?;
            findings.blocks += 1;
            let judged = match (stamp::read(&buffer, number as u32, offset), expected) {
                (found, Some(written)) => written.judge(number as u64 * per_file + index, found),
                (Read::Whole { .. }, None) => Ok(true),
                (Read::Blank, None) => Ok(false),
                (Read::Bad(what), None) => Err(what),
            };
            findings.blank += u64::from(judged == Ok(false));
            if let Err(what) = judged {
                findings.bad += 1;
                if findings.described.len() < DESCRIBED {
                    findings.described.push(format!("{} at byte {offset}: {what}", path.display()));
                }
            }
        }
    }
    Ok(findings)
}
