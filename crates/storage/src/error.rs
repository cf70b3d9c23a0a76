//! What can go wrong, by what the person does next.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::files::{free_bytes, parent};

/// Bytes free from which on a file system counts as not full: a write of ours did not fail for want of room.
const ROOM: u64 = 16 << 20;

#[derive(Debug, Error)]
pub enum StorageError {
    /// The job is wrong; the message names the key.
    #[error("{0}")]
    Spec(String),
    /// The machine, kernel or file system does not have what a job asks for.
    #[error("{what} does not work here: {source}")]
    Unsupported { what: String, hint: &'static str, source: io::Error },
    #[error("no room for {path}: {needed} bytes are needed, {free} are free")]
    NoRoom { path: PathBuf, needed: u64, free: u64 },
    #[error("cannot {doing} {path}{place}: {source}", place = place(*offset))]
    Io { doing: &'static str, path: PathBuf, offset: Option<u64>, source: io::Error },
    #[error("interrupted before the files were laid out")]
    Interrupted,
}

fn place(offset: Option<u64>) -> String {
    offset.map_or_else(String::new, |offset| format!(" at byte {offset}"))
}

impl StorageError {
    pub(crate) fn io(doing: &'static str, path: &Path, source: io::Error) -> Self {
        Self::Io { doing, path: path.to_owned(), offset: None, source }
    }

    /// The advice for the person, where there is one.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Spec(_) | Self::Interrupted => None,
            Self::Unsupported { hint, .. } => Some((*hint).to_owned()),
            Self::NoRoom { .. } => Some("use a smaller size, fewer jobs or files, or another directory".into()),
            Self::Io { source, path, .. } => match source.raw_os_error() {
                Some(libc::ENOSPC | libc::EDQUOT) => Some(no_room(path)),
                Some(libc::EINVAL) => Some(
                    "direct I/O needs block sizes and offsets in multiples of the device's block (often 4096), \
                    and a file system that supports it; otherwise set direct=0"
                        .into(),
                ),
                Some(libc::EACCES | libc::EPERM) => Some("check who owns the file and its directory".into()),
                Some(libc::ENOENT) => Some("create the directory, or name another".into()),
                Some(libc::EMFILE) => Some("raise the limit of open files (ulimit -n), or use fewer files".into()),
                Some(libc::EBUSY) => Some("a block device that is mounted or in use is never written to".into()),
                _ => None,
            },
        }
    }
}

/// The advice where room ran out: a file system can be full, or what lies beneath one that is not.
fn no_room(path: &Path) -> String {
    let whose = match free_bytes(parent(path)) {
        Ok(free) if free < ROOM => format!("its file system is full ({free} bytes are free)"),
        Ok(free) => format!(
            "its file system has {free} bytes free: a quota is exhausted, or the device beneath it (a thin volume, a sparse \
             image) is full"
        ),
        Err(_) => "its file system is full".into(),
    };
    format!("{whose}; files that this run made go with it: use a smaller size")
}
