//! The outside of a script: who opens its connections, sends its statements, and says when its next event begins.

use std::future::Future;

use assay_wire::{Outcome, Param};

use crate::{Results, SqlError, Whereabouts};

/// The counters that scripts may count in themselves, by the numbers of `sb_counter_type`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counter {
    Other,
    Read,
    Write,
    Transaction,
    Error,
    Reconnect,
}

impl Counter {
    pub(crate) const ALL: [Self; 6] =
        [Self::Other, Self::Read, Self::Write, Self::Transaction, Self::Error, Self::Reconnect];
}

/// Memory that a script touches first when it goes on.
pub type Touched = [*const [u8]; 3];

/// The outside of one script. Statements are counted and timed here; errors are counted when
/// [`failed`](Self::failed) says what has become of them.
pub trait Host {
    type Connection;
    /// A statement that the server has prepared.
    type Prepared;

    /// Connects and logs in.
    ///
    /// # Errors
    /// There is no connection.
    fn connect(&mut self) -> impl Future<Output = Result<Self::Connection, SqlError>>;

    /// Sends a text; its results go into `results`.
    ///
    /// # Errors
    /// The server refused, or is gone.
    fn query(
        &mut self,
        connection: &mut Self::Connection,
        sql: &[u8],
        results: &mut Results,
    ) -> impl Future<Output = Result<Outcome, SqlError>>;

    /// Prepares a statement. `None`: the server has no prepared statement of this kind, so it travels as text.
    ///
    /// # Errors
    /// The server refused, or is gone.
    fn prepare(
        &mut self,
        connection: &mut Self::Connection,
        sql: &str,
    ) -> impl Future<Output = Result<Option<Self::Prepared>, SqlError>>;

    /// Executes a prepared statement; its rows are counted and thrown away.
    ///
    /// # Errors
    /// The server refused, or is gone.
    fn execute(
        &mut self,
        connection: &mut Self::Connection,
        prepared: &mut Self::Prepared,
        params: &[Param<'_>],
    ) -> impl Future<Output = Result<Outcome, SqlError>>;

    /// The number of parameters that a prepared statement takes; `None` where it takes any.
    fn parameters(&self, prepared: &Self::Prepared) -> Option<usize>;

    /// Frees a prepared statement.
    fn close(
        &mut self,
        connection: &mut Self::Connection,
        prepared: Self::Prepared,
    ) -> impl Future<Output = ()>;

    /// Says goodbye.
    fn disconnect(&mut self, connection: Self::Connection) -> impl Future<Output = ()>;

    /// Whether a connection can still be used.
    fn is_usable(&self, connection: &Self::Connection) -> bool;

    /// Notes a statement that failed; `reconnected`: its connection was lost and has been opened again.
    fn failed(&mut self, error: &SqlError, reconnected: bool);

    /// Says that thread_init() is over, and waits for those of all other threads.
    fn ready(&mut self) -> impl Future<Output = ()>;

    /// Waits for the next event; false when there is none. `ended`: the event before has succeeded.
    fn next(&mut self, ended: bool) -> impl Future<Output = bool>;

    /// Hears that the thread asks for no more events. `ended`: the one that is going on has succeeded.
    fn over(&mut self, ended: bool);

    /// Notes that the event that is going on begins again; false where there is no time for it any more.
    fn restarts(&mut self) -> bool;

    /// Pauses because the script says so: to the end, also when the load ends meanwhile.
    fn sleep(&mut self, ns: u64) -> impl Future<Output = ()>;

    /// Pauses before another try to connect; false where everything is over.
    fn pause_between_tries(&mut self, ns: u64) -> impl Future<Output = bool>;

    /// Adds to a counter, because the script says so.
    fn count(&mut self, counter: Counter, amount: i64);

    /// Takes a line that the script's state has to say: a failure, an alert.
    fn log(&mut self, line: &str);

    /// Hears that the script waits for the answer to a request, and what it will touch then.
    fn waits(&mut self, _touched: Touched) {}

    /// Hears that the script begins to compute, and how to find where it is, or that it has ended to.
    fn computes(&mut self, _whereabouts: Option<&Whereabouts>) {}
}
