//! Copies from and to a mapping of the file: the kernel reads and writes pages when they are touched.

use std::io;
use std::os::fd::RawFd;
use std::ptr::NonNull;

use super::{Completion, Device, Setup, bus, checked, unsupported};
use crate::error::StorageError;
use crate::memory::Buffers;
use crate::pattern::Request;
use crate::spec::SyncKind;

pub struct Mmap {
    maps: Vec<Map>,
    buffers: Buffers,
    ended: Option<Completion>,
}

struct Map {
    base: NonNull<u8>,
    bytes: usize,
}

impl Map {
    fn new(file: RawFd, bytes: u64, writes: bool) -> io::Result<Self> {
        let bytes = bytes as usize;
        let protection = if writes { libc::PROT_READ | libc::PROT_WRITE } else { libc::PROT_READ };
        // SAFETY: a new mapping at a place that the kernel chooses.
        let base = unsafe { libc::mmap(std::ptr::null_mut(), bytes, protection, libc::MAP_SHARED, file, 0) };
        if base == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        Ok(Self { base: NonNull::new(base.cast()).expect("a mapping is not at 0"), bytes })
    }
}

impl Drop for Map {
    fn drop(&mut self) {
        // SAFETY: made by `new` with this size.
        unsafe { libc::munmap(self.base.as_ptr().cast(), self.bytes) };
    }
}

impl Mmap {
    pub(super) fn new(setup: Setup) -> Result<Self, StorageError> {
        bus::listen();
        let maps = setup.files.iter().map(|file| Map::new(*file, setup.file_bytes, setup.writes));
        let maps = maps.collect::<io::Result<Vec<_>>>().map_err(|source| {
            unsupported("a mapping of the file", "use a smaller size or another engine", source)
        })?;
        Ok(Self { maps, buffers: setup.buffers(), ended: None })
    }
}

impl Device for Mmap {
    const QUEUED: bool = false;

    #[inline]
    fn queue(&mut self, slot: u32, request: &Request) -> io::Result<()> {
        let map = &self.maps[request.file as usize];
        let (offset, bytes) = (request.offset as usize, request.bytes as usize);
        assert!(offset + bytes <= map.bytes);
        let buffer = self.buffers.pointer(slot as usize);
        // SAFETY: both ends lie within their mappings, which do not overlap.
        let copied = bus::guarded(map.base.as_ptr(), map.bytes, || unsafe {
            let place = map.base.as_ptr().add(offset);
            if request.read {
                place.copy_to_nonoverlapping(buffer, bytes);
            } else {
                place.copy_from_nonoverlapping(buffer, bytes);
            }
        });
        let result = if copied { request.bytes.into() } else { -i64::from(libc::EIO) };
        self.ended = Some(Completion { slot, result });
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

    fn sync(&mut self, file: u32, _: SyncKind) -> io::Result<()> {
        let map = &self.maps[file as usize];
        // SAFETY: the mapping exists.
        checked(unsafe { libc::msync(map.base.as_ptr().cast(), map.bytes, libc::MS_SYNC) }.into()).map(drop)
    }
}
