//! The content of a file on the disk: its holes, numbers in them, or room alone.

use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::fs::FileExt;
use std::path::Path;

use assay_chance::Rng;

use crate::error::StorageError;

const PIECE: usize = 1 << 20;

/// Stretches from `from` up to `to` that were never written, those past the end of the file included. Room that was
/// reserved and not written to since is one of them, where the file system says so.
pub(super) fn holes(file: &File, from: u64, to: u64) -> io::Result<Vec<(u64, u64)>> {
    let end = file.metadata()?.len();
    let mut found = Vec::new();
    let mut at = from;
    while at < to.min(end) {
        let hole = seek(file, at, libc::SEEK_HOLE)?.unwrap_or(end);
        if hole >= to.min(end) {
            at = to.min(end);
            break;
        }
        let data = seek(file, hole, libc::SEEK_DATA)?.unwrap_or(end).min(to);
        found.push((hole, data));
        at = data;
    }
    if to > at.max(end) {
        found.push((end.max(from), to));
    }
    Ok(found)
}

/// The next offset of data or of a hole (`lseek`); `None` when there is no more of it.
fn seek(file: &File, from: u64, what: libc::c_int) -> io::Result<Option<u64>> {
    // SAFETY: no pointers.
    let place = unsafe { libc::lseek(file.as_raw_fd(), from as libc::off_t, what) };
    match io::Error::last_os_error() {
        _ if place >= 0 => Ok(Some(place as u64)),
        error if error.raw_os_error() == Some(libc::ENXIO) => Ok(None),
        error => Err(error),
    }
}

/// Fills stretches of a file with numbers that do not compress. `progress` says whether to go on.
pub(super) fn fill(
    file: &File,
    path: &Path,
    stretches: &[(u64, u64)],
    seed: u64,
    progress: &mut dyn FnMut(u64) -> bool,
) -> Result<(), StorageError> {
    let failed = |error| StorageError::io("fill", path, error);
    let mut rng = Rng::blended(&[seed, 0x6669_6c6c]);
    let mut piece: Vec<u8> = (0..PIECE / 8).flat_map(|_| rng.u64().to_le_bytes()).collect();
    for (from, to) in stretches {
        let mut at = *from;
        while at < *to {
            let now = (to - at).min(PIECE as u64);
            piece[..8].copy_from_slice(&rng.u64().to_le_bytes());
            file.write_all_at(&piece[..now as usize], at).map_err(failed)?;
            at += now;
            if !progress(now) {
                return Err(StorageError::Interrupted);
            }
        }
    }
    file.sync_data().map_err(failed)
}

/// Makes a file at least this long, with room on the disk; false where the file system cannot promise it.
pub(super) fn reserve(file: &File, path: &Path, bytes: u64) -> Result<bool, StorageError> {
    // SAFETY: no pointers.
    let returned = unsafe { libc::fallocate(file.as_raw_fd(), 0, 0, bytes as libc::off_t) };
    if returned == 0 {
        return Ok(true);
    }
    match io::Error::last_os_error() {
        error if error.raw_os_error() == Some(libc::EOPNOTSUPP) => {
            let has = file.metadata().map_err(|error| StorageError::io("look at", path, error))?.len();
            file.set_len(has.max(bytes)).map_err(|error| StorageError::io("make", path, error))?;
            Ok(false)
        }
        error => Err(StorageError::io("reserve room for", path, error)),
    }
}
