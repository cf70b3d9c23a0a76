//! The tables `sbtest1`, `sbtest2` … that the sysbench workloads share, and the statements on them.

mod digits;
mod keys;
mod options;
mod per_table;
mod reads;
mod rows;
mod slice;
mod writes;

pub(crate) use self::digits::Filler;
pub(crate) use self::keys::Keys;
pub(crate) use self::options::{SbtestOptions, TableOptions};
pub(crate) use self::per_table::PerTable;
pub(crate) use self::reads::{ReadOptions, Reads};
pub(crate) use self::rows::{Sbtest, table_name};
pub(crate) use self::slice::Slice;
pub(crate) use self::writes::{WriteOptions, Writes};
