//! The priority of a thread that must be awake at one instant.
//!
//! On a machine with other work, a thread that a timer wakes waits for its turn: with thirty runnable threads on two
//! processors for up to 0.1 s. A thread of real-time priority has its turn at once. A thread that waits for the instant awake
//! does not: it is put off like any other, once its slice is over.

use crate::process::scheduling::Scheduling;

/// A raised priority of this thread. Dropped, it is what it was.
pub(crate) struct Urgent {
    before: Scheduling,
}

impl Urgent {
    /// Gives this thread the lowest real-time priority; none where it has one already, or may not have it (`man 7 sched`: it takes
    /// CAP_SYS_NICE, or a limit RLIMIT_RTPRIO above 0).
    pub(crate) fn new() -> Option<Self> {
        let before = Scheduling::current()?;
        let is_usual =
            [libc::SCHED_OTHER, libc::SCHED_BATCH].contains(&(before.policy & !libc::SCHED_RESET_ON_FORK));
        let raised = Scheduling { policy: libc::SCHED_RR | libc::SCHED_RESET_ON_FORK, priority: 1 };
        (is_usual && raised.set()).then_some(Self { before })
    }
}

impl Drop for Urgent {
    fn drop(&mut self) {
        // A thread may always have less.
        Scheduling { policy: self.before.policy | libc::SCHED_RESET_ON_FORK, ..self.before }.set();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn policy() -> libc::c_int {
        Scheduling::current().expect("the kernel tells").policy & !libc::SCHED_RESET_ON_FORK
    }

    #[test]
    fn a_thread_is_urgent_for_a_while_where_it_may() {
        std::thread::spawn(|| {
            let before = policy();
            let urgent = Urgent::new();
            let raised = policy();
            assert_eq!(raised == libc::SCHED_RR, urgent.is_some());
            assert!(urgent.is_none() || Urgent::new().is_none(), "it is so already");
            drop(urgent);
            assert_eq!(policy(), before);
        })
        .join()
        .unwrap();
    }
}
