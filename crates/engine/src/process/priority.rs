//! The priority of a thread that must be awake at one instant.
//!
//! On a machine with other work, a thread that a timer wakes waits for its turn: with thirty runnable threads on two
//! processors for up to 0.1 s. A thread of real-time priority has its turn at once. A thread that waits for the instant awake
//! does not: it is put off like any other, once its slice is over.

use std::mem::zeroed;

/// A raised priority of this thread. Dropped, it is what it was.
pub(crate) struct Urgent {
    before: libc::sched_param,
    policy: libc::c_int,
}

impl Urgent {
    /// Gives this thread the lowest real-time priority; none where it has one already, or may not have it (`man 7 sched`: it takes
    /// CAP_SYS_NICE, or a limit RLIMIT_RTPRIO above 0).
    pub(crate) fn new() -> Option<Self> {
        // SAFETY: both calls read this thread's own setting, into a structure of plain numbers that outlives them.
        let (policy, before) = unsafe {
            let mut before: libc::sched_param = zeroed();
            let policy = libc::sched_getscheduler(0);
            let is_usual =
                [libc::SCHED_OTHER, libc::SCHED_BATCH].contains(&(policy & !libc::SCHED_RESET_ON_FORK));
            if !is_usual || libc::sched_getparam(0, &raw mut before) != 0 {
                return None;
            }
            (policy, before)
        };
        set(libc::SCHED_RR | libc::SCHED_RESET_ON_FORK, libc::sched_param { sched_priority: 1 })
            .then_some(Self { before, policy })
    }
}

impl Drop for Urgent {
    fn drop(&mut self) {
        // A thread may always have less.
        set(self.policy | libc::SCHED_RESET_ON_FORK, self.before);
    }
}

fn set(policy: libc::c_int, param: libc::sched_param) -> bool {
    // SAFETY: `param` outlives the call, which changes nothing but this thread's scheduling.
    unsafe { libc::sched_setscheduler(0, policy, &raw const param) == 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn policy() -> libc::c_int {
        // SAFETY: the call takes no pointers.
        unsafe { libc::sched_getscheduler(0) & !libc::SCHED_RESET_ON_FORK }
    }

    #[test]
    fn a_thread_is_urgent_for_a_while_where_it_may() {
        std::thread::spawn(|| {
            let urgent = Urgent::new();
            let raised = policy();
            assert_eq!(raised == libc::SCHED_RR, urgent.is_some());
            assert!(urgent.is_none() || Urgent::new().is_none(), "it is so already");
            drop(urgent);
            assert_eq!(policy(), libc::SCHED_OTHER);
        })
        .join()
        .unwrap();
    }
}
