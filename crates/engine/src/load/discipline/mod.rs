//! Load disciplines: who wants operations, when, and which connection carries them out.
//!
//! A discipline is a file beside this one and a line in the list below. It works on instants that it is given and never
//! looks at a clock. Nobody outside asks which one it is: what the rest of the engine must know are its [`Properties`].

mod arrivals;
#[cfg(test)]
mod bursts;
mod closed;
mod free;
mod terminals;
#[cfg(test)]
mod trial;

use std::task::Poll;

use assay_pace::Share;
use assay_tally::Scheduled;

use crate::process::failure::Fatal;
use crate::reactor::TaskId;
use assay_format::job::Job;

/// One operation that a connection is to carry out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Work {
    /// The instant at which it is wanted.
    pub scheduled: u64,
    /// A connection was free at that instant: whatever it waits is the generator's doing.
    pub prompt: bool,
    pub wanted: Wanted,
}

/// The operation that is to begin next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// The next operation of the connection that takes it.
    Own,
    /// The next operation of a terminal, by its number within the event loop.
    Terminal(u32),
    /// What operation `number` of a terminal left for later.
    Deferred { terminal: u32, number: u64 },
}

/// The properties of a load discipline that the engine must know outside of this room.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Properties {
    /// The kinds of work that are wanted at an instant, and so have a wait and a response time.
    pub times: Scheduled,
    /// Operations are wanted at instants that the event loop looks out for. Otherwise a connection that asks is always
    /// told to begin.
    pub by_instants: bool,
    /// No answer moves the instants (open loop): an operation belongs to the window in which it was wanted, whenever it
    /// ends, and those that wait at an edge of the window, or find the queue full, are counted.
    pub keeps_schedule: bool,
    /// Every connection has an operation in flight or thinks, at any moment: Little's law can be checked.
    pub fills_connections: bool,
    /// Connections, or terminals, ask equally often: one that was served far less than the others was starved.
    pub serves_alike: bool,
    /// Nobody waits for an instant without a connection: the event loop may let the server's threads run first.
    pub gives_way: bool,
    /// Terminals of the whole run; connections, where each is one.
    pub terminals: u32,
    /// For how many terminals the workload's own pace is meant.
    pub meant: Option<u64>,
    /// Terminals share the connections; otherwise each connection is a terminal.
    pub shared: bool,
    /// There is a pause between the operations of a terminal.
    pub paced: bool,
}

/// The grounds on which a discipline is chosen: the job, and what its workload can do.
pub(crate) struct Grounds<'a> {
    pub job: &'a Job,
    pub workload: &'a str,
    /// The workload's terminals pause by a rule of its own.
    pub own_pace: bool,
    /// For how many terminals that rule is meant.
    pub meant: Option<u64>,
    /// The workload's operations leave work for later.
    pub defers: bool,
}

/// The part of the whole load that one event loop has.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Part {
    pub share: Share,
    /// The number of connections of the event loop, and that of its terminals.
    pub connections: u32,
    pub terminals: u32,
}

/// The number of operations that came due and were let in, queued or dropped.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Admitted {
    pub count: u64,
    /// Operations among them that found the queue full, and were dropped.
    pub dropped: u64,
}

