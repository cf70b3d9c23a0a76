//! Buffers that the kernel can read and write past its caches: whole pages, never moved.

use std::io;
use std::ptr::NonNull;

use crate::pattern::Rng;

/// One mapping, cut into buffers of one size for the slots of a worker.
#[derive(Debug)]
pub struct Buffers {
    /// The whole mapping; the buffers begin at `base` in it.
    mapping: NonNull<u8>,
    mapped: usize,
    base: NonNull<u8>,
    each: usize,
    count: usize,
}

// SAFETY: the mapping belongs to this value alone, wherever it is.
unsafe impl Send for Buffers {}

const PAGE: usize = 4096;
const HUGE_PAGE: usize = 2 << 20;

impl Buffers {
    /// `count` buffers of at least `bytes`, filled with numbers that do not compress. Large ones lie in huge pages where
    /// the kernel has them: it then has fewer pages to hold for each operation.
    ///
    /// # Errors
    /// The kernel has no memory left.
    pub fn new(count: usize, bytes: usize, seed: u64) -> io::Result<Self> {
        let each = bytes.max(1).next_multiple_of(PAGE);
        let bytes = each * count;
        let huge = bytes >= HUGE_PAGE;
        let mapped = if huge { bytes.next_multiple_of(HUGE_PAGE) + HUGE_PAGE } else { bytes };
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
            // SAFETY: the mapping is longer than the buffers by one huge page. Advice that is not taken changes nothing.
            unsafe {
                base = mapping.add(start);
                libc::madvise(base.as_ptr().cast(), mapped - start, libc::MADV_HUGEPAGE);
            }
        }
        let mut buffers = Self { mapping, mapped, base, each, count };
        let mut rng = Rng::keyed(&[seed, 0x6275_6666]);
        for slot in 0..count {
            for word in buffers.slice_mut(slot, each).chunks_exact_mut(8) {
                word.copy_from_slice(&rng.word().to_le_bytes());
            }
        }
        Ok(buffers)
    }

    /// The first byte of a slot's buffer; the kernel may write to it while an operation is in flight.
    #[inline]
    pub fn pointer(&self, slot: usize) -> *mut u8 {
        debug_assert!(slot < self.count);
        // SAFETY: the slot lies within the mapping.
        unsafe { self.base.as_ptr().add(slot * self.each) }
    }

    pub fn each(&self) -> usize {
        self.each
    }

    /// The buffer of a slot without an operation in flight.
    #[inline]
    pub fn slice_mut(&mut self, slot: usize, bytes: usize) -> &mut [u8] {
        assert!(slot < self.count && bytes <= self.each);
        // SAFETY: within the mapping, and borrowed from the only owner.
        unsafe { std::slice::from_raw_parts_mut(self.pointer(slot), bytes) }
    }
}

impl Drop for Buffers {
    fn drop(&mut self) {
        // SAFETY: the mapping was made by `new` with this size.
        unsafe { libc::munmap(self.mapping.as_ptr().cast(), self.mapped) };
    }
}
