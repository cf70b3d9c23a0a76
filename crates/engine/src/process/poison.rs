//! Locks that were held while their thread panicked.

use std::sync::{LockResult, PoisonError};

/// Takes what a lock guards although a thread panicked while it held it: `unpoisoned(mutex.lock())`, and so for a
/// [`Condvar`](std::sync::Condvar). The panic is the job's error already ([`caught`](crate::process::panics::caught)), and
/// what else is known is said all the same.
pub(crate) fn unpoisoned<T>(taken: LockResult<T>) -> T {
    taken.unwrap_or_else(PoisonError::into_inner)
}
