//! How many connections this process may hold.

/// Raises the limit of open files to `wanted` as far as this process may, and returns what it is now.
pub fn raise_file_limit(wanted: u64) -> u64 {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: `limit` is valid for the calls.
    unsafe {
        if libc::getrlimit(libc::RLIMIT_NOFILE, &raw mut limit) != 0 || limit.rlim_cur >= wanted {
            return limit.rlim_cur;
        }
        // A hard limit gives way to a privileged process only; otherwise the soft limit goes up to it.
        let hard = limit.rlim_max;
        limit = libc::rlimit { rlim_cur: wanted, rlim_max: hard.max(wanted) };
        if libc::setrlimit(libc::RLIMIT_NOFILE, &raw const limit) != 0 {
            limit = libc::rlimit { rlim_cur: hard, rlim_max: hard };
            libc::setrlimit(libc::RLIMIT_NOFILE, &raw const limit);
        }
        libc::getrlimit(libc::RLIMIT_NOFILE, &raw mut limit);
    }
    limit.rlim_cur
}
