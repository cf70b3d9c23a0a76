//! pread and pwrite: the thread waits for each.

use std::io;

use super::{Completion, Device, Setup, as_result, sync_file};
use crate::memory::Buffers;
use crate::pattern::Request;
use crate::spec::SyncKind;

pub struct Psync {
    setup: Setup,
    buffers: Buffers,
    ended: Option<Completion>,
}

impl Psync {
    pub(super) fn new(setup: Setup) -> Self {
        Self { buffers: setup.buffers(), setup, ended: None }
    }
}

impl Device for Psync {
    const QUEUED: bool = false;

    #[inline]
    fn queue(&mut self, slot: u32, request: &Request) -> io::Result<()> {
        let file = self.setup.files[request.file as usize];
        let (buffer, bytes) = (self.buffers.pointer(slot as usize).cast(), request.bytes as usize);
        let offset = request.offset as libc::off_t;
        // SAFETY: the buffer has at least `bytes`, and the call is over when it returns.
        let returned = unsafe {
            if request.read {
                libc::pread(file, buffer, bytes, offset)
            } else {
                libc::pwrite(file, buffer, bytes, offset)
            }
        };
        self.ended = Some(Completion { slot, result: as_result(returned) });
        Ok(())
    }

    fn submit(&mut self) -> io::Result<()> {
        Ok(())
    }

    #[inline]
    fn collect(&mut self, _: u32, _: u32, _: Option<u64>, ended: &mut Vec<Completion>) -> io::Result<()> {
        ended.extend(self.ended.take());
        Ok(())
    }

    fn buffer(&mut self, slot: u32, bytes: usize) -> &mut [u8] {
        self.buffers.slice_mut(slot as usize, bytes)
    }

    fn sync(&mut self, file: u32, kind: SyncKind) -> io::Result<()> {
        sync_file(self.setup.files[file as usize], kind)
    }
}
