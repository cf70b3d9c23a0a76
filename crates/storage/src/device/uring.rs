//! io_uring: two rings shared with the kernel.

use std::io;
use std::mem::ManuallyDrop;
use std::time::{Duration, Instant};

use io_uring::{IoUring, opcode, squeue, types};

use super::{Completion, Device, PATIENCE, Setup, sync_file, unsupported};
use crate::error::StorageError;
use crate::memory::Buffers;
use crate::pattern::Request;
use crate::spec::{Io, SyncKind};

const HINT: &str =
    "io_uring needs Linux 5.11 and may be forbidden (kernel.io_uring_disabled, a container): use libaio";

pub struct Uring {
    ring: IoUring,
    setup: Setup,
    /// Given back when nothing is in flight any more: closing the ring does not wait for that.
    buffers: ManuallyDrop<Buffers>,
    /// Operations that were put in line and not collected yet.
    in_flight: usize,
    fixed_buffers: bool,
    registered_files: bool,
}

impl Uring {
    pub(super) fn new(setup: Setup, io: &Io) -> Result<Self, StorageError> {
        let ring = build(setup.depth, io.polled).map_err(|source| unsupported("io_uring", HINT, source))?;
        let buffers = setup.buffers();
        if io.fixed_buffers {
            let each: Vec<libc::iovec> = (0..setup.depth as usize)
                .map(|slot| libc::iovec { iov_base: buffers.pointer(slot).cast(), iov_len: buffers.each() })
                .collect();
            // SAFETY: the kernel holds the pages itself, and `drop` gives the buffers back only when no operation uses them.
            unsafe { ring.submitter().register_buffers(&each) }.map_err(|source| {
                unsupported(
                    "io_uring with fixed buffers",
                    "raise the limit of locked memory (ulimit -l)",
                    source,
                )
            })?;
        }
        if io.registered_files {
            ring.submitter()
                .register_files(&setup.files)
                .map_err(|source| unsupported("io_uring with registered files", HINT, source))?;
        }
        Ok(Self {
            ring,
            setup,
            buffers: ManuallyDrop::new(buffers),
            in_flight: 0,
            fixed_buffers: io.fixed_buffers,
            registered_files: io.registered_files,
        })
    }

    fn entry(&self, slot: u32, request: &Request) -> squeue::Entry {
        let (buffer, bytes) = (self.buffers.pointer(slot as usize), request.bytes);
        let (offset, number) = (request.offset, slot as u16);
        // The type of a file's number decides how it is encoded, so the four kinds are spelled out for both.
        macro_rules! aimed {
            ($file:expr) => {
                match (request.read, self.fixed_buffers) {
                    (true, true) => {
                        opcode::ReadFixed::new($file, buffer, bytes, number).offset(offset).build()
                    }
                    (false, true) => {
                        opcode::WriteFixed::new($file, buffer, bytes, number).offset(offset).build()
                    }
                    (true, false) => opcode::Read::new($file, buffer, bytes).offset(offset).build(),
                    (false, false) => opcode::Write::new($file, buffer, bytes).offset(offset).build(),
                }
            };
        }
        let entry = if self.registered_files {
            aimed!(types::Fixed(request.file))
        } else {
            aimed!(types::Fd(self.setup.files[request.file as usize]))
        };
        entry.user_data(slot.into())
    }
}

/// With completions left to this thread's own system calls (Linux 6.0): no interrupt of it for each. Older kernels do
/// without.
fn build(depth: u32, polled: bool) -> io::Result<IoUring> {
    let entries = depth.next_power_of_two();
    let mut wanted = IoUring::builder();
    if polled {
        wanted.setup_iopoll();
    }
    let plain = wanted.clone();
    match wanted.setup_coop_taskrun().setup_single_issuer().build(entries) {
        Err(error) if error.raw_os_error() == Some(libc::EINVAL) => plain.build(entries),
        built => built,
    }
}

impl Device for Uring {
    const QUEUED: bool = true;

    #[inline]
    fn queue(&mut self, slot: u32, request: &Request) -> io::Result<()> {
        let entry = self.entry(slot, request);
        // SAFETY: the buffer belongs to the slot until its completion was collected, and `drop` waits for that.
        unsafe { self.ring.submission().push(&entry) }
            .map_err(|_| io::Error::from(io::ErrorKind::OutOfMemory))?;
        self.in_flight += 1;
        Ok(())
    }

    #[inline]
    fn submit(&mut self) -> io::Result<()> {
        while !self.ring.submission().is_empty() {
            match self.ring.submit() {
                Ok(_) => {}
                Err(error) if again(&error) => std::thread::yield_now(),
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    #[inline]
    fn collect(
        &mut self,
        min: u32,
        max: u32,
        timeout_ns: Option<u64>,
        ended: &mut Vec<Completion>,
    ) -> io::Result<()> {
        let waiting = self.ring.completion().len();
        if waiting < min as usize {
            let waited = match timeout_ns {
                None => self.ring.submitter().submit_and_wait(min as usize),
                Some(ns) => {
                    let limit = types::Timespec::from(std::time::Duration::from_nanos(ns));
                    let limit = types::SubmitArgs::new().timespec(&limit);
                    self.ring.submitter().submit_with_args(min as usize, &limit)
                }
            };
            match waited {
                Err(error) if again(&error) || error.raw_os_error() == Some(libc::ETIME) => {}
                other => drop(other?),
            }
        }
        let found = self.ring.completion().take(max as usize);
        let before = ended.len();
        ended.extend(
            found.map(|event| Completion { slot: event.user_data() as u32, result: event.result().into() }),
        );
        self.in_flight -= ended.len() - before;
        Ok(())
    }

    fn buffer(&mut self, slot: u32, bytes: usize) -> &mut [u8] {
        self.buffers.slice_mut(slot as usize, bytes)
    }

    fn sync(&mut self, file: u32, kind: SyncKind) -> io::Result<()> {
        sync_file(self.setup.files[file as usize], kind)
    }
}

impl Drop for Uring {
    fn drop(&mut self) {
        let begin = Instant::now();
        let mut ended = Vec::with_capacity(self.in_flight);
        while self.in_flight > 0 && begin.elapsed() < PATIENCE {
            if self.collect(1, u32::MAX, Some(20_000_000), &mut ended).is_err() {
                // What was refused is still in line; what went before it may still end.
                std::thread::sleep(Duration::from_millis(1));
            }
        }
        if self.in_flight == 0 {
            // SAFETY: nobody uses them from here on. Otherwise they are left: the kernel may still write to them.
            unsafe { ManuallyDrop::drop(&mut self.buffers) };
        }
    }
}

fn again(error: &io::Error) -> bool {
    matches!(error.raw_os_error(), Some(libc::EINTR | libc::EAGAIN | libc::EBUSY))
}
