//! Open files: how many this process may have.

use crate::process::failure::Fatal;

/// The number of files that this process may have open.
pub(crate) fn limit() -> u64 {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: `limit` is a valid rlimit.
    unsafe { libc::getrlimit(libc::RLIMIT_NOFILE, &raw mut limit) };
    limit.rlim_cur
}

/// Raises the soft limit of open files, where the hard one allows, to one each for `count` things and a few for the
/// engine itself.
///
/// # Errors
/// The hard limit is too low; the message names the things.
pub(crate) fn allow_descriptors(count: u64, things: &str) -> Result<(), Fatal> {
    let needed = count + 64;
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: `limit` is a valid rlimit in both calls.
    unsafe {
        libc::getrlimit(libc::RLIMIT_NOFILE, &raw mut limit);
        if limit.rlim_cur >= needed {
            return Ok(());
        }
        let raised = libc::rlimit { rlim_cur: needed, rlim_max: limit.rlim_max.max(needed) };
        if libc::setrlimit(libc::RLIMIT_NOFILE, &raw const raised) == 0 {
            return Ok(());
        }
    }
    Err(Fatal::host(format!(
        "{count} {things} need {needed} open files, but this process may have {}",
        limit.rlim_max
    )))
}
