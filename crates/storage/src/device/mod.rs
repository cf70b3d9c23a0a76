//! I/O engines: ways to do I/O, one a file.

mod bus;
mod libaio;
mod mmap;
mod null;
mod psync;
mod uring;

use std::io;
use std::os::fd::RawFd;
use std::sync::Arc;
use std::time::Duration;

use crate::error::StorageError;
use crate::memory::{Buffers, Memory};
use crate::pattern::Request;
use crate::spec::{Io, IoKind, SyncKind};

pub use self::libaio::Libaio;
pub use self::mmap::Mmap;
pub use self::null::Null;
pub use self::psync::Psync;
pub use self::uring::Uring;

/// The longest wait at the end for operations in flight.
const PATIENCE: Duration = Duration::from_secs(2);

/// An operation that has ended: its slot, and what the kernel said (bytes, or minus an error number).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Completion {
    pub slot: u32,
    pub result: i64,
}

/// The I/O engine of one worker. A slot is a place for one operation in flight, with a buffer of its own.
pub trait Device {
    /// Whether operations are handed over by one system call and collected by another; without, `queue` does all of it.
    const QUEUED: bool;

    /// Puts an operation in line.
    ///
    /// # Errors
    /// The engine itself failed; what becomes of an operation is in its completion.
    fn queue(&mut self, slot: u32, request: &Request) -> io::Result<()>;

    /// Hands the operations in line over.
    ///
    /// # Errors
    /// The kernel refused.
    fn submit(&mut self) -> io::Result<()>;

    /// Collects operations that have ended, at most `max`, and waits for at least `min`, but not beyond `timeout_ns`.
    ///
    /// # Errors
    /// The kernel refused.
    fn collect(
        &mut self,
        min: u32,
        max: u32,
        timeout_ns: Option<u64>,
        ended: &mut Vec<Completion>,
    ) -> io::Result<()>;

    /// The buffer of a free slot, to be written from.
    fn buffer(&mut self, slot: u32, bytes: usize) -> &mut [u8];

    /// Makes a file's writes durable; nothing is in flight meanwhile.
    ///
    /// # Errors
    /// The data may not be on the disk.
    fn sync(&mut self, file: u32, kind: SyncKind) -> io::Result<()>;
}

/// The files, slots and memory that a device works with.
#[derive(Debug)]
pub struct Setup {
    pub files: Vec<RawFd>,
    pub file_bytes: u64,
    pub depth: u32,
    pub seed: u64,
    pub writes: bool,
    /// The memory of its buffers, and the number of its part in it.
    pub part: (Arc<Memory>, usize),
}

impl Setup {
    fn buffers(&self) -> Buffers {
        Buffers::new(self.part.0.clone(), self.part.1, self.seed)
    }
}

fn unsupported(what: &str, hint: &'static str, source: io::Error) -> StorageError {
    StorageError::Unsupported { what: what.into(), hint, source }
}

/// Work on a device whose type is known at run time only.
pub trait OnDevice {
    type Output;
    fn carry_out<D: Device>(self, device: D) -> Self::Output;
}

/// Opens the device that `io` names.
///
/// # Errors
/// The kernel does not have it.
pub fn with_device<V: OnDevice>(io: &Io, setup: Setup, work: V) -> Result<V::Output, StorageError> {
    Ok(match io.kind {
        IoKind::Psync => work.carry_out(Psync::new(setup)),
        IoKind::Libaio => work.carry_out(Libaio::new(setup)?),
        IoKind::IoUring => work.carry_out(Uring::new(setup, io)?),
        IoKind::Mmap => work.carry_out(Mmap::new(setup)?),
        IoKind::Null => work.carry_out(Null::new(&setup)),
    })
}

/// The number that a system call returned, or the error it stands for.
fn checked(returned: i64) -> io::Result<i64> {
    if returned < 0 { Err(io::Error::last_os_error()) } else { Ok(returned) }
}

/// The number that a read or write returned, as a completion has it: minus the error number where it failed.
fn as_result(returned: isize) -> i64 {
    if returned >= 0 {
        returned as i64
    } else {
        -i64::from(io::Error::last_os_error().raw_os_error().unwrap_or(libc::EIO))
    }
}

fn sync_file(file: RawFd, kind: SyncKind) -> io::Result<()> {
    // SAFETY: no pointers.
    let returned = unsafe {
        match kind {
            SyncKind::Fsync => libc::fsync(file),
            SyncKind::Fdatasync => libc::fdatasync(file),
        }
    };
    checked(returned.into()).map(drop)
}
