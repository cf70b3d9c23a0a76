//! What is sent: the shipped workloads, their data and their options.
//!
//! A workload is one file and one line in [`registry`]. It is written once against [`Session`] and does not know
//! whether it runs in a closed or an open loop, over how many connections, prepared or as text.

mod bounds;
mod dataset;
mod description;
mod driver;
mod effect;
mod entry;
mod fields;
mod insert_benchmark;
mod ledger;
mod linkbench;
mod noted;
mod operation;
mod option;
mod own;
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

pub use assay_chance::Rng;

pub use crate::bounds::BEGIN;
pub use crate::dataset::{Check, Dataset, Notes, Table};
pub use crate::description::{Deferral, Description, Learner, Measure, Pace, Question};
pub use crate::driver::{Driver, Visitor};
pub use crate::effect::reads;
pub use crate::entry::{Entry, Listing};
pub use crate::ledger::{ENTRY_MAX, Ledger, LedgerEntry, LedgerId};
pub use crate::operation::{COUNTERS_MAX, CounterId, KindId, Operation, Pause};
pub use crate::option::{OptionError, OptionSchema, nearest};
pub use crate::own::{
    Account, Keep, Own, PREFIX as OWN_PREFIX, READS_COUNTERS, ReadsSoFar, StatementAccount, TableAccount,
};
pub use crate::random::{Distribution, RandOptions, RandType};
pub use crate::registry::{catalogue, entry, with_driver};
pub use crate::session::{Failure, Session};
pub use crate::statement::{LabelId, Statement, StatementId, Statements};
pub use crate::streams::{rng_of_chunk, rng_of_operation};
