//! The driver of a workload, as the event loops know it: its terminals and their operations.

use std::future::Future;

use crate::{Description, Failure, Operation, Session};

/// A workload as its connections carry it out. It does not know how many connections there are, nor how fast it is wanted.
pub trait Driver: Description + Sized + 'static {
    /// What all terminals of an event loop share; made in the loop's thread, which it never leaves: an interpreter, a
    /// buffer.
    type Local;
    /// What one terminal keeps between its operations. A terminal is whoever asks for one operation after the other;
    /// where the job does not say otherwise, each has a connection of its own.
    type Terminal;

    /// The state of an event loop.
    fn local(&self) -> Self::Local;

    /// The state of terminal `number` of `of` in the whole run.
    fn terminal(&self, local: &Self::Local, number: u32, of: u32) -> Self::Terminal;

    /// The beginning of a terminal, once, on a connection that serves it and before the load: nothing that it sends is
    /// counted. Statements that it prepares are good on every connection that serves the terminal; what else every
    /// connection is to be told belongs to [`Statements::set_up`](crate::Statements::set_up).
    ///
    /// # Errors
    /// A statement failed, which ends the run.
    fn begin(
        &self,
        _terminal: &mut Self::Terminal,
        _session: &mut impl Session,
    ) -> impl Future<Output = Result<(), Failure>> {
        async { Ok(()) }
    }

    /// One transaction.
    ///
    /// # Errors
    /// A statement failed. The engine rolls back and, by the job's policy, calls again with the same operation.
    fn transaction(
        &self,
        terminal: &mut Self::Terminal,
        operation: &mut Operation,
        session: &mut impl Session,
    ) -> impl Future<Output = Result<(), Failure>>;

    /// The work that a transaction left for later, [`Description::deferral`], on whichever connection comes to it.
    /// `operation` has the transaction's terminal and number, and its random numbers from the start. `record` takes the
    /// values of [`Deferral::record`](crate::Deferral::record), each after a comma.
    ///
    /// # Errors
    /// As those of a transaction.
    fn deferred(
        &self,
        _operation: &mut Operation,
        _record: &mut String,
        _session: &mut impl Session,
    ) -> impl Future<Output = Result<(), Failure>> {
        async { Ok(()) }
    }

    /// The end of a terminal, after its last transaction: what is still buffered is sent.
    ///
    /// # Errors
    /// As those of a transaction.
    fn finish(
        &self,
        _terminal: &mut Self::Terminal,
        _session: &mut impl Session,
    ) -> impl Future<Output = Result<(), Failure>> {
        async { Ok(()) }
    }
}

/// Does something with a driver whose type is known only by the workload's name: the one place where code is compiled for
/// each driver.
pub trait Visitor {
    type Output;
    fn visit<D: Driver>(self, driver: D) -> Self::Output;
}
