//! The account of a verified worker: which of its writes were acknowledged, and which made durable. Each operation is a
//! function of its number, so that numbers are all there is to keep; they lie in a file that is mapped into memory, where
//! they outlive a killed process.

use std::collections::BTreeSet;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::os::fd::AsRawFd;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU64, Ordering, compiler_fence};

use serde::{Deserialize, Serialize};

use crate::error::StorageError;
use crate::pattern::Space;
use crate::spec::{Access, IoKind, StorageJob, SyncOpen};

const PAGE: usize = 4096;
/// The number of words before the ring: acknowledged up to, durable up to, begun up to.
const ACKNOWLEDGED: usize = 0;
const DURABLE: usize = 1;
const BEGUN: usize = 2;
const HEAD: usize = 8;
/// Words of the ring for each operation in flight, and the fewest it has.
const SLACK: u64 = 16;
const LEAST_RING: u64 = 4096;

/// The load that a ledger belongs to: all that is needed to draw its operations again.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Origin {
    /// The version of the ledger's format: 1.
    pub format: u32,
    pub job: String,
    /// The load's own random number, which all of its blocks carry.
    pub run: u64,
    /// The key that the load's operations are drawn from.
    pub seed: u64,
    pub number: u64,
    pub clone: u32,
    pub space: Space,
    pub access: Access,
    /// Whether a write is durable as soon as it has been acknowledged (O_SYNC, O_DSYNC).
    pub durable_writes: bool,
    /// The start of the machine that the load ran in (boot id).
    pub boot: String,
}

impl Origin {
    pub fn new(job: &StorageJob, space: Space, run: u64, (seed, number, clone): (u64, u64, u32)) -> Self {
        // Stores to a mapping are no calls that could wait for the disk.
        let durable_writes = job.io.open_sync != SyncOpen::None && job.io.kind != IoKind::Mmap;
        let (job, access) = (job.name.clone(), job.access.clone());
        Self { format: 1, job, run, seed, number, clone, space, access, durable_writes, boot: this_boot() }
    }

    pub fn same_boot(&self) -> bool {
        !self.boot.is_empty() && self.boot == this_boot()
    }
}

fn this_boot() -> String {
    std::fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default().trim().to_owned()
}

/// The account of a load's writes, by number from 1: begun, acknowledged, durable.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Account {
    /// The number up to which all writes were acknowledged; `beyond` are those acknowledged after it.
    pub acknowledged: u64,
    pub beyond: BTreeSet<u64>,
    /// The number up to which all writes were acknowledged before an fsync that succeeded.
    pub durable: u64,
    /// The number beyond which no write was begun, as far as is known.
    pub begun: u64,
}

impl Account {
    fn of(words: impl Fn(usize) -> u64, count: usize) -> Self {
        let acknowledged = words(ACKNOWLEDGED);
        let beyond: BTreeSet<u64> =
            (HEAD..count).map(&words).filter(|number| *number > acknowledged).collect();
        // Parts of the file may be older than others; each is true by itself.
        let last = beyond.last().copied().unwrap_or(acknowledged);
        Self { acknowledged, durable: words(DURABLE), begun: words(BEGUN).max(last), beyond }
    }

    pub fn has(&self, number: u64) -> bool {
        number <= self.acknowledged || self.beyond.contains(&number)
    }
}

/// The numbers of a running load. Only its worker changes them; each is only ever raised, and true by itself, so that no
/// mixture of older and newer ones claims anything that is not so.
#[derive(Debug)]
pub struct Ledger {
    pub origin: Origin,
    words: NonNull<AtomicU64>,
    count: usize,
    ring: u64,
    file: Option<(PathBuf, File)>,
}

// SAFETY: the mapping holds atomic words only, and belongs to this value.
unsafe impl Send for Ledger {}
// SAFETY: as above.
unsafe impl Sync for Ledger {}

impl Ledger {
    /// An empty ledger, in a file that is whole or not there, or in memory alone.
    ///
    /// # Errors
    /// The file cannot be made.
    pub fn new(origin: Origin, depth: u32, path: Option<&Path>) -> Result<Self, StorageError> {
        let ring = (u64::from(depth) * SLACK).max(LEAST_RING).next_power_of_two();
        let count = HEAD + ring as usize;
        let bytes = (count * 8).next_multiple_of(PAGE);
        let failed = |path: &Path, source| StorageError::io("keep the ledger", path, source);
        let (file, from) = match path {
            None => (None, 0),
            Some(path) => {
                let (file, from) = made(path, &origin, bytes).map_err(|error| failed(path, error))?;
                (Some((path.to_owned(), file)), from)
            }
        };
        let words = mapped(file.as_ref().map(|(_, file)| file), from, bytes)
            .map_err(|error| failed(path.unwrap_or(Path::new("in memory")), error))?;
        Ok(Self { origin, words, count, ring, file })
    }

    fn word(&self, index: usize) -> &AtomicU64 {
        debug_assert!(index < self.count);
        // SAFETY: the mapping has `count` words and lives as long as `self`.
        unsafe { self.words.add(index).as_ref() }
    }

    /// Whether this write has to wait: so many have ended behind one that has not that no more can be noted.
    #[inline]
    pub fn full(&self, number: u64) -> bool {
        number > self.word(ACKNOWLEDGED).load(Ordering::Relaxed) + self.ring
    }

    /// Notes a write before it is handed over.
    #[inline]
    pub fn begin(&self, number: u64) {
        self.word(BEGUN).store(number, Ordering::Relaxed);
        compiler_fence(Ordering::SeqCst);
    }

