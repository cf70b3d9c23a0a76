//! The memory of Lua states: one store for all states of a thread, in which an object has no header.
//!
//! Most objects of Lua are smaller than 64 bytes, and a header of the C library takes 8 to 16 more; of a state that is
//! multiplied by thousands, that is a sixth. Lua says the size of what it gives back, so no header is needed.

use std::cell::{Cell, UnsafeCell};
use std::ffi::c_void;
use std::ptr::{self, NonNull};
use std::rc::{Rc, Weak};

use crate::edge::{self, Room};

/// Bytes of the largest object that the store holds; larger ones are the C library's.
const LARGEST: usize = 512;
/// Sizes are rounded up to a multiple of it, which is all the alignment that LuaJIT needs.
const STEP: usize = 8;
/// Bytes that the store takes from the kernel at once.
const PIECE: usize = 2 << 20;

/// A block that is free.
struct Free {
    next: Option<NonNull<Free>>,
}

/// Blocks for the states of one thread.
struct Store {
    /// Free blocks, by their size in steps.
    free: [Option<NonNull<Free>>; LARGEST / STEP + 1],
    /// The rest of the latest piece.
    rest: *mut u8,
    left: usize,
    pieces: Vec<NonNull<u8>>,
}

thread_local! {
    /// The store of the thread, as long as there is a state.
    static STORE: Cell<Weak<UnsafeCell<Store>>> = const { Cell::new(Weak::new()) };
}

/// The memory of one state.
pub(crate) struct Memory {
    store: Rc<UnsafeCell<Store>>,
    used: usize,
    /// Bytes that the state may use.
    limit: usize,
    /// Bytes beyond the limit once something was refused: an error needs memory too.
    grace: usize,
}

impl Memory {
    /// Memory without a limit.
    pub(crate) fn new() -> Self {
        let store = STORE.with(|known| {
            let store = known.take().upgrade().unwrap_or_default();
            known.set(Rc::downgrade(&store));
            store
        });
        Self { store, used: 0, limit: usize::MAX, grace: 0 }
    }

    /// Limits it from now on.
    pub(crate) fn limit_to(&mut self, bytes: usize) {
        (self.limit, self.grace) = (bytes, bytes / 8);
    }

    /// Whether the state may use so much.
    fn grants(&mut self, used: usize) -> bool {
        let granted = used <= self.limit;
        if !granted {
            self.limit += std::mem::take(&mut self.grace);
        }
        granted
    }
}

impl Default for Store {
    fn default() -> Self {
        Self { free: [None; LARGEST / STEP + 1], rest: ptr::null_mut(), left: 0, pieces: Vec::new() }
    }
}

impl Drop for Store {
    fn drop(&mut self) {
        for piece in &self.pieces {
            // SAFETY: mapped by `grow`, and no state is there that could look at it.
            unsafe { libc::munmap(piece.as_ptr().cast(), PIECE) };
        }
    }
}

impl Store {
    /// A block for so many bytes; null: the kernel has none.
    fn take(&mut self, bytes: usize) -> *mut u8 {
        let steps = bytes.div_ceil(STEP);
        if let Some(block) = self.free[steps] {
            // SAFETY: a free block is nobody else's, and begins with the address of the next.
            self.free[steps] = unsafe { block.as_ref().next };
            return block.as_ptr().cast();
        }
        let bytes = steps * STEP;
        if self.left < bytes && !self.grow() {
            return ptr::null_mut();
        }
        let block = self.rest;
        self.rest = block.wrapping_add(bytes);
        self.left -= bytes;
        block
    }

    /// Takes a block back.
    ///
    /// # Safety
    /// `take` gave the block out for as many bytes, and nobody uses it any more.
    unsafe fn give_back(&mut self, block: NonNull<u8>, bytes: usize) {
        let (steps, block) = (bytes.div_ceil(STEP), block.cast::<Free>());
        // SAFETY: as the caller promises; a step has room for an address.
        unsafe { block.write(Free { next: self.free[steps] }) };
        self.free[steps] = Some(block);
    }

    /// Takes another piece from the kernel; what is left of the one before is free in blocks.
    fn grow(&mut self) -> bool {
        let Some(piece) = aligned() else { return false };
        if !self.pieces.is_empty() {
            // Thousands of states touch more pages than the processor remembers; the kernel may make one of a piece.
            // SAFETY: memory of our own, and a hint.
            unsafe { libc::madvise(piece.as_ptr().cast(), PIECE, libc::MADV_HUGEPAGE) };
        }
        if let Some(rest) = NonNull::new(self.rest).filter(|_| self.left > 0) {
            // SAFETY: less than a block was asked for, in whole steps, and nobody has it.
            unsafe { self.give_back(rest, self.left) };
        }
        self.pieces.push(piece);
        (self.rest, self.left) = (piece.as_ptr(), PIECE);
        true
    }
}

