//! The C library's mutex, which is what the tests of locks are about.

use std::cell::UnsafeCell;

/// A mutex and the number that it guards. Two of them share no line of a cache, nor the pair of lines that processors fetch
/// together.
#[repr(align(128))]
pub(crate) struct Lock {
    mutex: UnsafeCell<libc::pthread_mutex_t>,
    value: UnsafeCell<u64>,
}

// SAFETY: a mutex is made to be used by several threads, and the value is touched by its holder alone.
unsafe impl Sync for Lock {}
// SAFETY: nobody holds the mutex while a value moves: holding it borrows the lock.
unsafe impl Send for Lock {}

impl Lock {
    pub(crate) fn new() -> Self {
        Self { mutex: UnsafeCell::new(libc::PTHREAD_MUTEX_INITIALIZER), value: UnsafeCell::new(0) }
    }

    /// Locks of one array, none of which moves any more.
    pub(crate) fn array(count: u32) -> Box<[Self]> {
        (0..count).map(|_| Self::new()).collect()
    }

    /// Does something while the mutex is held; `work` must not panic.
    #[inline]
    pub(crate) fn held(&self, work: impl FnOnce(&mut u64)) {
        // SAFETY: the mutex is initialised, and stays where it is while it is borrowed.
        unsafe { libc::pthread_mutex_lock(self.mutex.get()) };
        // SAFETY: whoever holds the mutex is alone here.
        work(unsafe { &mut *self.value.get() });
        // SAFETY: this thread holds the mutex.
        unsafe { libc::pthread_mutex_unlock(self.mutex.get()) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_holder_is_alone() {
        let lock = Lock::new();
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| (0..10_000).for_each(|_| lock.held(|value| *value += 1)));
            }
        });
        lock.held(|value| assert_eq!(*value, 40_000));
    }
}
