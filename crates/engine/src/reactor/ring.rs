//! Operations on many sockets, carried out by one call of io_uring.

use io_uring::{IoUring, squeue};

/// A ring for operations that wait for nothing: the call that hands them over returns when all have ended.
pub(super) struct Ring(Option<IoUring>);

impl Ring {
    /// `None`: this kernel, or the container, has no io_uring.
    pub(super) fn new(most: usize) -> Option<Self> {
        Some(Self(Some(IoUring::new(most as u32).ok()?)))
    }

    /// A ring that carries nothing out.
    pub(super) fn none() -> Self {
        Self(None)
    }

    /// False once the kernel has refused a call: nothing is carried out from then on.
    #[inline]
    pub(super) fn is_usable(&self) -> bool {
        self.0.is_some()
    }

    /// Carries operations out, and says by their numbers what each returned; those of which nothing is said were not
    /// carried out.
    ///
    /// # Safety
    /// The operations wait for nothing, and the memory that they refer to lasts until this returns.
    pub(super) unsafe fn carry_out(
        &mut self,
        operations: impl Iterator<Item = squeue::Entry>,
        mut ended: impl FnMut(usize, i32),
    ) {
        let Some(ring) = &mut self.0 else { return };
        let mut line = ring.submission();
        let mut count = 0;
        for operation in operations {
            // SAFETY: as the caller promises.
            if unsafe { line.push(&operation.user_data(count as u64)) }.is_err() {
                break;
            }
            count += 1;
        }
        drop(line);
        if count == 0 {
            return;
        }
        let submitted = ring.submit_and_wait(count);
        for one in ring.completion() {
            ended(one.user_data() as usize, one.result());
        }
        // What is still in line there must not be carried out later.
        if !submitted.is_ok_and(|submitted| submitted == count) {
            self.0 = None;
        }
    }
}
