//! The files under a load: made, filled, opened, and removed again.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::os::fd::{AsRawFd, RawFd};
use std::os::unix::fs::{FileTypeExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use crate::error::StorageError;
use crate::pattern::{Rng, Space};
use crate::spec::{IoKind, StorageJob, SyncOpen, Verify};

const PIECE: usize = 1 << 20;
/// Left free on a file system beside what a job needs.
const SPARE: u64 = 64 << 20;

/// Files that this run made. Dropped: they stay.
#[derive(Debug, Default)]
pub struct Made {
    pub paths: Vec<PathBuf>,
}

impl Made {
    pub fn remove(&mut self) {
        for path in self.paths.drain(..) {
            // One that is gone already is what was wanted.
            let _ = std::fs::remove_file(path);
        }
    }
}

/// The files of one job, as they are on the disk.
#[derive(Debug, Clone)]
pub struct Layout {
    pub paths: Vec<PathBuf>,
    pub space: Space,
}

impl Layout {
    /// Bytes that must still be found on each file system: what is missing of all jobs' files together.
    ///
    /// # Errors
    /// There is not as much room; nothing has been written yet.
    pub fn room_for(jobs: &[StorageJob]) -> Result<(), StorageError> {
        let mut needed: std::collections::BTreeMap<u64, (PathBuf, u64)> = std::collections::BTreeMap::new();
        let mut seen = std::collections::BTreeSet::new();
        for job in jobs.iter().filter(|job| job.io.kind != IoKind::Null) {
            for path in job.files.iter().filter(|path| seen.insert((*path).clone())) {
                let has = std::fs::metadata(path).map_or(0, |found| found.blocks() * 512);
                let folder = parent(path);
                let device = std::fs::metadata(folder)
                    .map_err(|error| StorageError::io("find the directory of", path, error))?
                    .dev();
                let entry = needed.entry(device).or_insert((path.clone(), 0));
                entry.1 += job.file_bytes.saturating_sub(has);
            }
        }
        for (path, needed) in needed.into_values().filter(|(_, needed)| *needed > 0) {
            let free =
                free_bytes(parent(&path)).map_err(|error| StorageError::io("look at", &path, error))?;
            if needed + SPARE > free {
                return Err(StorageError::NoRoom { path, needed: needed + SPARE, free });
            }
        }
        Ok(())
    }

    /// Makes what is missing. `progress` hears the bytes written since it last did, and says whether to go on.
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
                "job {}: its files have {} bytes to work on, but an operation takes {grain}",
                job.name,
                space.usable()
            )));
        }
        Ok(Self { paths: job.files.clone(), space })
    }
}

/// Makes one file ready and returns its size.
fn ready(
    job: &StorageJob,
    path: &Path,
    seed: u64,
    made: &mut Made,
    progress: &mut dyn FnMut(u64) -> bool,
) -> Result<u64, StorageError> {
    let found = match std::fs::metadata(path) {
        Ok(found) if found.file_type().is_block_device() => return device_bytes(path),
        Ok(found) if !found.is_file() => {
            return Err(StorageError::Spec(format!(
                "{} is neither a file nor a block device",
                path.display()
            )));
        }
        Ok(found) => Some(found),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(StorageError::io("look at", path, error)),
    };
    let has = found.as_ref().map_or(0, std::fs::Metadata::len);
    if has >= job.file_bytes && found.is_some() {
        // A sparse file would be read without the disk: its holes are filled once.
        let holes = found.is_some_and(|found| found.blocks() * 512 + 4096 < job.file_bytes.min(has));
        if !(holes && wants_data(job)) {
            return Ok(has);
        }
    } else if !job.create {
        let source = io::Error::from(io::ErrorKind::NotFound);
        return Err(if has == 0 {
            StorageError::io("find", path, source)
        } else {
            StorageError::Spec(format!(
                "{} has {has} bytes, but {} are wanted",
                path.display(),
                job.file_bytes
            ))
        });
    }
    if job.file_bytes == 0 {
        return Err(StorageError::Spec(format!("{}: a size is needed to make it", path.display())));
    }
    if has == 0 && !path.exists() {
        made.paths.push(path.to_owned());
    }
    let mut file = OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(false)
        .open(path)
        .map_err(|error| StorageError::io("make", path, error))?;
    if !grows(job) && wants_data(job) {
        fill(&mut file, path, job.file_bytes, seed, progress)?;
    } else if !grows(job) {
        reserve(&file, path, job.file_bytes)?;
    }
    Ok(job.file_bytes.max(has))
}

