//! Buffers that the kernel can read and write past its caches: whole pages, never moved.

use std::io;
use std::ptr::NonNull;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use assay_chance::Rng;

/// The buffers of all workers: one mapping, cut into a part for each.
#[derive(Debug)]
pub struct Memory {
    /// The whole mapping; the parts begin at `base` in it.
    mapping: NonNull<u8>,
    mapped: usize,
    base: NonNull<u8>,
    /// Bytes of a buffer, and the number of buffers of a worker.
    each: usize,
    count: usize,
    /// Stretches of the mapping: workers with neighbouring numbers lie on different ones.
    stretches: usize,
    stretch: usize,
    /// Whether each part has an owner.
    taken: Box<[AtomicBool]>,
}

// SAFETY: the mapping belongs to this value alone, wherever it is, and no two own the same part.
unsafe impl Send for Memory {}
// SAFETY: as before; what changes is atomic.
unsafe impl Sync for Memory {}

const PAGE: usize = 4096;
const HUGE_PAGE: usize = 2 << 20;
/// Holding a huge page for an operation counts in one place for all who use it: few of them share one. Each stretch may
/// leave most of a huge page unused.
const STRETCHES: usize = 16;

impl Memory {
    /// Memory for `workers` with `count` buffers of at least `bytes`. Buffers of more than a page lie in huge pages where the
    /// kernel has them: an operation is then one piece of memory for the disk, and not one a page.
    ///
    /// `fixed`: each worker registers its part, and the kernel counts whole huge pages against the limit of locked
    /// memory, so that a small part does without.
    ///
    /// # Errors
    /// The kernel has no memory left.
    pub fn new(workers: usize, count: usize, bytes: usize, fixed: bool) -> io::Result<Self> {
        let too_much = || io::Error::from(io::ErrorKind::OutOfMemory);
        let each = bytes.max(1).checked_next_multiple_of(PAGE).ok_or_else(too_much)?;
        let part = count.checked_mul(each).ok_or_else(too_much)?;
        let huge = each > PAGE && (!fixed || part >= HUGE_PAGE);
        let stretches = if huge { workers.clamp(1, STRETCHES) } else { 1 };
        let unit = if huge { HUGE_PAGE } else { PAGE };
        // A product that wraps would be a mapping that the parts do not lie in.
        let whole = |rows: usize| {
            let stretch = rows.checked_mul(part)?.checked_next_multiple_of(unit)?;
            let mapped = stretches.checked_mul(stretch)?.checked_add(if huge { HUGE_PAGE } else { 0 })?;
            Some((stretch, mapped))
        };
        let (stretch, mapped) = whole(workers.max(1).div_ceil(stretches)).ok_or_else(too_much)?;
        // SAFETY: a new anonymous mapping touches nothing that exists.
        let mapping = unsafe {
            libc::mmap(
                std::ptr::null_mut(),
                mapped,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS,
                -1,
                0,
            )
        };
        if mapping == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        let mapping: NonNull<u8> = NonNull::new(mapping.cast()).expect("a mapping is not at 0");
        let mut base = mapping;
        if huge {
            let start = mapping.as_ptr().align_offset(HUGE_PAGE);
            // SAFETY: the mapping is longer than the parts by one huge page. Advice that is not taken changes nothing.
            unsafe {
                base = mapping.add(start);
                libc::madvise(base.as_ptr().cast(), mapped - start, libc::MADV_HUGEPAGE);
            }
        }
        let taken = (0..workers).map(|_| AtomicBool::new(false)).collect();
        Ok(Self { mapping, mapped, base, each, count, stretches, stretch, taken })
    }

    /// The first byte of a worker's part, which nobody else has.
    fn take(&self, worker: usize) -> NonNull<u8> {
        assert!(!self.taken[worker].swap(true, Ordering::AcqRel), "two workers of one number");
        let (stretch, row) = (worker % self.stretches, worker / self.stretches);
        // SAFETY: the part lies within the mapping.
        unsafe { self.base.add(stretch * self.stretch + row * self.count * self.each) }
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        // SAFETY: the mapping was made by `new` with this size.
        unsafe { libc::munmap(self.mapping.as_ptr().cast(), self.mapped) };
    }
}

