//! Reads blocks back: is each whole, in its place, and the one that was written last?

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
    /// Blocks that nobody has written yet.
    pub blank: u64,
    pub bad: u64,
    /// The first few: where, and what is wrong.
    pub described: Vec<String>,
}

/// Reads every block of the files. `expected` has the sequence number of the last write that ended, by block over all
/// files (0: none); without it any whole block will do, as after a kill. `stop` is asked now and then.
///
/// # Errors
/// A file cannot be read.
pub fn read_back(
    paths: &[PathBuf],
    from: u64,
    usable: u64,
    block: u32,
    expected: Option<&[u64]>,
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
            let wanted = expected.map(|all| all[number * per_file as usize + index as usize]);
            findings.blocks += 1;
            let wrong = match (stamp::read(&buffer, number as u32, offset), wanted) {
                (Read::Whole(found), Some(wanted)) if found != wanted => {
                    Some(format!("it holds write {found}, but write {wanted} was the last that ended there"))
                }
                (Read::Blank, Some(wanted)) if wanted > 0 => {
                    Some(format!("it is empty, but write {wanted} ended there"))
                }
                (Read::Bad(_), Some(0)) | (Read::Blank, _) => {
                    findings.blank += 1;
                    None
                }
                (Read::Bad(what), _) => Some(what),
                (Read::Whole(_), _) => None,
            };
            if let Some(what) = wrong {
                findings.bad += 1;
                if findings.described.len() < DESCRIBED {
                    findings.described.push(format!("{} at byte {offset}: {what}", path.display()));
                }
            }
        }
    }
    Ok(findings)
}
