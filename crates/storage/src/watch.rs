//! What a worker tells whoever measures, and asks of them.

/// What an operation was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Read,
    Write,
    /// fsync or fdatasync.
    Sync,
}

/// An operation that has ended. Instants are nanoseconds on the watch's clock.
#[derive(Debug, Clone, Copy)]
pub struct Done {
    pub kind: Kind,
    /// When the plan wanted it; without a plan the same as `started`.
    pub scheduled: u64,
    pub started: u64,
    /// When the call that handed it over had returned; the same as `started` where one call does everything.
    pub submitted: u64,
    pub ended: u64,
    pub bytes: u32,
    /// Fewer bytes than asked for.
    pub short: bool,
    /// The worker had room for it at its instant: what it was late is the pacer's own doing.
    pub prompt: bool,
}

/// The one who measures: has the clock, the phases, and takes what happened. One for each worker, in its thread.
pub trait Watch {
    /// Whether what begins now counts for the limits of the job: what warms up does not.
    fn counted(&self) -> bool {
        true
    }
    fn now(&self) -> u64;
    /// Waits until the load begins; its instant, or `None` when it never will.
    fn gate(&mut self) -> Option<u64>;
    /// Whether no operation may start any more.
    fn over(&self, now: u64) -> bool;
    /// Whether an instant of the schedule lies within the load that has ended.
    fn wanted(&self, instant: u64) -> bool;
    /// Whether to leave what is still in flight.
    fn give_up(&self, now: u64) -> bool;
    /// The clock was read. Since it was read last, `was` operations were in flight; `in_flight` are left.
    fn turn(&mut self, now: u64, was: u32, in_flight: u32);
    fn done(&mut self, done: &Done);
    /// So many operations went in one call, with so many in flight afterwards.
    fn submitted(&mut self, operations: u32, in_flight: u32);
    /// So many were collected at once.
    fn collected(&mut self, operations: u32);
}
