//! The heap: what the allocator does with memory that is free again.

/// Tells the allocator to keep freed memory, which is needed again soon. An interval of a load is text
/// of up to some hundred kilobytes, which is written and freed at once: asked of the kernel each time, it would cost page
/// faults.
///
/// To be called before there is a second thread. Only glibc's allocator can be told so; others do as they do.
pub(crate) fn keep_free_memory() {
    #[cfg(target_env = "gnu")]
    {
        /// Blocks from this size on have pages of their own, which come from the kernel and go back to it.
        const OWN_PAGES_BYTES: libc::c_int = 1 << 20;
        /// Free memory at the end of the heap that is kept.
        const KEPT_BYTES: libc::c_int = 64 << 20;
        // SAFETY: there is one thread, as the function asks; a parameter that is not taken changes nothing.
        unsafe {
            libc::mallopt(libc::M_MMAP_THRESHOLD, OWN_PAGES_BYTES);
            libc::mallopt(libc::M_TRIM_THRESHOLD, KEPT_BYTES);
        }
    }
}
