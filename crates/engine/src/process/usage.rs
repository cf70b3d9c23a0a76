//! The use that this process makes of the machine: the generator's cost is part of every result.

use assay_format::event::EngineUse;

/// The process's use of the machine since it began; `rss_bytes` is the resident set now.
pub(crate) fn engine_use() -> EngineUse {
    let usage = usage_of(libc::RUSAGE_SELF);
    EngineUse {
        user_us: micros(usage.ru_utime),
        system_us: micros(usage.ru_stime),
        rss_bytes: resident_bytes(),
        voluntary_switches: usage.ru_nvcsw as u64,
        involuntary_switches: usage.ru_nivcsw as u64,
    }
}

/// The kernel's account of the process (`RUSAGE_SELF`) or the calling thread (`RUSAGE_THREAD`).
pub(crate) fn usage_of(whose: libc::c_int) -> libc::rusage {
    // SAFETY: rusage is plain data and getrusage fills it.
    unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::getrusage(whose, &raw mut usage);
        usage
    }
}

/// A time of the kernel's account in whole microseconds.
pub(crate) fn micros(time: libc::timeval) -> u64 {
    time.tv_sec as u64 * 1_000_000 + time.tv_usec as u64
}

/// Peak of the resident set (VmHWM: unlike ru_maxrss it does not count what the parent had before exec).
pub(crate) fn peak_resident_bytes() -> u64 {
    std::fs::read_to_string("/proc/self/status")
        .ok()
        .and_then(|status| {
            let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
            line.split_whitespace().nth(1)?.parse::<u64>().ok()
        })
        .map_or(0, |kib| kib * 1024)
}

fn resident_bytes() -> u64 {
    // SAFETY: sysconf takes no pointers.
    let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) } as u64;
    std::fs::read_to_string("/proc/self/statm")
        .ok()
        .and_then(|statm| statm.split_whitespace().nth(1)?.parse::<u64>().ok())
        .map_or(0, |pages| pages * page)
}

/// The use between the readings `earlier` and `later`.
pub(crate) fn since(later: &EngineUse, earlier: &EngineUse) -> EngineUse {
    EngineUse {
        user_us: later.user_us - earlier.user_us,
        system_us: later.system_us - earlier.system_us,
        rss_bytes: later.rss_bytes,
        voluntary_switches: later.voluntary_switches - earlier.voluntary_switches,
        involuntary_switches: later.involuntary_switches - earlier.involuntary_switches,
    }
}
