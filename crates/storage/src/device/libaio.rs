//! Linux native AIO by its system calls (io_setup(2), io_submit(2), io_getevents(2)): no C library is needed.

use std::io;
use std::mem::ManuallyDrop;
use std::time::Instant;

use super::{Completion, Device, PATIENCE, Setup, checked, sync_file, unsupported};
use crate::error::StorageError;
use crate::memory::Buffers;
use crate::pattern::Request;
use crate::spec::SyncKind;

const PREAD: u16 = 0;
const PWRITE: u16 = 1;

/// `struct iocb` of linux/aio_abi.h.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
struct ControlBlock {
    data: u64,
    #[cfg(target_endian = "little")]
    key: u32,
    flags: u32,
    #[cfg(target_endian = "big")]
    key: u32,
    opcode: u16,
    priority: i16,
    file: u32,
    buffer: u64,
    bytes: u64,
    offset: i64,
    reserved: u64,
    more_flags: u32,
    event_file: u32,
}

/// `struct io_event` of linux/aio_abi.h.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
struct Event {
    data: u64,
    block: u64,
    result: i64,
    result2: i64,
}

pub struct Libaio {
    context: libc::c_ulong,
    setup: Setup,
    /// Given back when nothing is in flight any more.
    buffers: ManuallyDrop<Buffers>,
    /// Operations that were handed over and not collected yet.
    in_flight: usize,
    blocks: Box<[ControlBlock]>,
    /// Addresses of the blocks in line, as the kernel wants them.
    line: Vec<*mut ControlBlock>,
    events: Box<[Event]>,
}

// SAFETY: the pointers in `line` go into `blocks`, which moves with it and is never reallocated.
unsafe impl Send for Libaio {}

impl Libaio {
    pub(super) fn new(setup: Setup) -> Result<Self, StorageError> {
        let depth = setup.depth as usize;
        let mut context: libc::c_ulong = 0;
        // SAFETY: the kernel writes the context's number.
        let made =
            unsafe { libc::syscall(libc::SYS_io_setup, libc::c_long::from(setup.depth), &raw mut context) };
        checked(made).map_err(|source| {
            unsupported(
                "libaio",
                "lower the depth or the jobs, or raise fs.aio-max-nr; a container may forbid it",
                source,
            )
        })?;
        Ok(Self {
            context,
            buffers: ManuallyDrop::new(setup.buffers()),
            in_flight: 0,
            blocks: vec![ControlBlock::default(); depth].into_boxed_slice(),
            line: Vec::with_capacity(depth),
            events: vec![Event::default(); depth].into_boxed_slice(),
            setup,
        })
    }
}

impl Device for Libaio {
    const QUEUED: bool = true;

    #[inline]
    fn queue(&mut self, slot: u32, request: &Request) -> io::Result<()> {
        let block = &mut self.blocks[slot as usize];
        *block = ControlBlock {
            data: slot.into(),
            opcode: if request.read { PREAD } else { PWRITE },
            file: self.setup.files[request.file as usize] as u32,
            buffer: self.buffers.pointer(slot as usize) as u64,
            bytes: request.bytes.into(),
            offset: request.offset as i64,
            ..ControlBlock::default()
        };
        self.line.push(block);
        Ok(())
    }

    #[inline]
    fn submit(&mut self) -> io::Result<()> {
        let mut sent = 0;
        while sent < self.line.len() {
            let rest = &self.line[sent..];
            // SAFETY: `rest` has pointers to blocks that live as long as the context.
            let taken = unsafe {
                libc::syscall(libc::SYS_io_submit, self.context, rest.len() as libc::c_long, rest.as_ptr())
            };
            match checked(taken) {
                Ok(taken) => {
                    sent += taken as usize;
                    self.in_flight += taken as usize;
                }
                Err(error) if matches!(error.raw_os_error(), Some(libc::EAGAIN | libc::EINTR)) => {
                    std::thread::yield_now();
                }
                Err(error) => return Err(error),
            }
        }
        self.line.clear();
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
        let limit = timeout_ns.map(|ns| libc::timespec {
            tv_sec: (ns / 1_000_000_000) as i64,
            tv_nsec: (ns % 1_000_000_000) as i64,
        });
        let limit = limit.as_ref().map_or(std::ptr::null(), std::ptr::from_ref);
        let room = self.events.len().min(max as usize);
        // SAFETY: `events` has room for as many, and `limit` outlives the call.
        let found = unsafe {
            libc::syscall(
                libc::SYS_io_getevents,
                self.context,
                libc::c_long::from(min as i32),
                room as libc::c_long,
                self.events.as_mut_ptr(),
                limit,
            )
        };
        match checked(found) {
            Ok(found) => {
                self.in_flight -= found as usize;
                let found = self.events[..found as usize].iter();
                ended.extend(found.map(|event| Completion { slot: event.data as u32, result: event.result }));
                Ok(())
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Ok(()),
            Err(error) => Err(error),
        }
    }

    fn buffer(&mut self, slot: u32, bytes: usize) -> &mut [u8] {
        self.buffers.slice_mut(slot as usize, bytes)
    }

    fn sync(&mut self, file: u32, kind: SyncKind) -> io::Result<()> {
        sync_file(self.setup.files[file as usize], kind)
    }
}

impl Drop for Libaio {
    fn drop(&mut self) {
        let begin = Instant::now();
        let mut ended = Vec::with_capacity(self.in_flight);
        while self.in_flight > 0 && begin.elapsed() < PATIENCE {
            if self.collect(1, u32::MAX, Some(20_000_000), &mut ended).is_err() {
                break;
            }
        }
        if self.in_flight > 0 {
            // io_destroy(2) would wait for ever on a disk that does not answer, and this worker has figures to hand over.
            // Context and buffers are left: the kernel may still write to them.
            return;
        }
        // SAFETY: the context is ours, and from here on nobody uses the buffers.
        unsafe {
            libc::syscall(libc::SYS_io_destroy, self.context);
            ManuallyDrop::drop(&mut self.buffers);
        }
    }
}
