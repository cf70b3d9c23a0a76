//! Blocks of memory: whole pages of words that threads may share.

use std::io;
use std::ops::Deref;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::check::WORD;
use crate::error::MachineError;

const PAGE: u64 = 4096;
const HUGE_PAGE: u64 = 2 << 20;

/// A block of words, which begins at a page of its own. No two blocks share a line of a cache.
#[derive(Debug)]
pub(crate) struct Block {
    words: NonNull<AtomicU64>,
    count: usize,
    mapped: usize,
}

// SAFETY: the mapping belongs to this value alone, wherever it is.
unsafe impl Send for Block {}
// SAFETY: as before; its words are atomic.
unsafe impl Sync for Block {}

impl Block {
    /// A block of `bytes`, each word of which has been written: pages that nobody wrote to are all the same one.
    ///
    /// # Errors
    /// The kernel has no memory of that size, or no huge pages.
    pub(crate) fn new(bytes: u64, huge: bool) -> Result<Self, MachineError> {
        let (unit, flags) =
            if huge { (HUGE_PAGE, libc::MAP_HUGETLB | libc::MAP_POPULATE) } else { (PAGE, 0) };
        let failed = |source| MachineError::Memory { bytes, huge, source };
        let mapped = bytes
            .checked_next_multiple_of(unit)
            .and_then(|bytes| usize::try_from(bytes).ok())
            .ok_or_else(|| failed(io::ErrorKind::OutOfMemory.into()))?;
        // SAFETY: a new anonymous mapping touches nothing that exists.
        let mapping = unsafe {
            libc::mmap(
                std::ptr::null_mut(),
                mapped,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | flags,
                -1,
                0,
            )
        };
        if mapping == libc::MAP_FAILED {
            return Err(failed(io::Error::last_os_error()));
        }
        let words = NonNull::new(mapping.cast()).expect("a mapping is not at 0");
        let block = Self { words, count: (bytes / WORD) as usize, mapped };
        for (number, word) in block.iter().enumerate() {
            word.store(number as u64, Ordering::Relaxed);
        }
        Ok(block)
    }
}

impl Deref for Block {
    type Target = [AtomicU64];

    #[inline]
    fn deref(&self) -> &[AtomicU64] {
        // SAFETY: the mapping has so many words, aligned and initialised (a new page is all zeros), as long as `self` lives.
        unsafe { std::slice::from_raw_parts(self.words.as_ptr(), self.count) }
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        // SAFETY: the mapping was made by `new` with this size.
        unsafe { libc::munmap(self.words.as_ptr().cast(), self.mapped) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_have_their_words_and_share_none() {
        let (first, second) = (Block::new(1032, false).unwrap(), Block::new(8, false).unwrap());
        assert_eq!((first.len(), second.len()), (129, 1));
        first.iter().for_each(|word| word.store(7, Ordering::Relaxed));
        assert_eq!(second[0].load(Ordering::Relaxed), 0);
        assert!(first.iter().all(|word| word.load(Ordering::Relaxed) == 7));
    }

    #[test]
    fn more_memory_than_there_are_addresses_is_refused() {
        let refused = Block::new(1 << 60, false).unwrap_err();
        assert!(refused.to_string().contains("1152921504606846976 bytes"), "{refused}");
        assert!(refused.hint().contains("smaller blocks"));
    }
}
