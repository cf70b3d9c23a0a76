//! A page of a mapping that cannot be had (the disk does not read it, the file was cut short, no room is left) raises
//! SIGBUS, which ends the process and leaves its files behind. Here it is an error of the copy that wanted the page.

use std::cell::Cell;
use std::sync::Once;
use std::sync::atomic::{Ordering, compiler_fence};

const PAGE: usize = 4096;

thread_local! {
    /// First byte and end of the mapping that this thread copies from or to.
    static GUARDED: Cell<(usize, usize)> = const { Cell::new((0, 0)) };
    static FAILED: Cell<bool> = const { Cell::new(false) };
}

/// Installs the handler of SIGBUS, once in the process, before the first copy.
pub(super) fn listen() {
    static LISTENING: Once = Once::new();
    LISTENING.call_once(|| {
        // SAFETY: the handler touches this thread's cells and pages of its own mapping only.
        unsafe {
            let mut action: libc::sigaction = std::mem::zeroed();
            action.sa_sigaction = raised as *const () as usize;
            action.sa_flags = libc::SA_SIGINFO | libc::SA_NODEFER;
            libc::sigaction(libc::SIGBUS, &raw const action, std::ptr::null_mut());
        }
    });
}

/// Copies from or to a mapping; false where a page of it could not be had.
#[inline]
pub(super) fn guarded(base: *mut u8, bytes: usize, copy: impl FnOnce()) -> bool {
    GUARDED.set((base as usize, base as usize + bytes));
    // The handler runs in this thread, between any two of its instructions: the cells must be written before the copy
    // begins and read after it has ended, which nothing in the code says to the compiler.
    compiler_fence(Ordering::SeqCst);
    copy();
    compiler_fence(Ordering::SeqCst);
    GUARDED.set((0, 0));
    !FAILED.replace(false)
}

/// Puts an empty page in the place of the one that is missing, so that the copy goes on to its end.
extern "C" fn raised(_: libc::c_int, what: *mut libc::siginfo_t, _: *mut libc::c_void) {
    // SAFETY: the kernel gives the address; the page replaced is one of the mapping that this thread is copying.
    unsafe {
        let address = (*what).si_addr() as usize;
        let (from, to) = GUARDED.get();
        let page = (address / PAGE * PAGE) as *mut libc::c_void;
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_FIXED;
        let protection = libc::PROT_READ | libc::PROT_WRITE;
        if !(from..to).contains(&address)
            || libc::mmap(page, PAGE, protection, flags, -1, 0) == libc::MAP_FAILED
        {
            // Not ours: the access is repeated, and ends the process as it would have.
            libc::signal(libc::SIGBUS, libc::SIG_DFL);
            return;
        }
        FAILED.set(true);
    }
}