fn grows(job: &StorageJob) -> bool {
    !job.reserve && job.access.read_share == 0.0 && job.io.kind != IoKind::Mmap
}

/// Whether the bytes must be there before the load, and not only the room for them.
fn wants_data(job: &StorageJob) -> bool {
    job.verify == Verify::Off && (job.fill || job.access.read_share > 0.0)
}

fn fill(
    file: &mut File,
    path: &Path,
    bytes: u64,
    seed: u64,
    progress: &mut dyn FnMut(u64) -> bool,
) -> Result<(), StorageError> {
    let failed = |error| StorageError::io("fill", path, error);
    let mut rng = Rng::keyed(&[seed, 0x6669_6c6c]);
    let mut piece: Vec<u8> = (0..PIECE / 8).flat_map(|_| rng.word().to_le_bytes()).collect();
    let mut left = bytes;
    while left > 0 {
        let now = left.min(PIECE as u64);
        piece[..8].copy_from_slice(&rng.word().to_le_bytes());
        file.write_all(&piece[..now as usize]).map_err(failed)?;
        left -= now;
        if !progress(now) {
            return Err(StorageError::Interrupted);
        }
    }
    file.sync_data().map_err(failed)
}

fn reserve(file: &File, path: &Path, bytes: u64) -> Result<(), StorageError> {
    // SAFETY: no pointers.
    let returned = unsafe { libc::fallocate(file.as_raw_fd(), 0, 0, bytes as libc::off_t) };
    if returned == 0 {
        return Ok(());
    }
    match io::Error::last_os_error() {
        error if error.raw_os_error() == Some(libc::EOPNOTSUPP) => {
            file.set_len(bytes).map_err(|error| StorageError::io("make", path, error))
        }
        error => Err(StorageError::io("reserve room for", path, error)),
    }
}

/// Opened files of one worker. Block devices that are written to are opened for this run alone.
#[derive(Debug)]
pub struct Opened {
    files: Vec<File>,
}

impl Opened {
    /// # Errors
    /// A file cannot be opened so; a file system may not have direct I/O.
    pub fn new(job: &StorageJob) -> Result<Self, StorageError> {
        if job.io.kind == IoKind::Null {
            return Ok(Self { files: Vec::new() });
        }
        let files = job.files.iter().map(|path| open(job, path)).collect::<Result<_, _>>()?;
        Ok(Self { files })
    }

    pub fn numbers(&self) -> Vec<RawFd> {
        self.files.iter().map(AsRawFd::as_raw_fd).collect()
    }

    pub fn forget(&self) {
        self.files.iter().for_each(forget);
    }
}

fn open(job: &StorageJob, path: &Path) -> Result<File, StorageError> {
    let writes = job.access.read_share < 1.0;
    let mut flags = match job.io.open_sync {
        SyncOpen::None => 0,
        SyncOpen::Dsync => libc::O_DSYNC,
        SyncOpen::Sync => libc::O_SYNC,
    };
    if job.io.direct {
        flags |= libc::O_DIRECT;
    }
    let device = std::fs::metadata(path).is_ok_and(|found| found.file_type().is_block_device());
    if device && writes {
        flags |= libc::O_EXCL;
    }
    let opened = OpenOptions::new().read(true).write(writes).custom_flags(flags).open(path);
    opened.map_err(|error| StorageError::io("open", path, error))
}

/// Drops a file's pages from memory.
pub fn forget(file: &File) {
    // SAFETY: no pointers. Advice that is not taken changes nothing.
    unsafe {
        libc::fdatasync(file.as_raw_fd());
        libc::posix_fadvise(file.as_raw_fd(), 0, 0, libc::POSIX_FADV_DONTNEED);
    }
}

fn parent(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn free_bytes(folder: &Path) -> io::Result<u64> {
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