/// A load discipline, as one event loop has it: its connections are numbered from 0. `wake` is told of each connection that
/// is to ask for its work by [`next`](Self::next).
pub(crate) trait Discipline: Sized {
    /// The properties of the load, where the job asks for this discipline.
    ///
    /// # Errors
    /// The job asks for it, and the workload cannot be loaded that way.
    fn chosen(asked: &Grounds<'_>) -> Result<Option<Properties>, Fatal>;

    /// The part of one event loop.
    ///
    /// # Errors
    /// The job describes a load that cannot be.
    fn new(job: &Job, load: &Properties, part: &Part) -> Result<Self, Fatal>;

    /// The load begins at `start`. Instants that were given before are counted from there.
    fn begin(&mut self, start: u64);

    /// Lets in what is wanted before `limit`: to a free connection, into the queue, or away.
    fn admit(&mut self, limit: u64, wake: impl FnMut(TaskId)) -> Admitted;

    /// The instant at which [`admit`](Self::admit) has something to do that cannot wait for the next connection to ask.
    fn wanted(&self) -> u64;

    /// Gives a connection, whose last operation ended at `now`, what it does next; `None` when there will be no more.
    fn next(&mut self, connection: TaskId, now: u64) -> Poll<Option<Work>>;

    /// Notes that a terminal wants its next operation at the instant `due`. Returns whether [`wanted`](Self::wanted)
    /// may be earlier for that.
    fn wants(&mut self, _terminal: u32, _due: u64) -> bool {
        false
    }

    /// Queues the work that operation `number` of a terminal left for later at `instant`.
    fn defer(&mut self, _instant: u64, (_terminal, _number): (u32, u64), _wake: impl FnMut(TaskId)) {}

    /// Closes the load: nothing more will be wanted; what is promised already is still served.
    fn close(&mut self, wake: impl FnMut(TaskId));

    /// Cuts the load, for as many operations as the job allows have begun: no more begin, not even queued ones.
    fn cut(&mut self, wake: impl FnMut(TaskId)) {
        self.close(wake);
    }

    /// Whether nothing more will ever be wanted, by itself.
    fn is_exhausted(&self) -> bool {
        false
    }

    /// The number of operations that wait for a connection.
    fn queued(&self) -> u64 {
        0
    }

    /// The number of operations that wait for a connection, were wanted at `start` or later, and are lost when not
    /// served.
    fn unserved_since(&self, _start: u64) -> u64 {
        0
    }

    /// The instants at which operations were wanted that had no connection, at the end of the load.
    fn waiting(&self) -> Vec<u64> {
        Vec::new()
    }

    /// The longest queue there was of work that was left for later.
    fn longest_deferred(&self) -> u64 {
        0
    }
}

/// Makes of a list of disciplines the type that is any of them, and the list that jobs are matched with, in this order.
macro_rules! disciplines {
    ($($(#[$when:meta])* $module:ident::$name:ident),+ $(,)?) => {
        $($(#[$when])* use $module::$name;)+

        /// One of the disciplines, by name. A branch that always goes one way costs an event loop nothing; a call through
        /// a table of methods would be one more for each operation.
        enum Named {
            $($(#[$when])* $name($name)),+
        }

        const DISCIPLINES: &[(Choose, Make)] = &[
            $($(#[$when])* ($name::chosen, |job, load, part| $name::new(job, load, part).map(Named::$name).map(AnyDiscipline))),+
        ];

        macro_rules! each {
            ($any:expr, $one:ident => $call:expr) => {
                match $any { $($(#[$when])* Named::$name($one) => $call),+ }
            };
        }
    };
}

type Choose = fn(&Grounds<'_>) -> Result<Option<Properties>, Fatal>;
/// Makes the part of one event loop.
pub(crate) type Make = fn(&Job, &Properties, &Part) -> Result<AnyDiscipline, Fatal>;

disciplines! {
    #[cfg(test)]
    bursts::Bursts,
    arrivals::Arrivals,
    terminals::Terminals,
    closed::Closed,
}

/// The discipline that a job asks for: the first in the list that takes it.
///
/// # Errors
/// As [`Discipline::chosen`].
pub(crate) fn choose(asked: &Grounds<'_>) -> Result<(Properties, Make), Fatal> {
    for (chosen, make) in DISCIPLINES {
        if let Some(load) = chosen(asked)? {
            return Ok((load, *make));
        }
    }
    Err(Fatal::job("load: no discipline takes it"))
}

/// The discipline of one event loop. Which one it is stays in this room.
pub(crate) struct AnyDiscipline(Named);

impl AnyDiscipline {
    pub(crate) fn begin(&mut self, start: u64) {
        each!(&mut self.0, one => one.begin(start));
    }

    #[inline]
    pub(crate) fn admit(&mut self, limit: u64, wake: impl FnMut(TaskId)) -> Admitted {
        each!(&mut self.0, one => one.admit(limit, wake))
    }

    pub(crate) fn wanted(&self) -> u64 {
        each!(&self.0, one => one.wanted())
    }

    #[inline]
    pub(crate) fn next(&mut self, connection: TaskId, now: u64) -> Poll<Option<Work>> {
        each!(&mut self.0, one => one.next(connection, now))
    }

    #[inline]
    pub(crate) fn wants(&mut self, terminal: u32, due: u64) -> bool {
        each!(&mut self.0, one => one.wants(terminal, due))
    }

    pub(crate) fn defer(&mut self, instant: u64, operation: (u32, u64), wake: impl FnMut(TaskId)) {
        each!(&mut self.0, one => one.defer(instant, operation, wake));
    }

    pub(crate) fn close(&mut self, wake: impl FnMut(TaskId)) {
        each!(&mut self.0, one => one.close(wake));
    }

    pub(crate) fn cut(&mut self, wake: impl FnMut(TaskId)) {
        each!(&mut self.0, one => one.cut(wake));
    }

    pub(crate) fn is_exhausted(&self) -> bool {
        each!(&self.0, one => one.is_exhausted())
    }

    pub(crate) fn queued(&self) -> u64 {
        each!(&self.0, one => one.queued())
    }

    pub(crate) fn unserved_since(&self, start: u64) -> u64 {
        each!(&self.0, one => one.unserved_since(start))
    }

    pub(crate) fn waiting(&self) -> Vec<u64> {
        each!(&self.0, one => one.waiting())
    }

    pub(crate) fn longest_deferred(&self) -> u64 {
        each!(&self.0, one => one.longest_deferred())
    }
}
