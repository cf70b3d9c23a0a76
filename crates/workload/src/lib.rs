//! What is sent: the shipped workloads, their data and their options.
//!
//! A workload is one file and one line in [`registry`]. It is written once against [`Session`] and does not know
//! whether it runs in a closed or an open loop, over how many connections, prepared or as text.

mod bounds;
mod dataset;
mod fields;
mod insert_benchmark;
mod ledger;
mod linkbench;
mod noted;
mod operation;
mod option;
mod random;
mod registry;
mod sbtest;
mod session;
mod shares;
mod smallbank;
mod statement;
mod streams;
mod sysbench;
mod tatp;
#[cfg(test)]
mod testing;
mod text;
mod tpcc;
mod ycsb;

use std::collections::BTreeMap;
use std::future::Future;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;

pub use assay_chance::Rng;

pub use crate::dataset::{Check, Dataset, Notes, Table};
pub use crate::ledger::{ENTRY_MAX, Entry, Ledger, LedgerId};
pub use crate::operation::{COUNTERS_MAX, CounterId, KindId, Operation, Pause};
pub use crate::option::OptionError;
pub use crate::registry::{Description, Visitor, catalogue, with_workload};
pub use crate::session::{Failure, Session};
pub use crate::statement::{LabelId, Statement, StatementId};
pub use crate::streams::{rng_of_chunk, rng_of_operation};

/// A workload: options in, statements and operations out.
pub trait Workload: Send + Sync + Sized + 'static {
    /// Its options; unknown names are refused. Field docs are the help texts.
    type Options: DeserializeOwned + JsonSchema;
    /// What one terminal keeps between operations.
    type Worker;

    /// Name on the command line and in study files.
    const NAME: &'static str;
    /// One line for lists.
    const SUMMARY: &'static str;

    /// Kinds of transactions, each with counts and times of its own; [`KindId`] indexes it. None: all are alike.
    const KINDS: &'static [&'static str] = &[];

    /// Whether its tables have conditions that a load must not break; see [`Dataset::checks`].
    const CONDITIONS: bool = false;

    /// Whether it sends several statements in one text; see [`Session::packet`].
    const PACKETS: bool = false;

    /// What its transactions promise when their COMMIT is acknowledged; [`LedgerId`] indexes it.
    const LEDGERS: &'static [Ledger] = &[];
    /// What [`deferred`](Self::deferred) writes down of each work, as column names. None: nothing.
    const RECORD: &'static [&'static str] = &[];

    /// Checks the options as a whole.
    ///
    /// # Errors
    /// An option out of range, or two that exclude each other; the message names them.
    fn new(options: Self::Options, seed: u64) -> Result<Self, OptionError>;

    /// Names of the statement labels; [`LabelId`] indexes it. `transaction`, the whole unit, is not among them.
    fn labels(&self) -> &[&'static str];

    /// Those of [`KINDS`](Self::KINDS) that there are with its options: the first so many.
    fn kinds(&self) -> &[&'static str] {
        Self::KINDS
    }

    /// What the workload counts beside transactions, at most [`COUNTERS_MAX`]; [`CounterId`] indexes it.
    fn counters(&self) -> &[&'static str] {
        &[]
    }

    /// What is worth knowing about a result of this workload, by name: what it found in the tables, what it drew.
    fn facts(&self) -> Vec<(&'static str, String)> {
        Vec::new()
    }

    /// Statements sent once on every connection, before any other: `SET SESSION …`.
    fn session(&self) -> &[String] {
        &[]
    }

    /// What `prepare` wrote down, [`Dataset::notes`], read back before `run` and `check`; nothing where there is no table.
    ///
    /// # Errors
    /// The tables are not those of the options; the message names both.
    fn learn(&mut self, _notes: &BTreeMap<String, String>) -> Result<(), OptionError> {
        Ok(())
    }

    /// Every statement that is prepared on every connection before the clocks start.
    fn statements(&self) -> &[Statement];

    fn data(&self) -> &dyn Dataset;

    /// Whether its load adds rows beyond those of the data, or takes them away for good: tables of another size than a
    /// fresh load's are then its own work.
    fn resizes(&self) -> bool {
        false
    }

    /// State of terminal `worker` of `workers`: whoever asks for one operation after the other. Where the job does not say
    /// otherwise, each has a connection of its own.
    fn worker(&self, worker: u32, workers: u32) -> Self::Worker;

    /// How many of how many parts of the tables so many terminals work in, where each has its own: TPC-C's home
    /// warehouses. None: each works in all of them.
    fn reach(&self, _terminals: u32) -> Option<(u64, u64)> {
        None
    }

    /// How long terminal `worker` waits before its operation `number`, where the workload has a pace of its own.
    fn pause(&self, _seed: u64, _worker: u32, _number: u64) -> Option<Pause> {
        None
    }

    /// For how many terminals that pace is meant, on these tables: TPC-C's ten a warehouse. None: for any number.
    fn terminals(&self) -> Option<u64> {
        None
    }

    /// Whether transactions leave work for later, [`Operation::defer`].
    fn defers(&self) -> bool {
        false
    }

    /// One transaction. On `Err` the engine rolls back and, by its policy, calls again with the same operation.
    fn transaction(
        &self,
        worker: &mut Self::Worker,
        operation: &mut Operation,
        session: &mut impl Session,
    ) -> impl Future<Output = Result<(), Failure>>;

    /// What a transaction left for later, on whichever connection comes to it: `operation` has its terminal, its number and
    /// its random numbers from the start. Errors are as those of a transaction. `record` takes the values of
    /// [`RECORD`](Self::RECORD), each after a comma.
    fn deferred(
        &self,
        _operation: &mut Operation,
        _record: &mut String,
        _session: &mut impl Session,
    ) -> impl Future<Output = Result<(), Failure>> {
        async { Ok(()) }
    }

    /// After the last transaction of a terminal: what is still buffered is sent.
    fn finish(
        &self,
        _worker: &mut Self::Worker,
        _session: &mut impl Session,
    ) -> impl Future<Output = Result<(), Failure>> {
        async { Ok(()) }
    }
}