/// A new piece at a multiple of its size.
fn aligned() -> Option<NonNull<u8>> {
    let (access, kind) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
    // SAFETY: new memory, wherever the kernel has it, of which all but a whole piece is given back.
    unsafe {
        let found = libc::mmap(ptr::null_mut(), 2 * PIECE, access, kind, -1, 0);
        if found == libc::MAP_FAILED {
            return None;
        }
        let before = found.addr().next_multiple_of(PIECE) - found.addr();
        let piece = found.wrapping_byte_add(before);
        if before > 0 {
            libc::munmap(found, before);
        }
        libc::munmap(piece.wrapping_byte_add(PIECE), PIECE - before);
        NonNull::new(piece.cast())
    }
}

/// What a state asks for all its memory through.
///
/// # Safety
/// `memory` is that of the state; `block` is null, or was given out for `old` bytes.
pub(crate) unsafe extern "C" fn allocate(
    memory: *mut c_void,
    block: *mut c_void,
    old: usize,
    new: usize,
) -> *mut c_void {
    // SAFETY: one thread has the state, its memory and the store, and this function is in no other that looks at them.
    unsafe {
        let memory = &mut *memory.cast::<Memory>();
        let old = if block.is_null() { 0 } else { old };
        let used = memory.used - old + new;
        if new > old && !memory.grants(used) {
            return ptr::null_mut();
        }
        match edge::room() {
            Room::Ample => {}
            Room::Narrow | Room::Least if new > old => {
                edge::note();
                return ptr::null_mut();
            }
            Room::Narrow => {}
            // The block stays as it is: nobody gets it again.
            Room::Least => {
                memory.used = used;
                return if new > 0 { block } else { ptr::null_mut() };
            }
        }
        let store = &mut *memory.store.get();
        let moved = match NonNull::new(block.cast::<u8>()) {
            None if new == 0 => return ptr::null_mut(),
            None if new > LARGEST => libc::malloc(new),
            None => store.take(new).cast(),
            Some(_) if old > LARGEST && new > LARGEST => libc::realloc(block, new),
            Some(kept) if old <= LARGEST && new > 0 && new.div_ceil(STEP) == old.div_ceil(STEP) => {
                kept.as_ptr().cast()
            }
            Some(left) => {
                let moved = match new {
                    0 => ptr::null_mut(),
                    1..=LARGEST => store.take(new).cast(),
                    _ => libc::malloc(new),
                };
                if !moved.is_null() {
                    ptr::copy_nonoverlapping(left.as_ptr(), moved.cast(), old.min(new));
                }
                if new == 0 || !moved.is_null() {
                    if old > LARGEST { libc::free(block) } else { store.give_back(left, old) }
                }
                moved
            }
        };
        if new == 0 || !moved.is_null() {
            memory.used = used;
        }
        moved
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Has a block filled, made as large as each of `sizes` in turn, and looked at each time.
    fn resize(memory: &mut Memory, sizes: &[usize]) {
        let memory = ptr::from_mut(memory).cast();
        let (mut block, mut old) = (ptr::null_mut(), 0);
        for &new in sizes {
            // SAFETY: the block has the size that was asked for last.
            unsafe {
                block = allocate(memory, block, old, new);
                assert!(!block.is_null() && block.addr() % STEP == 0, "{old} to {new}");
                let bytes = std::slice::from_raw_parts_mut(block.cast::<u8>(), new);
                for (place, byte) in bytes.iter().enumerate().take(old) {
                    assert_eq!(*byte, place as u8, "{old} to {new}");
                }
                (0..new).for_each(|place| bytes[place] = place as u8);
            }
            old = new;
        }
        // SAFETY: as above.
        assert!(unsafe { allocate(memory, block, old, 0) }.is_null());
    }

    #[test]
    fn blocks_keep_what_they_hold_and_are_used_again() {
        let mut memory = Memory::new();
        for _ in 0..50 {
            resize(&mut memory, &[1, 7, 8, 9, 504, 512, 513, 40_000, 512, 3, 100_000]);
        }
        assert_eq!(memory.used, 0);
        // SAFETY: nobody else looks at it.
        let store = unsafe { &*memory.store.get() };
        assert_eq!((store.pieces.len(), PIECE - store.left < 2048), (1, true));
    }

    #[test]
    fn blocks_of_two_states_do_not_overlap() {
        let mut states = [Memory::new(), Memory::new()];
        let mut blocks = Vec::new();
        for size in (1..=LARGEST).cycle().take(20_000) {
            let memory = ptr::from_mut(&mut states[size % 2]).cast();
            // SAFETY: a new block.
            let block = unsafe { allocate(memory, ptr::null_mut(), 0, size) };
            blocks.push((block.addr(), size));
        }
        blocks.sort_unstable();
        assert!(blocks.windows(2).all(|pair| pair[0].0 + pair[0].1 <= pair[1].0));
    }

    #[test]
    fn a_state_at_its_limit_is_refused_once_and_then_has_an_eighth_more() {
        let mut memory = Memory::new();
        memory.limit_to(8000);
        let take = |memory: &mut Memory, bytes| {
            // SAFETY: a new block.
            !unsafe { allocate(ptr::from_mut(memory).cast(), ptr::null_mut(), 0, bytes) }.is_null()
        };
        let granted = [7900, 100, 1, 1000, 1].map(|bytes| take(&mut memory, bytes));
        assert_eq!(granted, [true, true, false, true, false]);
    }
}
