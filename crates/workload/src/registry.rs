//! The list of workloads: adding one is its file and one line here.

use serde_json::{Map, Value};

use crate::driver::Visitor;
use crate::entry::{Entry, Listed, Listing, Shipped, make};
use crate::insert_benchmark::InsertBenchmark;
use crate::linkbench::LinkBench;
use crate::option::OptionError;
use crate::smallbank::SmallBank;
use crate::sysbench::Oltp;
use crate::sysbench::bulk_insert::BulkInsert;
use crate::sysbench::oltp_delete::OltpDelete;
use crate::sysbench::oltp_insert::OltpInsert;
use crate::sysbench::oltp_point_select::OltpPointSelect;
use crate::sysbench::oltp_read_only::OltpReadOnly;
use crate::sysbench::oltp_read_write::OltpReadWrite;
use crate::sysbench::oltp_update_index::OltpUpdateIndex;
use crate::sysbench::oltp_update_non_index::OltpUpdateNonIndex;
use crate::sysbench::oltp_write_only::OltpWriteOnly;
use crate::sysbench::select::Select;
use crate::sysbench::select_random_points::SelectRandomPoints;
use crate::sysbench::select_random_ranges::SelectRandomRanges;
use crate::tatp::Tatp;
use crate::tpcc::Tpcc;
use crate::ycsb::Ycsb;

macro_rules! workloads {
    ($($workload:ty),* $(,)?) => {
        const ENTRIES: &[&dyn Entry] = &[$(&Listed::<$workload>::NEW),*];

        /// Builds the workload called `name` and hands it to `visitor`, which is compiled for each of them.
        ///
        /// # Errors
        /// No such workload, an unknown option, a value of the wrong type or out of range.
        pub fn with_driver<V: Visitor>(
            name: &str,
            options: &Map<String, Value>,
            seed: u64,
            visitor: V,
        ) -> Result<V::Output, OptionError> {
            $(if name == <$workload>::NAME {
                return Ok(visitor.visit(make::<$workload>(options, seed)?));
            })*
            Err(unknown(name))
        }
    };
}

workloads! {
    Oltp<OltpReadOnly>,
    Oltp<OltpReadWrite>,
    Oltp<OltpWriteOnly>,
    Oltp<OltpPointSelect>,
    Oltp<OltpUpdateIndex>,
    Oltp<OltpUpdateNonIndex>,
    OltpInsert,
    OltpDelete,
    BulkInsert,
    SelectRandomPoints,
    SelectRandomRanges,
    Select,
    Tpcc,
    LinkBench,
    Ycsb,
    Tatp,
    SmallBank,
    InsertBenchmark,
}

/// The workload called `name`.
///
/// # Errors
/// No workload is called so; the message lists the names.
pub fn entry(name: &str) -> Result<&'static dyn Entry, OptionError> {
    ENTRIES.iter().copied().find(|entry| entry.name() == name).ok_or_else(|| unknown(name))
}

/// Every workload, in the order people should meet them.
pub fn catalogue() -> Vec<Listing> {
    ENTRIES.iter().map(|entry| entry.listing()).collect()
}

fn unknown(name: &str) -> OptionError {
    let known: Vec<&str> = ENTRIES.iter().map(|entry| entry.name()).collect();
    OptionError(format!("no workload is called {name:?}; there are {}", known.join(", ")))
}