/// One worker's part of the memory, a buffer for each of its slots.
#[derive(Debug)]
pub(crate) struct Buffers {
    memory: Arc<Memory>,
    worker: usize,
    base: NonNull<u8>,
    each: usize,
}

// SAFETY: the part belongs to this value alone, wherever it is.
unsafe impl Send for Buffers {}

impl Buffers {
    /// The buffers of a worker, filled with numbers that do not compress.
    ///
    /// # Panics
    /// The worker has its part already.
    pub(crate) fn new(memory: Arc<Memory>, worker: usize, seed: u64) -> Self {
        let mut buffers = Self { base: memory.take(worker), each: memory.each, memory, worker };
        let mut rng = Rng::blended(&[seed, 0x6275_6666]);
        for slot in 0..buffers.memory.count {
            for word in buffers.slice_mut(slot, buffers.each).chunks_exact_mut(8) {
                word.copy_from_slice(&rng.u64().to_le_bytes());
            }
        }
        buffers
    }

    /// The first byte of a slot's buffer; the kernel may write to it while an operation is in flight.
    #[inline]
    pub(crate) fn pointer(&self, slot: usize) -> *mut u8 {
        debug_assert!(slot < self.memory.count);
        // SAFETY: the slot lies within the part.
        unsafe { self.base.as_ptr().add(slot * self.each) }
    }

    pub(crate) fn each(&self) -> usize {
        self.each
    }

    /// The buffer of a slot without an operation in flight.
    #[inline]
    pub(crate) fn slice_mut(&mut self, slot: usize, bytes: usize) -> &mut [u8] {
        assert!(slot < self.memory.count && bytes <= self.each);
        // SAFETY: within the mapping, and borrowed from the only owner.
        unsafe { std::slice::from_raw_parts_mut(self.pointer(slot), bytes) }
    }
}

impl Drop for Buffers {
    fn drop(&mut self) {
        self.memory.taken[self.worker].store(false, Ordering::Release);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn workers_do_not_share_a_byte() {
        for (workers, count, bytes) in
            [(1, 1, 512), (3, 32, 4096), (70, 3, 16384), (130, 1, 8192), (2, 5, 1 << 20)]
        {
            let memory = Arc::new(Memory::new(workers, count, bytes, workers == 70).unwrap());
            let mut all: Vec<Buffers> =
                (0..workers).map(|worker| Buffers::new(memory.clone(), worker, 1)).collect();
            for (worker, buffers) in all.iter_mut().enumerate() {
                for slot in 0..count {
                    buffers.slice_mut(slot, bytes).fill((worker * count + slot) as u8);
                }
            }
            for (worker, buffers) in all.iter_mut().enumerate() {
                for slot in 0..count {
                    let mark = (worker * count + slot) as u8;
                    assert!(
                        buffers.slice_mut(slot, bytes).iter().all(|byte| *byte == mark),
                        "{worker} {slot}"
                    );
                    assert_eq!(buffers.pointer(slot).align_offset(PAGE), 0);
                }
            }
        }
    }

    #[test]
    fn more_memory_than_there_are_addresses_is_refused() {
        for (workers, count, bytes) in
            [(1 << 18, 1 << 16, 1 << 30), (1, 1, usize::MAX), (1, usize::MAX, 4096)]
        {
            let refused = Memory::new(workers, count, bytes, false).map(drop).unwrap_err();
            assert_eq!(refused.kind(), io::ErrorKind::OutOfMemory, "{workers} {count} {bytes}");
        }
    }

    #[test]
    #[should_panic(expected = "two workers of one number")]
    fn a_part_has_one_owner() {
        let memory = Arc::new(Memory::new(2, 1, 4096, false).unwrap());
        let _first = Buffers::new(memory.clone(), 1, 1);
        Buffers::new(memory, 1, 1);
    }
}
