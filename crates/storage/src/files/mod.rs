//! The files under a load: made, filled, opened, and removed again.

mod claim;
mod content;
mod open_files;

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};

use crate::error::StorageError;
use crate::pattern::Space;
use crate::spec::{IoKind, StorageJob, Verify};

pub use self::open_files::Opened;

/// Bytes left free on a file system beside what a job needs.
const SPARE: u64 = 64 << 20;

/// Files that this run made, and devices that it holds for itself. Dropped: the files stay.
#[derive(Debug, Default)]
pub struct Made {
    pub paths: Vec<PathBuf>,
    /// Block devices by number, opened for this run alone.
    devices: BTreeMap<u64, File>,
}

impl Made {
    /// Files that stay whatever comes.
    pub fn keep(&mut self, kept: impl Fn(&Path) -> bool) {
        self.paths.retain(|path| !kept(path));
    }

    /// Removes the files and returns why some of them could not be removed.
    pub fn remove(&mut self) -> Vec<StorageError> {
        let removed = self.paths.drain(..).map(|path| (std::fs::remove_file(&path), path));
        let failed = removed.filter_map(|(done, path)| match done {
            // One that is gone already is what was wanted.
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Some(StorageError::io("remove", &path, error))
            }
            _ => None,
        });
        failed.collect()
    }
}

/// The files of one job, as they are on the disk.
#[derive(Debug, Clone)]
pub struct Layout {
    pub paths: Vec<PathBuf>,
    pub space: Space,
}

impl Layout {
    /// Checks that each file system has room for what is missing of all jobs' files together.
    ///
    /// # Errors
    /// A file system has not as much room; nothing has been written yet.
    pub fn room_for(jobs: &[StorageJob]) -> Result<(), StorageError> {
        let mut needed: BTreeMap<u64, (PathBuf, u64)> = BTreeMap::new();
        let mut seen = std::collections::BTreeSet::new();
        let makes = |job: &&StorageJob| job.io.kind != IoKind::Null && job.verify != Verify::Only;
        for job in jobs.iter().filter(makes) {
            for path in job.files.iter().filter(|path| seen.insert((*path).clone())) {
                let found = std::fs::metadata(path);
                if found.as_ref().is_ok_and(|found| !found.is_file()) {
                    continue;
                }
                let has = found.map_or(0, |found| found.blocks() * 512);
                let folder = parent(path);
                let device = std::fs::metadata(folder)
                    .map_err(|error| StorageError::io("find the directory of", path, error))?
                    .dev();
                let entry = needed.entry(device).or_insert((path.clone(), 0));
                entry.1 = entry.1.saturating_add(job.file_bytes.saturating_sub(has));
            }
        }
        for (path, needed) in needed.into_values().filter(|(_, needed)| *needed > 0) {
            let free =
                free_bytes(parent(&path)).map_err(|error| StorageError::io("look at", &path, error))?;
            let needed = needed.saturating_add(SPARE);
            if needed > free {
                return Err(StorageError::NoRoom { path, needed, free });
            }
        }
        Ok(())
    }

    /// Makes the files that are missing. `progress` hears the bytes written since it last did, and says whether to go on.
    ///
    /// # Errors
    /// A file is not there and may not be made, or cannot be written.
    pub fn prepare(
        job: &StorageJob,
        seed: u64,
        made: &mut Made,
        progress: &mut dyn FnMut(u64) -> bool,
    ) -> Result<Self, StorageError> {
        let files = job.files.len() as u32;
        if job.io.kind == IoKind::Null {
            let space = Space { files, file_bytes: job.file_bytes.max(1 << 30), from: job.offset };
            return Ok(Self { paths: job.files.clone(), space });
        }
        let mut smallest = u64::MAX;
        for (number, path) in job.files.iter().enumerate() {
            let key = seed ^ (number as u64).wrapping_mul(0x9E37_79B9);
            smallest = smallest.min(ready(job, path, key, made, progress)?);
        }
        let grain = job.access.grain();
        let mut file_bytes = if job.file_bytes > 0 { job.file_bytes } else { smallest };
        if job.io.direct || job.verify != Verify::Off || !job.access.sequential() {
            // Past the caches there are whole blocks only, and a random one has no place in the tail.
            file_bytes = job.offset + file_bytes.saturating_sub(job.offset) / grain * grain;
        }
        let space = Space { files, file_bytes, from: job.offset };
        if space.usable() < grain {
            return Err(StorageError::Spec(format!(
                "job {}: its files have {} bytes to work on, but an operation needs {grain}",
                job.name,
                space.usable()
            )));
        }
        Ok(Self { paths: job.files.clone(), space })
    }
}

