//! How the kernel schedules the calling thread (`man 7 sched`): read and set.
//!
//! By the system calls themselves. The functions of musl's library of the same names always fail, because POSIX means a
//! process by them and Linux a thread.

/// A policy, as `libc::SCHED_BATCH`, its flags included, and the priority in it, which is 0 but for real-time policies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Scheduling {
    pub(crate) policy: libc::c_int,
    pub(crate) priority: libc::c_int,
}

/// The kernel's `struct sched_param`.
#[repr(C)]
struct Parameters {
    priority: libc::c_int,
}

impl Scheduling {
    /// How the kernel schedules this thread; none where it does not tell.
    pub(crate) fn current() -> Option<Self> {
        let mut parameters = Parameters { priority: 0 };
        // SAFETY: 0 is the calling thread; the second call fills `parameters`, which outlives it.
        unsafe {
            let policy = libc::syscall(libc::SYS_sched_getscheduler, 0);
            let told = libc::syscall(libc::SYS_sched_getparam, 0, &raw mut parameters);
            (policy >= 0 && told == 0)
                .then_some(Self { policy: policy as libc::c_int, priority: parameters.priority })
        }
    }

    /// Gives this thread the policy and the priority; false where it may not have them.
    pub(crate) fn set(self) -> bool {
        let parameters = Parameters { priority: self.priority };
        // SAFETY: 0 is the calling thread, and `parameters` outlives the call, which changes nothing but its scheduling.
        unsafe { libc::syscall(libc::SYS_sched_setscheduler, 0, self.policy, &raw const parameters) == 0 }
    }
}
