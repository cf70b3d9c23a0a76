//! What is sent: the shipped workloads, their data and their options.
//!
//! A workload is one file and one line in [`registry`]. It is written once against [`Session`] and does not know
//! whether it runs in a closed or an open loop, over how many connections, prepared or as text.

mod dataset;
mod option;
mod random;
mod registry;
mod rng;
mod sbtest;
mod session;
mod sysbench;
#[cfg(test)]
mod testing;

use std::future::Future;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;

pub use crate::dataset::{Dataset, Table};
pub use crate::option::OptionError;
pub use crate::registry::{Description, Visitor, catalogue, with_workload};
pub use crate::rng::Rng;
pub use crate::session::{Failure, LabelId, Operation, Session, Statement, StatementId};

/// A workload: options in, statements and operations out.
pub trait Workload: Send + Sync + Sized + 'static {
    /// Its options; unknown names are refused. Field docs are the help texts.
    type Options: DeserializeOwned + JsonSchema;
    /// What one connection keeps between operations.
    type Worker;

    /// Name on the command line and in study files.
    const NAME: &'static str;
    /// One line for lists.
    const SUMMARY: &'static str;

    /// Checks the options as a whole.
    ///
    /// # Errors
    /// An option out of range, or two that exclude each other; the message names them.
    fn new(options: Self::Options, seed: u64) -> Result<Self, OptionError>;

    /// Names of the statement labels; [`LabelId`] indexes it. `transaction`, the whole unit, is not among them.
    fn labels(&self) -> &[&'static str];

    /// Every statement that is prepared on every connection before the clocks start.
    fn statements(&self) -> &[Statement];

    fn data(&self) -> &dyn Dataset;

    /// State of connection `worker` of `workers`.
    fn worker(&self, worker: u32, workers: u32) -> Self::Worker;

    /// One transaction. On `Err` the engine rolls back and, by its policy, calls again with the same operation.
    fn transaction(
        &self,
        worker: &mut Self::Worker,
        operation: &mut Operation,
        session: &mut impl Session,
    ) -> impl Future<Output = Result<(), Failure>>;

    /// After the last transaction of a connection: what is still buffered is sent.
    fn finish(
        &self,
        _worker: &mut Self::Worker,
        _session: &mut impl Session,
    ) -> impl Future<Output = Result<(), Failure>> {
        async { Ok(()) }
    }
}
