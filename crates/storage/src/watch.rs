//! The watch of a worker: what it tells the one who measures, and asks of them.

/// The three kinds of operations on a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OperationKind {
    Read,
    Write,
    /// An fsync or fdatasync.
    Sync,
}

/// An operation that has ended. Instants are nanoseconds on the watch's clock.
#[derive(Debug, Clone, Copy)]
pub struct TimedIo {
    pub kind: OperationKind,
    /// The instant at which the schedule wanted it; `started` where there is no schedule.
    pub scheduled: u64,
    pub started: u64,
    /// The instant at which the call that handed it over had returned; `started` where one call does everything.
    pub submitted: u64,
    pub ended: u64,
    pub bytes: u32,
    /// Whether fewer bytes were moved than asked for.
    pub short: bool,
    /// Whether the worker had room for it at its instant: a late start is then the pacer's own doing.
    pub prompt: bool,
}

/// The one who measures a worker: has the clock and the phases, and takes what happened. Each worker has its own, in its
/// thread.
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
    /// Takes a reading of the clock. Since the reading before, `was` operations were in flight; `in_flight` are left.
    fn turn(&mut self, now: u64, was: u32, in_flight: u32);
    /// Takes an operation that has ended.
    fn done(&mut self, done: &TimedIo);
    /// Takes the number of operations that one call handed over, and of those in flight after it.
    fn submitted(&mut self, operations: u32, in_flight: u32);
    /// Takes the number of operations that were collected at once.
    fn collected(&mut self, operations: u32);
}