    /// Notes a write whose end has been collected as acknowledged.
    #[inline]
    pub fn acknowledge(&self, number: u64) {
        compiler_fence(Ordering::SeqCst);
        let place = |number: u64| self.word(HEAD + (number & (self.ring - 1)) as usize);
        place(number).store(number, Ordering::Relaxed);
        let first = self.word(ACKNOWLEDGED).load(Ordering::Relaxed);
        let mut last = first;
        while place(last + 1).load(Ordering::Relaxed) == last + 1 {
            last += 1;
        }
        if last > first {
            self.word(ACKNOWLEDGED).store(last, Ordering::Relaxed);
        }
    }

    /// Notes all writes up to this one as durable: they were acknowledged, and every file was synced after that.
    pub fn durable(&self, number: u64) {
        compiler_fence(Ordering::SeqCst);
        self.word(DURABLE).store(number, Ordering::Relaxed);
    }

    pub fn account(&self) -> Account {
        Account::of(|index| self.word(index).load(Ordering::Relaxed), self.count)
    }

    /// Whether the ledger is in a file, and not in memory alone.
    pub fn kept(&self) -> bool {
        self.file.is_some()
    }

    /// Takes the numbers to the disk of the ledger where they are not those that were `told` there before.
    ///
    /// # Errors
    /// The disk refused: the numbers may not be on it.
    pub fn flush(&self, told: &mut u64) -> Result<(), StorageError> {
        let Some((path, file)) = &self.file else { return Ok(()) };
        let now = (0..HEAD).map(|index| self.word(index).load(Ordering::Relaxed)).sum();
        if std::mem::replace(told, now) == now {
            return Ok(());
        }
        file.sync_data().map_err(|error| StorageError::io("flush the ledger", path, error))
    }

    /// Whether the ledger lies where the files do: what takes the one may take the other.
    pub fn beside(&self, files: &[PathBuf]) -> bool {
        let device = |path: &Path| std::fs::metadata(path).ok().map(|found| found.dev());
        let Some((path, _)) = &self.file else { return false };
        files.iter().any(|file| device(file) == device(path))
    }

    /// The ledger that a load left behind: whose it is, and its account.
    ///
    /// # Errors
    /// The file is missing, is no ledger, or is not whole.
    pub fn load(path: &Path) -> Result<(Origin, Account), StorageError> {
        let broken = |what: String| StorageError::Spec(format!("the ledger {}: {what}", path.display()));
        let bytes = std::fs::read(path).map_err(|error| StorageError::io("read the ledger", path, error))?;
        let text = bytes.split(|byte| *byte == b'\n').next().unwrap_or_default();
        let origin: Origin =
            serde_json::from_slice(text).map_err(|error| broken(format!("it is not a ledger: {error}")))?;
        if origin.format != 1 {
            return Err(broken(format!("this engine reads format 1, it has {}", origin.format)));
        }
        let words: Vec<u64> = bytes[(text.len() + 1).next_multiple_of(PAGE).min(bytes.len())..]
            .chunks_exact(8)
            .map(|word| u64::from_ne_bytes(word.try_into().expect("eight bytes")))
            .collect();
        if words.len() < HEAD {
            return Err(broken("it was cut short".into()));
        }
        let account = Account::of(|index| words[index], words.len());
        let last = account.beyond.last().copied().unwrap_or(account.acknowledged);
        let ring = (words.len() - HEAD) as u64;
        if account.begun > account.acknowledged.max(last).saturating_add(ring)
            || account.durable > account.begun
        {
            return Err(broken("its numbers are impossible: it is damaged".into()));
        }
        Ok((origin, account))
    }
}

impl Drop for Ledger {
    fn drop(&mut self) {
        // SAFETY: made by `mapped` with this size.
        unsafe { libc::munmap(self.words.as_ptr().cast(), (self.count * 8).next_multiple_of(PAGE)) };
    }
}

/// Makes the file of a ledger: a line that says whose it is, then room for the numbers, all of it on the disk. Until it is
/// there an older one of that name stays.
fn made(path: &Path, origin: &Origin, bytes: usize) -> io::Result<(File, usize)> {
    let mut head = serde_json::to_vec(origin)?;
    head.push(b'\n');
    let from = head.len().next_multiple_of(PAGE);
    head.resize(from + bytes, 0);
    if std::fs::symlink_metadata(path).is_ok_and(|found| !found.is_file()) {
        return Err(io::Error::other("this name is not that of a regular file"));
    }
    let mut fresh = path.as_os_str().to_owned();
    fresh.push(".new");
    let fresh = PathBuf::from(fresh);
    let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(true).open(&fresh)?;
    file.write_all(&head)?;
    file.sync_all()?;
    std::fs::rename(&fresh, path)?;
    File::open(crate::files::parent(path))?.sync_all()?;
    Ok((file, from))
}

fn mapped(file: Option<&File>, from: usize, bytes: usize) -> io::Result<NonNull<AtomicU64>> {
    let (flags, number) = match file {
        Some(file) => (libc::MAP_SHARED, file.as_raw_fd()),
        None => (libc::MAP_PRIVATE | libc::MAP_ANONYMOUS, -1),
    };
    let protection = libc::PROT_READ | libc::PROT_WRITE;
    // SAFETY: a new mapping at a place that the kernel chooses.
    let base =
        unsafe { libc::mmap(std::ptr::null_mut(), bytes, protection, flags, number, from as libc::off_t) };
    if base == libc::MAP_FAILED {
        return Err(io::Error::last_os_error());
    }
    Ok(NonNull::new(base.cast()).expect("a mapping is not at 0"))
}