/// Makes one file ready and returns its size. What was there before this run is never written to here, unless the job
/// says `fill`, and then only where it has nothing.
fn ready(
    job: &StorageJob,
    path: &Path,
    seed: u64,
    made: &mut Made,
    progress: &mut dyn FnMut(u64) -> bool,
) -> Result<u64, StorageError> {
    let found = match std::fs::metadata(path) {
        Ok(found) if found.file_type().is_block_device() => return device(job, path, found.rdev(), made),
        Ok(found) if is_zero(&found) && job.file_bytes > 0 => return Ok(job.file_bytes),
        Ok(found) if !found.is_file() => {
            return Err(StorageError::Spec(format!(
                "{} is neither a file nor a block device",
                path.display()
            )));
        }
        Ok(found) => Some(found.len()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(StorageError::io("look at", path, error)),
    };
    let ours = made.paths.iter().any(|known| known == path);
    let found = match found {
        Some(_) if job.anew && !ours => {
            std::fs::remove_file(path).map_err(|error| StorageError::io("remove", path, error))?;
            None
        }
        other => other,
    };
    match found {
        Some(has) => existing(job, path, has, seed, made, progress),
        None if !job.create || job.verify == Verify::Only => {
            Err(StorageError::io("find", path, io::Error::from(io::ErrorKind::NotFound)))
        }
        None if job.file_bytes == 0 => {
            Err(StorageError::Spec(format!("{}: cannot be created without a size", path.display())))
        }
        None => {
            let file = OpenOptions::new().write(true).create_new(true).open(path);
            let file = file.map_err(|error| StorageError::io("make", path, error))?;
            made.paths.push(path.to_owned());
            if job.ledger.is_some() {
                // An fsync of what is in it says nothing of its name.
                let named = File::open(parent(path)).and_then(|folder| folder.sync_all());
                named.map_err(|error| StorageError::io("make durable", path, error))?;
            }
            if grows(job) {
                return Ok(job.file_bytes);
            }
            let whole = [(0, job.file_bytes)];
            if wants_data(job) || !content::reserve(&file, path, job.file_bytes)? && maps_writes(job) {
                content::fill(&file, path, &whole, seed, progress)?;
            }
            Ok(job.file_bytes)
        }
    }
}

/// Whether a path is /dev/zero: a disk that answers at once, of any size, to measure the generator with (null(4)).
fn is_zero(found: &std::fs::Metadata) -> bool {
    found.file_type().is_char_device() && found.rdev() == libc::makedev(1, 5)
}

/// Makes ready a file that is there: holes are read without the disk, and what is missing cannot be read at all.
fn existing(
    job: &StorageJob,
    path: &Path,
    has: u64,
    seed: u64,
    made: &Made,
    progress: &mut dyn FnMut(u64) -> bool,
) -> Result<u64, StorageError> {
    let wanted = if job.file_bytes > 0 { job.file_bytes } else { has };
    let ours = made.paths.iter().any(|known| known == path);
    let refused = |what: String| Err(StorageError::Spec(format!("{} {what}", path.display())));
    let short = || format!("has {has} bytes, but job {} needs {wanted}", job.name);
    // What a ledger says was written and is not there was lost: it is found when it is read back.
    let complete = job.verify == Verify::Only && job.ledger.is_none() || !job.create;
    if has < wanted && complete {
        return refused(short());
    }
    if job.verify == Verify::Only || grows(job) {
        return Ok(has.max(wanted));
    }
    let for_writing = || {
        let file = OpenOptions::new().write(true).open(path);
        file.map_err(|error| StorageError::io("open", path, error))
    };
    if !wants_data(job) {
        // It is only written to: room is all it needs.
        let needs_room = has < wanted || maps_writes(job);
        if !needs_room || content::reserve(&for_writing()?, path, wanted)? || !maps_writes(job) {
            return Ok(has.max(wanted));
        }
    }
    let empty = {
        let file = File::open(path).map_err(|error| StorageError::io("open", path, error))?;
        content::holes(&file, job.offset, wanted).map_err(|error| StorageError::io("look at", path, error))?
    };
    if empty.is_empty() {
        return Ok(has);
    }
    if !ours && !job.fill {
        let bytes: u64 = empty.iter().map(|(from, to)| to - from).sum();
        let advice = "existing files are left as they are: give another size or file, or overwrite=1 (`fill`) to \
            write the missing part";
        if has < wanted {
            return refused(format!("{}; {advice}", short()));
        }
        let first = empty[0].0;
        return refused(format!(
            "has {wanted} bytes for job {}, but {bytes} of them were never written (the first at byte {first}): \
             reading them costs the disk nothing; {advice}",
            job.name
        ));
    }
    content::fill(&for_writing()?, path, &empty, seed, progress)?;
    Ok(has.max(wanted))
}

/// Makes ready a block device; one that is written to is held for this run alone.
fn device(job: &StorageJob, path: &Path, number: u64, made: &mut Made) -> Result<u64, StorageError> {
    let has = device_bytes(path)?;
    if job.file_bytes > has {
        return Err(StorageError::Spec(format!(
            "{} has {has} bytes, but job {} needs {}",
            path.display(),
            job.name,
            job.file_bytes
        )));
    }
    let writes = job.access.read_share < 1.0 && job.verify != Verify::Only;
    if writes && let std::collections::btree_map::Entry::Vacant(free) = made.devices.entry(number) {
        let held = claim::hold(path)?;
        free.insert(held);
    }
    if writes
        && !job.fill
        && let Some(what) = claim::signature(&made.devices[&number], has, path)?
    {
        return Err(StorageError::Spec(format!(
            "{} holds {what}: job {} would destroy it; overwrite=1 (`fill`) allows that",
            path.display(),
            job.name
        )));
    }
    Ok(has)
}

fn grows(job: &StorageJob) -> bool {
    !job.reserve && job.access.read_share == 0.0 && job.io.kind != IoKind::Mmap
}

/// Whether a file's bytes must be there before the load, and not only the room for them.
fn wants_data(job: &StorageJob) -> bool {
    job.verify == Verify::Off && (job.fill || job.access.read_share > 0.0)
}

/// Whether a file's room must be there before the load: a write to a mapped hole that finds none kills the process.
fn maps_writes(job: &StorageJob) -> bool {
    job.io.kind == IoKind::Mmap && job.access.read_share < 1.0
}

/// Drops a file's pages from memory.
pub(crate) fn forget(file: &File) {
    // SAFETY: no pointers. Advice that is not taken changes nothing.
    unsafe {
        libc::fdatasync(file.as_raw_fd());
        libc::posix_fadvise(file.as_raw_fd(), 0, 0, libc::POSIX_FADV_DONTNEED);
    }
}

pub(crate) fn parent(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

pub(crate) fn free_bytes(folder: &Path) -> io::Result<u64> {
    use std::os::unix::ffi::OsStrExt;
    let name = std::ffi::CString::new(folder.as_os_str().as_bytes())?;
    // SAFETY: `found` is plain data that the call fills, `name` ends with 0.
    unsafe {
        let mut found: libc::statvfs = std::mem::zeroed();
        if libc::statvfs(name.as_ptr(), &raw mut found) != 0 {
            return Err(io::Error::last_os_error());
        }
        Ok(found.f_bavail * found.f_frsize)
    }
}

fn device_bytes(path: &Path) -> Result<u64, StorageError> {
    use std::io::Seek;
    let mut device = File::open(path).map_err(|error| StorageError::io("open", path, error))?;
    device.seek(io::SeekFrom::End(0)).map_err(|error| StorageError::io("measure", path, error))
}
