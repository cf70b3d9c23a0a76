//! No I/O: what is measured is the generator.

use std::io;

use super::{Completion, Device, Setup};
use crate::memory::Buffers;
use crate::pattern::Request;
use crate::spec::SyncKind;

pub struct Null {
    buffers: Buffers,
    queued: Vec<Completion>,
}

impl Null {
    pub(super) fn new(setup: &Setup) -> Self {
        Self { buffers: setup.buffers(), queued: Vec::with_capacity(setup.depth as usize) }
    }
}

impl Device for Null {
    const QUEUED: bool = true;

    #[inline]
    fn queue(&mut self, slot: u32, request: &Request) -> io::Result<()> {
        self.queued.push(Completion { slot, result: request.bytes.into() });
        Ok(())
    }

    fn submit(&mut self) -> io::Result<()> {
        Ok(())
    }

    #[inline]
    fn collect(&mut self, _: u32, max: u32, _: Option<u64>, ended: &mut Vec<Completion>) -> io::Result<()> {
        let count = self.queued.len().min(max as usize);
        ended.extend(self.queued.drain(..count));
        Ok(())
    }

    fn buffer(&mut self, slot: u32, bytes: usize) -> &mut [u8] {
        self.buffers.slice_mut(slot as usize, bytes)
    }

    fn sync(&mut self, _: u32, _: SyncKind) -> io::Result<()> {
        Ok(())
    }
}
